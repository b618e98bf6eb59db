// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing

/// A source of one's own, in a package of one's own: the pendulum of a metronome, `metronome:BEATS` (a minute).
///
/// A program that links this target can be started with `MOTION_SOURCE=metronome:90`; no file of OpenCoreMotion names it.
struct Metronome: SensorSource {
  /// Largest deflection of the pendulum, rad.
  private static let amplitude = 0.5
  /// Hz.
  private static let rate = 100.0

  let info = SensorInfo(
    name: "simulated metronome", origin: .simulation, pacing: .onDemand,
    channels: [.init(kind: .gyroscope, rates: [rate])])
  /// rad/s of the pendulum's phase: two beats are one swing to and fro.
  private let frequency: Double

  init(beats text: String) throws(SensorError) {
    guard let beats = Double(text.isEmpty ? "60" : text), (20...300).contains(beats) else {
      throw SensorError(.invalidRequest, "A metronome beats 20 to 300 times a minute, not “\(text)”.")
    }
    frequency = 2 * .pi * beats / 120
  }

  func run(_ session: SensorSession) throws {
    let start = session.resumeAfter ?? session.clock.now
    for index in 1... {
      let seconds = Double(index) / Self.rate
      let time = start + .milliseconds(Int64(index * 10))
      try session.wait(until: time)
      let turning = Self.amplitude * frequency * cos(frequency * seconds)
      try session.deliver(.gyroscope(GyroscopeSample(time: time, angularVelocity: Vector3(x: 0, y: 0, z: turning))))
    }
  }
}

/// Runs before `main`, because the linker finds it in this section: so linking the target is enough.
@section(".init_array") @used
private let register: @convention(c) () -> Void = {
  SourceRegistry.atStart {
    SourceRegistry.add(
      SourceScheme("metronome", form: "metronome:BEATS", pacing: .onDemand) { address, _ throws(SensorError) in
        try Metronome(beats: address.path)
      })
  }
}
