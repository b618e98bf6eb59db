// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Any table that is understood from its content (``TableInference``), or a folder with one for each sensor, read as with
/// the maps that a person would write. Tried when nothing else fits. Source: Documentation/Formats.md 4.12.
enum InferredFormat {
  static let reader = FormatReader(
    format: .table, title: "table", summary: "any other table of sensors, or a folder with one for each sensor",
    plan: plan)

  /// Tables of a folder that are looked at.
  private static let mostTables = 64

  static func isTable(_ name: String) -> Bool {
    [".csv", ".txt", ".tsv", ".dat"].contains(name.suffix(4).lowercased())
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var tables: [TableInference] = []
    for member in files.members.filter({ files.kind == .file || isTable($0.plainName) }).prefix(mostTables) {
      guard var table = try TableInference(files, member, options), table.findSensors(isAlone: files.kind == .file)
      else { continue }
      // Each sensor once, else these are recordings of their own.
      guard Set(table.groups.map(\.kind)).isDisjoint(with: tables.flatMap { $0.groups.map(\.kind) }) else {
        throw try Detection.unknown(files)
      }
      tables.append(table)
    }
    guard !tables.isEmpty else { throw try Detection.unknown(files) }
    try checkClocks(tables, files)
    let force = tables.lazy.compactMap(\.force).first
    var statements: [MappedFormat.Statement] = []
    var (assumptions, unread): ([String], [String]) = ([], [])
    var (command, inferred): (String?, TableInference.Reading?)
    for var table in tables {
      if tables.count > 1, let force { table.nameRateUnit(turning: force) }
      switch table.outcome() {
      case .none where tables.count > 1: continue
      case .none: throw try Detection.unknown(files)
      case .refused(let sentence):
        let others = "\nEvery command that reads recordings takes --map, --sign and --rate."
        throw table.member.error(.unsupported, sentence + (sentence.contains("--map") ? others : ""))
      case .reading(let reading):
        statements.append(
          try .init(
            source: MappedColumns(table.member, table.table.structure), map: ColumnMap(reading.map),
            sign: reading.sign, rate: reading.rate))
        let name = tables.count > 1 ? "\(table.member.plainName) " : ""
        assumptions += (["\(name)read as with \(reading.arguments)"] + reading.remarks).map { "\($0)." }
        unread += reading.unread
        command = table.line(reading.map)
        inferred = tables.count == 1 ? reading : nil
      }
    }
    var plan = try MappedFormat.plan(
      statements, in: files, options, needs: "qw … with gravx … and userx …, or with ax …, and gx … in a map")
    plan.statedSign = statements.lazy.compactMap(\.sign).first
    if files.kind != .file { plan.listUnread(of: files) }
    plan.unread += unread
    plan.assumptions = assumptions
    (plan.command, plan.inferred) = (command, inferred)
    return plan
  }

  /// Sensors in tables of their own need one clock.
  private static func checkClocks(_ tables: [TableInference], _ files: RecordingFiles) throws(SensorError) {
    let spans = tables.compactMap { table -> (name: String, from: Double, to: Double)? in
      let times = table.time?.seconds.filter(\.isFinite) ?? []
      guard let from = times.min(), let to = times.max() else { return nil }
      return (table.member.plainName, from, to)
    }
    guard let first = spans.first, let other = spans.first(where: { $0.to < first.from || $0.from > first.to }) else {
      return
    }
    throw files.error(
      .unsupported,
      "The tables have different clocks: \(first.name) begins at \(TableInference.text(first.from)) s, \(other.name) at \(TableInference.text(other.from)) s. No option joins them: write the times of one clock into both."
    )
  }
}
