// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// The bytes of an MCAP file, from any place; small reads come out of a window.
final class MCAPInput {
  let path: String
  let size: UInt64
  private let descriptor: Int32
  private var window: [UInt8] = []
  private var windowStart: UInt64 = 0
  private static let windowSize = 64 << 10

  init(path: String) throws(SensorError) {
    // Checks that it is a regular file, and says so when not.
    size = UInt64(try FileBytes(path: path).fileSize)
    descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SensorError(opening: path, errno: errno) }
    self.path = path
  }

  deinit { close(descriptor) }

  func place(_ offset: UInt64) -> SensorError.Place {
    SensorError.Place(file: path, byte: Int(truncatingIfNeeded: offset))
  }

  /// The bytes from `offset` on: `count`, or fewer at the end of the file. `count` has been compared with its cap.
  func bytes(at offset: UInt64, count: Int) throws(SensorError) -> [UInt8] {
    guard offset < size else { return [] }
    let wanted = Int(min(UInt64(max(0, count)), size - offset))
    if wanted <= Self.windowSize / 4 {
      if offset < windowStart || offset + UInt64(wanted) > windowStart + UInt64(window.count) {
        window = try fetch(at: offset, count: Int(min(UInt64(Self.windowSize), size - offset)))
        windowStart = offset
      }
      let first = Int(offset - windowStart)
      return Array(window[min(first, window.count)..<min(first + wanted, window.count)])
    }
    return try fetch(at: offset, count: wanted)
  }

  private func fetch(at offset: UInt64, count: Int) throws(SensorError) -> [UInt8] {
    var failure: Int32?
    let result = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let step = pread(descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset) + filled)
        if step > 0 {
          filled += step
        } else if step == 0 {
          return
        } else if errno != EINTR {
          failure = errno
          return
        }
      }
    }
    if let failure {
      throw SensorError(.system, "Reading the file failed.", at: place(offset), errno: failure)
    }
    return result
  }
}
