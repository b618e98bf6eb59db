// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Glibc
package import MotionSensing

/// An outgoing TCP connection. Its calls wait, for a limited time, and end at once when the wake signal comes, which
/// stays pending.
package final class ClientConnection {
  /// What ended a wait.
  package enum Interruption: Error { case woken, tooLate }

  private let descriptor: Int32
  private let wake: WakeSignal
  private let place: SensorError.Place

  /// Connects within `limit`; throws a sentence when nothing answers there.
  package init(
    host: String, port: UInt16, wake: WakeSignal, limit: SensorDuration = .seconds(5)
  ) throws {
    self.wake = wake
    place = SensorError.Place(file: host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
    var hints = addrinfo()
    hints.ai_flags = AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    // unsafe: a list of the system's, freed below.
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0, let info = list?.pointee else {
      throw SensorError(.notFound, "There is no host of this name: write the address that the app shows.", at: place)
    }
    defer { freeaddrinfo(list) }
    let kind = info.ai_socktype | Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    descriptor = socket(info.ai_family, kind, 0)
    guard descriptor >= 0 else {
      throw SensorError(.system, "The system could not create a socket.", at: place, errno: errno)
    }
    if connect(descriptor, info.ai_addr, info.ai_addrlen) != 0, errno != EINPROGRESS {
      throw refused(errno)
    }
    do { try wait(for: POLLOUT, limit: limit) } catch Interruption.tooLate { throw refused(ETIMEDOUT) }
    var number: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &size)
    guard number == 0 else { throw refused(number) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  private func refused(_ number: Int32) -> SensorError {
    SensorError(
      .notFound, "Nothing answers at this address: is the app's server running, and is the phone in this network?",
      at: place, errno: number)
  }

  /// Waits for the socket; throws ``Interruption`` when the signal or the end of the time comes first.
  private func wait(for events: Int32, limit: SensorDuration) throws {
    var descriptors = [
      pollfd(fd: descriptor, events: Int16(events), revents: 0),
      pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0),
    ]
    let count = motion_ppoll(&descriptors, 2, max(0, limit.nanoseconds))
    if count > 0, descriptors[0].revents != 0 { return }
    throw count > 0 ? Interruption.woken : Interruption.tooLate
  }

  /// Sends all of it.
  package func send(_ bytes: [UInt8], limit: SensorDuration = .seconds(5)) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      switch Socket.send(descriptor, rest) {
      case .done(let count): rest = rest.dropFirst(count)
      case .later: try wait(for: POLLOUT, limit: limit)
      case .failed: throw broken
      }
    }
  }

  /// What has come: empty at the end of the stream.
  package func receive(limit: SensorDuration) throws -> ArraySlice<UInt8> {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      switch Socket.receive(descriptor, into: &buffer) {
      case .done(let count): return buffer[..<count]
      case .later: try wait(for: POLLIN, limit: limit)
      case .failed: throw broken
      }
    }
  }

  private var broken: SensorError { SensorError(.disconnected, "The connection has broken.", at: place, errno: errno) }
}
