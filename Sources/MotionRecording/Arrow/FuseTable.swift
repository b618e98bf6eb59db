// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// The columns of `motionctl fuse --in arrow --out arrow`, and of Arrow recordings: everything in SI, device axes, the
/// accelerometer +9.81 up at rest, attitudes device → east-north-up.
package enum FuseTable {
  /// The column of times, ns.
  package static let time = "timestamp_ns"
  /// The column that distinguishes devices, if there is one.
  package static let device = "device_id"
  /// The column that distinguishes recordings, where there is none of devices.
  package static let recording = "recording"

  private static let axes = ["x", "y", "z"]

  /// A row of raw readings: `timestamp_ns ax ay az gx gy gz`, and `mx my mz`.
  package static func rawColumns(hasMagnetometer: Bool) -> [ArrowColumn] {
    [ArrowColumn(time, .integer, unit: "ns")] + axes.map { ArrowColumn("a" + $0, .number, unit: "m/s^2") }
      + axes.map { ArrowColumn("g" + $0, .number, unit: "rad/s") }
      + (hasMagnetometer ? axes.map { ArrowColumn("m" + $0, .number, unit: "T") } : [])
  }

  /// A row of motion, behind the time: attitude, gravity, linear acceleration, rate, heading (rad clockwise from north,
  /// NaN = none), rest (1 = at rest, 0 = not, NaN = not known), one standard deviation of the inclination and of the
  /// azimuth (rad, NaN = not known).
  ///
  /// Each column reads its number from a ``MotionRow`` whose attitude leads to east-north-up
  /// (``MotionSensing/MotionRow/eastNorthUp``).
  static let motion: [(column: ArrowColumn, cell: @Sendable (MotionRow) -> Double)] = [
    (ArrowColumn("attitude_w", .number), { $0.w }),
    (ArrowColumn("attitude_x", .number), { $0.vector.x }),
    (ArrowColumn("attitude_y", .number), { $0.vector.y }),
    (ArrowColumn("attitude_z", .number), { $0.vector.z }),
    (ArrowColumn("gravity_x", .number, unit: "m/s^2"), { $0.gravity.x * $0.accelerationUnit.scale }),
    (ArrowColumn("gravity_y", .number, unit: "m/s^2"), { $0.gravity.y * $0.accelerationUnit.scale }),
    (ArrowColumn("gravity_z", .number, unit: "m/s^2"), { $0.gravity.z * $0.accelerationUnit.scale }),
    (ArrowColumn("linear_x", .number, unit: "m/s^2"), { $0.linearAcceleration.x * $0.accelerationUnit.scale }),
    (ArrowColumn("linear_y", .number, unit: "m/s^2"), { $0.linearAcceleration.y * $0.accelerationUnit.scale }),
    (ArrowColumn("linear_z", .number, unit: "m/s^2"), { $0.linearAcceleration.z * $0.accelerationUnit.scale }),
    (ArrowColumn("rate_x", .number, unit: "rad/s"), { $0.angularVelocity.x }),
    (ArrowColumn("rate_y", .number, unit: "rad/s"), { $0.angularVelocity.y }),
    (ArrowColumn("rate_z", .number, unit: "rad/s"), { $0.angularVelocity.z }),
    (ArrowColumn("heading", .number, unit: "rad"), { $0.heading?.bearingRadians ?? .nan }),
    (ArrowColumn("rest", .number), { row in row.isAtRest.map { $0 ? 1 : 0 } ?? .nan }),
    (ArrowColumn("inclination_deviation", .number, unit: "rad"), { $0.inclinationDeviation?.angle.radians ?? .nan }),
    (ArrowColumn("heading_deviation", .number, unit: "rad"), { $0.headingDeviation?.angle.radians ?? .nan }),
  ]

  /// The columns of a row of motion, and their numbers alone: a loop over both would count the references of the names.
  package static let motionColumns: [ArrowColumn] = motion.map(\.column)
  fileprivate static let cells = motion.map(\.cell)

  /// Where the raw readings lie in the columns of a stream.
  package struct Places: Sendable, Hashable {
    /// nil = there is no such column.
    package var device: Int?
    /// The column of times.
    package var time: Int
    /// ax, ay, az, gx, gy, gz and perhaps mx, my, mz; empty for a table of motion.
    package var readings: [Int] = []
    /// The columns of ``FuseTable/motionColumns``; empty for a table of raw readings.
    var motion: [Int] = []

    /// True when there are magnetometer columns.
    package var hasMagnetometer: Bool { readings.count == 9 }

    /// Finds the columns by name; `key` names the one that distinguishes devices, nil = `device_id` or `recording` if
    /// there is one. `place` is for messages. `readsMotion`: a table without raw readings may be one of motion.
    package init(
      _ columns: [ArrowColumn], key: String? = nil, readsMotion: Bool = false, place: String
    ) throws(SensorError) {
      let hasMotion = FuseTable.motionColumns.prefix(4).allSatisfy { wanted in
        columns.contains { $0.name == wanted.name }
      }
      func find(_ name: String, _ kind: ArrowColumn.Kind) throws(SensorError) -> Int? {
        let found = columns.indices.filter { columns[$0].name == name }
        guard let first = found.first else { return nil }
        guard found.count == 1 else {
          throw SensorError(
            .malformed, "This column occurs twice; remove one of them.",
            at: .init(file: place, column: name))
        }
        guard columns[first].kind == kind || kind == .text else {
          throw SensorError(
            .malformed, "This column should be \(kind.rawValue) but is \(columns[first].kind.rawValue).",
            at: .init(file: place, column: name))
        }
        return first
      }
      func need(_ name: String, _ kind: ArrowColumn.Kind) throws(SensorError) -> Int {
        if let index = try find(name, kind) { return index }
        throw SensorError(
          .malformed,
          (hasMotion ? "The table holds motion already, and fusion needs raw readings. " : "")
            + "This column is missing, and fusion needs it; the table has \(columns.prefix(40).map(\.name).joined(separator: ", "))\(columns.count > 40 ? " and \(columns.count - 40) more" : "").",
          at: .init(file: place, column: name))
      }
      if let key {
        device = try need(key, .text)
      } else {
        device = try find(FuseTable.device, .text)
        if device == nil { device = try find(FuseTable.recording, .text) }
      }
      time = try need(FuseTable.time, .integer)
      var wanted: [ArrowColumn]
      if readsMotion, hasMotion, try find("ax", .number) == nil {
        wanted = FuseTable.motionColumns
        for column in wanted { motion.append(try need(column.name, .number)) }
      } else {
        wanted = Array(FuseTable.rawColumns(hasMagnetometer: try find("mx", .number) != nil).dropFirst())
        for column in wanted { readings.append(try need(column.name, .number)) }
      }
      for (index, unit) in zip(readings + motion, wanted.map(\.unit)) {
        let found = columns[index].unit
        guard found.isEmpty || found == unit || (unit == "m/s^2" && found == "m/s²") else {
          throw SensorError(
            .unsupported, "The unit is \(found.debugDescription), but it must be \(unit).",
            at: .init(file: place, column: columns[index].name))
        }
      }
    }
  }
}

/// Collects rows of a ``FuseTable``, column by column, and hands them out in batches.
package struct FuseTableRows {
  /// Rows of a batch: small enough for a pipe's reader to begin early.
  package static let rowsPerBatch = 16_384

  /// The name of the column of devices; nil = there is none.
  package let key: String?
  private var times: [Int64] = []
  private var devices: [String?] = []
  private var numbers: [[Double]]

  /// `key` nil = no column of devices.
  package init(key: String?, numberCount: Int) {
    self.key = key
    numbers = Array(repeating: [], count: numberCount)
  }

  /// Rows that wait.
  package var count: Int { times.count }

  /// Rows whose numbers are not known yet, NaN; ``set(_:at:)`` fills them. `devices` as long as `times`, empty without
  /// a column of devices.
  package mutating func append(devices: ArraySlice<String?>, times: ArraySlice<Int64>) {
    self.times += times
    self.devices += devices
    for index in numbers.indices { numbers[index].append(contentsOf: repeatElement(.nan, count: times.count)) }
  }

  /// The motion of a row that waits, in east-north-up; true when it had none.
  package mutating func set(_ motion: MotionRow, at row: Int) -> Bool {
    let isNew = numbers[0][row].isNaN
    let cells = FuseTable.cells
    for index in cells.indices { numbers[index][row] = cells[index](motion) }
    return isNew
  }

  mutating func append(device: String?, time: Int64, cells: [Double]) {
    times.append(time)
    if key != nil { devices.append(device) }
    for (index, cell) in cells.enumerated() { numbers[index].append(cell) }
  }

  /// The first rows, which it then forgets; `count` nil = all.
  package mutating func drain(_ count: Int? = nil) -> ArrowBatch {
    let count = count ?? times.count
    return ArrowBatch(
      rowCount: count,
      columns: (key == nil ? [] : [.texts(Self.take(count, of: &devices))]) + [.integers(Self.take(count, of: &times))]
        + numbers.indices.map { .numbers(Self.take(count, of: &numbers[$0])) })
  }

  /// The whole column is handed over as it is.
  private static func take<Cell>(_ count: Int, of column: inout [Cell]) -> [Cell] {
    guard count < column.count else { return exchange(&column, with: []) }
    defer { column.removeFirst(count) }
    return Array(column.prefix(count))
  }
}
