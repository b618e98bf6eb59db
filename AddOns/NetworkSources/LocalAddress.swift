// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionNetwork
import MotionSensing

/// The addresses of this computer in its network.
package enum LocalAddress {
  /// The address by which this computer reaches other ones, as a phone in the same network can use it; 127.0.0.1
  /// without a network.
  ///
  /// Asked of the routing table: a datagram socket that is connected to an address of the internet (one that is
  /// reserved for documentation, RFC 5737) has the address of the way there. Nothing is sent.
  package static var preferred: String {
    guard let descriptor = try? Socket.connectDatagrams(ListeningAddress(host: "192.0.2.1", port: 9)) else {
      return "127.0.0.1"
    }
    defer { close(descriptor) }
    var storage = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = Socket.withAddress(&storage) { getsockname(descriptor, $0, &size) }
    var text = [CChar](repeating: 0, count: Int(INET_ADDRSTRLEN))
    guard found == 0, inet_ntop(AF_INET, &storage.sin_addr, &text, socklen_t(text.count)) != nil else {
      return "127.0.0.1"
    }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Whether a text is an IPv4 or IPv6 address in digits, and one: 0.0.0.0 and :: stand for all, under which no phone
  /// reaches us.
  package static func isNumeric(_ text: String) -> Bool {
    var bytes = in6_addr()
    let isAddress = inet_pton(AF_INET, text, &bytes) == 1 || inet_pton(AF_INET6, text, &bytes) == 1
    return isAddress && text != "0.0.0.0" && text != "::"
  }
}
