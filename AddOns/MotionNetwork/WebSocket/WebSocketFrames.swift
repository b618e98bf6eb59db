// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What comes over a WebSocket; a ``WebHandler`` receives texts and bytes only.
package enum WebSocketEvent: Equatable, Sendable {
  case text(String)
  case binary([UInt8])
  case ping([UInt8])
  case pong
  /// The peer's code, nil when it gave none.
  case close(UInt16?)
}

/// Splits what a client sends into messages, and enforces the rules of RFC 6455, 5: masked, lengths in their shortest
/// form, control frames short and whole, text in UTF-8.
struct WebSocketDecoder {
  /// Bytes of one frame, and of one message in fragments.
  let limit: Int
  private var buffer: [UInt8] = []
  /// Bytes of the buffer that are dealt with.
  private var consumed = 0
  /// A message whose last fragment has not come yet.
  private var unfinished: (opcode: WebSocketFrame.Opcode, payload: [UInt8])?

  init(limit: Int) { self.limit = limit }

  mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// The next message; nil when more bytes are needed.
  mutating func next() throws(WebSocketBreach) -> WebSocketEvent? {
    while let head = try readHead() {
      guard buffer.count - consumed >= head.size + head.length else { break }
      let mask = consumed + head.size - 4
      let first = consumed + head.size
      var payload = Array(buffer[first..<(first + head.length)])
      for index in payload.indices { payload[index] ^= buffer[mask + index & 3] }
      consumed = first + head.length
      if let event = try process(payload, head) { return event }
    }
    if consumed > 0 {
      buffer.removeFirst(consumed)
      consumed = 0
    }
    return nil
  }

  private struct Head {
    var opcode: WebSocketFrame.Opcode
    var isFinal: Bool
    /// Bytes before the payload, the mask included.
    var size: Int
    var length: Int
  }

  private mutating func readHead() throws(WebSocketBreach) -> Head? {
    let left = buffer.count - consumed
    guard left >= 2 else { return nil }
    let (first, second) = (buffer[consumed], buffer[consumed + 1])
    guard first & 0x70 == 0, let opcode = WebSocketFrame.Opcode(rawValue: first & 0x0F) else {
      throw WebSocketBreach(code: .protocolError, reason: "Unknown opcode or reserved bits.")
    }
    guard second & 0x80 != 0 else {
      throw WebSocketBreach(code: .protocolError, reason: "A client must mask its frames.")
    }
    let isFinal = first & 0x80 != 0
    let short = Int(second & 0x7F)
    if opcode.isControl, !isFinal || short > 125 {
      throw WebSocketBreach(code: .protocolError, reason: "A control frame must be unfragmented and short.")
    }
    let lengthBytes = short < 126 ? 0 : short == 126 ? 2 : 8
    guard left >= 2 + lengthBytes else { return nil }
    var length = UInt64(short)
    if lengthBytes > 0 {
      length = buffer[(consumed + 2)..<(consumed + 2 + lengthBytes)].reduce(0) { $0 << 8 | UInt64($1) }
      guard length >= (lengthBytes == 2 ? 126 : 0x1_0000) else {
        throw WebSocketBreach(code: .protocolError, reason: "A length must have its shortest form.")
      }
    }
    let begun = unfinished?.payload.count ?? 0
    // Before anything is kept: what is declared decides, not what has come.
    guard length <= UInt64(limit - (opcode.isControl ? 0 : begun)) else {
      throw WebSocketBreach(code: .tooBig, reason: "The message is too long.")
    }
    let size = 2 + lengthBytes + 4
    guard left >= size else { return nil }
    return Head(opcode: opcode, isFinal: isFinal, size: size, length: Int(length))
  }

  private mutating func process(_ payload: [UInt8], _ head: Head) throws(WebSocketBreach) -> WebSocketEvent? {
    switch head.opcode {
    case .ping: return .ping(payload)
    case .pong: return .pong
    case .close: return .close(try Self.closeCode(payload))
    case .text, .binary:
      guard unfinished == nil else {
        throw WebSocketBreach(code: .protocolError, reason: "A message begins inside another one.")
      }
      if head.isFinal { return try Self.message(head.opcode, payload) }
      unfinished = (head.opcode, payload)
    case .continuation:
      guard unfinished != nil else {
        throw WebSocketBreach(code: .protocolError, reason: "A fragment belongs to no message.")
      }
      unfinished?.payload += payload
      guard head.isFinal, let whole = unfinished else { break }
      unfinished = nil
      return try Self.message(whole.opcode, whole.payload)
    }
    return nil
  }

  private static func message(
    _ opcode: WebSocketFrame.Opcode, _ payload: [UInt8]
  ) throws(WebSocketBreach) -> WebSocketEvent {
    guard opcode == .text else { return .binary(payload) }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw WebSocketBreach(code: .notUTF8, reason: "The text is not UTF-8.")
    }
    return .text(text)
  }

  private static func closeCode(_ payload: [UInt8]) throws(WebSocketBreach) -> UInt16? {
    guard !payload.isEmpty else { return nil }
    guard payload.count >= 2 else {
      throw WebSocketBreach(code: .protocolError, reason: "A close code must have two bytes.")
    }
    guard String(validating: payload[2...], as: UTF8.self) != nil else {
      throw WebSocketBreach(code: .notUTF8, reason: "The reason is not UTF-8.")
    }
    return UInt16(payload[0]) << 8 | UInt16(payload[1])
  }
}

/// The unit of a WebSocket connection: a kind, a length and a payload. Source: RFC 6455, 5.2.
package enum WebSocketFrame {
  package enum Opcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1, binary = 0x2
    case close = 0x8, ping = 0x9, pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
  }

  /// A whole unmasked frame, as a server sends it.
  package static func encoded(_ opcode: Opcode, _ payload: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 10)
    appendHead(opcode, count: payload.count, to: &bytes)
    bytes += payload
    return bytes
  }

  /// What stands before an unmasked payload of `count` bytes; lengths are big endian.
  package static func appendHead(_ opcode: Opcode, count: Int, to bytes: inout [UInt8]) {
    bytes.append(0x80 | opcode.rawValue)
    switch count {
    case ...125: bytes.append(UInt8(count))
    case ...0xFFFF:
      bytes.append(126)
      bytes.append(littleEndian: UInt16(count).byteSwapped)
    default:
      bytes.append(127)
      bytes.append(littleEndian: UInt64(count).byteSwapped)
    }
  }

  static func close(_ code: WebSocketCloseCode, _ reason: String) -> [UInt8] {
    encoded(.close, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + reason.utf8)
  }
}
