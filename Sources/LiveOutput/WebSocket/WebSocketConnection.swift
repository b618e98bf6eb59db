// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One client of a server, seen from the server's thread.
final class WebSocketConnection {
  enum Phase: Equatable {
    /// The request has not come completely; until the deadline, ns.
    case handshake(deadline: Int64)
    case open
    /// Only what is written already goes out; what comes in is thrown away. Until the deadline, ns.
    case closing(deadline: Int64)
  }

  let id: Int
  let descriptor: Int32
  var phase: Phase
  /// Of the request, until it is complete.
  var head: [UInt8] = []
  var decoder: WebSocketDecoder
  /// On their way out; the first `sent` of them are gone.
  var unsent: [UInt8] = []
  var sent = 0
  /// The system takes no more at present.
  var isBlocked = false
  /// We have said that nothing more will come.
  var isShut = false
  /// When it was told of dropped frames, ns.
  var toldAt = Int64.min / 2

  init(id: Int, descriptor: Int32, deadline: Int64, limits: WebSocketLimits) {
    (self.id, self.descriptor) = (id, descriptor)
    phase = .handshake(deadline: deadline)
    decoder = WebSocketDecoder(limit: limits.frameBytes)
  }

  var hasUnsent: Bool { sent < unsent.count }
  var isOpen: Bool { phase == .open }

  var deadline: Int64? {
    switch phase {
    case .handshake(let deadline), .closing(let deadline): deadline
    case .open: nil
    }
  }

  /// Sends what is on its way out. False when the connection is broken.
  func sendUnsent() -> Bool {
    while hasUnsent {
      switch Socket.send(descriptor, unsent[sent...]) {
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

  /// Bytes of the request before its empty line, taken off the front; nil when it has not come.
  func takeHead() -> ArraySlice<UInt8>? {
    let end: [UInt8] = [13, 10, 13, 10]
    guard head.count >= 4,
      let start = head.indices.dropLast(3).first(where: { head[$0] == 13 && head[$0..<($0 + 4)].elementsEqual(end) })
    else { return nil }
    let request = head[..<start]
    decoder.append(head[(start + 4)...])
    head = []
    return request
  }
}
