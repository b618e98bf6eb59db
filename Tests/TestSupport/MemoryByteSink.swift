// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
package import MotionSensing

/// A sink that stores everything in memory.
package final class MemoryByteSink: ByteSink {
  /// The written bytes.
  package private(set) var bytes: [UInt8] = []
  /// True after ``finish()``.
  package private(set) var isFinished = false

  /// An empty sink.
  package init() {}

  package func write(_ bytes: Span<UInt8>) throws(SensorError) {
    for index in bytes.indices { self.bytes.append(bytes[index]) }
  }
  package func finish() throws(SensorError) { isFinished = true }
}
