// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import MotionHistory
import MotionHost
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
