// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording

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
