// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

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
