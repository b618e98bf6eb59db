// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The CSVs of the SensingKit library for iOS, one for each sensor: seconds since 1970, g in Apple's sign, rad/s, µT.
///
/// Device motion and altimeter are known by their columns, the three raw sensors, whose columns are alike, by the name of the file.
/// The library truncates pressures to whole kilopascals: they are read and said to be coarse. Activities and steps are not read.
/// Source: formats.md 4.4.
enum SensingKitFormat: FormatReader {
  static let format = RecordingFormat.sensingKit
  static let title = "SensingKit"
  static let summary = "a CSV with the column timeIntervalSince1970, or a folder of them"

  static func isHeader(_ header: String) -> Bool { header.contains("imeIntervalSince1970") }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var tables: [(file: TableFile, columns: WideTable)] = []
    var notes: [String] = []
    for member in files.members where files.kind == .file || member.plainName.lowercased().hasSuffix(".csv") {
      let line = try files.firstLine(of: member)
      guard isHeader(String(decoding: line, as: UTF8.self)) else { continue }
      let header = try TableHeader(line, file: member.place)
      var table = WideTable()
      try addMotion(header, to: &table)
      if let found = try header.axes(""), !addRaw(found, member.plainName.lowercased(), to: &table) {
        throw SensorError(
          .unsupported,
          "Nothing says which sensor these columns are of: the name of the file should contain accelerometer, gyroscope or magnetometer.",
          at: .init(file: member.place, line: 1))
      }
      if let found = try header.columns(["pressure"]) {
        table.add(.pressure, found)
        // kPa.
        table.pressure.unit = 1000
        notes.append("pressure coarse, truncated to whole kilopascals")
      }
      guard !table.quantities.isEmpty else { continue }
      table.add(try header.time("timeIntervalSince1970", decimals: 9))
      tables.append((TableFile(files: files, member: member, layout: header.layout(table.columns)), table))
    }
    guard !tables.isEmpty else {
      throw SensorError(
        .unsupported,
        "This SensingKit log holds no motion sensor (\(files.listing)); activities and steps are not read.",
        at: .init(file: files.path))
    }
    var plan = try RecordingPlan(tables, in: files, options, needs: "the device motion file")
    plan.notes += notes
    plan.leaveAside(of: files)
    plan.facts = .unixTime(sign: plan.accelerometerSign)
    return plan
  }

  private static func addMotion(_ header: TableHeader, to table: inout WideTable) throws(SensorError) {
    guard let found = try header.columns(["attitude.roll", "attitude.pitch", "attitude.yaw"]) else { return }
    table.add(.angles, found)
    if let found = try header.axes("gravity.") { table.add(.gravity, found) }
    if let found = try header.axes("rotationRate.") { table.add(.rotationRate, found) }
    if let found = try header.axes("userAcceleration.") { table.add(.userAcceleration, found) }
    if let found = try header.axes("magneticField.") { table.add(.field, found) }
    if let found = try header.columns(["magneticField.accuracy"]) { table.add(.fieldAccuracy, found) }
  }

  private static func addRaw(_ found: [TableHeader.Found], _ name: String, to table: inout WideTable) -> Bool {
    if name.contains("accel") {
      table.add(.accelerometer, found)
    } else if name.contains("gyro") {
      table.add(.gyroscope, found)
    } else if name.contains("magnet") {
      table.add(.magnetometer, found)
    } else {
      return false
    }
    return true
  }
}
