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
  /// What the address must hold as `?token=…`; nil = nothing.
  var token: String? = nil

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

  static let notARequest = Refusal(status: 400, title: "Bad Request", sentence: "This is not an HTTP/1.1 request.")
  static let tooLong = Refusal(
    status: 431, title: "Request Header Fields Too Large", sentence: "The request is too long.")

  /// `hasRoom` false = there are as many clients as are served.
  func answer(_ head: HTTPRequestHead, hasRoom: Bool) -> Answer {
    if let origin = head.values("origin").first(where: { !isAllowed(origin: $0) }) {
      return .refused(
        Refusal(
          status: 403, title: "Forbidden",
          sentence: "The page \(Self.printable(origin)) may not connect; allow it with --allow-origin."))
    }
    guard head.method == "GET", head.version == "HTTP/1.1" else { return .refused(Self.notARequest) }
    guard head.list("upgrade").contains(where: { $0.lowercased() == "websocket" }),
      head.list("connection").contains(where: { $0.lowercased() == "upgrade" }),
      head.value("sec-websocket-version") == "13"
    else {
      return .refused(
        Refusal(
          status: 426, title: "Upgrade Required",
          sentence: "This is a WebSocket server: connect with ws:// instead of http://.",
          field: "Upgrade: websocket\r\nSec-WebSocket-Version: 13"))
    }
    guard let key = head.value("sec-websocket-key"), Data(base64Encoded: key)?.count == 16 else {
      return .refused(Refusal(status: 400, title: "Bad Request", sentence: "Sec-WebSocket-Key must hold 16 bytes."))
    }
    guard let chosen = head.list("sec-websocket-protocol").first(where: subprotocols.contains) else {
      return .refused(
        Refusal(
          status: 400, title: "Bad Request",
          sentence: "Request one of the subprotocols \(subprotocols.joined(separator: ", "))."))
    }
    guard token.map({ Self.tokens(in: head.target).contains($0[...]) }) ?? true else {
      return .refused(
        Refusal(
          status: 403, title: "Forbidden",
          sentence: "The address must end with the token that the server printed at the start: /?token=…"))
    }
    guard hasRoom else {
      return .refused(
        Refusal(
          status: 503, title: "Service Unavailable", sentence: "The maximum number of clients is connected: close one.")
      )
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
      guard !port.isEmpty, port.utf8.allSatisfy(Self.isDigit) else {
        return false
      }
      authority = authority[..<colon]
    }
    if authority == "localhost" || authority == "[::1]" { return true }
    let bytes = authority.split(separator: ".", omittingEmptySubsequences: false)
    return bytes.count == 4 && bytes[0] == "127"
      && bytes.allSatisfy { $0.count <= 3 && $0.utf8.allSatisfy(Self.isDigit) && UInt8($0) != nil }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  private static func tokens(in target: String) -> [Substring] {
    guard let mark = target.firstIndex(of: "?") else { return [] }
    return target[mark...].dropFirst().split(separator: "&").compactMap { part in
      part.hasPrefix("token=") ? part.dropFirst(6) : nil
    }
  }

  /// A stranger's text in an answer.
  private static func printable(_ text: String) -> String {
    String(
      text.unicodeScalars.prefix(100).filter { $0.isASCII && $0.value > 0x20 && $0.value != 0x7F }.map(Character.init))
  }
}

/// The first lines of an HTTP/1.1 request: its method and its fields. Source: RFC 9112, 2–5.
struct HTTPRequestHead {
  let method: String
  let target: String
  let version: String
  /// Names in lower case, in the order in which they came.
  private let fields: [(name: String, value: String)]

  /// The head without the empty line behind it; nil when it is none.
  init?(_ bytes: some Collection<UInt8>) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)[...]
    let request = (lines.popFirst() ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard request.count == 3, request.allSatisfy({ !$0.isEmpty }) else { return nil }
    (method, target, version) = (String(request[0]), String(request[1]), String(request[2]))
    var fields: [(String, String)] = []
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      // A name with a blank behind it, or a line that goes on, is how requests are smuggled.
      guard parts.count == 2, !parts[0].isEmpty, !parts[0].contains(where: { $0 == " " || $0 == "\t" }) else {
        return nil
      }
      fields.append((parts[0].lowercased(), Self.trimmed(parts[1])))
    }
    self.fields = fields
  }

  func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

  /// The value of a field that may come once; nil when it is absent or repeated.
  func value(_ name: String) -> String? {
    let all = values(name)
    return all.count == 1 ? all[0] : nil
  }

  /// The members of a list, over all fields of the name.
  func list(_ name: String) -> [String] {
    values(name).flatMap { $0.split(separator: ",") }.map { Self.trimmed($0) }.filter { !$0.isEmpty }
  }

  private static func trimmed(_ text: Substring) -> String {
    func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" }
    var text = text.drop(while: isBlank)
    while let last = text.last, isBlank(last) { text.removeLast() }
    return String(text)
  }
}

/// The digest of the WebSocket handshake, and of nothing else: SHA-1 is broken for signatures. Source: RFC 3174.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { bytes += $0 }

    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in stride(from: 0, to: bytes.count, by: 64) { absorb(bytes[block..<(block + 64)], &state) }
    return state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
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
