// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivitySummary
import Foundation
import MotionSensing
import WearAnalysis

/// Days for people.
extension DayRows {
  /// What the days have together: wear and the mean movement, and what the calibration did.
  func totals(over covered: Double) -> [String] {
    func line(_ name: String, _ text: String) -> String { "  " + Text.padded(name, 14, toRight: false) + "  " + text }
    let worn = days.reduce(0) { $0 + $1.wear.worn }
    func mean(_ value: (WearDay) -> Double?) -> String {
      let sum = days.reduce(0) { $0 + (value($1.wear) ?? 0) * $1.wear.worn }
      return worn > 0 ? "\(Text.decimal(sum / worn * 1000, places: 1)) mg" : "–"
    }
    return [
      line("worn", "\(Text.duration(worn)) of \(Text.duration(covered)) with samples"),
      line("ENMO, MAD", "\(mean(\.enmo)), \(mean(\.mad))"), line("accelerometer", calibration.sentence),
    ]
  }

  /// A line for each day.
  var table: [String] {
    let heads: [(String, Int)] = [
      ("worn h", 8), ("no data h", 11), ("steps", 9), ("range", 17), ("km", 7), ("walking", 9), ("≥ 100/min", 11),
      ("ENMO mg", 9), ("MAD mg", 8), ("M5 mg", 7), ("from", 7), ("L5 mg", 7), ("from", 7),
    ]
    func cells(_ texts: [String]) -> String {
      zip(texts, heads).map { Text.padded($0.0, $0.1.1) }.joined()
    }
    let head = "  " + Text.padded("day", 12, toRight: false) + cells(heads.map(\.0)) + "  (walking in minutes)"
    return [head]
      + days.enumerated().map { index, day in
        let wear = day.wear
        let name = "  " + Text.padded(self.name(wear), 12, toRight: false)
        guard wear.samples > 0 else { return name + "  no samples" }
        // The first and the last day may be parts of one.
        let missing = max(0, span(index) - wear.covered)
        return name
          + cells([
            hours(wear.worn), missing < 60 ? "·" : hours(missing), count(day.steps.value),
            "\(count(day.steps.low))–\(count(day.steps.high))", Text.decimal(day.distance.value / 1000, places: 2),
            Text.decimal(Self.minutes("walking", day).value, places: 0),
            Text.decimal(wear.cadence[6] + wear.cadence[7], places: 0), milli(wear.enmo), milli(wear.mad),
            milli(wear.mostActive?.mean), clock(wear.mostActive?.start), milli(wear.leastActive?.mean),
            clock(wear.leastActive?.start),
          ])
      }
  }

  /// Seconds of a day that the recording could have samples in.
  private func span(_ index: Int) -> Double {
    let wear = days[index].wear
    let midnight = Int64(wear.day) * 86_400_000_000_000
    let begin = index == 0 ? wear.start : midnight
    let end = index == days.count - 1 ? wear.end : midnight + 86_400_000_000_000
    return Double(end - begin) / 1e9
  }

  private func hours(_ seconds: Double) -> String { Text.decimal(seconds / 3600, places: 1) }

  private func count(_ value: Double) -> String { Text.grouped(Int(clamping: min(value, 1e15))) }

  private func milli(_ value: Double?) -> String { value.map { Text.decimal($0 * 1000, places: 1) } ?? "–" }

  /// "14:20"
  private func clock(_ seconds: Double?) -> String {
    seconds.map { String(format: "%02d:%02d", Int(clamping: $0) / 3600, Int(clamping: $0) / 60 % 60) } ?? "–"
  }
}
