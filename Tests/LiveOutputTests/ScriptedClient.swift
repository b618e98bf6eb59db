// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

@testable import LiveOutput
@testable import MotionNetwork

/// A client over a plain socket that sends what it is told, right or wrong.
final class ScriptedClient {
  struct Silence: Error {}

  private let descriptor: Int32
  private var buffer: [UInt8] = []

  /// `window`: bytes that the system holds for it, about; nil = what the system likes.
  init(port: UInt16, window: Int32? = nil) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Only how long a test that fails takes to say so.
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Silence() }
  }

  deinit { close(descriptor) }

  /// Connects and shakes hands as a client should.
  convenience init(
    to server: FoxgloveServer, subprotocol: String = "foxglove.sdk.v1", window: Int32? = nil
  ) throws {
    try self.init(port: server.address.port, window: window)
    send(Self.request(subprotocol: subprotocol))
    guard try readHead().hasPrefix("HTTP/1.1 101") else { throw Silence() }
  }

  static func request(
    subprotocol: String? = "foxglove.sdk.v1", origin: String? = nil, version: String = "13",
    key: String = "dGhlIHNhbXBsZSBub25jZQ=="
  ) -> String {
    var text = "GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: keep-alive, Upgrade\r\n"
    text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: \(version)\r\n"
    if let subprotocol { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    if let origin { text += "Origin: \(origin)\r\n" }
    return text + "\r\n"
  }

  /// A frame with a mask, as RFC 6455 wants it from clients.
  static func frame(_ first: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    var bytes: [UInt8] = []
    WebSocketFrame.appendHead(.text, count: payload.count, to: &bytes)
    bytes[0] = first
    bytes[1] |= 0x80
    bytes += mask
    for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
    return bytes
  }

  func send(_ bytes: [UInt8]) { _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }
  func send(_ text: String) { send(Array(text.utf8)) }
  func say(_ text: String) { send(Self.frame(0x81, Array(text.utf8))) }

  func subscribe(_ id: UInt32, to channel: UInt32) {
    say(#"{"op":"subscribe","subscriptions":[{"id":\#(id),"channelId":\#(channel)}]}"#)
  }

  /// A ping and its answer: everything that was said before has been heard by then.
  func settle() throws {
    send(Self.frame(0x89, [1, 2, 3]))
    while try readFrame().opcode != 0xA {}
  }

  /// The head of a response.
  func readHead() throws -> String {
    while true {
      if let start = buffer.indices.dropLast(3).first(where: { buffer[$0..<($0 + 4)] == [13, 10, 13, 10] }) {
        let head = String(decoding: buffer[..<start], as: UTF8.self)
        buffer.removeFirst(start + 4)
        return head
      }
      guard try fill() else { throw Silence() }
    }
  }

  /// The next frame from the server; throws at the end of the connection.
  func readFrame() throws -> (opcode: UInt8, payload: [UInt8]) {
    func need(_ count: Int) throws {
      while buffer.count < count { guard try fill() else { throw Silence() } }
    }
    try need(2)
    // A server masks nothing.
    guard buffer[1] & 0x80 == 0, buffer[0] & 0xF0 == 0x80 else { throw Silence() }
    var (length, head) = (Int(buffer[1]), 2)
    if length > 125 {
      head = length == 126 ? 4 : 10
      try need(head)
      length = buffer[2..<head].reduce(0) { $0 << 8 | Int($1) }
    }
    try need(head + length)
    let frame = (buffer[0] & 0x0F, Array(buffer[head..<(head + length)]))
    buffer.removeFirst(head + length)
    return frame
  }

  func readBytes(_ count: Int) throws -> [UInt8] {
    while buffer.count < count { guard try fill() else { throw Silence() } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  func readText() throws -> String {
    let (opcode, payload) = try readFrame()
    guard opcode == 1 else { throw Silence() }
    return String(decoding: payload, as: UTF8.self)
  }

  /// The code that the connection ends with.
  func readCloseCode() throws -> Int {
    while true {
      let (opcode, payload) = try readFrame()
      if opcode == 8 { return payload.prefix(2).reduce(0) { $0 << 8 | Int($1) } }
    }
  }

  /// Whether the connection ends without another byte.
  func isEnded() throws -> Bool { try buffer.isEmpty && !fill() }

  /// False at the end.
  private func fill() throws -> Bool {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    if count < 0, errno == EAGAIN { throw Silence() }
    guard count > 0 else { return false }
    buffer += bytes[..<count]
    return true
  }
}
