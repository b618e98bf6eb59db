// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// The lines of a text, one after the other, out of one buffer.
///
/// LF and CRLF end a line; a byte-order mark at the start is passed over. Memory is the buffer, which grows from 256 KiB to
/// the longest line allowed and no further.
final class LineReader {
  /// A line without its end; valid until the next call.
  struct Line {
    var start: UnsafePointer<UInt8>
    var end: UnsafePointer<UInt8>
    /// False when the text ends here without a line end: the line may have been cut off.
    var isTerminated: Bool

    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: end - start) }
  }

  /// For messages.
  let name: String
  /// The number of the line last returned, counted from 1.
  private(set) var number = 0
  private let source: any ByteSource
  private var storage: UnsafeMutablePointer<UInt8>
  private var capacity = 256 << 10
  private var position = 0
  private var filled = 0
  private var isAtEnd = false
  private var failure: SensorError?

  init(_ source: any ByteSource, name: String) {
    self.source = source
    self.name = name
    storage = .allocate(capacity: capacity)
  }

  deinit { storage.deallocate() }

  /// The line last returned.
  var place: SensorError.Place { SensorError.Place(file: name, line: number) }

  /// The next line, or nil at the end. Lines that came before a failure of the bytes are returned first.
  func next() throws(SensorError) -> Line? {
    var scanned = position
    while true {
      if scanned < filled, let found = memchr(storage + scanned, 0x0A, filled - scanned) {
        let end = found.assumingMemoryBound(to: UInt8.self) - storage
        return line(to: end, isTerminated: true)
      }
      if let failure { throw failure }
      if isAtEnd { return position < filled ? line(to: filled, isTerminated: false) : nil }
      let held = filled - position
      try refill()
      scanned = position + held
    }
  }

  private func line(to end: Int, isTerminated: Bool) -> Line {
    number += 1
    var start = position
    position = isTerminated ? end + 1 : end
    if number == 1, end - start >= 3, storage[start] == 0xEF, storage[start + 1] == 0xBB, storage[start + 2] == 0xBF {
      start += 3
    }
    let last = end > start && storage[end - 1] == 0x0D ? end - 1 : end
    return Line(start: storage + start, end: storage + last, isTerminated: isTerminated)
  }

  private func refill() throws(SensorError) {
    if position > 0 {
      memmove(storage, storage + position, filled - position)
      filled -= position
      position = 0
    }
    if filled == capacity {
      guard capacity < InputLimits.lineBytes else {
        throw SensorError(
          .limitExceeded,
          "This line is longer than \(InputLimits.lineBytes >> 20) MiB, so the file is not a text recording.",
          at: .init(file: name, line: number + 1))
      }
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity * 2)
      larger.update(from: storage, count: filled)
      storage.deallocate()
      storage = larger
      capacity *= 2
    }
    do throws(SensorError) {
      let count = try source.read(
        into: UnsafeMutableRawBufferPointer(start: storage + filled, count: capacity - filled))
      filled += count
      isAtEnd = count == 0
    } catch {
      failure = error
    }
  }
}
