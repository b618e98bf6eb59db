// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing

/// Rows on their way into a file, in blocks.
struct RowWriter: Sendable {
  /// Bytes per write: large enough that the system call does not count.
  private static let block = 1 << 18

  let file: OutputFile
  private let writer: SampleWriter
  private var buffer = JSONText(capacity: block + 4096)

  init(file: OutputFile, format: SampleFormat) {
    self.file = file
    writer = SampleWriter(service: .deviceMotion, format: format)
    writer.appendHeader(to: &buffer)
  }

  mutating func append(_ row: FusedMotionSample) throws {
    writer.append(.motion(DeviceMotionRow(row, hidesUncalibrated: true)), to: &buffer)
    if buffer.count >= Self.block { try flush() }
  }

  mutating func flush() throws {
    try file.write(buffer.bytes)
    buffer.removeAll()
  }
}
