// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A failed system call: its errno, captured where it happened.
struct SystemFailure: Error {
  let errno: Int32
  /// The system's words for it, as a part of a sentence: "permission denied".
  var reason: String {
    let text = String(cString: strerror(errno))
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}

/// A file descriptor that is written to. The system calls of the program are here.
struct Descriptor: Sendable {
  let number: Int32
  init(_ number: Int32) { self.number = number }

  /// Creates or opens a file for writing.
  static func open(_ path: String, flags: Int32) throws(SystemFailure) -> Descriptor {
    let number = Foundation.open(path, O_WRONLY | O_CLOEXEC | flags, 0o666)
    guard number >= 0 else { throw SystemFailure(errno: errno) }
    return Descriptor(number)
  }

  /// Writes everything, however often the system takes only a part.
  func write(_ bytes: [UInt8]) throws(SystemFailure) {
    var start = 0
    while start < bytes.count {
      let written = bytes[start...].withUnsafeBytes { Foundation.write(number, $0.baseAddress, $0.count) }
      if written >= 0 {
        start += written
      } else if errno == EAGAIN {
        // Somebody has made a shared terminal or pipe non-blocking.
        var entry = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, -1)
      } else if errno != EINTR {
        throw SystemFailure(errno: errno)
      }
    }
  }

  func close() throws(SystemFailure) {
    guard Foundation.close(number) == 0 || errno == EINTR else { throw SystemFailure(errno: errno) }
  }
}
