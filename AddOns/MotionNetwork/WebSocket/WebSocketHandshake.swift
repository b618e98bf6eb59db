// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// The answer to the request that begins a WebSocket connection. Source: RFC 6455, 4.2.
struct WebSocketHandshake: Sendable {
  /// Those that are spoken; the client's first one of them is chosen. Empty: the server speaks none, and no client has
  /// to name one.
  let subprotocols: [String]

  enum Answer {
    /// The whole response, 101.
    case accepted(String)
    case refused(HTTPResponse)
  }

  /// Whether a request wants to become a WebSocket.
  static func isWanted(_ head: HTTPRequestHead) -> Bool {
    head.list("upgrade").contains { $0.lowercased() == "websocket" }
  }

  /// `hasRoom` false = there are as many clients as are served.
  func answer(_ head: HTTPRequestHead, hasRoom: Bool) -> Answer {
    guard head.method == "GET", head.version == "HTTP/1.1" else { return .refused(.notARequest) }
    guard Self.isWanted(head), head.list("connection").contains(where: { $0.lowercased() == "upgrade" }),
      head.value("sec-websocket-version") == "13"
    else { return .refused(.webSocketsOnly) }
    guard let key = head.value("sec-websocket-key"), Data(base64Encoded: key)?.count == 16 else {
      return .refused(.refusal(400, "Sec-WebSocket-Key must hold 16 bytes."))
    }
    let chosen = head.list("sec-websocket-protocol").first(where: subprotocols.contains)
    guard chosen != nil || subprotocols.isEmpty else {
      return .refused(.refusal(400, "Request one of the subprotocols \(subprotocols.joined(separator: ", "))."))
    }
    guard hasRoom else {
      return .refused(.refusal(503, "The maximum number of clients is connected: close one."))
    }
    let named = chosen.map { "Sec-WebSocket-Protocol: \($0)\r\n" } ?? ""
    return .accepted(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(Self.acceptKey(key))\r\n\(named)\r\n"
    )
  }

  /// The proof that the server has read the key. The text is that of RFC 6455, 1.3.
  static func acceptKey(_ key: String) -> String {
    Data(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
  }
}

/// The digest of the WebSocket handshake, and of nothing else: SHA-1 is broken for signatures. Source: RFC 3174.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes.append(littleEndian: UInt64(message.count * 8).byteSwapped)

    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in stride(from: 0, to: bytes.count, by: 64) { absorb(bytes[block..<(block + 64)], &state) }
    return state.reduce(into: []) { $0.append(littleEndian: $1.byteSwapped) }
  }

  private static func absorb(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 80)
    for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
    for index in 16..<80 {
      words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (mix, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      (a, b, c, d, e) = (rotate(a, 5) &+ mix &+ e &+ word &+ constant, a, rotate(b, 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
