// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Writes a recording in one format, item by item.
///
/// Items of one sensor come in the order of their times; those of different sensors may be out of order by as much as the
/// description's `info.reordering` says. A writer belongs to one thread at a time.
public protocol RecordingWriter: AnyObject {
  /// Writes an item; those that the format has no place for are passed over.
  func write(_ item: RecordedItem) throws(SensorError)
  /// Writes what is still held back and what belongs at the end, and closes the sink. Nothing may be written afterwards.
  func finish() throws(SensorError)
  /// Hands over to the kernel what is held back, in a form that can be read if nothing follows: a recorder calls it once a
  /// second. Default: nothing, for formats that write each item at once.
  func flush() throws(SensorError)
}

extension RecordingWriter {
  public func flush() throws(SensorError) {}

  /// Writes a sample whose time of receipt is not known.
  public func write(_ sample: SensorSample) throws(SensorError) { try write(.sample(sample, receivedAt: nil)) }
}

/// What a writer made of the items that it was given: everything that is dropped is counted.
public struct WriterCounts: Sendable, Hashable {
  /// Rows, lines or messages written.
  public var rows = 0
  /// Items for which the format has no place: a pressure in a trajectory.
  public var unsupported = 0
  /// Samples that a slower sensor's rows left no room for, or that lack their counterpart.
  public var superseded = 0
  /// Samples with a number that is not finite, where the format has no word for that.
  public var nonFinite = 0

  /// Nothing written, nothing left out.
  public init() {}
}

/// A writer that tells what became of its items.
public protocol CountingWriter: RecordingWriter {
  /// So far.
  var counts: WriterCounts { get }
}
