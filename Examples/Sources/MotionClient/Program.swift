// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// A dependency client for motion: an app's feature that runs on the live sensors here and on written samples in a test.
//
// MOTION_SOURCE=simulate:handheld swift run --package-path Examples MotionClient

import Foundation
import MotionStreams

@MainActor
final class Store {
  private(set) var state = TiltFeature()

  func run(_ client: MotionClient) async { await TiltFeature.follow(client) { state.reduce($0) } }
}

@main
struct Program {
  @MainActor
  static func main() async {
    let seconds = CommandLine.arguments.dropFirst().first.flatMap { Double($0) } ?? 3

    // As a test does it.
    let scripted = Store()
    await scripted.run(.scripted([DeviceMotion(), DeviceMotion(attitude: Attitude(pitch: .pi / 6))]))
    report("scripted", scripted.state)

    // As the app does it; cancelling stops the sensors.
    let live = Store()
    let task = Task { await live.run(.live) }
    try? await Task.sleep(for: .seconds(seconds))
    task.cancel()
    await task.value
    report("live", live.state)
    if let problem = live.state.problem { print(problem) }
    print("\(live.state.samples) samples")
    exit(live.state.samples > 0 ? 0 : 1)
  }

  static func report(_ name: String, _ state: TiltFeature) {
    print(name, "tilt", String(format: "%.1f", state.tilt * 180 / .pi), "degrees")
  }
}
