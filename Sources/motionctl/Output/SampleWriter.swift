// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
@_spi(OpenCoreMotion) import CoreMotion
import MotionMath
import MotionRecording
import MotionSensing

/// One sample of any service, in Core Motion's units.
enum ServiceSample {
  case motion(DeviceMotionRow)
  case vector(timestamp: Double, x: Double, y: Double, z: Double)

  /// Seconds.
  var timestamp: Double {
    switch self {
    case .motion(let row): row.timestamp
    case .vector(let timestamp, _, _, _): timestamp
    }
  }
}

/// Writes the samples of one service in one format.
///
/// CSV and NDJSON keep Core Motion's numbers digit by digit; only the table converts, to degrees.
struct SampleWriter: Sendable {
  let service: MotionService
  let format: SampleFormat

  func appendHeader(to buffer: inout JSONText) {
    switch format {
    case .ndjson: break
    case .csv:
      if service == .deviceMotion {
        buffer.append(DeviceMotionRow.csvHeader)
      } else {
        buffer.append("timestamp,\(service.property)_x,\(service.property)_y,\(service.property)_z\n")
      }
    case .table: MotionTable(service).appendHeader(to: &buffer)
    }
  }

  func append(_ sample: ServiceSample, to buffer: inout JSONText) {
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
    case (.table, _): MotionTable(service).append(sample, to: &buffer)
    }
  }
}

extension DeviceMotionRow {
  /// What a client received. `reference` is the frame that its manager was started with, nil where the sample does not follow it.
  init(_ motion: CMDeviceMotion, reference: FusedMotionSample.Reference?) {
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
enum MotionService: String, CaseIterable, ExpressibleByArgument {
  case accelerometer
  case gyro
  case magnetometer
  case deviceMotion = "device-motion"

  /// For sentences.
  var name: String {
    switch self {
    case .accelerometer: "accelerometer"
    case .gyro: "gyroscope"
    case .magnetometer: "magnetometer"
    case .deviceMotion: "device motion"
    }
  }

  /// Where its samples are kept (Documentation/Formats.md 6.1).
  var topic: String {
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
enum SampleFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people: degrees, few decimals.
  case table
  /// One JSON object per line (Documentation/Formats.md 6.4).
  case ndjson
  /// Documentation/Formats.md 6.3.
  case csv
}

/// Samples as a table for people: angles in degrees, the unit of every column in the header.
struct MotionTable {
  /// A group of columns under one title.
  private struct Group {
    var title: String
    var unit: String
    var columns: [String]
    var places: Int
    var width = 9
    var total: Int { width * columns.count }
  }

  private let service: MotionService
  private let groups: [Group]

  init(_ service: MotionService) {
    self.service = service
    let axes = ["x", "y", "z"]
    let time = Group(title: "time", unit: "s", columns: [""], places: 3, width: 12)
    groups =
      switch service {
      case .accelerometer: [time, Group(title: "acceleration", unit: "g", columns: axes, places: 4)]
      case .gyro: [time, Group(title: "rotation rate", unit: "°/s", columns: axes, places: 3)]
      case .magnetometer: [time, Group(title: "magnetic field", unit: "µT", columns: axes, places: 2)]
      case .deviceMotion:
        [
          time,
          Group(title: "attitude", unit: "°", columns: ["roll", "pitch", "yaw"], places: 2),
          Group(title: "rotation rate", unit: "°/s", columns: axes, places: 2),
          Group(title: "gravity", unit: "g", columns: axes, places: 3, width: 8),
          Group(title: "user acceleration", unit: "g", columns: axes, places: 3, width: 8),
          Group(title: "heading", unit: "°", columns: [""], places: 1, width: 13),
        ]
      }
  }

  /// Titles with units, then the names of the columns.
  func appendHeader(to buffer: inout JSONText) {
    for line in [titles, columns] {
      buffer.append(String(line.reversed().drop { $0 == " " }.reversed()))
      buffer.append("\n")
    }
  }

  private var titles: String {
    groups.map { group in
      // Over the middle of its columns.
      let text = "\(group.title) (\(group.unit))"
      let right = group.columns.count == 1 ? 0 : max(0, (group.total - text.count) / 2 - 1)
      let left = max(0, group.total - right - text.count)
      return String(repeating: " ", count: left) + text + String(repeating: " ", count: right)
    }.joined()
  }

  private var columns: String {
    groups.flatMap { group in
      group.columns.map { String(repeating: " ", count: group.width - $0.count) + $0 }
    }.joined()
  }

  func append(_ sample: ServiceSample, to buffer: inout JSONText) {
    var index = 0
    func add(_ values: Double...) {
      for value in values { buffer.append(value, places: groups[index].places, width: groups[index].width) }
      index += 1
    }
    add(sample.timestamp)
    switch sample {
    case .vector(_, let x, let y, let z):
      if service == .gyro {
        add(Self.degrees(x), Self.degrees(y), Self.degrees(z))
      } else {
        add(x, y, z)
      }
    case .motion(let row):
      add(Self.degrees(row.roll), Self.degrees(row.pitch), Self.degrees(row.yaw))
      add(Self.degrees(row.rotationRate.x), Self.degrees(row.rotationRate.y), Self.degrees(row.rotationRate.z))
      add(row.gravity.x, row.gravity.y, row.gravity.z)
      add(row.userAcceleration.x, row.userAcceleration.y, row.userAcceleration.z)
      add(row.heading ?? .nan)
    }
    buffer.append("\n")
  }

  private static func degrees(_ radians: Double) -> Double { Angle(radians: radians).degrees }
}
