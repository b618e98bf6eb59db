// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Tidy CSVs of this package: a file for each topic with its properties as columns, and the one file that `fuse -o
/// out.csv` writes.
///
/// The sensor family (`timestamp_ns`) is SI, upwards at rest; the motion family (`timestamp`, seconds) has Core
/// Motion's units and signs. `x,y,z` alone do not say which sensor they are of: the topic in the file's name does
/// (`walk.sensor.gyroscope.csv`). Source: Documentation/Formats.md 6.1, 6.3.
enum TidyFormat {
  static let reader = FormatReader(
    format: .tidy, title: "tidy CSV", summary: "what fuse -o out.csv and convert --to tidy write", plan: plan)

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
      throw files.error(
        .unsupported,
        "There are \(stems.count) recordings here (\(stems.prefix(8).joined(separator: ", "))); give a folder with one."
      )
    }
    var tables: [(file: TableFile, columns: WideTable)] = []
    for member in members {
      let header = try files.header(of: member)
      guard let table = try table(header, member) else { continue }
      var layout = header.layout(table.columns)
      // Doubles in their shortest form may have an exponent.
      layout.acceptsExponentTimes = true
      tables.append((TableFile(files: files, member: member, layout: layout), table))
    }
    guard !tables.isEmpty else {
      throw files.error(
        .unsupported,
        "None of these tables is a supported motion sensor (\(files.listing)); the file name must contain the topic, as in walk.sensor.gyroscope.csv."
      )
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

  /// Headphones fuse by themselves: their motion passes as recorded, where no raw sensors stand beside it; nil for
  /// anything else.
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
    let stream = SampleStreamPlan(headphones.file, slotCount: WideTable.slotCount, [motion])
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
    if header.names.contains("attitude_x"), !isSensor {
      try addMotion(header, to: &table)
    } else {
      try table.add(isSensor ? [] : coreMotion, from: header)
      // In SI the topic names the sensor; an orientation has w too, and is none.
      let sensors: [(String, WideTable.Quantity)] = [
        (".accelerometer", .accelerometer), (".gyroscope", .gyroscope), (".magnetometer", .magnetometer),
      ]
      if isSensor, !header.names.contains("w"), let found = try header.axes(""),
        let sensor = sensors.first(where: { member.plainName.contains($0.0) })
      {
        (table.accelerometerUnit, table.magnetometerUnit) = (.metresPerSecondSquared, .tesla)
        table.add(sensor.1, found)
      }
      if table.quantities.isEmpty, isSensor || header.names.contains("pressure") {
        try table.add(pressures, from: header)
      }
      if !isSensor { table.pressure.unit = 1000 }
      if member.plainName.contains(".water_pressure") { table.pressure.medium = .water }
    }
    guard !table.quantities.isEmpty else { return nil }
    table.add(try header.time(isSensor ? "timestamp_ns" : "timestamp", decimals: isSensor ? 0 : 9))
    return table
  }

  /// Of Core Motion's raw data.
  private static let coreMotion = [
    ColumnPreset(.accelerometer, axes: "acceleration_"), ColumnPreset(.gyroscope, axes: "rotationRate_"),
    ColumnPreset(.magnetometer, axes: "magneticField_"),
  ]
  private static let pressures = [ColumnPreset(.pressure, ["pressure"]), ColumnPreset(.temperature, ["temperature"])]

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
    let words: [(String, TableLayout.Content)] = [
      ("sensorLocation", .word(slot: FusedForm.Slot.location, .locationNumber)),
      ("attitudeReferenceFrame", .word(slot: FusedForm.Slot.reference, .referenceFrameMask)),
    ]
    for (name, content) in words {
      guard let index = try header.index(of: name) else { continue }
      table.add(.init(index: index, name: name, content: content, isOptional: true))
    }
  }
}
