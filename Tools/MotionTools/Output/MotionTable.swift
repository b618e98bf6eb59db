// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionRecording
package import MotionSensing

/// A quantity of device motion, as tables and pictures show it.
package enum MotionQuantity: String, CaseIterable {
  case attitude
  case rotationRate = "rotation-rate"
  case gravity
  case userAcceleration = "user-acceleration"
  case heading

  /// What is left out first where a terminal is too narrow; the attitude always stays.
  static let dispensable: [MotionQuantity] = [.rotationRate, .gravity, .heading, .userAcceleration]

  /// Its numbers, angles in degrees.
  package func values(of row: MotionRow) -> [Double] {
    switch self {
    case .attitude: Self.degrees(row.angles.roll, row.angles.pitch, row.angles.yaw)
    case .rotationRate: Self.degrees(row.angularVelocity.x, row.angularVelocity.y, row.angularVelocity.z)
    case .gravity: row.gravityInGravities.list
    case .userAcceleration: row.linearAccelerationInGravities.list
    case .heading: [row.heading?.bearingDegrees ?? .nan]
    }
  }

  package static func degrees(_ x: Double, _ y: Double, _ z: Double) -> [Double] {
    [x, y, z].map { Angle(radians: $0).degrees }
  }
}

/// Samples as a table for people: angles in degrees, the unit of every column in the header.
package struct MotionTable {
  /// A group of columns under one title.
  private struct Group {
    var column: MotionQuantity?
    var title: String
    var unit: String
    var names: [String]
    var places: Int
    var width = 9
    var total: Int { width * names.count }
  }

  private let service: MotionService
  private let groups: [Group]
  private let isStyled: Bool
  private static let time = Group(title: "time", unit: "s", names: [""], places: 3, width: 12)

  /// - Parameters:
  ///   - width: of the terminal, which the table is to fit; nil = no terminal, and all columns.
  ///   - isStyled: whether titles and times stand out.
  package init(_ service: MotionService, width: Int? = nil, isStyled: Bool = false) {
    self.service = service
    self.isStyled = isStyled
    switch service {
    case .accelerometer: groups = [Group(title: "acceleration", unit: "g", names: Self.axes, places: 4)]
    case .gyro: groups = [Group(title: "rotation rate", unit: "°/s", names: Self.axes, places: 3)]
    case .magnetometer: groups = [Group(title: "magnetic field", unit: "µT", names: Self.axes, places: 2)]
    case .deviceMotion: groups = Self.fitting(MotionQuantity.allCases.map(Self.group), width)
    }
  }

  private static let axes = ["x", "y", "z"]

  private static func group(_ column: MotionQuantity) -> Group {
    switch column {
    case .attitude: Group(column: column, title: "attitude", unit: "°", names: ["roll", "pitch", "yaw"], places: 2)
    case .rotationRate: Group(column: column, title: "rotation rate", unit: "°/s", names: axes, places: 2)
    case .gravity: Group(column: column, title: "gravity", unit: "g", names: axes, places: 3, width: 8)
    case .userAcceleration:
      Group(column: column, title: "user acceleration", unit: "g", names: axes, places: 3, width: 8)
    case .heading: Group(column: column, title: "heading", unit: "°", names: [""], places: 1, width: 13)
    }
  }

  private static func fitting(_ groups: [Group], _ width: Int?) -> [Group] {
    var groups = groups
    for column in MotionQuantity.dispensable
    where time.total + groups.reduce(0, { $0 + $1.total }) > width ?? .max {
      groups.removeAll { $0.column == column }
    }
    return groups
  }

  /// Titles with units, then the names of the columns.
  package func appendHeader(to buffer: inout JSONText) {
    for line in [titles, columns] {
      let text = String(line.reversed().drop { $0 == " " }.reversed())
      buffer.append((isStyled ? Terminal.styled(text, .bold) : text) + "\n")
    }
  }

  private var titles: String {
    ([Self.time] + groups).map { group in
      // Over the middle of its columns.
      let text = "\(group.title) (\(group.unit))"
      let right = group.names.count == 1 ? 0 : max(0, (group.total - text.count) / 2 - 1)
      let left = max(0, group.total - right - text.count)
      return String(repeating: " ", count: left) + text + String(repeating: " ", count: right)
    }.joined()
  }

  private var columns: String {
    ([Self.time] + groups).flatMap { group in
      group.names.map { Text.padded($0, group.width) }
    }.joined()
  }

  package func append(_ sample: ServiceSample, to buffer: inout JSONText) {
    var time = JSONText()
    time.append(sample.timestamp, places: Self.time.places, width: Self.time.width)
    let text = String(decoding: time.bytes, as: UTF8.self)
    buffer.append(isStyled ? Terminal.styled(text, .faint) : text)
    for group in groups {
      for value in values(of: group.column, sample) { buffer.append(value, places: group.places, width: group.width) }
    }
    buffer.append("\n")
  }

  private func values(of quantity: MotionQuantity?, _ sample: ServiceSample) -> [Double] {
    switch sample {
    case .vector(_, let x, let y, let z): service == .gyro ? MotionQuantity.degrees(x, y, z) : [x, y, z]
    case .motion(let row): quantity?.values(of: row) ?? []
    }
  }
}
