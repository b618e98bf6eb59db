// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The unit of a WebSocket connection: a kind, a length and a payload. Source: RFC 6455, 5.2.
enum WebSocketFrame {
  enum Opcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    var isControl: Bool { rawValue & 0x8 != 0 }
  }

  /// A whole unmasked frame, as a server sends it.
  static func encoded(_ opcode: Opcode, _ payload: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 10)
    appendHead(opcode, count: payload.count, to: &bytes)
    bytes += payload
    return bytes
  }

  /// What stands before an unmasked payload of `count` bytes; lengths are big endian.
  static func appendHead(_ opcode: Opcode, count: Int, to bytes: inout [UInt8]) {
    bytes.append(0x80 | opcode.rawValue)
    switch count {
    case ...125: bytes.append(UInt8(count))
    case ...0xFFFF:
      bytes.append(126)
      withUnsafeBytes(of: UInt16(count).bigEndian) { bytes += $0 }
    default:
      bytes.append(127)
      withUnsafeBytes(of: UInt64(count).bigEndian) { bytes += $0 }
    }
  }

  static func close(_ code: WebSocketCloseCode, _ reason: String) -> [UInt8] {
    encoded(.close, [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)] + reason.utf8)
  }
}
