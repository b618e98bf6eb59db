// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What a server puts up with. A client is a stranger until proved otherwise: everything that it can make grow has an end.
package struct WebSocketLimits: Sendable, Hashable {
  /// Open connections; the next one is answered 503. Default: 8.
  package var clients = 8
  /// Connections that have not finished their handshake; further ones wait in the system's queue. Default: 16.
  package var handshakes = 16
  /// Seconds until a connection without a finished handshake is closed. Default: 10.
  package var handshakeSeconds = 10.0
  /// Bytes of a request with its header fields; a longer one is answered 431. Default: 8 KiB.
  package var headBytes = 8 << 10
  /// Bytes of a frame that comes in, and of a message in fragments; a longer one closes the connection with code 1009.
  /// Default: 64 KiB.
  package var frameBytes = 64 << 10
  /// Bytes that wait for one client; then its oldest frames are dropped. Default: 8 MiB.
  package var queueBytes = 8 << 20
  /// Bytes of answers that wait for one client; one that asks and never reads is disconnected. Default: 1 MiB.
  package var answerBytes = 1 << 20

  /// The defaults.
  package init() {}
}

/// Why a connection ends. Source: RFC 6455, 7.4.1.
enum WebSocketCloseCode: UInt16, Sendable {
  case normal = 1000
  case goingAway = 1001
  case protocolError = 1002
  case notUTF8 = 1007
  case policy = 1008
  case tooBig = 1009
}

/// A peer broke a rule: the connection ends with this code.
struct WebSocketBreach: Error, Equatable {
  let code: WebSocketCloseCode
  /// For the close frame: at most 123 bytes.
  let reason: StaticString

  static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
