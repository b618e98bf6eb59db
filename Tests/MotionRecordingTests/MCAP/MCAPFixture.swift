// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import TestSupport

@testable import MotionRecording

/// Recordings made by our own writer.
enum MCAPFixture {
  static let wallOffset = SensorDuration(nanoseconds: 1_726_485_000_000_000_123)

  static func description(isApple: Bool = false) -> RecordingDescription {
    var description = RecordingDescription(info: .test)
    description.source = "iio:imu0"
    description.clock = .monotonic
    description.wallOffset = wallOffset
    description.sign = isApple ? "apple" : "reaction"
    description.calibration = Array(#"{"a":1}"#.utf8)
    return description
  }

  /// Accelerometer, gyroscope and magnetometer at 100 Hz, pressure at 25 Hz, received up to 3 ms later; sorted by
  /// reception.
  static func items(count: Int, isApple: Bool = false) -> [RecordedItem] {
    var random = SeededRandom(seed: 11)
    func vector() -> Vector3<Device> {
      Vector3(
        x: .random(in: -2...2, using: &random), y: .random(in: -2...2, using: &random),
        z: .random(in: -2...2, using: &random))
    }
    var items: [RecordedItem] = []
    for index in 0..<count {
      let time = SensorInstant(nanoseconds: 5_000_000_000 + Int64(index) * 10_000_000)
      func add(_ sample: SensorSample, after delay: Int64) {
        items.append(.sample(sample, receivedAt: time + SensorDuration(nanoseconds: delay)))
      }
      let unit = isApple ? AccelerationUnit.reversedGravity : .metresPerSecondSquared
      add(.accelerometer(AccelerometerSample(time: time, reading: vector(), unit: unit)), after: 1_000_000)
      add(.gyroscope(GyroscopeSample(time: time, angularVelocity: vector())), after: 1_000_000)
      let field = MagnetometerSample(
        time: time - .milliseconds(4), reading: vector(), unit: isApple ? .microtesla : .tesla)
      add(.magnetometer(field), after: 2_000_000)
      if index % 4 == 0 {
        add(.pressure(PressureSample(time: time, pressure: 101_325 + Double(index) / 3)), after: 3_000_000)
      }
    }
    return items
  }

  static func file(
    _ items: [RecordedItem], _ description: RecordingDescription = description(), compression: MCAPCompression = .none,
    limits: MCAPFileWriter.ChunkLimits = .init(), views: [any TopicView] = [], profile: String = ""
  ) throws(SensorError) -> [UInt8] {
    let sink = MemoryByteSink()
    let writer = try MCAPWriter(
      sink, description, compression: compression, views: views, profile: profile, limits: limits)
    for item in items { try writer.write(item) }
    try writer.finish()
    return sink.bytes
  }

  static func samples(_ items: [RecordedItem]) -> [SensorSample] {
    items.compactMap { if case .sample(let sample, _) = $0 { sample } else { nil } }
  }

  /// Every message of a file.
  static func messages(_ path: String, damage: DamagePolicy = .stop) throws(SensorError) -> [MCAPMessage] {
    let reader = try MCAPReader(path: path, damage: damage)
    var messages: [MCAPMessage] = []
    while let message = try reader.next() { messages.append(message) }
    return messages
  }
}
