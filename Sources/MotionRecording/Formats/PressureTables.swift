// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The columns of a log of pressures, and how their units become pascal and °C.
struct PressureForm: Sendable, Hashable {
  /// Where a row's numbers stand.
  enum Slot {
    static let pressure = 0
    static let temperature = 1
    /// Hundredths of the temperature's unit, added to it.
    static let hundredths = 2
    static let count = 3
  }

  var medium: PressureSample.Medium
  /// Pascal per unit.
  var unit = 1.0
  /// °C = temperature + hundredths / 100 + this.
  var temperatureOffset = 0.0

  func sample(time: SensorInstant, _ numbers: UnsafePointer<Double>) -> SensorSample {
    var celsius = numbers[Slot.temperature] + temperatureOffset
    if !numbers[Slot.hundredths].isNaN { celsius += numbers[Slot.hundredths] / 100 }
    return .pressure(
      PressureSample(
        time: time, pressure: numbers[Slot.pressure] * unit, temperature: celsius.isNaN ? nil : celsius, medium: medium)
    )
  }
}

extension PressureForm {
  /// Pascal that the air above a dive can have; what a file says beside it is no surface pressure.
  static let surfacePressures = 30_000.0...120_000.0

  /// Pressure logs hold nothing that the device had fused.
  static func refuseRecordedMotion(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) {
    try options.refuseRecordedMotion(
      files, needs: "another kind of recording, as this one contains pressures only")
  }

  /// A surface pressure in pascal as a file states it, or an error that names the place.
  static func surface(_ pascal: Double?, in member: RecordingFiles.Member, line: Int?) throws(SensorError) -> Double {
    guard let pascal, surfacePressures.contains(pascal) else {
      throw SensorError(
        .malformed, "The surface pressure in this comment is not within 300 to 1200 hPa.",
        at: .init(file: member.place, line: line))
    }
    return pascal
  }
}

/// A log of a dive computer as a table of absolute pressures: seconds, pascal, °C, by name; other columns are for comparison.
///
/// Two forms: with the surface pressure in a first line `# surface_pressure_Pa=…` (Suunto), and without (Garmin). Such logs start
/// under water: without a surface pressure from the file or from the user the depth's offset is unknown. Source:
/// Documentation/Formats.md 4.9.
enum DiveLogFormat {
  static let reader = FormatReader(
    format: .diveLog, title: "dive log", summary: "a CSV with the columns t_s and abs_pressure_Pa", plan: plan)

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
enum BarometerLogFormat {
  static let reader = FormatReader(
    format: .barometerLog, title: "barometer log", summary: "a CSV with the columns t_s and pressure_Pa", plan: plan)

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
