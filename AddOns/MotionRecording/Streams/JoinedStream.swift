// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension SampleStreamPlan {
  /// One sample made of the rows of several tables that belong together by their times: gravity in one file, attitude
  /// in another.
  ///
  /// The first table sets the times. From each companion comes the row of the same time, or the latest row before it
  /// that is not older by more than `maximumAge`, ns; a row of the first table that lacks a companion gives no sample and
  /// is counted.
  init(_ first: TableFile, joining companions: [TableFile], maximumAge: Int64, _ reading: RowReading) {
    self.init(
      channels: [.init(kind: reading.form.kind)], forms: [reading.form],
      places: [first.member.place] + companions.map(\.member.place),
      storedBytes: companions.reduce(first.member.storedSize) { $0 + $1.member.storedSize },
      lastInstant: first.lastInstant,
      open: { (context) throws(SensorError) in
        let reader = try first.open(context)
        var others: [JoinedStream.Other] = []
        for table in companions {
          others.append(
            JoinedStream.Other(
              reader: try table.open(context),
              slots: table.layout.columns.compactMap {
                if case .number(let slot, _) = $0.content { slot } else { nil }
              },
              maximumAge: maximumAge))
        }
        return JoinedStream(reader, others, reading, context).next
      })
  }
}

private final class JoinedStream {
  struct Other {
    let reader: TableReader
    /// The row at or before the present time, copied: a row read ahead must not show through.
    let latest = RowValues(count: WideTable.slotCount)
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
  private let reading: RowReading
  private let context: ReadingContext

  init(_ first: TableReader, _ others: [Other], _ reading: RowReading, _ context: ReadingContext) {
    (self.first, self.others, self.reading, self.context) = (first, others, reading, context)
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
      // A span for each use: one that lives on stops the compiler's optimiser (6.3.1).
      let numbers = first.values.numbers
      if !isComplete {
        context.statistics.count(.unmatched, at: first.place)
      } else if try context.isComplete(reading, first.values, at: first.place) {
        return reading.form.sample(time: time, numbers.span)
      }
    }
    return nil
  }
}
