// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Finds the columns of Sensor Logger's CSVs.
struct SensorLoggerTables {
  let files: RecordingFiles
  let units: SensorLoggerUnits

  /// Three axes of one sensor into slots from `slot` on, and the unit of accelerations; nil when the file is missing.
  ///
  /// Columns are `x`, `y`, `z`, or the unit variant `ACCELEROMETER X (m/s²)`; all axes must agree on the unit.
  func vectors(
    _ sensor: String, _ quantity: SensorLoggerUnits.Quantity, slot: Int = 0
  ) throws(SensorError) -> (table: TableFile, unit: AccelerationUnit)? {
    guard let member = files.member("\(sensor).csv") else { return nil }
    let header = try header(of: member)
    var columns = [try timeColumn(header, member)]
    /// Nil before the first axis, then its unit, which may be nil too.
    var written: String??
    for (offset, axis) in ["x", "y", "z"].enumerated() {
      guard let (index, unit) = try find(axis, header) else { throw missing(axis, member) }
      guard written == nil || written == .some(unit) else {
        throw SensorError(
          .unsupported, "The axes have different units.",
          at: .init(file: member.place, line: 1, column: header.names[index]))
      }
      written = unit
      columns.append(.init(index: index, name: header.names[index], content: .number(slot: slot + offset)))
    }
    let name = (written ?? nil) ?? ""
    guard let unit = try units.unit(quantity, written: written ?? nil, file: member.place) else {
      throw SensorError(
        .unsupported, "The unit \(name.debugDescription) is unknown here; expected \(quantity.expectedUnits).",
        at: .init(file: member.place, line: 1, column: columns[1].name))
    }
    return (TableFile(files: files, member: member, layout: header.layout(columns)), unit)
  }

  /// Named columns into slots; nil when the file is missing.
  func numbers(_ sensor: String, _ wanted: [(String, Int)]) throws(SensorError) -> TableFile? {
    guard let member = files.member("\(sensor).csv") else { return nil }
    let header = try header(of: member)
    var columns = [try timeColumn(header, member)]
    for (name, slot) in wanted {
      guard let index = try header.index(of: name) else { throw missing(name, member) }
      columns.append(.init(index: index, name: name, content: .number(slot: slot)))
    }
    if let index = try header.index(of: "devicelocation") {
      columns.append(
        .init(
          index: index, name: "devicelocation", content: .word(slot: FusedForm.Slot.location, .headphoneLocation),
          isOptional: true))
    }
    return TableFile(files: files, member: member, layout: header.layout(columns))
  }

  private func header(of member: RecordingFiles.Member) throws(SensorError) -> TableHeader {
    try TableHeader(files.firstLine(of: member), file: member.place)
  }

  private func timeColumn(
    _ header: TableHeader, _ member: RecordingFiles.Member
  ) throws(SensorError) -> TableLayout.Column {
    guard let index = try header.index(of: "time") else { throw missing("time", member) }
    return .init(index: index, name: "time", content: .instant(slot: 0, decimals: 0))
  }

  /// The column of an axis and the unit in its name.
  private func find(_ axis: String, _ header: TableHeader) throws(SensorError) -> (index: Int, unit: String?)? {
    if let index = try header.index(of: axis) { return (index, nil) }
    for (index, name) in header.names.enumerated() {
      guard name.hasSuffix(")"), let open = name.lastIndex(of: "(") else { continue }
      let title = name[..<open].lowercased()
      if title.hasSuffix(" \(axis) ") { return (index, String(name[name.index(after: open)...].dropLast())) }
    }
    return nil
  }

  private func missing(_ column: String, _ member: RecordingFiles.Member) -> SensorError {
    SensorError(
      .malformed, "The header has no such column, which this sensor's file needs.",
      at: .init(file: member.place, line: 1, column: column))
  }
}
