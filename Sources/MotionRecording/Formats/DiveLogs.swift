// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// How the columns of a log of pressures become pascal and °C.
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

  func sample(time: SensorInstant, _ numbers: Span<Double>) -> SensorSample {
    var celsius = numbers[Slot.temperature] + temperatureOffset
    if !numbers[Slot.hundredths].isNaN { celsius += numbers[Slot.hundredths] / 100 }
    return .pressure(
      PressureSample(
        time: time, pressure: numbers[Slot.pressure] * unit, temperature: celsius.isNaN ? nil : celsius, medium: medium)
    )
  }

  /// Seconds in `t_s`, a pressure, and a temperature that may be missing.
  static func layout(
    _ header: TableHeader, pressure: String, temperature: String, _ member: RecordingFiles.Member
  ) throws(SensorError) -> TableLayout {
    guard let time = try header.index(of: "t_s"), let index = try header.index(of: pressure) else {
      throw member.error(.malformed, "The header needs the columns t_s and \(pressure).", line: 1)
    }
    var columns: [TableLayout.Column] = [
      .init(index: time, name: "t_s", content: .instant(slot: 0, decimals: 9)),
      .init(index: index, name: pressure, content: .number(slot: Slot.pressure)),
    ]
    if let index = try header.index(of: temperature) {
      columns.append(
        .init(index: index, name: temperature, content: .number(slot: Slot.temperature), isOptional: true))
    }
    return header.layout(columns)
  }
}

/// Logs of dive computers: water pressures. They begin under water: without a surface pressure from the file or from
/// the user the depth's offset is unknown. Source: Documentation/Formats.md 4.9.
enum DiveLog {
  /// A surface pressure in pascal as a file states it, or an error that names the place.
  private static func surface(_ pascal: Double?, in member: RecordingFiles.Member, line: Int?) throws(SensorError)
    -> Double
  {
    // What the air above a dive can have; what a file states beside it is no surface pressure.
    guard let pascal, (30_000.0...120_000.0).contains(pascal) else {
      throw member.error(
        .malformed, "The surface pressure in this comment is not within 300 to 1200 hPa.", line: line)
    }
    return pascal
  }

  /// A table of absolute pressures: seconds, pascal, °C, by name; other columns are for comparison. Two forms: with the
  /// surface pressure in a first line `# surface_pressure_Pa=…` (Suunto), and without (Garmin).
  static let table = FormatReader(
    format: .diveLog, title: "dive log", summary: "a CSV with the columns t_s and abs_pressure_Pa"
  ) { (files, options) throws(SensorError) in
    try options.refuseRecordedMotion(files, contains: "pressures")
    let member = try files.only()
    let lines = try files.beginning(of: member, limit: 64 << 10).split(
      separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    let first = lines.first ?? ""
    let isMarked = first.hasPrefix(surfaceMark)
    var surface: Double?
    if isMarked {
      let text = first.dropFirst(surfaceMark.count).prefix { $0.isNumber || $0 == "." }
      surface = try Self.surface(Double(text), in: member, line: 1)
    }
    let header = try TableHeader(Array((isMarked && lines.count > 1 ? lines[1] : first).utf8), file: member.place)
    var layout = try PressureForm.layout(header, pressure: "abs_pressure_Pa", temperature: "temperature_C", member)
    layout.headerLines = isMarked ? 2 : 1
    let table = TableFile(files: files, member: member, layout: layout)
    return RecordingPlan(
      streams: [SampleStreamPlan(table, .pressure(PressureForm(medium: .water)))], deviceClass: .watch,
      notes: surface == nil ? ["no surface pressure"] : [], water: .init(surfacePressure: surface))
  }

  static let surfaceMark = "# surface_pressure_Pa="

  /// A log of a Seabear: comments with the surface pressure and the interval, then a depth a line and, where it has
  /// changed, a temperature.
  ///
  /// The depths become pressures again, with the density of ``RecordingOptions/waterDensity``; who makes depths of them
  /// with the same density gets the log's numbers back.
  static let seabear = FormatReader(
    format: .seabear, title: "Seabear dive log",
    summary: "a text with the lines //SEABEAR DIVING TECHNOLOGY and Depth;Temperature"
  ) { (files, options) throws(SensorError) in
    try options.refuseRecordedMotion(files, contains: "pressures")
    let member = try files.only()
    let comments = try files.beginning(of: member, limit: 64 << 10).split(whereSeparator: \.isNewline)
      .prefix { $0 != seabearHeader }
    func number(_ name: String) -> Double? {
      comments.first { $0.hasPrefix("//" + name + ":") }.flatMap {
        Double($0.dropFirst(name.count + 3).drop { $0 == " " }.prefix { $0.isNumber || $0 == "." })
      }
    }
    // Bar; a log without the line is taken at the standard atmosphere, because a pressure is needed to make pressures.
    let isStated = comments.contains { $0.hasPrefix("//Surface pressure:") }
    let stated = number("Surface pressure").map { ($0 * 100_000).rounded() }
    let surface = isStated ? try Self.surface(stated, in: member, line: nil) : nil
    guard let interval = number("Log interval"), (0.01...3600).contains(interval) else {
      throw member.error(
        .malformed, "The comments of a Seabear log need a line such as “//Log interval: 1 s”.")
    }
    let pascalsPerMetre = options.waterDensity * standardGravity
    // Rows have no time stamps: they must be counted, and such a log is small.
    let stream = SampleStreamPlan(
      channels: [.init(kind: .waterPressure)], places: [member.place], storedBytes: member.storedSize
    ) { (context) throws(SensorError) in
      var rows = SeabearRows(interval: interval, surface: surface ?? 101_325, pascalsPerMetre: pascalsPerMetre)
      let lines = LineReader(try files.open(member), name: member.place)
      return { () throws(SensorError) in
        try lines.next(context) { (line) throws(SensorError) in
          try rows.read(String(decoding: line, as: UTF8.self), at: lines.place)
        }
      }
    }
    return RecordingPlan(
      streams: [stream], deviceClass: .watch, notes: ["pressure rebuilt from depth"],
      water: .init(surfacePressure: surface, density: options.waterDensity))
  }

  static let seabearMark = "//SEABEAR DIVING TECHNOLOGY"
  static let seabearHeader = "Depth;Temperature"
}

/// The rows of a Seabear log.
private struct SeabearRows {
  /// Seconds.
  let interval: Double
  /// Pascal.
  let surface: Double
  let pascalsPerMetre: Double
  /// Lines between the header and the first depth: two that describe the format, and an empty one.
  private var skipped: Int?
  private var index = 0.0
  private var temperature: Double?

  init(interval: Double, surface: Double, pascalsPerMetre: Double) {
    (self.interval, self.surface, self.pascalsPerMetre) = (interval, surface, pascalsPerMetre)
  }

  mutating func read(_ text: String, at place: SensorError.Place) throws(SensorError) -> SensorSample? {
    guard let skipped, skipped >= 2 else {
      if skipped != nil || text == DiveLog.seabearHeader { skipped = (skipped ?? -1) + 1 }
      return nil
    }
    if text.allSatisfy(\.isWhitespace) { return nil }
    // A row that is left out still takes its time.
    defer { index += 1 }
    let nanoseconds = index * interval * 1e9
    guard (0..<Double(InputLimits.nanoseconds)).contains(nanoseconds) else {
      throw SensorError(.limitExceeded, "The log is longer than a hundred years, so its times are wrong.", at: place)
    }
    let fields = text.split(separator: ";", omittingEmptySubsequences: false)
    guard fields.count == 2, let depth = Double(fields[0]), (-10...1000).contains(depth),
      fields[1].isEmpty || Double(fields[1])?.isFinite == true
    else {
      throw .damaged("Expected a depth and a temperature, found \(text.prefix(40).debugDescription)", at: place)
    }
    temperature = Double(fields[1]) ?? temperature
    return .pressure(
      PressureSample(
        time: SensorInstant(nanoseconds: Int64(clamping: nanoseconds.rounded())),
        pressure: surface + depth * pascalsPerMetre, temperature: temperature, medium: .water))
  }
}

extension DiveLog {
  /// A download of a ReefNet Sensus: no header, thirteen columns, the pressure in millibar every ten seconds, the
  /// temperature in kelvin and hundredths. One dive is read; another dive number is another recording, and of several
  /// the user chooses one (``RecordingOptions/dive``).
  static let sensus = FormatReader(
    format: .sensus, title: "Sensus dive log", summary: "a CSV of thirteen columns whose second is SU-…"
  ) { (files, options) throws(SensorError) in
    typealias Slot = PressureForm.Slot
    try options.refuseRecordedMotion(files, contains: "pressures")
    let member = try files.only()
    let dives = try dives(in: files, member)
    let dive = try choice(of: dives, options.dive, member)
    var layout = TableLayout(
      separator: .byte(0x2C), hasHeader: false, columnCount: 13,
      columns: [
        .init(index: 0, name: "dive number", content: .number(slot: Slot.count)),
        .init(index: 9, name: "elapsed seconds", content: .instant(slot: 0, decimals: 9)),
        .init(index: 10, name: "pressure", content: .number(slot: Slot.pressure)),
        .init(index: 11, name: "temperature", content: .number(slot: Slot.temperature)),
        .init(index: 12, name: "hundredths of a kelvin", content: .number(slot: Slot.hundredths)),
      ])
    // The clock starts again with each dive.
    layout.filter = (slot: Slot.count, value: Double(dive))
    let form = SampleForm.pressure(PressureForm(medium: .water, unit: 100, temperatureOffset: -273.15))
    let stream = SampleStreamPlan(
      TableFile(files: files, member: member, layout: layout), slotCount: Slot.count + 1, [RowReading(form: form)])
    let notes = dives.count > 1 ? ["dive \(dive) of \(dives.count)"] : []
    return RecordingPlan(
      streams: [stream], deviceClass: .watch, notes: notes + ["no surface pressure"], water: .init())
  }

  /// Whether a first line is one of this form.
  static func isSensus(_ line: String) -> Bool {
    let fields = line.split(separator: ",", omittingEmptySubsequences: false)
    guard fields.count == 13, fields[1].hasPrefix("SU-") else { return false }
    return fields.indices.allSatisfy { $0 == 1 || Int(fields[$0].filter { $0 != "\r" }) != nil }
  }

  /// The numbers of the dives, in their order. Lines that are none are for the reader to report.
  private static func dives(
    in files: RecordingFiles, _ member: RecordingFiles.Member
  ) throws(SensorError) -> [Int] {
    let lines = LineReader(try files.open(member), name: member.place)
    var dives: [Int] = []
    var seen: Set<Int> = []
    while let line = try? lines.next() {
      guard let comma = line.bytes.firstIndex(of: 0x2C),
        let number = Int(String(decoding: line.bytes[..<comma], as: UTF8.self)), seen.insert(number).inserted
      else { continue }
      dives.append(number)
      guard dives.count <= InputLimits.entries else {
        throw member.error(
          .limitExceeded, "The file has more than \(InputLimits.entries) dives, so it is not a dive log.")
      }
    }
    return dives
  }

  private static func choice(
    of dives: [Int], _ wanted: Int?, _ member: RecordingFiles.Member
  ) throws(SensorError) -> Int {
    let list = dives.prefix(20).map(String.init).joined(separator: ", ") + (dives.count > 20 ? " …" : "")
    if let wanted {
      if dives.contains(wanted) { return wanted }
      throw member.error(.notFound, "The file has no dive \(wanted); it has \(list).")
    }
    guard dives.count <= 1 else {
      throw member.error(
        .invalidRequest,
        "The file has \(dives.count) dives (\(list)): choose one, as in “\(member.place)?dive=\(dives[0])”.")
    }
    return dives.first ?? 0
  }
}
