// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// The columns of `motionctl fuse --in arrow --out arrow`, and of Arrow recordings: everything in SI, device axes, the accelerometer
/// +9.81 up at rest, attitudes device → east-north-up.
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

  /// A row of motion, behind the time: attitude, gravity, linear acceleration, rate, heading (rad clockwise from north, NaN = none), rest
  /// (1 = at rest, 0 = not, NaN = not known), one standard deviation of the inclination and of the azimuth (rad, NaN = not known).
  package static var motionColumns: [ArrowColumn] {
    ["w", "x", "y", "z"].map { ArrowColumn("attitude_" + $0, .number) }
      + axes.map { ArrowColumn("gravity_" + $0, .number, unit: "m/s^2") }
      + axes.map { ArrowColumn("linear_" + $0, .number, unit: "m/s^2") }
      + axes.map { ArrowColumn("rate_" + $0, .number, unit: "rad/s") }
      + [ArrowColumn("heading", .number, unit: "rad"), ArrowColumn("rest", .number)]
      + ["inclination", "heading"].map { ArrowColumn($0 + "_deviation", .number, unit: "rad") }
  }

  /// What is known of the motion at one row; NaN where nothing is.
  package struct Motion: Sendable, Hashable {
    /// Device → east-north-up, w, x, y, z.
    package var attitude = SIMD4<Double>(repeating: .nan)
    /// m/s², the reaction of gravity: +9.81 on the axis that points up.
    package var gravity = Vector3<Device>(x: .nan, y: .nan, z: .nan)
    /// m/s², without gravity.
    package var linearAcceleration = Vector3<Device>(x: .nan, y: .nan, z: .nan)
    /// rad/s, the bias removed.
    package var rate = Vector3<Device>(x: .nan, y: .nan, z: .nan)
    /// rad, 0…2π clockwise from north.
    package var heading = Double.nan
    /// 1 at rest, 0 not.
    package var rest = Double.nan
    /// rad, one standard deviation.
    package var inclinationDeviation = Double.nan
    /// rad, one standard deviation: of the heading, in the arbitrary frame of the azimuth since the start.
    package var headingDeviation = Double.nan

    /// Nothing known.
    package init() {}

    /// In the order of ``FuseTable/motionColumns``.
    var cells: [Double] {
      var cells = [Double](repeating: .nan, count: FuseTable.motionColumns.count)
      forEachCell { cells[$0] = $1 }
      return cells
    }

    /// The number of a column of ``FuseTable/motionColumns`` and its cell, one after the other.
    @inline(__always) func forEachCell(_ body: (Int, Double) -> Void) {
      for index in 0..<4 { body(index, attitude[index]) }
      body(4, gravity.x)
      body(5, gravity.y)
      body(6, gravity.z)
      body(7, linearAcceleration.x)
      body(8, linearAcceleration.y)
      body(9, linearAcceleration.z)
      body(10, rate.x)
      body(11, rate.y)
      body(12, rate.z)
      body(13, heading)
      body(14, rest)
      body(15, inclinationDeviation)
      body(16, headingDeviation)
    }
  }

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

    /// Finds the columns by name; `key` names the one that distinguishes devices, nil = `device_id` or `recording` if there is one.
    /// `place` is for messages. `readsMotion`: a table without raw readings may be one of motion.
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

  /// Rows whose numbers are not known yet, NaN; ``set(_:at:)`` fills them. `devices` as long as `times`, empty without a column of devices.
  package mutating func append(devices: [String?], times: [Int64]) {
    self.times += times
    self.devices += devices
    for index in numbers.indices { numbers[index].append(contentsOf: repeatElement(.nan, count: times.count)) }
  }

  /// The motion of a row that waits; true when it had none.
  package mutating func set(_ motion: FuseTable.Motion, at row: Int) -> Bool {
    let isNew = numbers[0][row].isNaN
    motion.forEachCell { numbers[$0][row] = $1 }
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
