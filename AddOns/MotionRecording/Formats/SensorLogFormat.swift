// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// The wide CSV of the app SensorLog: groups of columns, each with its own time stamp in seconds since boot, g in
/// Apple's sign.
///
/// Columns are found by name, their unit stands in parentheses and is checked. Each group is a table of its own, whose
/// rows repeat the last value until its time stamp changes; it takes part when it delivered anything in the first rows.
/// Source: Documentation/Formats.md 4.1.
enum SensorLogFormat {
  static let reader = FormatReader(
    format: .sensorLog, title: "SensorLog",
    summary: "a CSV whose header names loggingTime(txt) or motionTimestamp_sinceReboot(s)", plan: plan)

  /// Rows that are looked at to see which groups deliver: 20 s at 100 Hz.
  private static let probedRows = 2000

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member = try files.only()
    let header = try files.header(of: member)
    var warnings: [String] = []
    var offered: Set<String> = []
    var active: [(group: Group, table: TableFile)] = []
    for group in groups {
      guard var table = try table(of: group, header, files, member, &warnings) else { continue }
      offered.insert(group.name)
      guard try delivers(table) else { continue }
      table.layout.reportsRows = active.isEmpty
      active.append((group, table))
    }
    var plan = try RecordingPlan(active.map(\.table), in: files, options, needs: "the motion… columns, filled")
    plan.warnings = warnings
    plan.deviceClass = offered.isDisjoint(with: ["gyro", "magnetometer"]) ? .watch : .phone
    let beginning = try SensorLogBeginning(header, files, member)
    plan.facts = RecordedFacts(clock: .device, sign: "apple")
    let leader = active.first { !plan.usesRecordedMotion || $0.group.name == "motion" }
    if let leader, let wall = try beginning.wallOffset(of: leader.group.timeStamp) {
      plan.facts?.wallOffset = wall.offset
      if !wall.hasZone { plan.notes.append("its times of day have no time zone: read as UTC") }
    }
    plan.unread += beginning.unread
    return plan
  }

  /// Whether a group gave a sample in the first rows; what is damaged is for its reader to report.
  private static func delivers(_ table: TableFile) throws(SensorError) -> Bool {
    var table = table
    (table.layout.isOrdered, table.layout.timeLine) = (false, nil)
    let readings = table.columns.readings() + [table.columns.recordedMotion()].compactMap(\.self)
    let context = ReadingContext.probing
    let reader = try table.open(context)
    var rows = 0
    while rows < probedRows {
      guard let hasRow = try? reader.next() else { return true }
      guard hasRow else { break }
      rows += 1
      let time = reader.instants[0]
      if time != 0, time != TableReader.absent,
        readings.contains(where: { $0.required.allSatisfy { !reader.values.numbers[$0].isNaN } })
      {
        return true
      }
    }
    return rows == 0 && context.statistics.omitted > 0
  }

  /// A group's table; nil when the header lacks its time stamp or a needed column, which is a warning where it has others.
  private static func table(
    of group: Group, _ header: TableHeader, _ files: RecordingFiles, _ member: RecordingFiles.Member,
    _ warnings: inout [String]
  ) throws(SensorError) -> TableFile? {
    var table = WideTable()
    let time = try header.index(of: group.timeStamp, units: ["s"])
    var missing = time == nil ? ["\(group.timeStamp)(s)"] : []
    var hasColumns = false
    for part in group.parts {
      var found: [TableHeader.Found] = []
      for name in part.names {
        if let index = try header.index(of: name, units: part.units) {
          found.append((index, header.names[index]))
        } else if part.isNeeded {
          missing.append("\(name)(\(part.units[0]))")
        }
      }
      hasColumns = hasColumns || !found.isEmpty
      if found.count == part.names.count {
        table.add(part.quantity, found, scales: part.scales, isOffered: part.isNeeded)
      }
    }
    guard let time, missing.isEmpty else {
      if hasColumns {
        warnings.append(
          "The columns of the \(group.sensor) are not read, because the header lacks \(missing.joined(separator: ", "))."
        )
      }
      return nil
    }
    table.add(.init(index: time, name: header.names[time], content: .instant(slot: 0, decimals: 9), isOptional: true))
    var layout = header.layout
    layout.timeLine = .updates
    return TableFile(files, member, layout, table)
  }
}

extension SensorLogFormat {
  /// What one group of columns looks like. Source: Documentation/Formats.md 4.1.
  fileprivate struct Group {
    struct Part {
      var quantity: WideTable.Quantity
      /// Without the unit.
      var names: [String]
      var units: [String]
      var scales: [Double] = []
      /// The group cannot do without it.
      var isNeeded = true
    }
    var name: String
    /// For messages.
    var sensor: String
    var parts: [Part]

    var timeStamp: String { name + "Timestamp_sinceReboot" }
  }

  /// Old versions print µT values under the unit T.
  private static let fieldUnits = ["µT", "T"]

  private static func axes(_ prefix: String) -> [String] { ["X", "Y", "Z"].map { prefix + $0 } }

  /// In the order of the sensors that they give; motion gives those that are not there.
  fileprivate static let groups: [Group] = [
    Group(
      name: "accelerometer", sensor: "accelerometer",
      parts: [.init(quantity: .accelerometer, names: axes("accelerometerAcceleration"), units: ["G"])]),
    Group(
      name: "motion", sensor: "fused motion",
      parts: [
        .init(
          quantity: .quaternion, names: ["motionQuaternionW"] + axes("motionQuaternion"), units: ["R"]),
        .init(quantity: .rotationRate, names: axes("motionRotationRate"), units: ["rad/s"]),
        .init(quantity: .userAcceleration, names: axes("motionUserAcceleration"), units: ["G"]),
        .init(quantity: .gravity, names: axes("motionGravity"), units: ["G"]),
        .init(quantity: .field, names: axes("motionMagneticField"), units: fieldUnits, isNeeded: false),
        .init(
          quantity: .fieldAccuracy, names: ["motionMagneticFieldCalibrationAccuracy"], units: ["Z"], isNeeded: false),
        .init(quantity: .heading, names: ["motionHeading"], units: ["°"], isNeeded: false),
        .init(quantity: .reference, names: ["motionAttitudeReferenceFrame"], units: ["txt"], isNeeded: false),
      ]),
    Group(
      name: "gyro", sensor: "gyroscope",
      parts: [.init(quantity: .gyroscope, names: axes("gyroRotation"), units: ["rad/s"])]),
    Group(
      name: "magnetometer", sensor: "magnetometer",
      parts: [.init(quantity: .magnetometer, names: axes("magnetometer"), units: fieldUnits)]),
    Group(
      name: "altimeter", sensor: "air pressure",
      parts: [.init(quantity: .airPressure, names: ["altimeterPressure"], units: ["kPa"], scales: [1000])]),
  ]
}

/// Facts from the first rows of a SensorLog table: the offset of its clock to the wall clock, and which groups of
/// columns hold something that is not played.
struct SensorLogBeginning {
  private let header: TableHeader
  private let rows: [[String]]

  /// Groups that no sensor is in, by the beginning of their columns' names; the first that fits counts.
  private static let groups = [
    ("locationHeading", "heading"), ("locationTrueHeading", "heading"), ("locationMagneticHeading", "heading"),
    ("location", "location"), ("activity", "activity"), ("pedometer", "pedometer"),
    ("altimeterRelativeAltitude", "relative altitude"), ("deviceOrientation", "device orientation"),
    ("battery", "battery"), ("avAudioRecorder", "sound level"), ("IP_", "network addresses"), ("label(", "label"),
  ]

  init(_ header: TableHeader, _ files: RecordingFiles, _ member: RecordingFiles.Member) throws(SensorError) {
    self.header = header
    let rows = try files.textRows(of: member, count: 2000).dropFirst()
    self.rows = Array(rows.count > 1 ? rows.dropLast() : rows)
  }

  /// Unix time less the time of a group, whose time stamp is named; nil where the table has no `loggingTime(txt)`.
  ///
  /// A row is written after its samples, some late, so the least difference is the nearest; texts are rounded down, to
  /// the millisecond or to the second. In whole milliseconds the offset that was used to write a table is found again
  /// to the nanosecond.
  func wallOffset(of timeStamp: String) throws(SensorError) -> (offset: SensorDuration, hasZone: Bool)? {
    guard let wall = try header.index(of: "loggingTime", units: ["txt"]),
      let own = try header.index(of: timeStamp, units: ["s"])
    else { return nil }
    var differences: [Int64] = []
    var hasZone = true
    var resolution: Int64 = 1_000_000
    var previous: Int64?
    for row in rows where row.count > max(wall, own) {
      guard let text = WallTime(row[wall]), let time = DecimalNumber.nanoseconds(row[own]), time != 0, time != previous
      else { continue }
      previous = time
      differences.append(text.nanoseconds - time)
      hasZone = hasZone && text.hasZone
      resolution = max(resolution, text.resolution)
    }
    guard let least = differences.min() else { return nil }
    // Texts in whole seconds: the latest within the second is the nearest.
    let nearest = resolution > 1_000_000 ? differences.filter { $0 < least + resolution }.max() ?? least : least
    let (whole, rest) = nearest.quotientAndRemainder(dividingBy: 1_000_000)
    return (SensorDuration(nanoseconds: (rest > 0 ? whole + 1 : whole) * 1_000_000), hasZone)
  }

  /// The groups that hold something.
  var unread: [String] {
    var names: [String] = []
    for (index, column) in header.names.enumerated() {
      guard let name = Self.groups.first(where: { column.hasPrefix($0.0) })?.1, !names.contains(name),
        rows.contains(where: { index < $0.count && Self.isValue($0[index]) })
      else { continue }
      names.append(name)
    }
    return names
  }

  /// Neither empty nor one of the numbers that stand for "none".
  private static func isValue(_ cell: String) -> Bool {
    guard !cell.isEmpty, cell.lowercased() != "null" else { return false }
    guard let number = Double(cell) else { return true }
    return number.isFinite && ![0, -1, -9999].contains(number)
  }
}
