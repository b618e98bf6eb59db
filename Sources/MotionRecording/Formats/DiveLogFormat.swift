// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A log of a dive computer as a table of absolute pressures: seconds, pascal, °C, by name; other columns are for comparison.
///
/// Two forms: with the surface pressure in a first line `# surface_pressure_Pa=…` (Suunto), and without (Garmin). Such logs start
/// under water: without a surface pressure from the file or from the person the depth's offset is unknown. Source:
/// formats.md 4.9.
enum DiveLogFormat: FormatReader {
  static let format = RecordingFormat.diveLog
  static let title = "dive log"
  static let summary = "a CSV with the columns t_s and abs_pressure_Pa"

  static let surfaceMark = "# surface_pressure_Pa="

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    try PressureForm.refuseRecordedMotion(files, options)
    let member = try files.only()
    let lines = try files.beginning(of: member, limit: 64 << 10).split(
      separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    let first = lines.first ?? ""
    let isMarked = first.hasPrefix(surfaceMark)
    var surface: Double?
    if isMarked {
      let text = first.dropFirst(surfaceMark.count).prefix { $0.isNumber || $0 == "." }
      surface = try PressureForm.surface(Double(text), in: member, line: 1)
    }
    let header = try TableHeader(Array((isMarked && lines.count > 1 ? lines[1] : first).utf8), file: member.place)
    var layout = try Self.layout(header, pressure: "abs_pressure_Pa", temperature: "temperature_C", file: member.place)
    layout.headerLines = isMarked ? 2 : 1
    let table = TableFile(files: files, member: member, layout: layout)
    return RecordingPlan(
      streams: [TableStreamPlan(table: table, form: .pressure(PressureForm(medium: .water)))], deviceClass: .watch,
      notes: surface == nil ? ["no surface pressure"] : [], water: .init(surfacePressure: surface))
  }

  /// Seconds in `t_s`, a pressure, and a temperature that may be missing.
  static func layout(
    _ header: TableHeader, pressure: String, temperature: String, file: String
  ) throws(SensorError) -> TableLayout {
    guard let time = try header.index(of: "t_s"), let index = try header.index(of: pressure) else {
      throw SensorError(
        .malformed, "The header needs the columns t_s and \(pressure).", at: .init(file: file, line: 1))
    }
    var columns: [TableLayout.Column] = [
      .init(index: time, name: "t_s", content: .instant(slot: 0, decimals: 9)),
      .init(index: index, name: pressure, content: .number(slot: PressureForm.Slot.pressure)),
    ]
    if let index = try header.index(of: temperature) {
      columns.append(
        .init(
          index: index, name: temperature, content: .number(slot: PressureForm.Slot.temperature), isOptional: true))
    }
    return header.layout(columns)
  }
}

/// A table of air pressures: `t_s,pressure_Pa,…,temp_C`, as the logs of autopilots are exported.
enum BarometerLogFormat: FormatReader {
  static let format = RecordingFormat.barometerLog
  static let title = "barometer log"
  static let summary = "a CSV with the columns t_s and pressure_Pa"

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    try PressureForm.refuseRecordedMotion(files, options)
    let member = try files.only()
    let header = try TableHeader(files.firstLine(of: member), file: member.place)
    let layout = try DiveLogFormat.layout(
      header, pressure: "pressure_Pa", temperature: "temp_C", file: member.place)
    let table = TableFile(files: files, member: member, layout: layout)
    return RecordingPlan(
      streams: [TableStreamPlan(table: table, form: .pressure(PressureForm(medium: .air)))], deviceClass: .module)
  }
}
