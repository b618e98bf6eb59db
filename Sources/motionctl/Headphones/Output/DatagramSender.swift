// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Sends datagrams to one place, and never waits: of a pose only the newest is of use.
final class DatagramSender: Sendable {
  /// "127.0.0.1:4242".
  let place: String
  private let descriptor: Int32

  /// Throws one sentence when the host is not found.
  init(host: String, port: UInt16) throws {
    place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    let failure = getaddrinfo(host, String(port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard failure == 0 else {
      throw CommandFailure("The host “\(host)” is not found: \(String(cString: gai_strerror(failure))).")
    }
    var entry = list
    var error = EADDRNOTAVAIL
    while let candidate = entry {
      let info = candidate.pointee
      let socket = socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), info.ai_protocol)
      if socket >= 0, connect(socket, info.ai_addr, info.ai_addrlen) == 0 {
        descriptor = socket
        return
      }
      error = errno
      if socket >= 0 { close(socket) }
      entry = info.ai_next
    }
    throw CommandFailure("Nothing can be sent to \(place): \(SystemFailure(errno: error).reason).")
  }

  deinit { close(descriptor) }

  /// False when it did not go out: the system's queue is full, or nobody listens at the other end.
  func send(_ packet: [UInt8]) -> Bool {
    let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
    var sent = Foundation.send(descriptor, packet, packet.count, flags)
    // The error belongs to the datagram before: nobody listened then. This one is given its chance.
    if sent < 0, errno == ECONNREFUSED {
      sent = Foundation.send(descriptor, packet, packet.count, flags)
      return false
    }
    return sent == packet.count
  }
}
