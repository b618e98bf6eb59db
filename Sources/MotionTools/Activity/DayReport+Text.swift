// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
import MotionSensing
import MotionServices

/// A day for people: totals with their ranges, then a table of hours.
extension DayReport {
  private static let columns = ["stationary", "walking", "running", "cycling", "automotive"]

  package func lines(_ tally: ActivityTally) -> [String] {
    guard let rows = days?.rows else { return totals(tally) + [""] + table(tally) }
    // A week has too many hours to read.
    let isLong = seconds > 86_400 && rows.days.count > 1
    return totals(tally) + rows.totals(over: covered) + [""] + (isLong ? rows.table : table(tally))
  }

  private func totals(_ tally: ActivityTally) -> [String] {
    func line(_ name: String, _ estimate: Estimate, _ text: (Double) -> String) -> String {
      "  " + Text.padded(name, 14, toRight: false) + Text.padded(text(estimate.value), 14)
        + "  (\(text(estimate.low)) to \(text(estimate.high)))"
    }
    let count = { (value: Double) in Text.grouped(Int(clamping: min(value, 1e15))) }
    let metres = { (value: Double) in
      value < 1000 ? "\(Text.decimal(value, places: 0)) m" : "\(Text.decimal(value / 1000, places: 2)) km"
    }
    let missing = seconds - covered
    var lines = [
      "\(file): " + (tally.day(0).map { "\($0), from \(tally.time(0)), " } ?? "") + Text.duration(seconds)
        + (missing > 0 ? ", without samples for \(Text.duration(missing)) of it" : ""),
      line("steps", steps, count), line("distance", distance, metres),
    ]
    if let floorsAscended { lines.append(line("floors up", floorsAscended, count)) }
    if let floorsDescended { lines.append(line("floors down", floorsDescended, count)) }
    for (name, estimate) in minutes.sorted(by: { ($1.value.value, $0.key) < ($0.value.value, $1.key) }) {
      lines.append(line(name, estimate) { "\(Text.decimal($0, places: 1)) min" })
    }
    return lines
  }

  private func table(_ tally: ActivityTally) -> [String] {
    let names =
      Self.columns.filter { name in minutes.keys.contains { Self.column(of: $0) == name } } + ["other", "missing"]
    var lines = [
      "  " + Text.padded("hour", 8) + Text.padded("steps", 9) + Text.padded("metres", 9) + Text.padded("floors", 9)
        + names.map { Text.padded($0, 12) }.joined() + "  (minutes)"
    ]
    var previous: Int?
    for (number, hour) in zip(tally.hoursWithSamples, hours) {
      if let previous, number > previous + 1 {
        lines.append("  \(tally.hourName(previous + 1)) to \(tally.hourName(number)): no samples")
      }
      previous = number
      let floors = hour.floorsAscended.map { "\($0)/\(hour.floorsDescended ?? 0)" } ?? "–"
      let cells = names.map { name -> String in
        let value =
          name == "missing"
          ? hour.missing : hour.minutes.filter { Self.column(of: $0.key) == name }.reduce(0) { $0 + $1.value }
        return Text.padded(value == 0 ? "·" : String(format: "%.1f", value), 12)
      }
      lines.append(
        "  " + Text.padded(tally.hourName(number), 8) + Text.padded(Text.grouped(hour.steps), 9)
          + Text.padded(String(format: "%.0f", hour.distance), 9) + Text.padded(floors, 9) + cells.joined())
    }
    return lines
  }

  /// The column of an activity: that of a car that waits is automotive.
  static func column(of name: String) -> String {
    columns.last { name.contains($0) } ?? "other"
  }
}

extension ActivityTally {
  /// The hours with samples, in order. A recording with a jump of years in its clock has few.
  var hoursWithSamples: [Int] {
    var hours: Set<Int> = []
    let begins = [0] + breaks.map(\.upperBound)
    for (begin, end) in zip(begins, breaks.map(\.lowerBound) + [duration]) {
      hours.formUnion(hour(at: begin)...hour(at: max(begin, end)))
    }
    return hours.sorted()
  }

  /// "08:00" on the local clock, or "3 h" from the first sample on.
  func hourName(_ hour: Int) -> String {
    guard date(at: 0) != nil else { return "\(hour) h" }
    return String(time(start(ofHour: hour)).prefix(5))
  }
}
