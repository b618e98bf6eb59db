// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The lines of a text, one after the other, out of one buffer.
///
/// LF, CRLF and CRCRLF end a line; a byte-order mark at the start is passed over.
/// Memory is the buffer, which grows from 256
/// KiB to the longest line allowed and no further.
final class LineReader {
  /// A line without its end; valid until the next call.
  struct Line {
    var bytes: ArraySlice<UInt8>
    /// False when the text ends here without a line end: the line may have been cut off, within a number even.
    var isTerminated: Bool
  }

  /// For messages.
  let name: String
  /// The number of the line last returned, counted from 1.
  private(set) var number = 0
  private let source: any ByteSource
  private var storage: [UInt8] = []
  private var capacity = 256 << 10
  private var position = 0
  private var isAtEnd = false
  private var failure: SensorError?

  init(_ source: any ByteSource, name: String) {
    self.source = source
    self.name = name
    storage.reserveCapacity(capacity)
  }

  /// The line last returned.
  var place: SensorError.Place { SensorError.Place(file: name, line: number) }

  /// The next line, or nil at the end. Lines that came before a failure of the bytes are returned first.
  func next() throws(SensorError) -> Line? {
    var scanned = position
    while true {
      if let end = lineEnd(from: scanned) { return line(to: end, isTerminated: true) }
      if let failure { throw failure }
      if isAtEnd { return position < storage.count ? line(to: storage.count, isTerminated: false) : nil }
      let held = storage.count - position
      try refill()
      scanned = position + held
    }
  }

  private func lineEnd(from start: Int) -> Int? {
    // unsafe: C searches what is there during the call, sixteen bytes at a time; a loop is slower.
    storage.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, start < bytes.count else { return nil }
      return memchr(base + start, 0x0A, bytes.count - start).map { base.distance(to: $0) }
    }
  }

  private func line(to end: Int, isTerminated: Bool) -> Line {
    number += 1
    var start = position
    position = isTerminated ? end + 1 : end
    if number == 1, storage[start..<end].starts(with: [0xEF, 0xBB, 0xBF]) { start += 3 }
    // A text of CRLF that was written as text again has two CR.
    var last = end
    while last > start, storage[last - 1] == 0x0D { last -= 1 }
    return Line(bytes: storage[start..<last], isTerminated: isTerminated)
  }

  private func refill() throws(SensorError) {
    storage.removeFirst(position)
    position = 0
    if storage.count == capacity {
      guard capacity < InputLimits.lineBytes else {
        throw SensorError(
          .limitExceeded,
          "This line is longer than \(InputLimits.lineBytes >> 20) MiB, so the file is not a text recording.",
          at: .init(file: name, line: number + 1))
      }
      capacity *= 2
      storage.reserveCapacity(capacity)
    }
    do throws(SensorError) {
      isAtEnd = try source.read(capacity - storage.count, into: &storage) == 0
    } catch {
      failure = error
    }
  }
}
