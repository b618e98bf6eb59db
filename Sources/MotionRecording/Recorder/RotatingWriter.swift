// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// A recording in several complete files: a new one begins when the current one is large or long enough.
///
/// Between two files nothing is lost or repeated: the item that does not fit is the first of the next file. Only the
/// connection state is repeated at the start of each file, so that each file contains it.
public final class RotatingWriter: RecordingWriter {
  /// When a new file begins; nil = no limit.
  public struct Limits: Sendable, Hashable {
    /// Maximum size of a file in bytes; it ends with the chunk that reaches this size.
    public var size: Int64?
    /// Maximum sample time in one file.
    public var duration: SensorDuration?

    /// Limits; omit those that should not apply.
    public init(size: Int64? = nil, duration: SensorDuration? = nil) {
      self.size = size
      self.duration = duration
    }
  }

  /// One of the files.
  public struct Part {
    /// Its writer.
    public var writer: any RecordingWriter
    /// Bytes written to it so far.
    public var size: () -> Int64

    /// A new file.
    public init(writer: any RecordingWriter, size: @escaping () -> Int64) {
      self.writer = writer
      self.size = size
    }
  }

  private let limits: Limits
  private let next: (_ number: Int) throws(SensorError) -> Part
  private var part: Part
  private var number = 1
  /// The first and the latest sample time of the present file.
  private var span: (first: SensorInstant, last: SensorInstant)?
  /// The latest report of the connection.
  private var connection: (device: String, isConnected: Bool)?

  /// `next` creates the file with a number, counted from 1; the first is created at once.
  public init(limits: Limits, next: @escaping (_ number: Int) throws(SensorError) -> Part) throws(SensorError) {
    self.limits = limits
    self.next = next
    part = try next(1)
  }

  public func write(_ item: RecordedItem) throws(SensorError) {
    if isFull(before: item) {
      try part.writer.finish()
      number += 1
      part = try next(number)
      span = nil
      if let connection {
        let report = RecordingEvent.connection(
          item.time, device: connection.device, isConnected: connection.isConnected)
        try part.writer.write(.event(report, receivedAt: item.receivedAt))
      }
    }
    if case .event(.connection(_, let device, let isConnected), _) = item { connection = (device, isConnected) }
    span = (min(span?.first ?? item.time, item.time), max(span?.last ?? item.time, item.time))
    try part.writer.write(item)
  }

  private func isFull(before item: RecordedItem) -> Bool {
    guard let span else { return false }
    if let size = limits.size, part.size() >= size { return true }
    guard let duration = limits.duration else { return false }
    return max(span.last, item.time) - span.first >= duration
  }

  public func flush() throws(SensorError) { try part.writer.flush() }
  public func finish() throws(SensorError) { try part.writer.finish() }

  /// "walk-0001.mcap" of "walk.mcap": the number goes before the last dot of the name.
  public static func path(_ path: String, number: Int) -> String {
    let digits = String(number)
    let tail = "-" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    let name = path.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return path + tail }
    return path.dropLast(name.distance(from: dot, to: name.endIndex)) + tail + name[dot...]
  }
}
