// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing
import Synchronization

/// A sink that says how much has gone through it, to any thread that asks.
public final class CountingByteSink: ByteSink {
  /// Bytes, shared by the sinks of all files of a recording.
  public final class Counter: Sendable {
    private let bytes = Atomic<Int64>(0)

    /// Nothing yet.
    public init() {}

    /// Bytes so far.
    public var count: Int64 { bytes.load(ordering: .relaxed) }
    func add(_ count: Int) { bytes.add(Int64(count), ordering: .relaxed) }
  }

  /// Bytes of this sink.
  public private(set) var count: Int64 = 0
  private let base: any ByteSink
  private let counter: Counter

  /// Passes everything on to `base`.
  public init(_ base: any ByteSink, counter: Counter = Counter()) {
    self.base = base
    self.counter = counter
  }

  public func write(_ bytes: UnsafeRawBufferPointer) throws(SensorError) {
    try base.write(bytes)
    count += Int64(bytes.count)
    counter.add(bytes.count)
  }

  public func flush() throws(SensorError) { try base.flush() }
  public func finish() throws(SensorError) { try base.finish() }
}
