// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionSensing

/// The client's side of a WebSocket, for servers on phones. Source: RFC 6455.
package final class WebSocketClient {
  /// Bytes of a message, and of the answer to the handshake.
  private static let limits = (message: 1 << 20, head: 8 << 10)

  private let connection: ClientConnection
  private var decoder = WebSocketDecoder(limit: WebSocketClient.limits.message, isMasked: false)

  /// Connects and shakes hands; `target` is the path with its query. Throws a sentence when the server refuses.
  package init(host: String, port: UInt16, target: String, wake: WakeSignal) throws {
    connection = try ClientConnection(host: host, port: port, wake: wake)
    let key = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) }).base64EncodedString()
    let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    try connection.send(
      Array(
        "GET \(target) HTTP/1.1\r\nHost: \(authority)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: 13\r\n\r\n"
          .utf8))
    var answer: [UInt8] = []
    let end: [UInt8] = [13, 10, 13, 10]
    while answer.firstRange(of: end) == nil {
      let bytes = try connection.receive(limit: .seconds(5))
      guard !bytes.isEmpty, answer.count < Self.limits.head else { throw Self.noHandshake("the answer has no end") }
      answer += bytes
    }
    guard let range = answer.firstRange(of: end) else { throw Self.noHandshake("the answer has no end") }
    let lines = String(decoding: answer[..<range.lowerBound], as: UTF8.self).split(separator: "\r\n")
    guard lines.first?.hasPrefix("HTTP/1.1 101") == true else {
      throw Self.noHandshake("it answers “\(lines.first ?? "")”")
    }
    let accept = lines.first { $0.lowercased().hasPrefix("sec-websocket-accept:") }
    guard accept?.dropFirst(21).trimmingCharacters(in: .whitespaces) == WebSocketHandshake.acceptKey(key) else {
      throw Self.noHandshake("it did not answer the key")
    }
    decoder.append(answer[range.upperBound...])
  }

  private static func noHandshake(_ why: String) -> SensorError {
    SensorError(.malformed, "The server does not speak WebSocket: \(why).")
  }

  /// The next text, bytes or close code; nil when none comes within `limit`. Pings are answered. Throws
  /// ``ClientConnection/Interruption/woken`` at a signal, a sentence when the connection breaks.
  package func next(limit: SensorDuration) throws -> WebSocketEvent? {
    while true {
      do throws(WebSocketBreach) {
        while let event = try decoder.next() {
          guard case .ping(let payload) = event else { return event }
          try? connection.send(WebSocketFrame.masked(.pong, payload))
        }
      } catch {
        throw SensorError(.malformed, "The server breaks the rules of WebSockets: \(error.reason)")
      }
      let bytes: ArraySlice<UInt8>
      do { bytes = try connection.receive(limit: limit) } catch ClientConnection.Interruption.tooLate { return nil }
      guard !bytes.isEmpty else { return .close(nil) }
      decoder.append(bytes)
    }
  }

  /// Says goodbye, without waiting for an answer.
  package func close() { try? connection.send(WebSocketFrame.masked(.close, [0x03, 0xE8])) }
}
