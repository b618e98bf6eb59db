// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A client over a plain socket to a server of this computer: it sends what it is told, right or wrong, and keeps its
/// connection.
package final class WebClient {
  package struct Silence: Error { package init() {} }

  package struct Answer {
    package var status = 0
    package var head = ""
    package var body: [UInt8] = []

    package init() {}
    package var text: String { String(decoding: body, as: UTF8.self) }
    package var fields: [String: String] {
      let pairs = head.components(separatedBy: "\r\n").dropFirst().map { $0.components(separatedBy: ": ") }
      return Dictionary(pairs.map { ($0[0], $0.last ?? "") }) { $1 }
    }
  }

  private let descriptor: Int32
  private let place: String
  private var buffer: [UInt8] = []

  /// `window`: bytes that the system holds for it, about; nil = what the system likes.
  package init(host: String = "127.0.0.1", port: UInt16, window: Int32? = nil) throws {
    place = "\(host):\(port)"
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    // Only how long a test that fails takes to say so.
    var limit = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    if var window { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &window, socklen_t(MemoryLayout<Int32>.size)) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Silence() }
  }

  deinit { close(descriptor) }

  /// A handshake for a WebSocket, as a client should write it.
  package static func handshake(
    _ path: String = "/", subprotocol: String? = "foxglove.sdk.v1", origin: String? = nil, version: String = "13",
    key: String = "dGhlIHNhbXBsZSBub25jZQ==", host: String = "localhost"
  ) -> String {
    var text = "GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUpgrade: websocket\r\n"
    text += "Connection: keep-alive, Upgrade\r\n"
    text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: \(version)\r\n"
    if let subprotocol { text += "Sec-WebSocket-Protocol: \(subprotocol)\r\n" }
    if let origin { text += "Origin: \(origin)\r\n" }
    return text + "\r\n"
  }

  /// A frame with a mask, as RFC 6455 wants it from clients.
  package static func frame(_ first: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
    let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    var bytes: [UInt8] = [first]
    switch payload.count {
    case ...125: bytes.append(0x80 | UInt8(payload.count))
    case ...0xFFFF: bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)]
    default: bytes += [0x80 | 127] + (0..<8).map { UInt8(truncatingIfNeeded: payload.count >> (56 - 8 * $0)) }
    }
    return bytes + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
  }

  package func send(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  package func send(_ text: String) { send(Array(text.utf8)) }
  /// As the text of a WebSocket's frame.
  package func say(_ text: String) { send(Self.frame(0x81, Array(text.utf8))) }

  /// A ping and its answer: everything that was said before has been handled by then.
  package func settle() throws {
    send(Self.frame(0x89, [1, 2, 3]))
    while try readFrame().opcode != 0xA {}
  }

  /// One request and its answer. The host is the server's, unless `fields` have one.
  package func request(
    _ method: String, _ target: String, _ body: [UInt8] = [], fields: [String] = []
  ) throws -> Answer {
    let host = fields.contains { $0.hasPrefix("Host:") } ? [] : ["Host: \(place)"]
    let head = ["\(method) \(target) HTTP/1.1"] + host + fields + ["Content-Length: \(body.count)"]
    send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8) + body)
    return try answer(hasBody: method != "HEAD")
  }

  /// The next answer; its head has to state a length when there is a body.
  package func answer(hasBody: Bool = true) throws -> Answer {
    var answer = Answer()
    answer.head = try readHead()
    answer.status = Int(answer.head.dropFirst(9).prefix(3)) ?? 0
    if hasBody { answer.body = try readBytes(answer.fields["Content-Length"].flatMap { Int($0) } ?? 0) }
    return answer
  }

  /// The head of a response.
  package func readHead() throws -> String {
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
  package func readFrame() throws -> (opcode: UInt8, payload: [UInt8]) {
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

  package func readBytes(_ count: Int) throws -> [UInt8] {
    while buffer.count < count { guard try fill() else { throw Silence() } }
    defer { buffer.removeFirst(count) }
    return Array(buffer[..<count])
  }

  package func readText() throws -> String {
    let (opcode, payload) = try readFrame()
    guard opcode == 1 else { throw Silence() }
    return String(decoding: payload, as: UTF8.self)
  }

  /// The code that the connection ends with.
  package func readCloseCode() throws -> Int {
    while true {
      let (opcode, payload) = try readFrame()
      if opcode == 8 { return payload.prefix(2).reduce(0) { $0 << 8 | Int($1) } }
    }
  }

  /// Whether the connection ends without another byte.
  package func isEnded() throws -> Bool { try buffer.isEmpty && !fill() }

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
