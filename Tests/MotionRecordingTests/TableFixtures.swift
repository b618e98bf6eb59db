// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import Testing

/// A small table of one of the formats: a device that lies still and tilted, so that its gravity, attitude and
/// accelerometer agree.
struct TableFixture: Sendable, CustomTestStringConvertible {
  var format: RecordingFormat
  var file: String
  /// Nil: the table has none.
  var header: [String]?
  var rows: [[String]]
  var options = RecordingOptions()
  /// A column whose unit can be wrong, and how it then reads.
  var unknownUnit: (column: String, wrong: String)?
  /// Columns that stand in a fixed place.
  var fixedColumns = 0
  /// Samples of each raw sensor, in the order accelerometer, gyroscope, magnetometer, pressure.
  var counts: [Int]

  var testDescription: String { format.rawValue }

  func text(separator: String = ",", lineEnd: String = "\n", order: [Int]? = nil, rowCount: Int? = nil) -> String {
    let order = order ?? Array((header ?? rows[0]).indices)
    let lines = (header.map { [$0] } ?? []) + rows.prefix(rowCount ?? rows.count)
    return lines.map { row in order.map { row[$0] }.joined(separator: separator) + lineEnd }.joined()
  }
}

extension TableFixture {
  // A tilt of the device, and what follows from it by Core Motion's rules.
  static let roll = 0.1
  static let pitch = 0.2
  static let yaw = 0.3
  static let gravity = [
    Foundation.cos(pitch) * Foundation.sin(roll), -Foundation.sin(pitch), -Foundation.cos(pitch) * Foundation.cos(roll),
  ]
  static let userAcceleration = [0.001, -0.002, 0.003]
  static let rate = [0.01, 0.02, -0.03]
  static let field = [20.5, -4.25, -40.5]
  /// Device → reference: yaw about z, then pitch about x, then roll about y.
  static let attitude: Rotation<Device, NorthWestUp> = {
    func turn(_ angle: Double, _ x: Double, _ y: Double, _ z: Double) -> Rotation<Device, Device> {
      let s = Foundation.sin(angle / 2)
      return Rotation(w: Foundation.cos(angle / 2), x: x * s, y: y * s, z: z * s) ?? .identity
    }
    let q = turn(yaw, 0, 0, 1) * turn(pitch, 1, 0, 0) * turn(roll, 0, 1, 0)
    return Rotation(w: q.w, x: q.x, y: q.y, z: q.z) ?? .identity
  }()

  static func texts(_ numbers: [Double], scale: Double = 1) -> [String] { numbers.map { "\($0 * scale)" } }

  static var phyphox: TableFixture {
    TableFixture(
      format: .phyphox, file: "Raw Data.csv",
      header: [
        "\"Time (s)\"", "\"Acceleration x (m/s^2)\"", "\"Acceleration y (m/s^2)\"", "\"Acceleration z (m/s^2)\"",
        "\"Absolute acceleration (m/s^2)\"",
      ],
      rows: (0..<12).map { row in
        ["\(row).\(row)00000000E-2"] + texts(gravity, scale: -9.81) + ["9.810000000E0"]
      }, unknownUnit: ("Acceleration x (m/s^2)", "Acceleration x (g)"), fixedColumns: 1, counts: [12, 0, 0, 0])
  }

  static var tidy: TableFixture {
    let q = attitude
    return TableFixture(
      format: .tidy, file: "out.csv",
      header: ("timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,"
        + "gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,magneticField_x,"
        + "magneticField_y,magneticField_z,magneticField_accuracy,heading,headingAccuracy,sensorLocation,"
        + "attitudeReferenceFrame").split(separator: ",").map(String.init),
      rows: (0..<12).map { row in
        ["\(1_138_457.5 + Double(row) / 100)"] + texts([q.x, q.y, q.z, q.w]) + texts(rate) + texts(gravity)
          + texts(userAcceleration) + (row < 6 ? texts(field) + ["2", "123.5", "4.5"] : ["", "", "", "", "", ""])
          + ["0", "4"]
      }, fixedColumns: 2, counts: [12, 12, 6, 0])
  }

  static var mapped: TableFixture {
    var options = RecordingOptions()
    options.map = try? ColumnMap(
      "t=Time[ms] ax=Acc X[mg] ay=Acc Y az=Acc Z gx=Gx[deg/s] gy=Gy gz=Gz mx=Mx[mG] my=My mz=Mz p=Baro[psi] temp=T[degF]"
    )
    options.sign = .apple
    return TableFixture(
      format: .mapped, file: "log.csv",
      header: ["Time", "Acc X", "Acc Y", "Acc Z", "Gx", "Gy", "Gz", "Mx", "My", "Mz", "Baro", "T", "Note"],
      rows: (0..<12).map { row in
        ["\(row * 10)"] + texts(gravity, scale: 1000) + ["90", "-180", "45"] + texts(field, scale: 10)
          + ["14.5", "68", "text"]
      }, options: options, counts: [12, 12, 12, 12])
  }

  static var all: [TableFixture] { [phyphox, tidy, mapped] }
}
