// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

/// FIT and the telemetry of GoPros.
@Suite struct CameraTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// 1989-12-31 00:00 UTC and 10⁹ s, ns.
  private static let start: Int64 = (631_065_600 + 1_000_000_000) * 1_000_000_000

  @Test(arguments: [false, true]) func theArraysOfAFITFileAreSamplesWithTheirOwnTimes(isBigEndian: Bool) throws {
    let result = try read(folder.write("walk.fit", FITBuilder.walk(25, isBigEndian: isBigEndian)))
    #expect(result.recording.format == .fit && result.statistics.omitted == 0)
    let times = (0..<250).map { SensorInstant(nanoseconds: Self.start + Int64($0) * 10_000_000) }
    #expect(result.accelerometer.map(\.time) == times && result.gyroscope.map(\.time) == times)
    #expect(result.accelerometer[200].specificForce == standardGravity * Vector3(x: 200.0 / 64, y: -0.25, z: 1))
    #expect(abs(result.gyroscope[7].angularVelocity.z - .pi / 4) < 1e-12)
    #expect(result.recording.recordedDescription?.clock == .epoch)
  }

  @Test func rawCountsAreCalibratedAsTheFileSays() throws {
    var file = FITBuilder()
    file.define(
      0, 167, [(253, 4, 0x86), (0, 1, 0), (1, 4, 0x86), (2, 4, 0x86), (3, 4, 0x86), (4, 12, 0x85), (5, 36, 0x85)])
    file.define(1, 164, [(253, 4, 0x86), (0, 2, 0x84), (1, 4, 0x84), (2, 4, 0x84), (3, 4, 0x84), (4, 4, 0x84)])
    func message(_ time: UInt32) {
      file.begin(1)
      file.values([time])
      file.values([UInt16(0), 0, 10, 32_768 + 82, 32_768, 32_768, 32_768 + 164, 32_768, 0xFFFF])
    }
    message(100)
    file.begin(0)
    file.values([UInt32(100)])
    file.bytes([1])
    file.values([UInt32(5), 82, 32_768])
    file.values([Int32(0), 0, 0, 0, -65_535, 0, 0, 0, -65_535, -65_535, 0, 0])
    message(101)
    let path = try folder.write("raw.fit", file.finish())
    #expect(failure(path)?.message.contains("before the calibration") == true)
    let result = try read(path, .skipping)
    #expect(result.gyroscope.count == 1 && result.statistics[.malformed] == 1 && result.statistics[.nonFinite] == 1)
    // 82 counts are 5 deg/s about the first channel, which the matrix makes −z.
    let rate = result.gyroscope[0].angularVelocity * (180 / .pi)
    #expect(abs(rate.x) < 1e-12 && abs(rate.y) < 1e-12)
    #expect(abs(rate.z + 5) < 1e-12)
    // Seconds since the camera was started.
    #expect(result.gyroscope[0].time.nanoseconds == 101_000_000_000)
    #expect(result.recording.recordedDescription?.clock == .device)
  }

  @Test func damageInAFITFileIsSaid() throws {
    let good = FITBuilder.walk(25)
    var bytes = good
    bytes[600] ^= 1
    let sum = try read(folder.write("a.fit", bytes), .skipping)
    #expect(sum.statistics[.malformed] == 1 && sum.accelerometer.count == 250)
    #expect(failure(folder.path + "/a.fit")?.message.contains("checksum") == true)
    let cut = try read(folder.write("b.fit", Array(good.prefix(2000))))
    #expect(cut.statistics[.truncated] == 1 && cut.accelerometer.count < 250 && !cut.accelerometer.isEmpty)
    // A file of activities has no sensors.
    var activity = FITBuilder()
    activity.define(0, 20, [(253, 4, 0x86)])
    #expect(failure(try folder.write("run.fit", activity.finish()))?.message.contains("activities hold none") == true)
    // Files that follow each other in one: the clock has started again.
    #expect(try read(folder.write("two.fit", good + good), .skipping).accelerometer.count == 499)
  }

  @Test func theTelemetryOfAVideoHasItsTimesAndAxes() throws {
    let video = GPMFBuilder.video((0..<5).map { GPMFBuilder.payload($0, axes: $0 < 3 ? nil : "YxZ") })
    let result = try read(folder.write("GH010001.MP4", video))
    #expect(result.recording.format == .gpmf && result.statistics.omitted == 0)
    #expect(result.accelerometer.count == 100 && result.gyroscope.count == 200)
    #expect(
      result.accelerometer.map(\.time.nanoseconds).prefix(22).suffix(3) == [950_950_000, 1_001_000_000, 1_051_050_000])
    // A HERO5 writes z, x, y.
    #expect(result.accelerometer[41].specificForce == Vector3(x: 0.02, y: 0.01, z: 9.81))
    #expect(result.accelerometer[61].specificForce == Vector3(x: -0.03, y: 9.81, z: 0.01))
    #expect(result.gyroscope[3].angularVelocity == Vector3(x: 0.1, y: -0.2, z: 0.003))
    #expect(
      result.recording.unread == ["GPS5"] && result.recording.duration == SensorDuration(nanoseconds: 4_979_975_000))
    #expect(
      failure(try folder.write("phone.mp4", GPMFBuilder.video([[0]], format: "mett")))?.message.contains("gpmd") == true
    )
  }

  @Test func rawTelemetryIsReadAndDamageInItIsSaid() throws {
    let payloads = (0..<5).map { GPMFBuilder.payload($0) }
    let result = try read(folder.write("a.gpmf", payloads.flatMap { $0 }))
    #expect(result.accelerometer.count == 100 && result.recording.info.name.contains("1.001 s"))
    var damaged = payloads
    // The length of an entry of the third second.
    damaged[2][8 + 8 + 8 + 8 + 7] = 0xFF
    let rest = try read(folder.write("b.gpmf", damaged.flatMap { $0 }), .skipping)
    #expect(rest.statistics[.malformed] == 1 && rest.accelerometer.count == 80)
    let cut = try read(folder.write("c.gpmf", Array(payloads.flatMap { $0 }.dropLast(300))), .skipping)
    #expect(cut.statistics[.truncated] == 1 && cut.accelerometer.count == 100 && cut.gyroscope.count == 160)
  }
}
