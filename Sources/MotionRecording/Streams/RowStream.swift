// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A table whose rows hold several sensors at one time: a sample of each, in the order of the readings.
struct RowStreamPlan: SampleStreamPlan {
  /// One sensor's part of a row.
  struct Reading: Sendable {
    var form: SampleForm
    /// Where its numbers begin.
    var firstSlot: Int
    /// Slots of the row that it cannot do without; when all of them are empty the row has no such sample.
    var required: [Int]
    /// Numbers that it shares with another reading, copied before it is made.
    var copies: [Copy] = []
    /// The source has already taken the device's own field out (magnetometers).
    var isCalibrated = false
    /// Zeros on all axes stand for "none": Core Motion's field while it is uncalibrated.
    var zeroIsAbsent = false
  }

  /// Three numbers from one place of a row to another.
  struct Copy: Sendable {
    var from: Int
    var to: Int
  }

  var table: TableFile
  var slotCount: Int
  var readings: [Reading]

  var channels: [SensorInfo.Channel] {
    readings.map { .init(kind: $0.form.kind, isCalibrated: $0.isCalibrated) }
  }
  var places: [String] { [table.member.place] }
  var storedBytes: Int64 { table.member.storedSize }

  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream {
    RowStream(try table.open(RowValues(count: slotCount), context), readings: readings, context: context)
  }

  func lastInstant() -> SensorInstant? { table.lastInstant(slotCount: slotCount) }
}

private final class RowStream: SampleStream {
  private let reader: TableReader
  private let readings: [RowStreamPlan.Reading]
  private let context: ReadingContext
  /// The next reading of the present row.
  private var index: Int

  init(_ reader: TableReader, readings: [RowStreamPlan.Reading], context: ReadingContext) {
    self.reader = reader
    self.readings = readings
    self.context = context
    index = readings.count
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while index < readings.count {
        let reading = readings[index]
        index += 1
        if try isPresent(reading) {
          return reading.form.sample(time: reader.instants[0], reader.values.numbers + reading.firstSlot)
        }
      }
      guard try reader.next() else { return nil }
      index = 0
    }
  }

  private func isPresent(_ reading: RowStreamPlan.Reading) throws(SensorError) -> Bool {
    let numbers = reader.values.numbers
    for copy in reading.copies {
      for axis in 0..<3 { numbers[copy.to + axis] = numbers[copy.from + axis] }
    }
    let missing = reading.required.count { numbers[$0].isNaN }
    if missing == 0 { return !reading.zeroIsAbsent || reading.required.contains { numbers[$0] != 0 } }
    guard missing < reading.required.count else { return false }
    try context.report(
      .malformed,
      SensorError(
        .malformed,
        "Some of the columns of the \(reading.form.kind.names.joined()) are empty, others are not; \(SensorError.skipHint)",
        at: reader.place))
    return false
  }
}
