// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import TestSupport

/// A short recording of a phone, in Core Motion's units, and what a writer makes of samples.
enum WriterKit {
  static func description(
    _ kinds: [SensorKinds] = [.accelerometer, .gyroscope, .magnetometer], device: String = "",
    wallOffset: SensorDuration? = nil
  ) -> RecordingDescription {
    var description = RecordingDescription(
      info: SensorInfo(
        name: "test", origin: .recording, pacing: .onDemand, timeLine: .recorded(start: SensorInstant(nanoseconds: 0)),
        deviceClass: .phone, channels: kinds.map { .init(kind: $0) }))
    description.device = device
    description.wallOffset = wallOffset
    return description
  }

  static func accelerometer(
    _ nanoseconds: Int64, _ x: Double, _ y: Double, _ z: Double, unit: AccelerationUnit = .reversedGravity
  )
    -> SensorSample
  {
    .accelerometer(
      AccelerometerSample(time: SensorInstant(nanoseconds: nanoseconds), reading: Vector3(x: x, y: y, z: z), unit: unit)
    )
  }

  static func gyroscope(_ nanoseconds: Int64, _ x: Double, _ y: Double, _ z: Double) -> SensorSample {
    .gyroscope(
      GyroscopeSample(time: SensorInstant(nanoseconds: nanoseconds), angularVelocity: Vector3(x: x, y: y, z: z)))
  }

  static func magnetometer(_ nanoseconds: Int64, _ x: Double, _ y: Double, _ z: Double) -> SensorSample {
    .magnetometer(
      MagnetometerSample(
        time: SensorInstant(nanoseconds: nanoseconds), reading: Vector3(x: x, y: y, z: z), unit: .microtesla))
  }

  static func motion(
    _ nanoseconds: Int64, w: Double = 0.5, x: Double = 0.5, y: Double = -0.5, z: Double = 0.5,
    reference: MotionRow.Reference = .xMagneticNorth
  ) -> MotionRow {
    MotionRow(
      time: SensorInstant(nanoseconds: nanoseconds), w: w, vector: Vector3(x: x, y: y, z: z), reference: reference,
      angularVelocity: Vector3(x: 0.1, y: -0.2, z: 0.3), gravity: Vector3(x: 0, y: 0, z: -1),
      linearAcceleration: Vector3(x: 0.01, y: 0.02, z: -0.03), accelerationUnit: .reversedGravity,
      field: .init(reading: Vector3(x: 20, y: -5, z: -41.5), unit: .microtesla, accuracy: 2),
      heading: AngleReading(271.25, .degree),
      headingAccuracy: AngleReading(3.5, .degree), inclinationDeviation: AngleReading(0.75, .degree),
      headingDeviation: AngleReading(1.75, .degree))
  }

  /// Two instants of three sensors.
  static let raw: [SensorSample] = [
    accelerometer(1_500_000_000, 0.01, 0.02, -0.99), gyroscope(1_500_000_000, 0.0123, -0.0045, 0.001),
    magnetometer(1_500_000_000, 22.1, 5, -41.2), accelerometer(1_510_000_001, 0.1, -0.2, -1.1),
    gyroscope(1_510_000_001, 1e-5, 0, 0.25), magnetometer(1_510_000_001, 22.5, 5.25, -41),
  ]

  static func write(_ samples: [SensorSample], with writer: any RecordingWriter) throws {
    for sample in samples { try writer.write(sample) }
    try writer.finish()
  }
}

extension MemoryByteSink {
  var text: String { String(decoding: bytes, as: UTF8.self) }
  var lines: [String] { text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
}
