// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Glibc
import MotionSensing

/// The way to the Unix socket of a message bus.
enum DBusSocket {
  /// Between two tries while the bus has no room for one more who wants to connect.
  private static let again = SensorDuration.milliseconds(5)

  /// A descriptor that is connected and does not block; the caller closes it. Waits at most `limit` for a bus that does not come to
  /// taking connections.
  static func connect(to path: String, limit: SensorDuration) throws(SensorError) -> Int32 {
    guard let address = address(path) else { throw DBusProblem.noBus(path, errno: ENAMETOOLONG) }
    // Without SOCK_NONBLOCK a bus that hangs would keep us for as long as it hangs.
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw DBusProblem.noBus(path, errno: errno) }
    let clock = MonotonicClock()
    let deadline = clock.now + limit
    while let failure = failure(of: descriptor, address) {
      // EAGAIN: as many wait as the bus has room for. Such a socket cannot be waited for with poll(2).
      if failure == EAGAIN, clock.now < deadline {
        _ = motion_ppoll(nil, 0, again.nanoseconds)
      } else if failure != EINTR {
        close(descriptor)
        throw failure == EAGAIN ? DBusProblem.late(path) : DBusProblem.noBus(path, errno: failure)
      }
    }
    return descriptor
  }

  /// Nil when it is connected, else what the system says.
  private static func failure(of descriptor: Int32, _ address: sockaddr_un) -> Int32? {
    let result = withUnsafePointer(to: address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    return result == 0 ? nil : errno
  }

  /// Nil when the path is too long for one.
  private static func address(_ path: String) -> sockaddr_un? {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    return fits ? address : nil
  }
}
