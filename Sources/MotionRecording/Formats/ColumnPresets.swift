// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Columns of a header that make one quantity: their names in the order of the quantity's numbers.
struct ColumnPreset: Sendable {
  var quantity: WideTable.Quantity
  var names: [String]
  /// The unit stands in parentheses behind the name and must be one of these; empty: the names have none.
  var units: [String] = []
  /// Brings the column's unit to the quantity's.
  var scale = 1.0

  init(_ quantity: WideTable.Quantity, _ names: [String], units: [String] = [], scale: Double = 1) {
    (self.quantity, self.names, self.units, self.scale) = (quantity, names, units, scale)
  }

  /// `prefix` + x, y, z.
  init(
    _ quantity: WideTable.Quantity, axes prefix: String, _ suffixes: [String] = ["x", "y", "z"], units: [String] = [],
    scale: Double = 1
  ) {
    self.init(quantity, suffixes.map { prefix + $0 }, units: units, scale: scale)
  }

  /// A device motion with Core Motion's own property names.
  static let coreMotion = [
    ColumnPreset(.angles, ["attitude.roll", "attitude.pitch", "attitude.yaw"]),
    ColumnPreset(.gravity, axes: "gravity."), ColumnPreset(.rotationRate, axes: "rotationRate."),
    ColumnPreset(.userAcceleration, axes: "userAcceleration."),
  ]
}

extension WideTable {
  /// Adds the quantities of which the header has the columns; an error when it has some columns of a quantity and not others.
  mutating func add(_ presets: [ColumnPreset], from header: TableHeader) throws(SensorError) {
    for preset in presets {
      guard let found = try header.columns(preset.names, units: preset.units) else { continue }
      add(preset.quantity, found, scales: Array(repeating: preset.scale, count: preset.scale == 1 ? 0 : found.count))
    }
  }
}

/// A format that is nothing more than names of columns, units and signs: tables with a header, one or several. To add such a
/// format, add a row here, its name to ``RecordingFormat``, and a rule to ``DetectionRule/all``.
struct TablePreset: Sendable {
  /// Which tables belong to a recording.
  enum Selection: Sendable, Equatable {
    /// The one of this name in a folder, else the single file.
    case named(String)
    /// The single one with the header of the format.
    case single
    /// Each CSV with the header of the format that has one of the quantities; the error says what the recording holds.
    case each(noneFound: String)
  }
  enum Time: Sendable {
    case column(String, decimals: Int)
    /// No usable time: the rows come at this rate, Hz.
    case rowNumber(rate: Double)
  }

  var format: RecordingFormat
  var title: String
  var summary: String
  /// Whether a first line is that of the format.
  var isHeader: @Sendable (String) -> Bool
  var selection = Selection.single
  var columns: [ColumnPreset]
  var time: Time
  /// Columns x, y, z without a sensor name: the words for it in the file's name, or in its path with `searchesPath`.
  var sensors: [(word: String, quantity: WideTable.Quantity)] = []
  var searchesPath = false
  /// Units and frames.
  var template = WideTable()
  /// What recorded motion needs, for the error when it is not there.
  var needs = "another kind of recording, as this one contains raw sensors only"
  /// What to note, always or where a quantity is there.
  var notes: [(quantity: WideTable.Quantity?, text: String)] = []
  var witnessTolerance = SelfCheck.sameEventTolerance
  /// Times count from 1970.
  var isUnixTime = false

  var reader: FormatReader {
    FormatReader(
      format: format, title: title, summary: summary, signature: columns.flatMap(\.names), plan: plan)
  }

  func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var tables: [(file: TableFile, columns: WideTable)] = []
    for member in try members(of: files) {
      let header = try files.header(of: member)
      var table = template
      try table.add(columns, from: header)
      if table.quantities.isEmpty, !sensors.isEmpty, let found = try header.axes("") {
        table.add(try sensor(of: member), found)
      }
      if case .each = selection, table.quantities.isEmpty { continue }
      if case .column(let name, let decimals) = time { table.add(try header.time(name, decimals: decimals)) }
      var layout = header.layout(table.columns)
      if case .rowNumber(let rate) = time { layout.timeLine = .rowNumber(rate: rate) }
      tables.append((TableFile(files: files, member: member, layout: layout), table))
    }
    if case .each(let message) = selection, tables.isEmpty {
      throw files.error(.unsupported, message.replacing("FILES", with: files.listing))
    }
    var plan = try RecordingPlan(tables, in: files, options, needs: needs)
    for note in notes {
      let holders = tables.count { table in note.quantity.map { table.columns.has($0) } ?? true }
      plan.notes += Array(repeating: note.text, count: holders)
    }
    plan.witnessTolerance = witnessTolerance
    if case .each = selection { plan.listUnread(of: files) }
    if isUnixTime { plan.facts = .unixTime(sign: plan.accelerometerSign) }
    return plan
  }

  private func members(of files: RecordingFiles) throws(SensorError) -> [RecordingFiles.Member] {
    if case .named(let name) = selection {
      let member = if let found = files.member(name) { found } else { try files.only() }
      return [member]
    }
    var found: [RecordingFiles.Member] = []
    for member in files.members
    where files.kind == .file || selection == .single || member.plainName.lowercased().hasSuffix(".csv") {
      let line = try files.firstLine(of: member)
      if (files.kind == .file && selection == .single) || isHeader(String(decoding: line, as: UTF8.self)) {
        found.append(member)
      }
    }
    guard selection != .single || found.count == 1 else {
      throw files.error(
        .unsupported, "There are \(found.count) recordings here (\(files.listing)); give one of them.")
    }
    return found
  }

  private func sensor(of member: RecordingFiles.Member) throws(SensorError) -> WideTable.Quantity {
    let name = (searchesPath ? member.place : member.plainName).lowercased()
    if let sensor = sensors.first(where: { name.contains($0.word) }) { return sensor.quantity }
    let words = searchesPath ? "accelerometer or gyroscope" : "accelerometer, gyroscope or magnetometer"
    throw member.error(
      .unsupported,
      "The sensor of these columns is unknown: the name of the file\(searchesPath ? " or its folder" : "") should contain \(words).",
      line: 1)
  }
}
