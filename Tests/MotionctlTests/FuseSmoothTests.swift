// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import Testing

/// `motionctl fuse --smooth`.
@Suite struct FuseSmoothTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A recording of a simulated device.
  private func record(_ name: String, seconds: Int, seed: Int = 1) throws -> String {
    let path = folder.path(name)
    let result = try MotionctlProcess.run(
      "record", "simulate:handheld?speed=max&seed=\(seed)", "--for", "\(seconds)", "-o", path)
    try #require(result.code == 0, "\(result.errors)")
    return path
  }

  @Test func theRowsAreThoseOfTheFilterWithAHeadingFromTheFirstOn() throws {
    let path = try record("hand.mcap", seconds: 60)
    let plain = try MotionctlProcess.run("fuse", path, "--frame", "magnetic")
    let smooth = try MotionctlProcess.run("fuse", path, "--frame", "magnetic", "--smooth")
    #expect(smooth.code == 0)
    #expect(smooth.cells.map { $0[0] } == plain.cells.map { $0[0] })
    // Column 19 is the accuracy of the heading: the filter has none before it has calibrated the magnetometer.
    #expect(plain.cells.dropFirst().contains { $0[19].isEmpty })
    #expect(smooth.cells.dropFirst().allSatisfy { !$0[19].isEmpty })
    #expect(!smooth.errors.contains("not calibrated"))
    #expect(smooth.errors.contains("computed from the raw sensors, smoothed"))
    // Gravity and user acceleration stay one accelerometer sample.
    for (a, b) in zip(plain.cells.dropFirst(), smooth.cells.dropFirst()) {
      let sum = { (row: [Substring], axis: Int) in (Double(row[8 + axis]) ?? 0) + (Double(row[11 + axis]) ?? 0) }
      for axis in 0..<3 { #expect(abs(sum(a, axis) - sum(b, axis)) < 1e-9) }
    }
  }

  @Test func aLiveSourceAndLearnedErrorsAreRefused() throws {
    let live = try MotionctlProcess.run("fuse", "simulate:rest", "--for", "1", "--smooth")
    #expect(live.code != 0 && live.errors.contains("--smooth needs a recording"))
    let learned = try MotionctlProcess.run("fuse", "walk.csv", "--smooth", "--learned", "phone.json")
    #expect(learned.code == 64 && learned.errors.contains("leave --learn and --learned out"))
  }
}
