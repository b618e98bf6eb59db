// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// Datagrams to and from whoever sends one.
extension Socket {
  /// Who sent a datagram: its address as the system writes it.
  struct Peer: Hashable {
    fileprivate let bytes: [UInt8]
  }

  /// A datagram socket that hears whoever sends to its port, and the port.
  static func bindDatagrams(_ address: ListeningAddress) throws(SensorError) -> (descriptor: Int32, port: UInt16) {
    try bound(address, SOCK_DGRAM)
  }

  /// The next datagram, cut off after 1 KiB; nil when none waits.
  static func receive(_ descriptor: Int32) -> (bytes: ArraySlice<UInt8>, peer: Peer)? {
    var buffer = [UInt8](repeating: 0, count: 1024)
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let count = withUnsafeMutablePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        recvfrom(descriptor, &buffer, buffer.count, 0, $0, &size)
      }
    }
    guard count >= 0 else { return nil }
    let peer = withUnsafeBytes(of: &storage) { Peer(bytes: Array($0.prefix(Int(size)))) }
    return (buffer[..<count], peer)
  }

  /// False when the system does not take it.
  static func send(_ descriptor: Int32, _ bytes: [UInt8], to peer: Peer) -> Bool {
    var storage = sockaddr_storage()
    withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: peer.bytes) }
    let sent = withUnsafePointer(to: &storage) { storage in
      storage.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(peer.bytes.count))
      }
    }
    return sent == bytes.count
  }
}
