// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Who may connect, and how: the answer to the request that begins a WebSocket connection. Source: RFC 6455, 4.2.
///
/// A page of any web site may try to connect to this computer; its browser names the site in `Origin`. Programs without the
/// field pass.
struct WebSocketHandshake: Sendable {
  /// Those that are spoken; the client's first one of them is chosen.
  let subprotocols: [String]
  /// Beside those of this computer: scheme, host and port as browsers write them.
  let allowedOrigins: [String]

  enum Answer: Equatable {
    /// The whole response, 101.
    case accepted(String)
    case refused(Refusal)
  }

  struct Refusal: Equatable {
    var status: Int
    var title: String
    /// For the person who looks.
    var sentence: String
    var field: String?

    /// The whole response.
    var text: String {
      let body = sentence + "\n"
      return
        "HTTP/1.1 \(status) \(title)\r\n\(field.map { $0 + "\r\n" } ?? "")Content-Type: text/plain; charset=utf-8\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)"
    }
  }

  static let notARequest = Refusal(status: 400, title: "Bad Request", sentence: "This is no HTTP/1.1 request.")
  static let tooLong = Refusal(
    status: 431, title: "Request Header Fields Too Large", sentence: "The request is too long.")

  /// `hasRoom` false = there are as many clients as are served.
  func answer(_ head: HTTPRequestHead, hasRoom: Bool) -> Answer {
    if let origin = head.values("origin").first(where: { !isAllowed(origin: $0) }) {
      return .refused(
        Refusal(
          status: 403, title: "Forbidden",
          sentence: "The page \(Self.printable(origin)) may not connect; --allow-origin would let it."))
    }
    guard head.method == "GET", head.version == "HTTP/1.1" else { return .refused(Self.notARequest) }
    guard head.list("upgrade").contains(where: { $0.lowercased() == "websocket" }),
      head.list("connection").contains(where: { $0.lowercased() == "upgrade" }),
      head.value("sec-websocket-version") == "13"
    else {
      return .refused(
        Refusal(
          status: 426, title: "Upgrade Required",
          sentence: "This is a WebSocket server: connect with ws:// in place of http://.",
          field: "Upgrade: websocket\r\nSec-WebSocket-Version: 13"))
    }
    guard let key = head.value("sec-websocket-key"), Data(base64Encoded: key)?.count == 16 else {
      return .refused(Refusal(status: 400, title: "Bad Request", sentence: "Sec-WebSocket-Key must hold 16 bytes."))
    }
    guard let chosen = head.list("sec-websocket-protocol").first(where: subprotocols.contains) else {
      return .refused(
        Refusal(
          status: 400, title: "Bad Request",
          sentence: "Ask for one of the subprotocols \(subprotocols.joined(separator: ", "))."))
    }
    guard hasRoom else {
      return .refused(
        Refusal(
          status: 503, title: "Service Unavailable", sentence: "There are as many clients as are served: close one."))
    }
    return .accepted(
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: \(Self.acceptKey(key))\r\nSec-WebSocket-Protocol: \(chosen)\r\n\r\n"
    )
  }

  /// The proof that the server has read the key. The text is that of RFC 6455, 1.3.
  static func acceptKey(_ key: String) -> String {
    Data(SHA1.digest(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8))).base64EncodedString()
  }

  func isAllowed(origin: String) -> Bool {
    let origin = origin.lowercased()
    return allowedOrigins.contains { $0.lowercased() == origin } || Self.isLoopback(origin)
  }

  /// `http://localhost:8080`, `https://127.0.0.1`, `http://[::1]:3000`, and nothing that only begins like them.
  private static func isLoopback(_ origin: String) -> Bool {
    guard let scheme = ["http://", "https://"].first(where: origin.hasPrefix) else { return false }
    var authority = origin.dropFirst(scheme.count)
    if let colon = authority.lastIndex(of: ":"), !authority[colon...].contains("]") {
      let port = authority[authority.index(after: colon)...]
      guard !port.isEmpty, port.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
        return false
      }
      authority = authority[..<colon]
    }
    if authority == "localhost" || authority == "[::1]" { return true }
    let bytes = authority.split(separator: ".", omittingEmptySubsequences: false)
    return bytes.count == 4 && bytes[0] == "127" && bytes.allSatisfy { $0.count <= 3 && UInt8($0) != nil }
  }

  /// A stranger's text in an answer.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(100).filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }.map(Character.init))
  }
}
