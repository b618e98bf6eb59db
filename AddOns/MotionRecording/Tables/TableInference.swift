// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Understands a table that no format describes, from its names and its numbers, as the map that a person would write.
///
/// Names say which columns belong to which sensor and mostly their unit. Where they do not, physics does: an
/// accelerometer at rest has the length of gravity, a gyroscope turns gravity as the accelerometer sees it turn, a
/// magnetometer has the length of the earth's field, a sensor has a usual rate. The sign of gravity shows in nothing
/// that a table holds, because the opposite sign is the same motion upside down: it is assumed to be that of nearly all
/// logs, and said. Where two readings remain the table is refused with the map of each.
struct TableInference {
  /// What was understood.
  struct Reading {
    /// The value of `--map`.
    var map: String
    var sign: RecordingOptions.Sign?
    var rate: Double?
    /// The options that read it so.
    var arguments: String
    /// Sentences on what no name says.
    var remarks: [String]
    var unread: [String]
  }

  enum Outcome {
    case reading(Reading)
    /// A table of motion, of which something is not known: a sentence and lines to choose from.
    case refused(String)
    /// No table of motion.
    case none
  }

  /// A sensor's three columns.
  struct Group {
    var kind: ColumnName.Kind
    var columns: [Int]
    var place = ""
    var variant: Set<String> = []
    /// The word that its rows have, where rows are of one sensor.
    var sensor: String?
  }

  var table: TableColumns
  let member: RecordingFiles.Member
  /// Of the recording, as a command names it.
  let path: String
  let options: RecordingOptions
  var groups: [Group] = []
  var finding = TableTime.Finding.none
  var sensorColumn: Int?
  var rate: Double?
  var remarks: [String] = []
  /// Units of the map by target prefix.
  var units: [(group: Group, prefix: String, choices: [String])] = []

  init?(_ files: RecordingFiles, _ member: RecordingFiles.Member, _ options: RecordingOptions) throws(SensorError) {
    guard let structure = try TableStructure(files, member), structure.columnCount > 1 else { return nil }
    table = TableColumns(structure)
    self.member = member
    path = files.kind == .folder ? member.place : files.path
    self.options = options
  }

  var time: TableTime? { if case .time(let time) = finding { time } else { nil } }

  /// Finds which columns belong together, and the time; false where there is no sensor. A table that `isAlone` has to
  /// hold one from which something can be computed.
  mutating func findSensors(isAlone: Bool) -> Bool {
    findGroups()
    finding = options.rate == nil ? TableTime.find(in: timedRows) : .none
    let sensors: [ColumnName.Kind] = [.accelerometer, .gyroscope, .magnetometer, .pressure]
    return isAlone ? !groups.isEmpty : groups.contains { sensors.contains($0.kind) }
  }

  /// Decides everything.
  mutating func outcome() -> Outcome {
    let kinds = Set(groups.map(\.kind))
    if let group = groups.first(where: { $0.kind == .userAcceleration }),
      kinds.isDisjoint(with: [.accelerometer, .gravity, .pressure])
    {
      return .refused("By their names gravity has been removed from \(titles(group)). \(SelfCheck.needsGravity)")
    }
    let sensors: Set<ColumnName.Kind> = [.accelerometer, .gyroscope, .magnetometer, .gravity, .pressure]
    guard !kinds.isDisjoint(with: sensors) else { return .none }
    if let time, let remark = time.remark {
      remarks.append("the time \(table.title(time.columns[0])) is in \(remark)")
    }
    rate = time == nil ? options.rate ?? statedRate : nil
    if let refusal = choosePlaces() { return .refused(refusal) }
    for group in groups {
      if let refusal = addUnits(group) { return refusal }
    }
    guard !units.isEmpty else { return .none }
    if time == nil, rate == nil { return .refused(withoutTime()) }
    if rate != nil, options.rate == nil { remarks.append("the rate of the rows stands above them") }
    return decided()
  }

  func decided() -> Outcome {
    if let open = units.first(where: { $0.choices.count > 1 }) {
      let lines = open.choices.map { "  \(line(choosing: $0, of: open.prefix))" }
      return .refused(
        "The unit of the \(open.group.kind.rawValue) could be \(open.choices.joined(separator: " or ")): the names of its columns do not say it, and its numbers fit both. Choose one of:\n"
          + lines.joined(separator: "\n"))
    }
    var remarks = remarks
    let sign = sign
    if sign == .reaction, options.sign == nil {
      remarks.append(
        "the sign of the accelerations is assumed (reaction: z is positive face up at rest); --sign apple is the other")
    } else if sign == .apple, options.sign == nil {
      remarks.append("the sign is Core Motion's, as the names are")
    }
    let structure = table.structure
    if structure.firstRow > (structure.names == nil ? 0 : 1) {
      remarks.append("the first row is in line \(structure.firstRow + 1)")
    }
    if structure.endsAtBlankLine { remarks.append("blocks behind the first empty line are not read") }
    let used = Set(units.flatMap(\.group.columns) + (time?.columns ?? []) + [sensorColumn].compactMap(\.self))
    let unread = (0..<structure.columnCount).filter { !used.contains($0) && !(structure.names?[$0].isEmpty ?? false) }
    let map = mapText(choosing: nil, of: "")
    return .reading(
      Reading(
        map: map, sign: sign, rate: rate, arguments: arguments(map), remarks: remarks,
        unread: unread.prefix(40).map { "column \(table.title($0))" }
          + (unread.count > 40 ? ["\(unread.count - 40) more columns"] : [])))
  }

  /// Nil where there are no accelerations.
  var sign: RecordingOptions.Sign? {
    guard units.contains(where: { ["a", "grav", "user"].contains($0.prefix) }) else { return nil }
    if let sign = options.sign { return sign }
    return table.names.contains(where: \.isCoreMotion) ? .apple : .reaction
  }
}
