// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Tidy CSVs of this package: a file for each topic with its properties as columns, and the one file that `fuse -o out.csv` writes.
///
/// The sensor family (`timestamp_ns`) is SI, upwards at rest; the motion family (`timestamp`, seconds) has Core Motion's units and signs.
/// `x,y,z` alone do not say which sensor they are of: the topic in the file's name does (`walk.sensor.gyroscope.csv`). Source:
/// Documentation/Formats.md 6.1, 6.3.
enum TidyFormat {
  static let reader = FormatReader(
    format: .tidy, title: "tidy CSV", summary: "what fuse -o out.csv and convert --to tidy write",
    signature: ["timestamp"] + motionColumns.flatMap(\.names), plan: plan)

  static let columnsSuffix = ".columns.csv"

  static func isHeader(_ header: String) -> Bool {
    let plain = header.filter { $0 != "\"" && $0 != "\u{FEFF}" }
    return ["timestamp_ns", "timestamp,attitude_x", "timestamp;attitude_x", "timestamp\tattitude_x"].contains {
      plain.hasPrefix($0)
    }
  }

  /// "walk" of "walk.sensor.gyroscope.csv"; nil when the name holds no topic.
  static func stem(_ name: String) -> Substring? {
    guard name.hasSuffix(".csv"), !name.hasSuffix(columnsSuffix) else { return nil }
    return [".sensor.", ".motion."].lazy.compactMap { name.firstRange(of: $0).map { name[..<$0.lowerBound] } }.first
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let members = files.kind == .file ? files.members : files.members.filter { stem($0.plainName) != nil }
    let stems = Set(members.compactMap { stem($0.plainName) }).sorted()
    guard stems.count <= 1 else {
      throw SensorError(
        .unsupported,
        "There are \(stems.count) recordings here (\(stems.prefix(8).joined(separator: ", "))); give a folder with one.",
        at: .init(file: files.path))
    }
    var tables: [(file: TableFile, columns: WideTable)] = []
    for member in members {
      let header = try TableHeader(files.firstLine(of: member), file: member.place)
      guard let table = try table(header, member) else { continue }
      var layout = header.layout(table.columns)
      // Doubles in their shortest form may have an exponent.
      layout.acceptsExponentTimes = true
      tables.append((TableFile(files: files, member: member, layout: layout), table))
    }
    guard !tables.isEmpty else {
      throw SensorError(
        .unsupported,
        "None of these tables is a supported motion sensor (\(files.listing)); the file name must contain the topic, as in walk.sensor.gyroscope.csv.",
        at: .init(file: files.path))
    }
    var plan: RecordingPlan
    if let headphones = try headphonePlan(tables, files, options) {
      plan = headphones
    } else {
      plan = try RecordingPlan(tables, in: files, options, needs: "the topic motion.device")
    }
    if tables.contains(where: isOfHeadphones) { plan.deviceClass = .headphones }
    plan.listUnread(of: files, metadata: Set(files.members.map(\.plainName).filter { $0.hasSuffix(columnsSuffix) }))
    // A gyroscope's values do not show the family of topics in which it was written; the topic does.
    let names = tables.map(\.file.member.plainName)
    let gyroscopes = names.contains { $0.contains(".motion.gyro") } ? "apple" : nil
    plan.facts = (plan.accelerometerSign ?? gyroscopes).map { RecordedFacts(sign: $0) }
    return plan
  }

  private static func isOfHeadphones(_ table: (file: TableFile, columns: WideTable)) -> Bool {
    table.file.member.plainName.contains(".motion.headphone")
  }

  /// Headphones fuse by themselves: their motion passes as recorded, where no raw sensors stand beside it; nil for anything else.
  private static func headphonePlan(
    _ tables: [(file: TableFile, columns: WideTable)], _ files: RecordingFiles, _ options: RecordingOptions
  ) throws(SensorError) -> RecordingPlan? {
    let raw = tables.reduce(into: SensorKinds()) { $0.formUnion($1.columns.rawKinds) }
    guard !raw.isSuperset(of: .inertial), let headphones = tables.first(where: isOfHeadphones),
      let motion = headphones.columns.recordedMotion()
    else { return nil }
    var computed = options
    computed.motion = .computed
    var plan = try RecordingPlan(tables.filter { !isOfHeadphones($0) }, in: files, computed, needs: "")
    let stream = RowStreamPlan(table: headphones.file, slotCount: WideTable.slotCount, readings: [motion])
    plan.streams.append(stream)
    plan.witness = stream
    plan.usesRecordedMotion = true
    plan.unread = []
    return plan
  }

  private static func table(
    _ header: TableHeader, _ member: RecordingFiles.Member
  ) throws(SensorError) -> WideTable? {
    var table = WideTable()
    let isSensor = header.names.contains("timestamp_ns")
    let name = member.plainName
    if isSensor {
      try addSensor(header, name, to: &table)
    } else if header.names.contains("attitude_x") {
      try addMotion(header, to: &table)
    } else if let found = try header.axes("acceleration_") {
      table.add(.accelerometer, found)
    } else if let found = try header.axes("rotationRate_") {
      table.add(.gyroscope, found)
    } else if let found = try header.axes("magneticField_") {
      table.add(.magnetometer, found)
    } else if let found = try header.columns(["pressure"]) {
      table.add(.pressure, found)
      // kPa.
      table.pressure.unit = 1000
      if let found = try header.columns(["temperature"]) { table.add(.temperature, found) }
    }
    guard !table.quantities.isEmpty else { return nil }
    table.add(try header.time(isSensor ? "timestamp_ns" : "timestamp", decimals: isSensor ? 0 : 9))
    return table
  }

  private static func addSensor(
    _ header: TableHeader, _ name: String, to table: inout WideTable
  ) throws(SensorError) {
    if let found = try header.columns(["pressure"]) {
      table.add(.pressure, found)
      table.pressure.medium = name.contains(".water_pressure") ? .water : .air
      if let found = try header.columns(["temperature"]) { table.add(.temperature, found) }
      return
    }
    if let found = try header.columns(["temperature"]) {
      table.add(.temperature, found)
      return
    }
    // An orientation has w too; it is no sensor.
    guard !header.names.contains("w"), let found = try header.axes("") else { return }
    if name.contains(".accelerometer") {
      table.add(.accelerometer, found)
      table.accelerometerUnit = .metresPerSecondSquared
    } else if name.contains(".gyroscope") {
      table.add(.gyroscope, found)
    } else if name.contains(".magnetometer") {
      table.add(.magnetometer, found)
      table.magnetometerUnit = .tesla
    }
  }

  private static let motionColumns = [
    ColumnPreset(.quaternion, axes: "attitude_", ["w", "x", "y", "z"]),
    ColumnPreset(.rotationRate, axes: "rotationRate_"),
    ColumnPreset(.gravity, axes: "gravity_"), ColumnPreset(.userAcceleration, axes: "userAcceleration_"),
    ColumnPreset(.field, axes: "magneticField_"), ColumnPreset(.fieldAccuracy, ["magneticField_accuracy"]),
    ColumnPreset(.heading, ["heading"]), ColumnPreset(.headingAccuracy, ["headingAccuracy"]),
    ColumnPreset(.inclinationDeviation, ["inclinationDeviation"]),
    ColumnPreset(.headingDeviation, ["headingDeviation"]),
  ]

  private static func addMotion(_ header: TableHeader, to table: inout WideTable) throws(SensorError) {
    try table.add(motionColumns, from: header)
    if let index = try header.index(of: "sensorLocation") {
      table.add(
        .init(
          index: index, name: "sensorLocation", content: .word(slot: FusedForm.Slot.location, .locationNumber),
          isOptional: true))
    }
    if let index = try header.index(of: "attitudeReferenceFrame") {
      table.add(
        .init(
          index: index, name: "attitudeReferenceFrame",
          content: .word(slot: FusedForm.Slot.reference, .referenceFrameMask), isOptional: true))
    }
  }
}
