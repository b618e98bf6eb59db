// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivitySummary
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices
package import WearAnalysis

/// Whether a recording's rest corrects its accelerometer (``SphereCalibration``).
package enum CalibrationChoice: String, CaseIterable, Sendable {
  case auto, off
}

extension SphereCalibration {
  /// Reads a recording once, for its still windows. What is no recording has nothing to read twice: no calibration.
  init(_ selection: SourceSelection, _ check: () throws -> Void) throws {
    guard let recording = selection.recording, selection.info.kinds.contains(.accelerometer) else {
      self.init()
      return
    }
    let reader = try recording.makeAccelerationReader()
    var calibrator = SphereCalibrator()
    var block = SampleBlock()
    var (count, next) = (0, RecordingInspection.stride)
    while try reader.next(&block) {
      calibrator.update(
        block.accelerations.span, scale: block.unit.scale, at: block.times.span.extracting(..<block.count))
      count += block.count
      guard count >= next else { continue }
      next += RecordingInspection.stride
      try check()
    }
    self = calibrator.calibration()
  }

  /// "calibrated on 1,203 still windows: 24.1 mg off before, 2.3 mg after".
  var sentence: String {
    func milli(_ value: Double?) -> String { value.map { "\(Text.decimal($0 * 1000, places: 1)) mg" } ?? "unknown" }
    let still = "\(Text.count(windows, "still window")) of 10 s"
    switch outcome {
    case .calibrated:
      return "at rest 1 g within \(milli(errorAfter)), as measured within \(milli(errorBefore)) (\(still))"
    case .tooFewWindows: return "not calibrated: \(still) are too few"
    case .tooLittleSpread:
      return "not calibrated: the \(still) have too few directions; at rest 1 g within \(milli(errorBefore))"
    case .noImprovement: return "not calibrated: no sphere fits better; at rest 1 g within \(milli(errorBefore))"
    case .off: return "not calibrated"
    }
  }

  /// For tables.
  var name: String {
    switch outcome {
    case .calibrated: "calibrated"
    case .tooFewWindows: "too few still windows"
    case .tooLittleSpread: "too few directions"
    case .noImprovement: "no improvement"
    case .off: "off"
    }
  }
}

/// A row for each calendar day of a recording: the table of `motionctl day -o days.csv`.
package struct DayRows {
  package let days: [DaySummary]
  package let calibration: SphereCalibration
  /// Samples that were left out.
  let rejected: Int
  /// Whether the days are dates; else they count from the first sample.
  let isDated: Bool

  init(_ days: WearDays, _ tally: ActivityTally, _ placement: ActivityEstimator.Placement) {
    var days = days
    (calibration, isDated, rejected) = (days.calibration, tally.wallOffset != nil, days.rejectedCount)
    self.days = DaySummary.rows(days.finish(), tally, placement, localOffset: tally.localOffset)
  }

  /// "2026-11-26", or "day 1" without dates.
  func name(_ day: WearDay) -> String {
    guard isDated else { return "day \(day.day + 1)" }
    return Date(timeIntervalSince1970: Double(day.day) * 86_400).formatted(.iso8601.year().month().day())
  }

  /// "2026-11-26T08:12:31.250" on the local clock, or the seconds since the first sample.
  private func clock(_ time: Int64) -> String {
    let seconds = Double(time) / 1e9
    guard isDated else { return Text.decimal(seconds, places: 3) }
    return String(
      Date(timeIntervalSince1970: seconds).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        .dropLast())
  }
}

extension DayRows {
  /// A column of the table and what it holds of a day. Numbers are null where nothing is known.
  struct Column {
    enum Cell { case text(String), integer(Int), number(Double?) }

    var name: String
    var unit = ""
    var cell: (DaySummary) -> Cell
  }

  /// The columns of a recording's rows; `file` is the name of each.
  func columns(file: String) -> [Column] {
    func text(_ name: String, _ value: @escaping (WearDay) -> String) -> Column {
      Column(name: name) { .text(value($0.wear)) }
    }
    func whole(_ name: String, _ value: @escaping (WearDay) -> Int) -> Column {
      Column(name: name) { .integer(value($0.wear)) }
    }
    func number(_ name: String, _ unit: String, _ scale: Double = 1, _ value: @escaping (WearDay) -> Double?) -> Column
    {
      Column(name: name, unit: unit) { .number(value($0.wear).map { JSONLine.rounded($0 * scale) }) }
    }
    func range(_ name: String, _ unit: String, _ value: @escaping (DaySummary) -> Estimate) -> [Column] {
      [("", \Estimate.value), ("_low", \.low), ("_high", \.high)].map { ending, part in
        Column(name: name + ending, unit: unit) { .number(JSONLine.rounded(value($0)[keyPath: part])) }
      }
    }
    let calibration = calibration
    let wear = [
      Column(name: "file") { _ in .text(file) }, text("day", name), text("start", { clock($0.start) }),
      text("end", { clock($0.end) }), number("covered", "s") { $0.covered }, number("worn", "s") { $0.worn },
      number("not_worn", "s") { $0.notWorn }, whole("samples") { $0.samples }, whole("gaps") { $0.gaps },
      number("clipped", "") { $0.clipped }, number("enmo_mg", "mg", 1000) { $0.enmo },
      number("mad_mg", "mg", 1000) { $0.mad }, number("m5_mg", "mg", 1000) { $0.mostActive?.mean },
      number("m5_start", "s") { $0.mostActive?.start }, number("l5_mg", "mg", 1000) { $0.leastActive?.mean },
      number("l5_start", "s") { $0.leastActive?.start },
    ]
    let bands = CadenceBand.columns.enumerated().map { index, name in
      number("cadence_\(name)", "min") { $0.cadence[index] }
    }
    let activities = Self.activities.flatMap { name in range("\(name)_minutes", "min") { Self.minutes(name, $0) } }
    let quality = [
      text("calibration") { _ in calibration.name },
      number("calibration_error_before_mg", "mg", 1000) { _ in calibration.errorBefore },
      number("calibration_error_after_mg", "mg", 1000) { _ in calibration.errorAfter },
      whole("still_windows") { _ in calibration.windows },
    ]
    return wear + range("steps", "") { $0.steps } + range("distance", "m") { $0.distance } + bands + activities
      + quality
  }

  /// Those with a column of their own; a car that waits is automotive.
  static let activities = ["stationary", "walking", "running", "cycling", "automotive", "other"]

  /// Minutes of all activities of a column.
  static func minutes(_ name: String, _ day: DaySummary) -> Estimate {
    day.minutes.filter { DayReport.column(of: $0.activity.name) == name }.reduce(Estimate.zero) { $0 + $1.estimate }
  }
}

extension CadenceBand {
  /// As parts of names: "0", "1_19", …, "120".
  static let columns = names.map { $0.replacing("-", with: "_").replacing("+", with: "") }
}
