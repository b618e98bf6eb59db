// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionHistory
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// A history in figures, by hour or day.
package struct HistoryReport: Encodable {
  package enum Unit: String, CaseIterable, Encodable {
    case hour, day
    var component: Calendar.Component { self == .hour ? .hour : .day }
  }

  /// One hour or day of which anything is known.
  package struct Row: Encodable {
    package var start: Date
    package var end: Date
    package var steps: Int
    /// Metres.
    package var distance: Double
    var floorsAscended: Int?
    var floorsDescended: Int?
    /// Of each activity.
    package var minutes: [String: Double]
    /// Minutes of which there are accelerations.
    package var accelerometer: Double
  }

  package static let activities = ["stationary", "walking", "running", "cycling", "automotive", "other", "unknown"]

  package var file: String
  /// Bytes.
  package var size: Int64
  package var isRecording: Bool
  package var sources: [String]
  /// Rows of the file that are left out; nil when there are none.
  package var damagedRows: Int?
  package var rows: [Row]
  /// Of the rows together; steps are counted once at the edges, so they add up.
  package var total: Row
  package let contents: MotionStore.Contents
  package let place: StoreSelection
  package let holder: WriterLock.Holder?

  private enum CodingKeys: String, CodingKey { case file, size, isRecording, sources, damagedRows, rows, total }

  package init(of store: MotionStore, at place: StoreSelection, from start: Date, to end: Date, by unit: Unit) throws {
    self.place = place
    holder = WriterLock.holder(ofStore: place.path)
    (file, size, isRecording) = (place.path, place.size, holder != nil)
    let (contents, changes) = (try store.contents(), try store.activities(from: start, to: end))
    (self.contents, sources) = (contents, contents.sources)
    damagedRows = contents.damagedRows > 0 ? contents.damagedRows : nil
    func row(_ start: Date, _ end: Date) throws -> Row {
      try Row(try store.steps(from: start, to: end), changes, contents, from: start, to: end)
    }
    // Only where something is known: a range may be any number of years.
    let known = contents.range ?? end...end
    let last = Calendar.current.dateInterval(of: unit.component, for: known.upperBound)?.end ?? known.upperBound
    rows = try Self.parts(from: max(start, known.lowerBound), to: min(end, last), by: unit).map(row)
      .filter { $0.steps > 0 || !$0.minutes.isEmpty || $0.accelerometer > 0 }
    total = try row(start, end)
  }

  /// Hours or days of the person's calendar, the first and the last cut to the range.
  private static func parts(from start: Date, to end: Date, by unit: Unit) -> [(Date, Date)] {
    let calendar = Calendar.current
    var parts: [(Date, Date)] = []
    var begin = start
    while begin < end {
      let part = calendar.dateInterval(of: unit.component, for: begin)
      let next = min(end, part.map { max($0.end, begin + 1) } ?? end)
      parts.append((begin, next))
      begin = next
    }
    return parts
  }
}

extension HistoryReport.Row {
  fileprivate init(
    _ totals: StepTotals, _ changes: [RecordedActivity], _ contents: MotionStore.Contents,
    from start: Date, to end: Date
  ) throws {
    (self.start, self.end, steps) = (start, end, totals.steps)
    distance = JSONLine.rounded(totals.distance)
    (floorsAscended, floorsDescended) = (totals.floorsAscended, totals.floorsDescended)
    func overlap(_ low: Date, _ high: Date) -> Double { max(0, min(high, end).timeIntervalSince(max(low, start))) / 60 }
    var minutes: [String: Double] = [:]
    for (index, change) in changes.enumerated() {
      // The last activity is known up to the last thing that is known.
      let until = index + 1 < changes.count ? changes[index + 1].startDate : contents.range?.upperBound ?? start
      minutes[Self.name(change), default: 0] += overlap(change.startDate, until)
    }
    self.minutes = minutes.filter { $0.value > 0 }.mapValues(JSONLine.rounded)
    accelerometer = JSONLine.rounded(contents.accelerometer.reduce(0) { $0 + overlap($1.start, $1.end) })
  }

  /// A car that waits is automotive, not stationary.
  private static func name(_ change: RecordedActivity) -> String {
    let known: [(MotionActivity, String)] = [
      (.automotive, "automotive"), (.cycling, "cycling"), (.running, "running"), (.walking, "walking"),
      (.stationary, "stationary"), (.unknown, "unknown"),
    ]
    return known.first { change.change.activity.contains($0.0) }?.1 ?? "other"
  }
}

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
