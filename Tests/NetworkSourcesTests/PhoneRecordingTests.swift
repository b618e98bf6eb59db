// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
import MotionServices
import MotionTools
import PhoneFormats
import Testing

@testable import NetworkSources

/// Real recordings, played as the app would push them.
@Suite(
  .enabled(if: SharedData.has("mcap"), "needs the recordings in shared/data/mcap (OPENCOREMOTION_DATA)"))
struct PhoneRecordingTests {
  private static func samples(_ name: String) throws -> [SensorSample] {
    let reader = try Recording.open(path: "\(SharedData.folder)/mcap/\(name).mcap").makeReader()
    var samples: [SensorSample] = []
    while let sample = try reader.next() { samples.append(sample) }
    return samples
  }

  /// g in Core Motion's sign, rad/s and µT, as the app has them: the numbers of the file are those of the messages.
  @Test(arguments: ["tyrex_Guillaume_iPhone5_NoDist_Texting", "tyrex_Guillaume_iPhone5_Dist_AR"])
  func pushesOfARecordingGiveItSampleForSample(name: String) throws {
    let samples = try Self.samples(name)
    var stream = PhoneStream(device: .phone, units: PhoneUnits())
    let result = try PhoneStreamTests.deliver(SensorLoggerPhone().pushes(samples), &stream) { _ in 4_000_000 }
    #expect(samples.count > 10_000)
    PhoneStreamTests.expectSame(result, samples)
    #expect(stream.statistics.losses == nil)
  }

  /// The file in another unit (g × 9.81): equal to reading the same numbers from the app's own files.
  @Test func pushesEqualTheAppsOwnFilesOfTheSameNumbers() throws {
    let samples = try Self.samples("pyojin_iphone_2019_06_11")
    let phone = SensorLoggerPhone()
    let pushes = phone.pushes(samples)
    let export = FileManager.default.temporaryDirectory.appendingPathComponent("export-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: export, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: export) }
    try phone.export(samples, to: export)
    let reader = try Recording.open(path: export.path).makeReader()
    var expected: [SensorSample] = []
    while let sample = try reader.next() { expected.append(sample) }
    var stream = PhoneStream(device: .phone, units: PhoneUnits())
    let result = try PhoneStreamTests.deliver(pushes, &stream) { _ in 0 }
    #expect(expected.count == samples.count)
    PhoneStreamTests.expectSame(result, expected)
  }

  /// Our filter's attitude after a network with jitter and an outage, against the same samples from the file.
  @Test func theAttitudeIsTheFilesAfterWiFi() throws {
    let samples = try Self.samples("tyrex_Guillaume_iPhone5_NoDist_Texting")
    let pushes = SensorLoggerPhone().pushes(samples)
    var random = SeededRandom(seed: 5)
    let outage = 250..<300
    var stream = PhoneStream(device: .phone, units: PhoneUnits())
    let result = try PhoneStreamTests.deliver(pushes, &stream) { number in
      outage.contains(number) ? nil : Int64.random(in: 0...300_000_000, using: &random)
    }
    #expect(stream.statistics.lostMessages == 50 && stream.statistics.late == 0)
    let first = try #require(samples.first?.time)
    let kept = samples.filter { !outage.contains(Int(($0.time - first).nanoseconds / 100_000_000)) }
    let (live, file) = try (Self.attitudes(result), Self.attitudes(kept))
    #expect(live.count == file.count && live.count > 3000)
    let worst = zip(live, file).map { a, b in a.angle(to: b) }.max() ?? .infinity
    #expect(worst < 0.01 * .pi / 180, "\(worst * 180 / .pi)°")
  }

  private static func attitudes(_ samples: [SensorSample]) throws -> [Rotation<Device, NorthWestUp>] {
    let info = SensorInfo(
      name: "phone", origin: .hardware, pacing: .live, deviceClass: .phone,
      channels: [.init(kind: .accelerometer), .init(kind: .gyroscope), .init(kind: .magnetometer)],
      reordering: PhoneStream.reordering)
    var fusion = OfflineFusion(info: info, framing: MotionFraming(.xArbitrary))
    var attitudes = Attitudes()
    for sample in samples { _ = try fusion.push(sample, into: &attitudes) }
    try fusion.finish(into: &attitudes)
    return attitudes.all
  }
}

private struct Attitudes: SampleSink {
  var all: [Rotation<Device, NorthWestUp>] = []

  mutating func take(_ row: MotionRow) -> Bool {
    if let attitude = row.attitude { all.append(attitude) }
    return true
  }
}

extension SensorLoggerPhone {
  /// The files that the app would export for the same samples.
  func export(_ samples: [SensorSample], to folder: URL) throws {
    var tables: [String: String] = [:]
    func add(_ name: String, _ time: SensorInstant, _ v: Vector3<Device>) {
      tables[name, default: "time,seconds_elapsed,z,y,x\n"] += "\(epoch + time.nanoseconds),0,\(v.z),\(v.y),\(v.x)\n"
    }
    for sample in samples {
      switch sample {
      case .accelerometer(let sample):
        let own = sample.unit == .reversedGravity ? sample.reading : sample.specificForce * (-1 / standardGravity)
        add("AccelerometerUncalibrated", sample.time, own)
      case .gyroscope(let sample): add("GyroscopeUncalibrated", sample.time, sample.angularVelocity)
      case .magnetometer(let sample): add("MagnetometerUncalibrated", sample.time, sample.reading)
      default: break
      }
    }
    for (name, text) in tables {
      try Data(text.utf8).write(to: folder.appendingPathComponent("\(name).csv"))
    }
    try Data("version,platform,appVersion,standardisation\n3,ios,1.63.0,false\n".utf8)
      .write(to: folder.appendingPathComponent("Metadata.csv"))
  }
}
