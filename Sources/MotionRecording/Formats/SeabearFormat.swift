// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A log of a Seabear dive computer: comments with the surface pressure and the interval, then a depth a line and, where it has
/// changed, a temperature.
///
/// The depths become pressures again, with the density of ``RecordingOptions/waterDensity``; who makes depths of them with the
/// same density gets the log's numbers back. Source: Documentation/Formats.md 4.9.
enum SeabearFormat {
  static let reader = FormatReader(
    format: .seabear, title: "Seabear dive log",
    summary: "a text with the lines //SEABEAR DIVING TECHNOLOGY and Depth;Temperature", plan: plan)

  static let mark = "//SEABEAR DIVING TECHNOLOGY"
  static let header = "Depth;Temperature"

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    try PressureForm.refuseRecordedMotion(files, options)
    let member = try files.only()
    let comments = try files.beginning(of: member, limit: 64 << 10).split(whereSeparator: \.isNewline)
      .prefix { $0 != header }
    func number(_ name: String) -> Double? {
      for line in comments where line.hasPrefix("//" + name + ":") {
        return Double(line.dropFirst(name.count + 3).drop { $0 == " " }.prefix { $0.isNumber || $0 == "." })
      }
      return nil
    }
    // Bar; a log without the line is taken at the standard atmosphere, because a pressure is needed to make pressures.
    let isStated = comments.contains { $0.hasPrefix("//Surface pressure:") }
    let stated = number("Surface pressure").map { ($0 * 100_000).rounded() }
    let surface = isStated ? try PressureForm.surface(stated, in: member, line: nil) : nil
    guard let interval = number("Log interval"), (0.01...3600).contains(interval) else {
      throw SensorError(
        .malformed, "The comments of a Seabear log need a line such as “//Log interval: 1 s”.",
        at: .init(file: member.place))
    }
    let stream = SeabearStreamPlan(
      files: files, member: member, interval: interval, surface: surface ?? 101_325,
      pascalsPerMetre: options.waterDensity * standardGravity)
    return RecordingPlan(
      streams: [stream], deviceClass: .watch, notes: ["pressure rebuilt from depth"],
      water: .init(surfacePressure: surface, density: options.waterDensity))
  }
}

/// The rows of a Seabear log.
private struct SeabearStreamPlan: SampleStreamPlan {
  var files: RecordingFiles
  var member: RecordingFiles.Member
  /// Seconds.
  var interval: Double
  /// Pascal.
  var surface: Double
  var pascalsPerMetre: Double

  var channels: [SensorInfo.Channel] { [.init(kind: .waterPressure)] }
  var places: [String] { [member.place] }
  var storedBytes: Int64 { member.storedSize }

  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream {
    SeabearStream(plan: self, lines: LineReader(try files.open(member), name: member.place), context: context)
  }

  /// Rows have no time stamps: they must be counted, and such a log is small.
  func lastInstant() -> SensorInstant? { nil }
}

private final class SeabearStream: SampleStream {
  private let plan: SeabearStreamPlan
  private let lines: LineReader
  private let context: ReadingContext
  /// Lines between the header and the first depth: two that describe the format, and an empty one.
  private var skipped: Int?
  private var index: Int64 = 0
  private var temperature: Double?

  init(plan: SeabearStreamPlan, lines: LineReader, context: ReadingContext) {
    self.plan = plan
    self.lines = lines
    self.context = context
  }

  func next() throws(SensorError) -> SensorSample? {
    while let line = try nextLine() {
      let text = String(decoding: UnsafeBufferPointer(start: line.start, count: line.end - line.start), as: UTF8.self)
      guard let skipped else {
        if text == SeabearFormat.header { self.skipped = 0 }
        continue
      }
      guard skipped >= 2 else {
        self.skipped = skipped + 1
        continue
      }
      if text.allSatisfy(\.isWhitespace) { continue }
      let place = SensorError.Place(file: lines.name, line: lines.number)
      if !line.isTerminated, !text.contains(";") {
        context.statistics.count(.truncated, at: place)
        continue
      }
      if let sample = try row(text, at: place) { return sample }
    }
    return nil
  }

  private func row(_ text: String, at place: SensorError.Place) throws(SensorError) -> SensorSample? {
    // A row that is left out still takes its time.
    defer { index += 1 }
    let fields = text.split(separator: ";", omittingEmptySubsequences: false)
    let seconds = Double(index) * plan.interval
    guard (0..<Double(InputLimits.nanoseconds)).contains(seconds * 1e9) else {
      throw SensorError(.limitExceeded, "The log is longer than a hundred years, so its times are wrong.", at: place)
    }
    guard fields.count == 2, let depth = Double(fields[0]), (-10...1000).contains(depth),
      fields[1].isEmpty || Double(fields[1])?.isFinite == true
    else {
      try context.report(
        .malformed,
        SensorError(
          .malformed,
          "Expected a depth and a temperature, found \(text.prefix(40).debugDescription); "
            + SensorError.skipHint, at: place))
      return nil
    }
    temperature = Double(fields[1]) ?? temperature
    let time = SensorInstant(nanoseconds: Int64(clamping: (seconds * 1e9).rounded()))
    return .pressure(
      PressureSample(
        time: time, pressure: plan.surface + depth * plan.pascalsPerMetre, temperature: temperature, medium: .water))
  }

  private func nextLine() throws(SensorError) -> LineReader.Line? {
    do throws(SensorError) { return try lines.next() } catch {
      try context.endOfBytes(error)
      return nil
    }
  }
}
