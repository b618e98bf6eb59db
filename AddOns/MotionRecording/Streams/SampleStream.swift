// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Samples of one file, or of files that belong together, in time order: gives the next one, nil at the end.
typealias SampleStream = () throws(SensorError) -> SensorSample?

/// How such samples are read; made once, opened for each pass.
struct SampleStreamPlan: Sendable {
  /// The sensors it delivers, as yet without rates.
  var channels: [SensorInfo.Channel]
  /// What the rows of tables become.
  var forms: [SampleForm] = []
  /// The files it reads, for messages.
  var places: [String]
  /// Bytes of all its files, as stored.
  var storedBytes: Int64
  /// The time of its last sample where that is cheap to find: from the tail of plain files.
  var lastInstant: @Sendable () -> SensorInstant? = { nil }
  var open: @Sendable (ReadingContext) throws(SensorError) -> SampleStream
}

/// A table in one of the recording's files, and what its rows hold.
struct TableFile: Sendable {
  let files: RecordingFiles
  let member: RecordingFiles.Member
  var layout: TableLayout
  private(set) var columns: WideTable

  init(_ files: RecordingFiles, _ member: RecordingFiles.Member, _ layout: TableLayout, _ columns: WideTable) {
    (self.files, self.member, self.layout, self.columns) = (files, member, layout, columns)
    self.layout.columns = columns.columns.sorted { $0.index < $1.index }
  }

  /// The same as a person states it: the sign of its accelerations, its axes, the rate of its rows instead of times.
  func stating(_ options: RecordingOptions) -> TableFile {
    var table = self
    table.columns.state(sign: options.sign, axes: options.axes)
    if let axes = options.axes {
      for index in table.layout.columns.indices { table.layout.columns[index].turn(axes) }
    }
    if let rate = options.rate {
      table.layout.columns.removeAll { $0.isTime }
      table.layout.timeLine = .rowNumber(rate: rate)
    }
    return table
  }

  func open(_ context: ReadingContext) throws(SensorError) -> TableReader {
    TableReader(try files.open(member), name: member.place, layout: layout, context)
  }

  /// The largest time stamp in the last 64 KiB of a plain file.
  func lastInstant() -> SensorInstant? {
    // Rows whose time follows from the rows before must be read.
    if case .rowNumber = layout.timeLine { return nil }
    // Behind the table another one may follow.
    guard !layout.endsAtBlankLine else { return nil }
    guard let (bytes, isCut) = try? files.openTail(member, length: 64 << 10) else { return nil }
    var layout = layout
    layout.isOrdered = false
    // The first line of the tail is a header or, most likely, cut off in front.
    if isCut { layout.headerLines = 1 }
    let reader = TableReader(bytes, name: member.place, layout: layout, ReadingContext(.skip))
    var last: Int64?
    while (try? reader.next()) == true, case let time = reader.instants[0] {
      if time != TableReader.absent { last = max(last ?? time, time) }
    }
    return last.map { SensorInstant(nanoseconds: $0) }
  }
}

/// One sensor's part of a table's rows.
struct RowReading: Sendable {
  var form: SampleForm
  /// Where its numbers begin.
  var firstSlot = 0
  /// Slots of the row that it cannot do without; when all of them are empty the row has no such sample.
  var required: [Int] = []
  /// Three numbers that it shares with another reading, copied from one place of the row to another before it is made.
  var copies: [(from: Int, to: Int)] = []
  /// The source has already taken the device's own field out (magnetometers).
  var isCalibrated = false
  /// A reading stands for the interval that ends with its stamp (gyroscopes).
  var isMean = false
  /// Zeros on all axes stand for "none": Core Motion's field while it is uncalibrated.
  var zeroIsAbsent = false
  /// What a reader of the recording's name should know of it.
  var note: String?
}

extension SampleStreamPlan {
  /// A table whose rows hold one sensor, or several at one time: a sample of each, in the order of the readings.
  init(_ table: TableFile, _ readings: [RowReading]) {
    self.init(
      channels: readings.map { .init(kind: $0.form.kind, isCalibrated: $0.isCalibrated, isMean: $0.isMean) },
      forms: readings.map(\.form), places: [table.member.place], storedBytes: table.member.storedSize,
      lastInstant: table.lastInstant,
      open: { (context) throws(SensorError) in
        // A row that holds nothing of some readings may hold something of others.
        let isWhole = readings.count == table.columns.readings().count
        return RowStream(try table.open(context), readings: readings, isWhole: isWhole, context: context).next
      })
  }
}

private final class RowStream {
  private let reader: TableReader
  private let readings: [RowReading]
  /// The readings are all that a row can hold.
  private let isWhole: Bool
  private let context: ReadingContext
  /// The next reading of the present row.
  private var index: Int
  /// The present row has held something, if damage.
  private var isFilled = true

  init(_ reader: TableReader, readings: [RowReading], isWhole: Bool, context: ReadingContext) {
    (self.reader, self.readings, self.isWhole, self.context) = (reader, readings, isWhole, context)
    index = readings.count
  }

  func next() throws(SensorError) -> SensorSample? {
    while true {
      while index < readings.count {
        let number = index
        index += 1
        if let sample = try sample(readings[number]) { return sample }
      }
      if isWhole, !isFilled {
        context.statistics.count(.nonFinite, at: reader.place)
        reader.values.readsNaN = false
      }
      isFilled = true
      guard try reader.next() else { return nil }
      (index, isFilled) = (0, false)
    }
  }

  /// What a reading makes of the present row; nil where the row has nothing of it.
  @inline(__always)
  private func sample(_ reading: RowReading) throws(SensorError) -> SensorSample? {
    let values = reader.values
    for copy in reading.copies {
      for axis in 0..<3 { values.numbers[copy.to + axis] = values.numbers[copy.from + axis] }
    }
    let numbers = values.numbers
    if !isFilled { isFilled = reading.required.contains { !numbers[$0].isNaN } }
    guard try context.isComplete(reading, values, at: reader.place),
      !reading.zeroIsAbsent || reading.required.contains(where: { numbers[$0] != 0 })
    else { return nil }
    return reading.form.sample(time: reader.instants[0], numbers.span.extracting(reading.firstSlot...))
  }
}

extension ReadingContext {
  /// Whether a row has a reading's numbers; one that has some of them and not others is damage.
  func isComplete(
    _ reading: RowReading, _ values: RowValues, at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) -> Bool {
    let missing = reading.required.count { values.numbers[$0].isNaN }
    if missing == 0 { return true }
    if missing < reading.required.count {
      values.readsNaN = false
      try report(
        .malformed, "Some of the columns of the \(reading.form.kind.names.joined()) are empty, others are not",
        at: place())
    }
    return false
  }
}

/// Streams brought into one order: by time, and at the same time in the order of the streams.
///
/// A look-ahead of one sample for each stream; a recording has few enough that a linear search beats a heap.
struct SampleMerger {
  private let streams: [SampleStream]
  private var heads: [SensorSample?] = []
  private var times: [Int64] = []
  /// The stream whose head has been taken and not been replaced: it is asked only when the next sample is wanted, so
  /// that damage behind a sample does not cost that sample.
  private var taken: Int?

  init(_ streams: [SampleStream]) { self.streams = streams }

  /// The earliest sample not yet taken, or nil when all streams have ended.
  mutating func next() throws(SensorError) -> SensorSample? {
    if streams.count == 1 { return try streams[0]() }
    if heads.isEmpty {
      for stream in streams {
        heads.append(try stream())
        times.append(heads.last??.time.nanoseconds ?? .max)
      }
    }
    if let index = taken {
      taken = nil
      heads[index] = try streams[index]()
      times[index] = heads[index]?.time.nanoseconds ?? .max
    }
    var earliest = 0
    for index in times.indices.dropFirst() where times[index] < times[earliest] { earliest = index }
    guard earliest < heads.count, let sample = heads[earliest] else { return nil }
    taken = earliest
    return sample
  }
}
