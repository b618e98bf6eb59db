// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// One of the tables that are joined to another by time.
struct Companion: Sendable {
  var table: TableFile
  /// ns by which its row may be older than the first table's; 0 = the same time.
  var maximumAge: Int64 = 0
}

extension SampleStreamPlan {
  /// One sample made of the rows of several tables that belong together by their times: gravity in one file, attitude
  /// in another.
  ///
  /// The first table sets the times. From each companion comes the row of the same time, or the latest row before it
  /// that is not too old; a row of the first table that lacks a companion gives no sample and is counted.
  init(_ first: TableFile, joining companions: [Companion], _ form: SampleForm) {
    self.init(
      channels: [.init(kind: form.kind)], forms: [form],
      places: [first.member.place] + companions.map(\.table.member.place),
      storedBytes: companions.reduce(first.member.storedSize) { $0 + $1.table.member.storedSize },
      lastInstant: { first.lastInstant(slotCount: form.slotCount) },
      open: { (context) throws(SensorError) in
        let reader = try first.open(RowValues(count: form.slotCount), context)
        var others: [JoinedStream.Other] = []
        for companion in companions {
          // Its own numbers, copied when they match: a row read ahead must not show through.
          others.append(
            JoinedStream.Other(
              reader: try companion.table.open(RowValues(count: form.slotCount), context),
              latest: RowValues(count: form.slotCount),
              slots: companion.table.layout.columns.compactMap {
                switch $0.content {
                case .number(let slot), .scaled(let slot, _): slot
                case .instant, .clock, .word: nil
                }
              },
              maximumAge: companion.maximumAge))
        }
        return JoinedStream(reader, others, form: form, context: context).next
      })
  }
}

private final class JoinedStream {
  struct Other {
    let reader: TableReader
    /// The row at or before the present time.
    let latest: RowValues
    let slots: [Int]
    let maximumAge: Int64
    var latestTime = TableReader.absent
    var aheadTime: Int64?
    var hasEnded = false

    /// Moves on to the last row at or before `time`.
    mutating func advance(to time: Int64) throws(SensorError) {
      while true {
        if aheadTime == nil, !hasEnded {
          hasEnded = try !reader.next()
          if !hasEnded { aheadTime = reader.instants[0] }
        }
        guard let ahead = aheadTime, ahead <= time else { return }
        latestTime = ahead
        for slot in slots { latest.numbers[slot] = reader.values.numbers[slot] }
        aheadTime = nil
      }
    }

    func matches(_ time: Int64) -> Bool {
      latestTime != TableReader.absent && time.clamped(minus: latestTime) <= maximumAge
    }
  }

  private let first: TableReader
  private var others: [Other]
  private let form: SampleForm
  private let context: ReadingContext

  init(_ first: TableReader, _ others: [Other], form: SampleForm, context: ReadingContext) {
    (self.first, self.others, self.form, self.context) = (first, others, form, context)
  }

  func next() throws(SensorError) -> SensorSample? {
    while try first.next() {
      let time = first.instants[0]
      var isComplete = true
      for index in others.indices {
        try others[index].advance(to: time)
        let other = others[index]
        let matches = other.matches(time)
        for slot in other.slots { first.values.numbers[slot] = matches ? other.latest.numbers[slot] : .nan }
        if !matches { isComplete = false }
      }
      let numbers = first.values.numbers
      if isComplete { return form.sample(time: time, numbers.span) }
      context.statistics.count(.unmatched, at: first.place)
    }
    return nil
  }
}
