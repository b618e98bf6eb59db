// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(OpenCoreMotion) package import CoreMotion
import MotionMath
package import MotionRecording
package import MotionSensing

/// One sample of any service, in Core Motion's units.
package enum ServiceSample {
  case motion(DeviceMotionRow)
  case vector(timestamp: Double, x: Double, y: Double, z: Double)

  /// Seconds.
  package var timestamp: Double {
    switch self {
    case .motion(let row): row.timestamp
    case .vector(let timestamp, _, _, _): timestamp
    }
  }
}

/// Writes the samples of one service in one format.
///
/// CSV and NDJSON keep Core Motion's numbers digit by digit; only the table converts, to degrees.
package struct SampleWriter: Sendable {
  package let service: MotionService
  package let format: SampleFormat
  private let table: MotionTable

  /// `table` nil = one with all columns.
  package init(service: MotionService, format: SampleFormat, table: MotionTable? = nil) {
    (self.service, self.format) = (service, format)
    self.table = table ?? MotionTable(service)
  }

  package func appendHeader(to buffer: inout JSONText) {
    switch format {
    case .ndjson: break
    case .csv:
      if service == .deviceMotion {
        buffer.append(DeviceMotionRow.csvHeader)
      } else {
        buffer.append("timestamp,\(service.property)_x,\(service.property)_y,\(service.property)_z\n")
      }
    case .table: table.appendHeader(to: &buffer)
    }
  }

  package func append(_ sample: ServiceSample, to buffer: inout JSONText) {
    switch (format, sample) {
    case (.csv, .motion(let row)): buffer.append(csv: row)
    case (.ndjson, .motion(let row)):
      buffer.append(row, topic: "/motion/device")
      buffer.append("\n")
    case (.csv, .vector(let timestamp, let x, let y, let z)):
      buffer.append(timestamp)
      for value in [x, y, z] {
        buffer.append(",")
        buffer.append(value)
      }
      buffer.append("\n")
    case (.ndjson, .vector(let timestamp, let x, let y, let z)):
      buffer.append("{\"topic\":\"\(service.topic)\",\"timestamp\":")
      buffer.append(timestamp)
      buffer.append(",\"\(service.property)\":")
      buffer.append(object: Vector3<Device>(x: x, y: y, z: z))
      buffer.append("}\n")
    case (.table, _): table.append(sample, to: &buffer)
    }
  }
}

extension DeviceMotionRow {
  /// What a client received. `reference` is the frame that its manager was started with, nil where the sample does not follow it.
  package init(_ motion: CMDeviceMotion, reference: FusedMotionSample.Reference?) {
    func vector(_ x: Double, _ y: Double, _ z: Double) -> Vector3<Device> { Vector3(x: x, y: y, z: z) }
    let (q, rate, gravity) = (motion.attitude.quaternion, motion.rotationRate, motion.gravity)
    let (user, field) = (motion.userAcceleration, motion.magneticField)
    self.init(
      timestamp: motion.timestamp, w: q.w, vector: vector(q.x, q.y, q.z), rotationRate: vector(rate.x, rate.y, rate.z),
      gravity: vector(gravity.x, gravity.y, gravity.z), userAcceleration: vector(user.x, user.y, user.z),
      location: FusedMotionSample.Location(rawValue: UInt8(clamping: motion.sensorLocation.rawValue)) ?? .device,
      reference: reference)
    // Core Motion marks what it does not know by −1; files leave it out.
    if field.accuracy != .uncalibrated {
      magneticField = Field(
        vector: vector(field.field.x, field.field.y, field.field.z), accuracy: Int(field.accuracy.rawValue))
    }
    if motion.heading >= 0 { heading = motion.heading }
    if motion.headingAccuracy >= 0 { headingAccuracy = motion.headingAccuracy }
    if motion.inclinationDeviation >= 0 { inclinationDeviation = motion.inclinationDeviation }
    if motion.headingDeviation >= 0 { headingDeviation = motion.headingDeviation }
  }
}

/// The services of `CMMotionManager`.
package enum MotionService: String, CaseIterable {
  case accelerometer
  case gyro
  case magnetometer
  case deviceMotion = "device-motion"

  /// For sentences.
  package var name: String {
    switch self {
    case .accelerometer: "accelerometer"
    case .gyro: "gyroscope"
    case .magnetometer: "magnetometer"
    case .deviceMotion: "device motion"
    }
  }

  /// Where its samples are kept (Documentation/Formats.md 6.1).
  package var topic: String {
    switch self {
    case .accelerometer: "/motion/accelerometer"
    case .gyro: "/motion/gyro"
    case .magnetometer: "/motion/magnetometer"
    case .deviceMotion: "/motion/device"
    }
  }

  /// The property of a one-vector sample.
  var property: String {
    switch self {
    case .accelerometer: "acceleration"
    case .gyro: "rotationRate"
    case .magnetometer: "magneticField"
    case .deviceMotion: ""
    }
  }
}

/// How samples are written.
package enum SampleFormat: String, CaseIterable {
  /// For people: degrees, few decimals.
  case table
  /// One JSON object per line (Documentation/Formats.md 6.4).
  case ndjson
  /// Documentation/Formats.md 6.3.
  case csv
}
