// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion

/// Rows on their way into a file, in blocks.
struct RowWriter: Sendable {
  /// Bytes per write: large enough that the system call does not count.
  private static let block = 1 << 18

  let file: OutputFile
  private let writer: SampleWriter
  private var buffer = TextBuffer(capacity: block + 4096)

  init(file: OutputFile, writer: SampleWriter) {
    self.file = file
    self.writer = writer
    writer.appendHeader(to: &buffer)
  }

  mutating func append(_ row: DeviceMotionRow) throws {
    writer.append(.motion(row), to: &buffer)
    if buffer.count >= Self.block { try flush() }
  }

  mutating func flush() throws {
    try file.write(buffer.bytes)
    buffer.removeAll()
  }
}
