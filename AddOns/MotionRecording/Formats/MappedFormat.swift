// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Tables whose columns are stated, by a map with the sign of its accelerations and a rate where it has no time: by a
/// person (``RecordingOptions/map``), by the header of one of ours (``TidyFormat``), or by what a table says of itself
/// (``InferredFormat``). Source: Documentation/Formats.md 4.8.
enum MappedFormat {
  static let reader = FormatReader(
    format: .mapped, title: "mapped CSV", summary: "any other CSV, with --map", plan: plan)

  /// What is stated of one table.
  struct Statement {
    var source: MappedColumns
    var map: ColumnMap
    var sign: RecordingOptions.Sign?
    var rate: Double?
    var isOfHeadphones = false
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    guard let map = options.map else {
      throw files.error(
        .invalidRequest, "A table is read with a map of its columns, as in “\(beginning(files))”.")
    }
    let member = try files.only()
    guard files.members.count == 1 else {
      throw files.error(
        .invalidRequest,
        "A map is for one table, but there are \(files.members.count) files: give one of them, such as '\(member.place)'."
      )
    }
    guard options.axes ?? .identity == .identity || map["qw"] == nil else {
      throw SensorError(
        .invalidRequest, "Axes cannot be changed when the attitude is recorded: remove --axes or qw ….")
    }
    let source = try MappedColumns(files, member)
    return try plan(
      [Statement(source: source, map: map, sign: options.sign, rate: options.rate)], in: files, options,
      needs: "qw … with gravx … and userx …, or with ax …, and gx … in the map")
  }

  /// The one way from stated columns to samples.
  static func plan(
    _ statements: [Statement], in files: RecordingFiles, _ options: RecordingOptions, needs: String
  ) throws(SensorError) -> RecordingPlan {
    var tables: [TableFile] = []
    for statement in statements { tables += try self.tables(statement, files) }
    var plan = try RecordingPlan(tables, in: files, options, needs: needs)
    for statement in statements {
      let map = statement.map
      let place = try statement.source.placement(of: map)
      plan.placement = plan.placement ?? place
      if map["pw"] != nil { (plan.water, plan.deviceClass) = (SensorInfo.Water(), .watch) }
      if map["t"] == nil { plan.notes.append("no time in the file: row number at the given rate") }
    }
    return plan
  }

  /// What a map makes of a file: rows of one sensor are a table of their own.
  private static func tables(
    _ statement: Statement, _ files: RecordingFiles
  ) throws(SensorError) -> [TableFile] {
    let (map, source) = (statement.map, statement.source)
    let time = try timeColumns(statement, files)
    var sensors: [String?] = []
    for entry in map.entries where !["t", "date", "sensor"].contains(entry.target) && !sensors.contains(entry.sensor) {
      sensors.append(entry.sensor)
    }
    var tables: [TableFile] = []
    for sensor in sensors.isEmpty ? [nil] : sensors {
      var table = WideTable()
      table.isOfHeadphones = statement.isOfHeadphones
      try add(statement, sensor, to: &table)
      for column in time.columns { table.add(column) }
      var layout = source.layout
      layout.timeLine = time.line
      if let sensor, let entry = map["sensor"] {
        let column = try source.column(entry)
        let slot = WideTable.sensorSlot
        table.add(.init(index: column.index, name: column.name, content: .word(slot: slot, .sensor(sensor))))
        layout.filter = (slot, 1)
      }
      let file = TableFile(files, source.member, layout, table)
      let columns = file.layout.columns
      if let pair = zip(columns, columns.dropFirst()).first(where: { $0.index == $1.index }) {
        throw source.member.error(.invalidRequest, "The map uses this column twice.", column: pair.0.name)
      }
      tables.append(file)
    }
    return tables
  }

  private static func timeColumns(
    _ statement: Statement, _ files: RecordingFiles
  ) throws(SensorError) -> (columns: [TableLayout.Column], line: TableLayout.TimeLine?) {
    let (map, source) = (statement.map, statement.source)
    guard let entry = map["t"], let times = entry.unit.flatMap(ColumnMap.times) else {
      guard let rate = statement.rate else {
        throw files.error(
          .invalidRequest, "The map has no time: add t=COLUMN[s], or the rate of the rows with --rate HZ (rate=HZ).")
      }
      return ([], .rowNumber(rate: rate))
    }
    guard statement.rate == nil else {
      throw files.error(.invalidRequest, "The map has a time column; remove the rate.")
    }
    let column = try source.column(entry)
    let time = TableLayout.Column(index: column.index, name: column.name, content: times.content)
    guard let entry = map["date"] else { return ([time], times.line) }
    let order: ClockField.Order = entry.unit?.name == "mdy" ? .month : .day
    let date = try source.column(entry)
    return (
      [time, .init(index: date.index, name: date.name, content: .clock(slot: 1, .date(order)))], .dated
    )
  }

  /// The quantities of the rows of one sensor.
  private static func add(
    _ statement: Statement, _ sensor: String?, to table: inout WideTable
  ) throws(SensorError) {
    let (map, source) = (statement.map, statement.source)
    for quantity in WideTable.Quantity.allCases {
      let entries = quantity.targets.compactMap { map[$0] }
      guard let first = entries.first, first.sensor == sensor else { continue }
      let factor = try first.unit.map { unit throws(SensorError) in
        try take(unit, of: quantity, into: &table) { () throws(SensorError) in try isReversed(statement) }
      }
      var columns: [TableHeader.Found] = []
      for entry in entries { columns.append(try source.column(entry)) }
      // The units of the axes differ in their sign alone.
      let signs = entries.map { ($0.unit?.scale ?? 1) * (first.unit?.scale ?? 1) < 0 ? -1.0 : 1 }
      table.add(quantity, columns, scales: signs.map { $0 * (factor ?? 1) })
    }
    table.isMagnetometerCalibrated = map.isCalibrated
    table.isGyroscopeMean = true
  }

  /// Sets the unit of a quantity; returns what its numbers are multiplied with before.
  private static func take(
    _ unit: ColumnMap.Unit, of quantity: WideTable.Quantity, into table: inout WideTable,
    isReversed: () throws(SensorError) -> Bool
  ) throws(SensorError) -> Double {
    switch quantity {
    case .accelerometer, .gravity, .userAcceleration:
      let (own, factor) = ColumnMap.accelerationUnit(unit, isReversed: try isReversed())
      if quantity == .accelerometer {
        table.accelerometerUnit = own
        return factor
      }
      guard quantity == .gravity || table.motion.accelerationUnit == own else {
        throw SensorError(.invalidRequest, "Gravity and user acceleration have different units in the map.")
      }
      table.motion.accelerationUnit = own
      return factor
    case .magnetometer:
      let (own, factor) = ColumnMap.fieldUnit(unit)
      table.magnetometerUnit = own
      return factor
    case .field: return unit.scale / MagneticFieldUnit.microtesla.scale
    case .temperature:
      table.temperatureOffset = unit.offset
      return unit.scale
    default: return unit.scale
    }
  }

  /// Whether accelerations have Core Motion's sign. Never assumed: nothing in a table says which way they point.
  private static func isReversed(_ statement: Statement) throws(SensorError) -> Bool {
    guard let sign = statement.sign else {
      throw statement.source.member.error(
        .invalidRequest,
        "The sign of the accelerations is unknown: add --sign reaction (z is positive face up at rest, as in nearly all logs) or --sign apple (z is negative)."
      )
    }
    return sign == .apple
  }

  /// A command line to start from; for a table of few columns, without a gyroscope.
  static func beginning(_ files: RecordingFiles) -> String {
    let columns = (try? files.only()).flatMap { try? files.header(of: $0).names.count } ?? 0
    let (command, gyroscope) =
      2...6 ~= columns ? ("steps", "") : ("fuse", " gx=COLUMN[deg/s] gy=COLUMN gz=COLUMN")
    return
      "motionctl \(command) \(files.name) --map \"t=COLUMN[s] ax=COLUMN[g] ay=COLUMN az=COLUMN\(gyroscope)\" --sign reaction"
  }
}

/// The columns of a table that a map names, by name or by number.
struct MappedColumns {
  let member: RecordingFiles.Member
  /// Without columns as yet.
  private(set) var layout: TableLayout
  /// Nil: the first line is a row.
  private let header: TableHeader?
  /// The lines above the header.
  private var preamble: [String] = []

  init(_ files: RecordingFiles, _ member: RecordingFiles.Member) throws(SensorError) {
    // A preamble, units in a line of their own, any separator.
    if let structure = try TableStructure(files, member) {
      self.init(member, structure)
      return
    }
    // Nothing but names; or one column, of which only a name has letters.
    let line = try files.firstLine(of: member)
    let isRow = TableCell.number(TableHeader.text(of: line)[...]) != nil
    let header = try TableHeader(line, file: member.place)
    var layout = isRow ? TableLayout(separator: .blanks, headerLines: 0, columnCount: 1) : header.layout
    layout.acceptsDecimalComma = header.separator != 0x2C
    self.init(member: member, layout: layout, header: isRow ? nil : header)
  }

  /// A table of ours, whose first line is its header whatever its rows are.
  init(_ member: RecordingFiles.Member, _ header: TableHeader) {
    self.init(member: member, layout: header.layout, header: header)
  }

  private init(member: RecordingFiles.Member, layout: TableLayout, header: TableHeader?) {
    (self.member, self.layout, self.header) = (member, layout, header)
  }

  init(_ member: RecordingFiles.Member, _ structure: TableStructure) {
    self.member = member
    header = structure.names.map { TableHeader($0, file: member.place, line: structure.firstRow) }
    layout = TableLayout(
      separator: structure.separator, headerLines: structure.firstRow, columnCount: structure.columnCount)
    layout.endsAtBlankLine = structure.endsAtBlankLine
    preamble = structure.preamble
    // As half of Europe's spreadsheets write them.
    layout.acceptsDecimalComma = structure.acceptsDecimalComma
  }

  /// Where the device was worn, by the names of the accelerations' columns, else by what stands above the header.
  func placement(of map: ColumnMap) throws(SensorError) -> Placement? {
    var names: [String] = []
    for entry in map.entries where ["ax", "ay", "az", "userx", "usery", "userz"].contains(entry.target) {
      names += [try column(entry).name, entry.sensor ?? ""]
    }
    return Placement(words: names.joined(separator: " ")) ?? Placement(words: preamble.joined(separator: " "))
  }

  func column(_ entry: ColumnMap.Entry) throws(SensorError) -> TableHeader.Found {
    switch entry.column {
    case .index(let index):
      guard index < layout.columnCount else {
        throw member.error(
          .invalidRequest, "The map uses column #\(index + 1), but the table has \(layout.columnCount).", line: 1)
      }
      return (index, header?.names[index] ?? "#\(index + 1)")
    case .name(let name):
      guard let header else {
        throw member.error(
          .invalidRequest,
          "The table has no header, so the map cannot name \(name.debugDescription): write the number of the column, as in \(entry.target)=#2.",
          line: 1)
      }
      // A unit in the column's own name need not be repeated, and may be written in another way.
      let withUnit = header.names.first { candidate in
        guard let unit = entry.unit, candidate.hasPrefix(name), candidate.last == "]" else { return false }
        let rest = candidate.dropFirst(name.count).drop { $0 == " " }
        return rest.first == "[" && ColumnMap.unit(String(rest.dropFirst().dropLast()), of: entry.target) == unit
      }
      for candidate in [name, withUnit].compactMap(\.self) {
        if let index = try header.index(of: candidate) { return (index, header.names[index]) }
      }
      let names = header.names.prefix(40).map(\.debugDescription).joined(separator: ", ")
      throw member.error(
        .invalidRequest, "The table has no column \(name.debugDescription); it has \(names).", line: 1)
    }
  }
}
