// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHistory
import MotionRecording

/// A history as text: for people, and as CSV.
extension HistoryReport {
  /// Who writes the history, as a sentence.
  package static func writer(_ holder: WriterLock.Holder?) -> String {
    guard let holder else { return "No recorder runs." }
    let what = holder.recordsAccelerometer ? "steps, activities and the accelerometer" : "steps and activities"
    return "A recorder runs (process \(holder.pid), since \(time(holder.since))): \(what) of \(holder.source)."
  }

  /// What a store holds, in sentences.
  package static func summary(_ contents: MotionStore.Contents, of place: StoreSelection) -> [String] {
    var lines = ["\(place.path): \(Text.bytes(place.size))"]
    let damage =
      contents.damagedRows > 0 ? ["  \(Text.count(contents.damagedRows, "damaged row")) left out"] : []
    guard let range = contents.range else { return [lines[0] + ", empty"] + damage }
    lines[0] += ", from \(time(range.lowerBound)) to \(time(range.upperBound))"
    lines.append(
      "  \(Text.count(contents.epochs, "span")) of steps, \(Text.count(contents.activities, "change")) of activity")
    let recorded = contents.accelerometer.reduce(0) { $0 + $1.end.timeIntervalSince($1.start) }
    let samples = contents.accelerometer.reduce(0) { $0 + $1.samples }
    lines.append(
      contents.accelerometer.isEmpty
        ? "  no accelerometer"
        : "  accelerometer: \(Text.duration(recorded)) in \(Text.count(contents.accelerometer.count, "piece")), \(Text.count(samples, "sample"))"
    )
    if contents.clipped > 0 {
      lines.append("  \(Text.count(contents.clipped, "value")) lay outside the range and were cut to it")
    }
    if !contents.sources.isEmpty { lines.append("  from \(Text.list(contents.sources))") }
    return lines + damage
  }

  /// A table, and what the store holds below it.
  package var text: [String] {
    let names = Self.activities.filter { total.minutes[$0, default: 0] > 0 }
    let head = ["", "steps", "metres", "floors"] + names.map { $0 + " min" } + ["accelerometer min"]
    let lines = (rows + [total]).enumerated().map { index, row in
      let floors = row.floorsAscended.map { "+\($0) −\(row.floorsDescended ?? 0)" } ?? "–"
      return [
        index < rows.count ? Self.time(row.start) : "together", "\(row.steps)", Text.decimal(row.distance, places: 0),
        floors,
      ] + names.map { Text.decimal(row.minutes[$0] ?? 0, places: 1) } + [Text.decimal(row.accelerometer, places: 1)]
    }
    let widths = head.indices.map { column in ([head] + lines).map { $0[column].count }.max() ?? 0 }
    func line(_ cells: [String]) -> String {
      zip(cells, widths).enumerated().map { Text.padded($1.0, $1.1, toRight: $0 > 0) }.joined(separator: "  ")
    }
    return (rows.isEmpty ? ["Nothing is known of this time."] : ([head] + lines).map(line)) + [""]
      + Self.summary(contents, of: place) + [Self.writer(holder)]
  }

  /// A row for each hour or day; empty cells are not known.
  package var csv: [String] {
    let head =
      ["start", "end", "steps", "distance_m", "floors_ascended", "floors_descended"]
      + Self.activities.map { $0 + "_min" } + ["accelerometer_min"]
    let lines = rows.map { row -> [String] in
      let minutes = Self.activities.map { Text.decimal(row.minutes[$0] ?? 0, places: 3) }
      return [
        row.start.formatted(.iso8601), row.end.formatted(.iso8601), "\(row.steps)",
        Text.decimal(row.distance, places: 3),
        row.floorsAscended.map(String.init) ?? "", row.floorsDescended.map(String.init) ?? "",
      ] + minutes + [Text.decimal(row.accelerometer, places: 3)]
    }
    return ([head] + lines).map { $0.joined(separator: ",") }
  }

  /// "2026-11-21 10:00", in the person's time zone.
  private static func time(_ date: Date) -> String {
    date.formatted(
      Date.ISO8601FormatStyle(timeZone: .current).year().month().day().dateTimeSeparator(.space).time(
        includingFractionalSeconds: false))
  }
}
