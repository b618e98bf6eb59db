// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// Where a writer's bytes go: a file, a pipe, memory.
public protocol ByteSink: AnyObject {
  /// Takes all the bytes, or throws; they may be held back until ``flush()``.
  func write(_ bytes: UnsafeRawBufferPointer) throws(SensorError)
  /// Hands over to the kernel what was held back: from here on it survives the end of the process.
  func flush() throws(SensorError)
  /// Flushes and closes. Nothing may be written afterwards.
  func finish() throws(SensorError)
}

extension ByteSink {
  public func flush() throws(SensorError) {}

  /// The bytes of an array.
  public func write(_ bytes: [UInt8]) throws(SensorError) {
    try bytes.withUnsafeBufferPointer { (buffer) throws(SensorError) in try write(UnsafeRawBufferPointer(buffer)) }
  }

  /// The bytes of a text.
  package func write(_ text: JSONText) throws(SensorError) { try write(text.bytes) }
}

/// A sink that keeps everything, for tests and for small parts of a file.
public final class MemoryByteSink: ByteSink {
  /// What has been written.
  public private(set) var bytes: [UInt8] = []
  /// True after ``finish()``.
  public private(set) var isFinished = false

  /// An empty one.
  public init() {}

  public func write(_ bytes: UnsafeRawBufferPointer) throws(SensorError) { self.bytes.append(contentsOf: bytes) }
  public func finish() throws(SensorError) { isFinished = true }
}
