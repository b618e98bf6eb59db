// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The CSVs of the Oxford Inertial Odometry data set, and those of loggers that name the same columns in a header: one Core Motion
/// device motion a row, g in Apple's sign, the attitude as angles, µT.
///
/// Without a header a row has sixteen columns in a fixed order. Its times are whatever unit makes its rows 10 ms apart, because the set
/// is recorded at 100 Hz; in parts of it a spreadsheet has rounded them to three digits, and then the row's number counts.
/// Source: Documentation/Formats.md 4.4; Chen et al., "OxIOD: The Dataset for Deep Inertial Odometry", arXiv:1809.07491.
enum OxIODFormat {
  static let reader = FormatReader(
    format: .oxIOD, title: "OxIOD",
    summary: "imu<N>.csv of sixteen numbers, or a CSV whose header names attitude_roll(radians)", plan: plan)

  /// Hz, of the data set.
  private static let rate = 100.0
  private static let columnCount = 16
  /// Rows that are looked at to learn the unit of the times.
  private static let probedRows = 200

  /// Whether a first line without a header is one of the data set's.
  static func isLine(_ line: String) -> Bool { NumericLine(line).map { $0.count == columnCount } ?? false }

  /// The one `imu<N>.csv` of a folder, if its content is the data set's.
  static func only(in files: RecordingFiles) -> RecordingFiles.Member? {
    let found = files.members.filter { member in
      let name = member.plainName
      guard name.hasPrefix("imu"), name.hasSuffix(".csv") else { return false }
      return name.dropFirst(3).dropLast(4).allSatisfy(\.isNumber)
    }
    guard files.kind != .file, found.count == 1, let line = try? files.firstLines(of: found[0], count: 1).first,
      isLine(String(line))
    else { return nil }
    return found[0]
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member = if let found = only(in: files) { found } else { try files.only() }
    let hasHeader = try files.firstLine(of: member).contains {
      ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A && $0 | 0x20 != 0x65)
    }
    let (table, layout) = hasHeader ? try named(files, member) : try bare(files, member)
    var plan = try RecordingPlan(
      [(TableFile(files: files, member: member, layout: layout), table)], in: files, options,
      needs: "attitude, rotation rate, gravity and user acceleration")
    if layout.timeLine != nil { plan.notes.append("times unusable in the file: row number at 100 Hz") }
    return plan
  }

  private static let columns = [
    ColumnPreset(.angles, ["attitude_roll", "attitude_pitch", "attitude_yaw"], units: ["radians", "rad"]),
    ColumnPreset(.rotationRate, axes: "rotation_rate_", units: ["radians/s", "rad/s"]),
    ColumnPreset(.gravity, axes: "gravity_", units: ["G"]),
    ColumnPreset(.userAcceleration, axes: "user_acc_", units: ["G"]),
    ColumnPreset(.field, axes: "magnetic_field_", units: ["microteslas", "µT"]),
  ]

  private static func named(
    _ files: RecordingFiles, _ member: RecordingFiles.Member
  ) throws(SensorError) -> (WideTable, TableLayout) {
    let header = try files.header(of: member)
    var table = WideTable()
    try table.add(columns, from: header)
    guard let time = try timeColumn(header) else {
      throw header.error(
        .malformed, "The header has no such column, and without it the rows have no time.", column: "timestamp(unix)")
    }
    let decimals = try EpochTime.decimals(of: time, header, in: files, member)
    table.add(.init(index: time, name: header.names[time], content: .instant(slot: 0, decimals: decimals)))
    return (table, header.layout(table.columns))
  }

  private static func timeColumn(_ header: TableHeader) throws(SensorError) -> Int? {
    for name in ["timestamp", "Time", "time"] {
      if let index = try header.index(of: name, units: ["unix", "s"]) { return index }
      if let index = try header.index(of: name) { return index }
    }
    return nil
  }

  private static func bare(
    _ files: RecordingFiles, _ member: RecordingFiles.Member
  ) throws(SensorError) -> (WideTable, TableLayout) {
    var table = WideTable()
    // In this order, behind the time.
    var index = 1
    for preset in columns {
      table.add(preset.quantity, preset.names.enumerated().map { (index + $0, $1) })
      index += preset.names.count
    }
    let decimals = try timeDecimals(files, member)
    if let decimals {
      table.add(.init(index: 0, name: "Time", content: .instant(slot: 0, decimals: decimals)))
    }
    var layout = TableLayout(
      separator: .byte(0x2C), hasHeader: false, columnCount: columnCount,
      columns: table.columns.sorted { $0.index < $1.index })
    if decimals == nil { layout.timeLine = .rowNumber(rate: rate) }
    return (table, layout)
  }

  /// The unit of the times as decimals of a second, nil when they are rounded or make no sense at 100 Hz.
  private static func timeDecimals(
    _ files: RecordingFiles, _ member: RecordingFiles.Member
  ) throws(SensorError) -> Int? {
    var times: [Double] = []
    for line in try files.firstLines(of: member, count: probedRows) {
      let field = line.prefix { $0 != "," }
      // A spreadsheet's rounding shows by the exponent.
      if field.contains("E") || field.contains("e") { return nil }
      if let time = Double(field.filter { $0 != " " }) { times.append(time) }
    }
    let steps = zip(times.dropFirst(), times).map { $0 - $1 }.sorted()
    guard !steps.isEmpty else { return 9 }
    let step = steps[steps.count / 2]
    // Seconds, hundredths, milliseconds, microseconds, nanoseconds.
    return [9, 7, 6, 3, 0].first { decimals in
      var seconds = step
      for _ in decimals..<9 { seconds /= 10 }
      return (0.005...0.02).contains(seconds)
    }
  }
}
