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

  static let headers = ["timestamp_ns", "timestamp,attitude_x"]

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
    var tables: [MappedFormat.Statement] = []
    for member in members {
      let header = try files.header(of: member)
      guard let (map, sign) = map(header.names, member.plainName) else { continue }
      tables.append(
        try .init(
          source: MappedColumns(member, header), map: ColumnMap(map), sign: sign,
          isOfHeadphones: member.plainName.contains(".motion.headphone")))
    }
    guard !tables.isEmpty else {
      throw files.error(
        .unsupported,
        "None of these tables is a supported motion sensor (\(files.listing)); the file name must contain the topic, as in walk.sensor.gyroscope.csv."
      )
    }
    var plan = try MappedFormat.plan(tables, in: files, options, needs: "the topic motion.device")
    plan.listUnread(of: files, metadata: Set(files.members.map(\.plainName).filter { $0.hasSuffix(columnsSuffix) }))
    // A gyroscope's values do not show the family of topics in which it was written; the topic does.
    let names = tables.map(\.source.member.plainName)
    let gyroscopes = names.contains { $0.contains(".motion.gyro") } ? "apple" : nil
    plan.facts = (plan.accelerometerSign ?? gyroscopes).map { RecordedFacts(sign: $0) }
    return plan
  }

  /// How a table is read: the map that a person would write, and the sign; nil where it has no sensor.
  private static func map(_ names: [String], _ file: String) -> (map: String, sign: RecordingOptions.Sign)? {
    let isSensor = names.contains("timestamp_ns")
    var found: [String] = []
    func add(_ quantity: WideTable.Quantity, _ columns: [String], _ unit: String = "") {
      guard columns.contains(where: names.contains) else { return }
      let unit = unit.isEmpty ? "" : "[\(unit)]"
      found += zip(quantity.targets, columns).map { "\($0)=\($1)\(unit)" }
    }
    func axes(_ prefix: String) -> [String] { ["x", "y", "z"].map { prefix + $0 } }
    if isSensor {
      // In SI the topic names the sensor; an orientation has w too, and is none.
      let sensors: [(String, WideTable.Quantity, String)] = [
        (".accelerometer", .accelerometer, "m/s^2"), (".gyroscope", .gyroscope, "rad/s"),
        (".magnetometer", .magnetometer, "T"),
      ]
      if !names.contains("w"), let sensor = sensors.first(where: { file.contains($0.0) }) {
        add(sensor.1, axes(""), sensor.2)
      }
    } else if names.contains("attitude_x") {
      add(.quaternion, ["w", "x", "y", "z"].map { "attitude_" + $0 })
      add(.rotationRate, axes("rotationRate_"), "rad/s")
      add(.gravity, axes("gravity_"), "g")
      add(.userAcceleration, axes("userAcceleration_"), "g")
      add(.field, axes("magneticField_"), "uT")
      add(.fieldAccuracy, ["magneticField_accuracy"])
      add(.heading, ["heading"])
      add(.headingAccuracy, ["headingAccuracy"])
      add(.inclinationDeviation, ["inclinationDeviation"])
      add(.headingDeviation, ["headingDeviation"])
      add(.location, ["sensorLocation"])
      add(.reference, ["attitudeReferenceFrame"])
    } else {
      add(.accelerometer, axes("acceleration_"), "g")
      add(.gyroscope, axes("rotationRate_"), "rad/s")
      add(.magnetometer, axes("magneticField_"), "uT")
    }
    if found.isEmpty, isSensor || names.contains("pressure") {
      add(file.contains(".water_pressure") ? .waterPressure : .airPressure, ["pressure"], isSensor ? "Pa" : "kPa")
      add(.temperature, ["temperature"], "degC")
    }
    guard !found.isEmpty else { return nil }
    let map = ([isSensor ? "t=timestamp_ns[ns]" : "t=timestamp[s]"] + found).joined(separator: " ")
    return (map, isSensor ? .reaction : .apple)
  }
}
