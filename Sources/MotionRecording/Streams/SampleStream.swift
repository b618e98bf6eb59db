// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Samples of one file, or of files that belong together, in time order.
protocol SampleStream: AnyObject {
  /// The next sample, or nil at the end.
  func next() throws(SensorError) -> SensorSample?
}

/// How to make a ``SampleStream``; made once, opened for each pass.
protocol SampleStreamPlan: Sendable {
  /// The sensors it delivers, as yet without rates.
  var channels: [SensorInfo.Channel] { get }
  /// The files it reads, for messages.
  var places: [String] { get }
  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream
  /// Bytes of all its files, as stored.
  var storedBytes: Int64 { get }
  /// The time of its last sample where that is cheap to find: from the tail of plain files.
  func lastInstant() -> SensorInstant?
}

/// A table in one of the recording's files.
struct TableFile: Sendable {
  var files: RecordingFiles
  var member: RecordingFiles.Member
  var layout: TableLayout

  func open(_ values: RowValues, _ context: ReadingContext) throws(SensorError) -> TableReader {
    TableReader(try files.open(member), name: member.place, layout: layout, values: values, context: context)
  }

  /// The largest time stamp in the last 64 KiB of a plain file.
  func lastInstant(slotCount: Int) -> SensorInstant? {
    // Rows whose time follows from the rows before must be read.
    switch layout.timeLine {
    case .rowNumber, .differences: return nil
    case .pieces, nil: break
    }
    guard let (bytes, isCut) = try? files.openTail(member, length: 64 << 10) else { return nil }
    var layout = layout
    layout.isOrdered = false
    // The first line of the tail is a header or, most likely, cut off in front.
    layout.hasHeader = isCut || layout.hasHeader
    if isCut { layout.headerLines = 1 }
    let reader = TableReader(
      bytes, name: member.place, layout: layout, values: RowValues(count: slotCount),
      context: ReadingContext(skipsErrors: true))
    var last: Int64?
    while (try? reader.next()) == true {
      if let time = reader.instants.max(), time != TableReader.absent { last = max(last ?? time, time) }
    }
    return last.map { SensorInstant(nanoseconds: $0) }
  }
}

/// One sensor in one table: a sample a row.
struct TableStreamPlan: SampleStreamPlan {
  var table: TableFile
  var form: SampleForm
  /// The source has already taken the device's own field out (magnetometers).
  var isCalibrated = false

  var channels: [SensorInfo.Channel] { [.init(kind: form.kind, isCalibrated: isCalibrated)] }
  var places: [String] { [table.member.place] }
  var storedBytes: Int64 { table.member.storedSize }

  func open(_ context: ReadingContext) throws(SensorError) -> any SampleStream {
    TableStream(try table.open(RowValues(count: form.slotCount), context), form: form)
  }

  func lastInstant() -> SensorInstant? { table.lastInstant(slotCount: form.slotCount) }
}

private final class TableStream: SampleStream {
  private let reader: TableReader
  private let form: SampleForm

  init(_ reader: TableReader, form: SampleForm) {
    self.reader = reader
    self.form = form
  }

  func next() throws(SensorError) -> SensorSample? {
    guard try reader.next() else { return nil }
    return form.sample(time: reader.instants[0], reader.values.numbers)
  }
}

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
        let number = index
        index += 1
        if try isPresent(readings[number]) {
          return readings[number].form.sample(
            time: reader.instants[0], reader.values.numbers + readings[number].firstSlot)
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
    try context.reportIncomplete(reading.form.kind, at: reader.place)
    return false
  }
}

/// Streams brought into one order: by time, and at the same time in the order of the streams.
///
/// A look-ahead of one sample for each stream; a recording has few enough that a linear search beats a heap.
struct SampleMerger {
  private var streams: [any SampleStream]
  private var heads: [SensorSample?] = []
  private var times: [Int64] = []
  /// The stream whose head has been taken and not been replaced: it is asked only when the next sample is wanted, so that
  /// damage behind a sample does not cost that sample.
  private var taken: Int?

  init(_ streams: [any SampleStream]) { self.streams = streams }

  /// The earliest sample not yet taken, or nil when all streams have ended.
  mutating func next() throws(SensorError) -> SensorSample? {
    if streams.count == 1 { return try streams[0].next() }
    if heads.isEmpty {
      for stream in streams { append(try stream.next()) }
    }
    if let index = taken {
      taken = nil
      let following = try streams[index].next()
      heads[index] = following
      times[index] = following?.time.nanoseconds ?? .max
    }
    var earliest = 0
    for index in times.indices.dropFirst() where times[index] < times[earliest] { earliest = index }
    guard earliest < heads.count, let sample = heads[earliest] else { return nil }
    taken = earliest
    return sample
  }

  private mutating func append(_ sample: SensorSample?) {
    heads.append(sample)
    times.append(sample?.time.nanoseconds ?? .max)
  }
}
