// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import Testing

extension SharedData {
  /// The raw sensors of an iPhone.
  static func phone(_ name: String) -> String { path("mcap/\(name).mcap") }
}

@Suite(
  .enabled(if: SharedData.has("mcap"), "needs the recordings in shared/data/mcap (OPENCOREMOTION_DATA)"))
struct RealRecordingTests {
  private func read(_ name: String, _ options: RecordingOptions = RecordingOptions()) throws -> ReadResult {
    try MotionRecordingTests.read(SharedData.phone(name), options)
  }

  @Test func theFirstPhoneRecordingIsReadInFull() throws {
    let result = try read("pyojin_iphone_2019_06_10")
    #expect(result.accelerometer.count == 3367 && result.gyroscope.count == 3367 && result.magnetometer.isEmpty)
    #expect(result.statistics.omitted == 0)
    #expect(result.accelerometer.first?.time.nanoseconds == 142_987_091_729_917)
    // g × 9.81 in Apple's sign became m/s² when the recording was converted.
    let first = try #require(result.accelerometer.first).specificForce
    let own = Vector3<Device>(x: 0.017963, y: -0.025896, z: -9.731563) * (-9.80665 / 9.81)
    #expect(first.isApproximatelyEqual(to: own, tolerance: 1e-12))
    #expect(result.gyroscope.last?.time.nanoseconds == 143_020_771_454_750)
    #expect(result.gyroscope.last?.angularVelocity == Vector3(x: -0.155104, y: -0.029871, z: 0.108531))
    #expect(result.recording.duration == SensorDuration(nanoseconds: 33_679_724_833))
  }

  @Test func theSecondHasAMagnetometer() throws {
    let result = try read("pyojin_iphone_2019_06_11")
    #expect(result.accelerometer.count == 4623 && result.gyroscope.count == 4623)
    #expect(result.magnetometer.count == 4677 && result.fused.isEmpty)
    let rate = try #require(result.recording.info.channel(.accelerometer)?.rates.first)
    #expect(abs(rate - 99.93) < 0.01)
  }

  @Test func everyTrialWithMotionCaptureIsRead() throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: SharedData.folder + "/mcap")
    for name in names where name.hasPrefix("tyrex_") {
      let result = try read(String(name.dropLast(5)))
      #expect(result.accelerometer.count > 500 && result.statistics.omitted == 0, "\(name)")
    }
  }
}
