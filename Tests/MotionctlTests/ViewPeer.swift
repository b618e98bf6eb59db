// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// A plain client of the viewer's server, byte by byte, that gives up after a while.
final class ViewPeer {
  private let descriptor: Int32
  private var bytes: [UInt8] = []

  init?(port: UInt16) {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { return nil }
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8]) { _ = Foundation.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

  /// As a WebSocket frame, masked with zeros: the text stands as it is.
  func send(text: String) { send([0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)) }

  /// The head and the body of an answer, by its Content-Length.
  func receiveAnswer() -> (head: [UInt8], body: [UInt8]) {
    let end = Array("\r\n\r\n".utf8)
    var place: Int?
    while place == nil, receiveMore() {
      place = bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == end }
    }
    guard let place else { return (bytes, []) }
    let head = Array(bytes[..<place])
    let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
    let length = lines.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) } ?? 0
    while bytes.count < place + 4 + length, receiveMore() {}
    return (head, Array(bytes[(place + 4)...]))
  }

  /// The next frame of a WebSocket; nil at the end. The answer to the handshake is passed over.
  func receiveFrame() -> (opcode: UInt8, payload: [UInt8])? {
    if bytes.isEmpty, !receiveMore() { return nil }
    if bytes.starts(with: "HTTP/1.1 101".utf8) {
      let end = Array("\r\n\r\n".utf8)
      var place: Int?
      repeat {
        place = bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == end }
      } while place == nil && receiveMore()
      bytes.removeFirst((place ?? 0) + 4)
    }
    while true {
      if let (size, length) = frame, bytes.count >= size + length {
        defer { bytes.removeFirst(size + length) }
        return (bytes[0] & 15, Array(bytes[size..<size + length]))
      }
      guard receiveMore() else { return nil }
    }
  }

  /// Bytes of the frame's head, and of its payload.
  private var frame: (Int, Int)? {
    guard bytes.count >= 2 else { return nil }
    switch bytes[1] {
    case 126: return bytes.count >= 4 ? (4, Int(bytes[2]) << 8 | Int(bytes[3])) : nil
    case 127: return bytes.count >= 10 ? (10, bytes[2..<10].reduce(0) { $0 << 8 | Int($1) }) : nil
    default: return (2, Int(bytes[1]))
    }
  }

  /// The first state that the program sends for which `condition` holds.
  @discardableResult func waitForState(_ condition: ([String: Any]) -> Bool) throws -> [String: Any] {
    for _ in 0..<5000 {
      let (opcode, payload) = try #require(receiveFrame())
      guard opcode == 1, let state = try JSONSerialization.jsonObject(with: Data(payload)) as? [String: Any] else {
        continue
      }
      if condition(state) { return state }
    }
    throw POSIXError(.ETIMEDOUT)
  }

  private func receiveMore() -> Bool {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &piece, piece.count, 0)
    guard count > 0 else { return false }
    bytes += piece[..<count]
    return true
  }
}
