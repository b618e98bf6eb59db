// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A recording's quality in one sentence, with its reasons.
package struct RecordingVerdict: Sendable, Hashable {
  /// How much it can be trusted.
  package enum Grade: String, Sendable, Hashable, Comparable {
    /// Something that is needed is missing, or more than a twentieth is lost or wrong.
    case poor
    /// There are faults; the motion between them is correct.
    case usable
    /// No faults found.
    case good

    package static func < (a: Self, b: Self) -> Bool { a.rank < b.rank }
    private var rank: Int { self == .poor ? 0 : self == .usable ? 1 : 2 }
  }

  /// Default: good.
  package private(set) var grade = Grade.good
  /// Why; empty for a good one.
  package private(set) var reasons: [String] = []

  /// Judges a recording that has been read to its end; `isOdd`: ``Recording/warnings`` has something to say.
  package init(
    _ quality: RecordingQuality, _ statistics: RecordingStatistics = RecordingStatistics(), isOdd: Bool = false
  ) {
    let streams = quality.streams
    guard streams.contains(where: { $0.samples > 1 }) else {
      lower(to: .poor, "it holds \(quality.samples == 0 ? "no sample" : "a single sample") of any sensor")
      return
    }
    for stream in streams { judge(stream) }
    let omitted = statistics.omitted - statistics[.truncated]
    if omitted > 0 {
      let share = Double(omitted) / Double(max(1, omitted + quality.samples))
      lower(to: share > 0.05 ? .poor : .usable, "\(omitted) entries are damaged, repeated or absent")
    }
    if statistics[.lost] > 0 { lower(to: .usable, "the recorder lost \(statistics[.lost]) samples") }
    if statistics[.trailing] > 0 { lower(to: .usable, "\(statistics[.trailing]) bytes stand behind its end") }
    if isOdd { lower(to: .usable, "its units, signs, columns or files look wrong: see the warnings") }
    if statistics[.truncated] > 0 { lower(to: .usable, "it is unfinished: its end is missing") }
    if let gravity = quality.gravityAtRest, abs(gravity / standardGravity - 1) > 0.05 {
      lower(to: .usable, "at rest the accelerometer reads \(Self.decimal(gravity)) m/s²: calibrate it")
    }
    let kinds = streams.reduce(into: SensorKinds()) { $0.formUnion($1.kind) }
    if !kinds.isDisjoint(with: .inertial), !kinds.isSuperset(of: .inertial), !kinds.contains(.motion) {
      let missing = kinds.contains(.gyroscope) ? "accelerometer" : "gyroscope"
      lower(to: .usable, "without \(missing) no orientation can be computed")
    }
  }

  private mutating func judge(_ stream: StreamQuality) {
    let name = stream.kind.names.first ?? "sensor"
    if stream.clockJumps > 0 {
      lower(to: .poor, "the clock of the \(name) jumps\(Self.times(stream.clockJumps))")
    }
    if stream.gaps > 0 {
      lower(
        to: stream.gapShare > 0.05 ? .poor : .usable,
        "the \(name) pauses\(Self.times(stream.gaps)), \(Self.decimal(stream.gapTime.seconds)) s in total"
          + (stream.missing > .zero
            ? ", \(Self.decimal(stream.missing.seconds)) s of it at the beginning or the end of the recording" : ""))
    }
    let misplaced = stream.repeats + stream.outOfOrder
    if misplaced > 0 {
      let share = Double(misplaced) / Double(stream.samples)
      lower(to: share > 0.05 ? .poor : .usable, "\(misplaced) samples of the \(name) have a repeated or late time")
    }
    if stream.saturated > 0 {
      lower(
        to: stream.saturatedShare > 0.01 ? .poor : .usable,
        "the \(name) is at the end of its range in \(stream.saturated) samples")
    }
    if let warning = stream.turnWarning { lower(to: .poor, warning) }
    // Pressure and temperature may come when they like; the filter integrates the gyroscope.
    if stream.kind == .gyroscope || stream.kind == .accelerometer, let median = stream.interval,
      let short = stream.shortInterval, let long = stream.longInterval, median > .zero,
      (long - short).seconds > 0.5 * median.seconds
    {
      lower(to: .usable, "the intervals of the \(name) vary by more than half")
    }
  }

  private mutating func lower(to grade: Grade, _ reason: String) {
    self.grade = min(self.grade, grade)
    reasons.append(reason)
  }

  private static func times(_ count: Int) -> String { count == 1 ? " once" : " \(count) times" }

  /// Two decimals, without Foundation.
  private static func decimal(_ value: Double) -> String {
    let hundredths = Int(clamping: (min(abs(value), 1e12) * 100).rounded())
    let rest = hundredths % 100
    return (value < 0 ? "-" : "") + "\(hundredths / 100)." + (rest < 10 ? "0" : "") + "\(rest)"
  }
}

extension RecordingVerdict: CustomStringConvertible {
  /// "usable: the gyroscope pauses once, 0.20 s in total".
  package var description: String {
    grade.rawValue
      + (reasons.isEmpty ? ": no gaps, no clock jumps, nothing skipped" : ": " + reasons.joined(separator: "; "))
  }
}
