// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionNetwork
package import MotionSensing

/// The way from the sources' threads to the pages: samples are gathered and sent together, 60 times a second at most.
///
/// A page that joins gets the text `{"history":true}`, the messages of the last minute, the text `{"history":false}`,
/// and from then on each message as it is sent: by their numbers one sequence without a gap. Twice a second comes the
/// state of the sources, a JSON object too.
///
/// Nothing here waits. A page that is slow loses what has come before it, then the oldest messages of its own queue,
/// which the server limits, and sees so by their numbers.
package final class ViewStream: Sendable {
  private struct State {
    var bytes: [UInt8] = []
    var number: UInt32 = 0
    var due = SensorInstant(nanoseconds: 0)
    var clients: [Int] = []
    var server: WebServer?
    var history = ViewHistory()
  }

  private static let beginning = WebSocketFrame.encoded(.text, Array(#"{"history":true}"#.utf8))
  private static let end = WebSocketFrame.encoded(.text, Array(#"{"history":false}"#.utf8))

  /// A hair less than a sixtieth of a second, so that a source of 60 Hz is not halved by its jitter.
  package static let interval = SensorDuration.milliseconds(16)
  /// What is gathered of a source that delivers in bursts, before it is sent in any case.
  static let largestMessage = 16 << 10

  private let clock = MonotonicClock()
  private let state = Lock(State())

  package init() {}

  package func connect(to server: WebServer) { state.withLock { $0.server = server } }

  package var clientCount: Int { state.withLock { $0.clients.count } }

  func add(_ client: Int) {
    let now = clock.now
    state.withLock { state in
      // To those who are here already; the new one has it as history.
      if !state.bytes.isEmpty { Self.send(&state, at: now) }
      state.server?.begin(client, with: [Self.beginning] + state.history.frames(at: now) + [Self.end])
      state.clients.append(client)
    }
  }

  /// Keeps nothing of what was sent so far: it shows another frame than what follows.
  func forget() { state.withLock { $0.history = ViewHistory() } }

  func remove(_ client: Int) { state.withLock { $0.clients.removeAll { $0 == client } } }

  /// Appends records, and sends what has gathered when it is time.
  package func append(_ write: (inout [UInt8]) -> Void) {
    let now = clock.now
    state.withLock { state in
      if state.bytes.isEmpty { ViewRecord.appendHeader(number: state.number, to: &state.bytes) }
      write(&state.bytes)
      guard now >= state.due || state.bytes.count >= Self.largestMessage else { return }
      // On a grid, so that rates near 60 Hz do not beat with it.
      let next = state.due + Self.interval
      state.due = next > now ? next : now + Self.interval
      Self.send(&state, at: now)
    }
  }

  /// Sends what the last samples before a pause have left, and the state of the sources as a text.
  package func send(state text: [UInt8]) {
    let frame = WebSocketFrame.encoded(.text, text)
    let now = clock.now
    state.withLock { state in
      if !state.bytes.isEmpty { Self.send(&state, at: now) }
      state.server?.push(state.clients.map { ($0, frame) })
    }
  }

  private static func send(_ state: inout State, at now: SensorInstant) {
    let frame = WebSocketFrame.encoded(.binary, state.bytes)
    state.bytes.removeAll(keepingCapacity: true)
    state.number &+= 1
    state.history.append(frame, at: now)
    state.server?.push(state.clients.map { ($0, frame) })
  }
}

/// The messages of the last minute, for pages that join: a strip that begins empty shows nothing of what has just
/// happened.
struct ViewHistory: Sendable {
  /// How far it goes back.
  static let duration = SensorDuration.seconds(60)
  /// Bytes that it keeps at most, the oldest given up first: a minute of one view with a magnetometer at 700 Hz.
  static let limit = 4 << 20
  /// Bytes that a message costs beside its own.
  private static let overhead = 64

  private var messages: [(sent: SensorInstant, frame: [UInt8])] = []
  private(set) var bytes = 0

  mutating func append(_ frame: [UInt8], at now: SensorInstant) {
    messages.append((now, frame))
    bytes += frame.count + Self.overhead
    trim(at: now)
  }

  /// WebSocket frames, oldest first.
  mutating func frames(at now: SensorInstant) -> [[UInt8]] {
    trim(at: now)
    return messages.map(\.frame)
  }

  private mutating func trim(at now: SensorInstant) {
    var gone = 0
    while gone < messages.count, bytes > Self.limit || now - messages[gone].sent > Self.duration {
      bytes -= messages[gone].frame.count + Self.overhead
      gone += 1
    }
    messages.removeFirst(gone)
  }
}
