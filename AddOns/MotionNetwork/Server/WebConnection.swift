// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One client of a server, seen from the server's thread.
final class WebConnection {
  enum Phase: Equatable {
    /// A request has not come completely.
    case request
    /// A WebSocket.
    case open
    /// Only what is written already goes out; what comes in is thrown away.
    case closing
  }

  /// What is awaited from a connection without a WebSocket; `WebLimits.handshakes` bounds the number of each.
  enum Waiting: CaseIterable {
    /// The first request.
    case greeting
    /// The next request.
    case idle
    /// The body of a request.
    case body
    /// That the client takes the rest of an answer.
    case answer
  }

  let id: Int
  let descriptor: Int32
  var tls: TLSSession?
  var phase = Phase.request
  /// When the phase has lasted too long, ns; nil = never.
  var deadline: Int64?
  /// A request of it has passed the security check.
  var isKnown = false
  /// Of requests, until they are answered.
  var incoming: [UInt8] = []
  /// A request whose body has not come completely, and the body's length.
  var pending: (request: HTTPRequest, length: Int)?
  var decoder: WebSocketDecoder
  /// Something that has come waits for the next turn.
  var hasInput = false
  /// Outgoing bytes; the first `sent` of them were sent.
  var unsent: [UInt8] = []
  var sent = 0
  /// What follows in an answer behind them: of a body that all clients share.
  var remainder: ArraySlice<UInt8>?
  /// The connection ends when the answer has gone out.
  var endsAfterAnswer = false
  /// The system takes no more at present.
  var isBlocked = false
  /// We have said that nothing more will come.
  var isShut = false
  /// Nothing has come yet: the first byte tells TLS from plain text.
  var isFresh = true
  /// When bytes last came over it, or the rest of an answer went; at first when it was accepted, ns.
  var lastReceived = ServerLoop.now
  /// The client has sent a message over its WebSocket.
  var hasSentMessage = false
  /// When the client was last told about dropped frames, ns.
  var toldAt = Int64.min / 2

  init(id: Int, descriptor: Int32, tls: TLSSession?, deadline: Int64, limits: WebLimits) {
    (self.id, self.descriptor, self.tls, self.deadline) = (id, descriptor, tls, deadline)
    decoder = WebSocketDecoder(limit: limits.frameBytes)
  }

  var hasUnsent: Bool { sent < unsent.count }
  var isOpen: Bool { phase == .open }
  var waiting: Waiting? {
    guard phase == .request else { return nil }
    return pending != nil ? .body : remainder != nil ? .answer : isKnown ? .idle : .greeting
  }
  /// Whether more may be read: a client that asks again before it has read the answer waits.
  var isHeard: Bool { phase != .request || !(hasUnsent || remainder != nil || endsAfterAnswer) }

  /// Whether the first byte is none of TLS where it should be. Source: RFC 8446, 5.1.
  func isPlain() -> Bool {
    guard isFresh, tls != nil, let first = Socket.peek(descriptor) else { return false }
    isFresh = false
    return first != 22
  }

  func receive(into buffer: inout [UInt8]) -> Socket.Outcome {
    tls?.receive(into: &buffer) ?? Socket.receive(descriptor, into: &buffer)
  }

  /// Sends what is on its way out. False when the connection is broken.
  func sendUnsent() -> Bool {
    while hasUnsent {
      switch tls?.send(unsent[sent...]) ?? Socket.send(descriptor, unsent[sent...]) {
      case .done(let count): sent += count
      case .later:
        isBlocked = true
        return true
      case .failed: return false
      }
    }
    unsent.removeAll(keepingCapacity: true)
    sent = 0
    return true
  }

  /// Bytes of a request before its empty line, removed from the front; nil when it has not come.
  func consumeHead() -> ArraySlice<UInt8>? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard incoming.count >= 4,
      let start = incoming.indices.dropLast(3).first(where: {
        incoming[$0] == 13 && incoming[$0..<($0 + 4)].elementsEqual(end)
      })
    else { return nil }
    let request = incoming[..<start]
    incoming = Array(incoming[(start + 4)...])
    return request
  }
}

/// What is read from clients in one turn of the server, between two turns of sending: so much that all of it takes a
/// few milliseconds, whatever its size. Each client has a share, and those that come too short are the first next time.
struct InputBudget {
  /// What a read or a message costs beside its bytes.
  static let overhead = 512
  static let turn = 128 << 10, share = 16 << 10

  private var left = turn, own = share

  var isSpent: Bool { left <= 0 }
  var hasShare: Bool { own > 0 }

  /// The next client's share.
  mutating func begin() { own = Self.share }

  mutating func spend(_ bytes: Int) {
    left -= bytes + Self.overhead
    own -= bytes + Self.overhead
  }
}

extension [WebConnection] {
  /// Requests that are still coming share what the server keeps of them. Beyond it, the longest: it gives way, so that
  /// those with short ones notice nothing.
  func longest(beyond limit: Int) -> WebConnection? {
    guard reduce(0, { $0 + $1.incoming.count }) > limit else { return nil }
    return self.max { $0.incoming.count < $1.incoming.count }
  }
}
