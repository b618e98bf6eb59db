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
