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
    // Rows without a time of their own: only counting them tells.
    if case .rowNumber = layout.timeLine { return nil }
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
