// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Writes a recording in one format, item by item.
///
/// Samples of one sensor come in time order; those of different sensors may be out of order by the description's
/// `info.reordering`. A writer belongs to one thread at a time.
public protocol RecordingWriter: AnyObject {
  /// Writes an item; those that the format has no place for are passed over.
  func write(_ item: RecordedItem) throws(SensorError)
  /// Writes what is still held back and what belongs at the end, and closes the sink. Nothing may be written
  /// afterwards.
  func finish() throws(SensorError)
  /// Hands over to the kernel what is held back, in a form that can be read if nothing follows: a recorder calls it
  /// once a second. Default: nothing, for formats that write each item at once.
  func flush() throws(SensorError)
}

extension RecordingWriter {
  public func flush() throws(SensorError) {}

  /// Writes a sample whose time of receipt is not known.
  public func write(_ sample: SensorSample) throws(SensorError) { try write(.sample(sample, receivedAt: nil)) }
}

/// A recording in several complete files: a new one begins when the current one is long enough.
///
/// Between two files nothing is lost or repeated: the item that does not fit is the first of the next file. Only the
/// connection state is repeated at the start of each file, so that each file contains it.
public final class RotatingWriter: RecordingWriter {
  private let duration: SensorDuration
  private let next: (_ number: Int) throws(SensorError) -> any RecordingWriter
  private var writer: any RecordingWriter
  private var number = 1
  /// The first and the latest sample time of the present file.
  private var span: (first: SensorInstant, last: SensorInstant)?
  /// The latest report of the connection.
  private var connection: (device: String, isConnected: Bool)?

  /// Files of at most this sample time. `next` creates the file with a number, counted from 1; the first is created at
  /// once.
  public init(
    every duration: SensorDuration, next: @escaping (_ number: Int) throws(SensorError) -> any RecordingWriter
  ) throws(SensorError) {
    self.duration = duration
    self.next = next
    writer = try next(1)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    if isFull(before: item) {
      try writer.finish()
      number += 1
      writer = try next(number)
      span = nil
      if let connection {
        let report = RecordingEvent.connection(
          item.time, device: connection.device, isConnected: connection.isConnected)
        try writer.write(.event(report, receivedAt: item.receivedAt))
      }
    }
    if case .event(.connection(_, let device, let isConnected), _) = item { connection = (device, isConnected) }
    span = (min(span?.first ?? item.time, item.time), max(span?.last ?? item.time, item.time))
    try writer.write(item)
  }

  private func isFull(before item: RecordedItem) -> Bool {
    guard let span else { return false }
    return max(span.last, item.time) - span.first >= duration
  }

  public func flush() throws(SensorError) { try writer.flush() }
  public func finish() throws(SensorError) { try writer.finish() }

  /// "walk-0001.mcap" of "walk.mcap": the number goes before the last dot of the name.
  public static func path(_ path: String, number: Int) -> String {
    let digits = String(number)
    let tail = "-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + tail }
    return path.dropLast(name.distance(from: dot, to: name.endIndex)) + tail + name[dot...]
  }
}
