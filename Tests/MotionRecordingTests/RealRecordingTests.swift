// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// The folder with the real recordings; a test that needs it is skipped, by name, where it is absent.
enum RealData {
  static let folder: String = {
    if let path = ProcessInfo.processInfo.environment["OPENCOREMOTION_DATA"] { return path }
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return package.deletingLastPathComponent().appendingPathComponent("shared/data").path
  }()

  static func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/" + name) }
  static let hasPhones = exists("iphone")
}

@Suite(
  .enabled(if: RealData.hasPhones, "needs the recordings in shared/data/iphone (OPENCOREMOTION_DATA)"))
struct RealRecordingTests {
  private func read(_ name: String, _ options: RecordingOptions = RecordingOptions()) throws -> ReadResult {
    try MotionRecordingTests.read(RealData.folder + "/iphone/" + name, options)
  }

  @Test func theFirstPhoneRecordingIsReadInFull() throws {
    let result = try read("pyojin_iphone_2019_06_10")
    #expect(result.accelerometer.count == 3367 && result.gyroscope.count == 3367 && result.magnetometer.isEmpty)
    #expect(result.statistics.omitted == 0)
    #expect(result.accelerometer.first?.time.nanoseconds == 142_987_091_729_917)
    #expect(result.accelerometer.first?.reading == Vector3(x: 0.017963, y: -0.025896, z: -9.731563))
    #expect(result.gyroscope.last?.time.nanoseconds == 143_020_771_454_750)
    #expect(result.gyroscope.last?.angularVelocity == Vector3(x: -0.155104, y: -0.029871, z: 0.108531))
    #expect(result.recording.duration == SensorDuration(nanoseconds: 33_679_724_833))
  }

  @Test func theSecondHasAMagnetometerAndAHeading() throws {
    let result = try read("pyojin_iphone_2019_06_11", .recorded)
    #expect(result.accelerometer.count == 4623 && result.gyroscope.count == 4623)
    #expect(result.magnetometer.count == 4677 && result.fused.count == 4623)
    #expect(result.magnetometer.first?.reading == Vector3(x: -9.744644, y: 380.322693, z: -381.394104))
    let first = try #require(result.fused.first)
    #expect(first.w == 0.999999 && first.vector == Vector3(x: 0.001387, y: 0.000573, z: -0.000001))
    #expect(first.gravity == Vector3(x: 0.011233, y: -0.027203, z: -9.809956))
    #expect(first.heading == AngleReading(270.000183, .degree))
    #expect(result.fused.last?.heading == AngleReading(270.676514, .degree))
    let rate = try #require(result.recording.info.channel(.accelerometer)?.rates.first)
    #expect(abs(rate - 99.93) < 0.01)
  }

  /// Documentation/Formats.md 2.3: an import that breaks these has a swapped column or a wrong sign.
  @Test(arguments: ["pyojin_iphone_2019_06_10", "pyojin_iphone_2019_06_11"])
  func recordedGravityIsTheAttitudesDownAxis(name: String) throws {
    for sample in try read(name, .recorded).fused {
      let attitude = try #require(sample.attitude)
      let up = attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: 1)
      #expect((sample.gravity * sample.accelerationUnit.scale).angle(to: up) < Angle(degrees: 0.1).radians)
    }
  }

  @Test func aTyrexTrialIsReadInFull() throws {
    let result = try read("tyrex/Guillaume_iPhone5_NoDist_AR", .recorded)
    #expect(result.accelerometer.count + result.statistics[.duplicate] >= 12_674)
    #expect(result.gyroscope.count == 11_917 && result.magnetometer.count == 3113 && result.fused.count == 11_916)
    #expect(result.accelerometer.first?.time.nanoseconds == 58_202_283_700_000)
    #expect(result.accelerometer.first?.reading == Vector3(x: 0.0319, y: -0.0948, z: -1.0025))
    #expect(result.fused.first?.w == 0.9987)
  }

  @Test func everyTyrexTrialIsRead() throws {
    let path = RealData.folder + "/iphone/tyrex"
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasPrefix("LICEN") {
      let result = try read("tyrex/" + name, .skipping)
      #expect(result.accelerometer.count > 500, "\(name)")
      #expect(
        result.statistics[.malformed] == 0 && result.statistics[.outOfOrder] == 0, "\(name): \(result.statistics)")
    }
  }
}
