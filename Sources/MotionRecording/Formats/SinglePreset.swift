// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A format that is one table of one sensor, without a header or with one that is no more than its columns.
struct SinglePreset: Sendable {
  var format: RecordingFormat
  var title: String
  var summary: String
  /// What it contains, for the error when recorded motion is asked for.
  var content: String
  var form: SampleForm
  var deviceClass = SensorInfo.DeviceClass.phone
  var layout: @Sendable (RecordingFiles, RecordingFiles.Member) throws(SensorError) -> TableLayout

  var reader: FormatReader {
    FormatReader(format: format, title: title, summary: summary) { (files, options) throws(SensorError) in
      try options.refuseRecordedMotion(files, contains: content)
      let member = try files.only()
      let table = TableFile(files: files, member: member, layout: try layout(files, member))
      return RecordingPlan(streams: [SampleStreamPlan(table, form)], deviceClass: deviceClass)
    }
  }

  /// The 800 Hz accelerometer of a watch as a client writes it down batch by batch: no header, seconds since boot, x, y, z in g with
  /// Core Motion's signs, and an empty line before each batch, the first too. Source: Documentation/Formats.md 4.9.
  ///
  /// The empty lines are what the file is known by: four numbers in a row could be anything else. They carry nothing that the
  /// times do not tell, so batches are cut again by the samples' own time.
  static let batchedAccelerometer = SinglePreset(
    format: .batchedAccelerometer, title: "batched accelerometer",
    summary: "a CSV without a header: seconds, x, y, z in g, an empty line before each batch",
    content: "an accelerometer", form: .accelerometer(unit: .reversedGravity), deviceClass: .watch
  ) { _, _ in .headerless(.byte(0x2C), time: 9, names: ["x", "y", "z"], slots: [0, 1, 2]) }

  /// Whether the beginning of a file is of this form: an empty line, then four numbers.
  static func isBatched(_ head: [UInt8]) -> Bool {
    let text = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
    let lines = text.prefix(400).split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 1, lines[0].isEmpty || lines[0].elementsEqual([0x0D]) else { return false }
    let row = NumericLine(String(decoding: lines[1], as: UTF8.self))
    return row?.count == 4 && row?.separator == .byte(0x2C)
  }

  /// The two tables without a header of the Oxford step counter data set; phones on Android: ns since boot, m/s², upwards at rest.
  ///
  /// `user…csv` has seven columns: time, acceleration, and three counts of steps, which are not read. `opt_….accelerometer.csv`
  /// has five: time, a status from 0 to 3, acceleration; rows of the set may be incomplete, and such a row is skipped and counted.
  /// Source: Documentation/Formats.md 4.10; Salvi et al., "An optimised algorithm for accurate steps counting from smart-phone
  /// accelerometry", EMBC 2018.
  static let oxfordSteps = SinglePreset(
    format: .oxfordSteps, title: "Oxford steps",
    summary: "a CSV without a header: ns, x, y, z in m/s² and three counts; or ns, status, x, y, z",
    content: "an accelerometer", form: .accelerometer(unit: .metresPerSecondSquared)
  ) { (files, member) throws(SensorError) in
    guard let slots = oxfordSlots(try files.firstLines(of: member, count: 5)) else {
      throw member.error(
        .malformed, "Expected lines of seven columns (ns, x, y, z, three counts) or five (ns, status, x, y, z).",
        line: 1)
    }
    var layout = TableLayout.headerless(
      .byte(0x2C), time: 0, names: slots.map { $0 < 0 ? "count" : ["x", "y", "z"][$0] }, slots: slots)
    layout.acceptsIncompleteRows = true
    return layout
  }

  /// Where x, y, z of the first line that is whole go, column by column behind the time, −1 = not used; nil where the lines are
  /// something else.
  private static func oxfordSlots(_ lines: some Sequence<Substring>) -> [Int]? {
    for line in lines.prefix(5) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      // Nanoseconds: a whole number of ten digits at least, so a second after the phone was switched on.
      guard fields[0].utf8.count >= 10, fields[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      guard let slots = [7: [0, 1, 2, -1, -1, -1], 5: [-1, 0, 1, 2]][fields.count],
        fields.allSatisfy({ Double($0)?.isFinite == true })
      else { continue }
      let counts = zip(fields.dropFirst(), slots).filter { $0.1 < 0 }.map { UInt($0.0) }
      return counts.contains(nil) || (counts.count == 1 && counts[0] ?? 0 > 3) ? nil : slots
    }
    return nil
  }

  static func isOxfordSteps(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(2000), as: UTF8.self).drop { $0 == "\u{FEFF}" }
    return oxfordSlots(text.split(whereSeparator: \.isNewline)) != nil
  }

  /// A table of air pressures: `t_s,pressure_Pa,…,temp_C`, as the logs of autopilots are exported.
  static let barometerLog = SinglePreset(
    format: .barometerLog, title: "barometer log", summary: "a CSV with the columns t_s and pressure_Pa",
    content: "pressures", form: .pressure(PressureForm(medium: .air)), deviceClass: .module
  ) { (files, member) throws(SensorError) in
    try PressureForm.layout(try files.header(of: member), pressure: "pressure_Pa", temperature: "temp_C", member)
  }
}
