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
  /// Outgoing bytes; the first `sent` of them were sent.
  var unsent: [UInt8] = []
  var sent = 0
  /// The system takes no more at present.
  var isBlocked = false
  /// We have said that nothing more will come.
  var isShut = false
  /// When the client was last told about dropped frames, ns.
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
  func consumeHead() -> ArraySlice<UInt8>? {
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

/// The queue of one client: answers, which are kept, and data, of which the oldest is dropped when the client is too
/// slow.
struct Outbox {
  /// Bytes that a frame costs beside its own.
  private static let overhead = 48

  let limits: WebSocketLimits
  private var answers: [[UInt8]] = []
  private var answerBytes = 0
  private var frames: [[UInt8]] = []
  /// Frames of the array that were sent.
  private var gone = 0
  private var frameBytes = 0
  /// Frames that were dropped since the client came.
  private(set) var dropped = 0
  /// How many of them were reported to the client.
  private var told = 0

  init(limits: WebSocketLimits) { self.limits = limits }

  /// Whether ``pop(_:mayTell:to:notice:)`` has something to give.
  var isEmpty: Bool { answers.isEmpty && gone == frames.count }
  /// Whether there are dropped frames that were not reported to the client.
  var owesNotice: Bool { told != dropped }
  var queuedBytes: Int { frameBytes + answerBytes }
  /// Data frames that were handed on.
  private(set) var passed = 0

  /// False when the client asks without ever reading.
  mutating func pushAnswer(_ frame: [UInt8]) -> Bool {
    answers.append(frame)
    answerBytes += frame.count + Self.overhead
    return answerBytes <= limits.answerBytes
  }

  mutating func push(_ frame: [UInt8]) {
    frames.append(frame)
    frameBytes += frame.count + Self.overhead
    while frameBytes > limits.queueBytes {
      frameBytes -= frames[gone].count + Self.overhead
      frames[gone] = []
      gone += 1
      dropped += 1
    }
    compact()
  }

  /// Moves about `count` bytes of whole frames behind `bytes`: answers first, then `notice` of what was dropped (asked for
  /// only when `mayTell`), then data.
  mutating func pop(_ count: Int, mayTell: Bool, to bytes: inout [UInt8], notice: (Int) -> [UInt8]) {
    for answer in answers { bytes += answer }
    answers = []
    answerBytes = 0
    if told != dropped, mayTell {
      bytes += notice(dropped)
      told = dropped
    }
    while bytes.count < count, gone < frames.count {
      bytes += frames[gone]
      passed += 1
      frameBytes -= frames[gone].count + Self.overhead
      frames[gone] = []
      gone += 1
    }
    compact()
  }

  private mutating func compact() {
    guard gone > 256, gone * 2 > frames.count else { return }
    frames.removeFirst(gone)
    gone = 0
  }
}
