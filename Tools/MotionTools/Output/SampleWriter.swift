// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import CoreMotion
import MotionMath
package import MotionRecording
package import MotionSensing

/// One sample of any service, in Core Motion's units.
package enum ServiceSample {
  case motion(MotionRow)
  case vector(timestamp: Double, x: Double, y: Double, z: Double)

  /// Seconds.
  package var timestamp: Double {
    switch self {
    case .motion(let row): row.time.seconds
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
  private let hidesFrame: Bool

  /// `table` nil = one with all columns. `hidesFrame`: the rows' reference frame is not written.
  package init(service: MotionService, format: SampleFormat, table: MotionTable? = nil, hidesFrame: Bool = false) {
    (self.service, self.format, self.hidesFrame) = (service, format, hidesFrame)
    self.table = table ?? MotionTable(service)
  }

  package func appendHeader(to buffer: inout JSONText) {
    switch format {
    case .ndjson: break
    case .csv:
      if service == .deviceMotion {
        buffer.append(JSONText.motionHeader)
      } else {
        buffer.append("timestamp,\(service.property)_x,\(service.property)_y,\(service.property)_z\n")
      }
    case .table: table.appendHeader(to: &buffer)
    }
  }

  package func append(_ sample: ServiceSample, to buffer: inout JSONText) {
    switch (format, sample) {
    case (.csv, .motion(let row)): buffer.append(csv: row, hidesFrame: hidesFrame)
    case (.ndjson, .motion(let row)):
      buffer.append(row, topic: "/motion/device", hidesFrame: hidesFrame)
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
      buffer.append(",\"\(service.property)\":{")
      for (name, value) in [("\"x\":", x), (",\"y\":", y), (",\"z\":", z)] {
        buffer.append(raw: name)
        buffer.append(value)
      }
      buffer.append("}}\n")
    case (.table, _): table.append(sample, to: &buffer)
    }
  }
}

extension MotionRow {
  /// What a client received. Core Motion marks what it does not know by −1; files leave it out.
  package init(of motion: CMDeviceMotion) {
    self = motion.row.withoutUncalibratedField
    func known(_ angle: AngleReading?) -> AngleReading? { angle.flatMap { $0.reading < 0 ? nil : $0 } }
    if motion.heading < 0 { heading = nil }
    headingAccuracy = known(headingAccuracy)
    inclinationDeviation = known(inclinationDeviation)
    headingDeviation = known(headingDeviation)
  }
}

/// The services of `CMMotionManager`.
package enum MotionService: String, CaseIterable {
  case accelerometer
  case gyro
  case magnetometer
  case deviceMotion = "device-motion"

  private var facts: (name: String, topic: String, property: String) {
    switch self {
    case .accelerometer: ("accelerometer", "/motion/accelerometer", "acceleration")
    case .gyro: ("gyroscope", "/motion/gyro", "rotationRate")
    case .magnetometer: ("magnetometer", "/motion/magnetometer", "magneticField")
    case .deviceMotion: ("device motion", "/motion/device", "")
    }
  }

  /// For sentences.
  package var name: String { facts.name }
  /// Where its samples are kept (Documentation/Formats.md 6.1).
  package var topic: String { facts.topic }
  /// The property of a one-vector sample.
  var property: String { facts.property }
}

/// How samples are written.
package enum SampleFormat: String, CaseIterable {
  /// For people: degrees, few decimals.
  case table
  /// One JSON object per line (Documentation/Formats.md 6.3).
  case ndjson
  /// Documentation/Formats.md 6.3.
  case csv
}
