// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Foundation
import MotionSensing

/// Handles the messages of clients, on the server's thread. It answers by ``WebSocketServer/answer(_:to:)``.
protocol WebSocketHandler: Sendable {
  func opened(_ client: Int)
  func received(_ event: WebSocketDecoder.Event, from client: Int)
  func closed(_ client: Int)
}

/// A small WebSocket server (RFC 6455) for data that flows one way: to a few clients, at the pace of a source that never waits.
///
/// One thread serves all of them with non-blocking sockets. Producers of data only put frames into queues, one for each
/// client and each limited; a slow client loses the oldest frames of its own queue and is told how many.
///
/// Why not a package: the requirements (a limit on a frame before its payload is read, refusal by status code, a
/// limited queue for each client) concern exactly the part that a package would do for us.
final class WebSocketServer: Sendable {
  /// What the server has done.
  struct Statistics: Sendable {
    var connected = 0, refused = 0
    /// Frames and bytes handed to the system, and frames dropped, over all clients.
    var frames = 0, bytes = 0, dropped = 0
  }

  struct Shared {
    var outboxes: [Int: Outbox] = [:]
    /// Clients that asked without reading.
    var overflowing: Set<Int> = []
    var statistics = Statistics()
    /// ns on the monotonic clock by which all is over.
    var stopDeadline: Int64?
    var isSignalled = false
  }

  let address: ListeningAddress
  let limits: WebSocketLimits
  let handshake: WebSocketHandshake
  /// The text frame that reports to a client how many frames it has lost.
  let notice: @Sendable (Int) -> String
  let shared = Lock(Shared())
  let wake = WakeSignal()
  private let listener: Int32
  private let finished = DispatchSemaphore(value: 0)

  /// Listens at once; clients are served from ``start(_:)`` on.
  init(
    address: ListeningAddress, handshake: WebSocketHandshake, limits: WebSocketLimits,
    notice: @escaping @Sendable (Int) -> String
  ) throws(SensorError) {
    let (descriptor, port) = try Socket.listen(address)
    self.address = ListeningAddress(host: address.host, port: port)
    (self.limits, self.handshake, self.notice, listener) = (limits, handshake, notice, descriptor)
  }

  /// Serves clients on a thread of its own until ``stop(grace:)``; call it once.
  func start(_ handler: any WebSocketHandler) {
    Thread.detachNewThread { [self] in
      motion_name_thread("live-output")
      ServerLoop(server: self, listener: listener, handler: handler).run()
      finished.signal()
    }
  }

  /// Lets clients take what waits for them, for at most `grace` seconds, says goodbye, and waits for the end.
  func stop(grace: Double) {
    shared.withLock { $0.stopDeadline = ServerLoop.now + Int64(grace * 1e9) }
    wake.signal()
    finished.wait()
    // For a second stop.
    finished.signal()
  }

  /// A text that is never dropped: the answer to something.
  func answer(_ text: String, to client: Int) {
    let frame = WebSocketFrame.encoded(.text, Array(text.utf8))
    give { shared in
      guard shared.outboxes[client] != nil else { return }
      if shared.outboxes[client]?.pushAnswer(frame) == false { shared.overflowing.insert(client) }
    }
  }

  /// Data for some clients. Never waits.
  func push(_ frames: [(client: Int, frame: [UInt8])]) {
    guard !frames.isEmpty else { return }
    give { shared in
      for (client, frame) in frames { shared.outboxes[client]?.push(frame) }
    }
  }

  var statistics: Statistics {
    shared.withLock { shared in
      shared.outboxes.values.reduce(into: shared.statistics) {
        $0.dropped += $1.dropped
        $0.frames += $1.passed
      }
    }
  }

  private func give(_ body: (inout Shared) -> Void) {
    let isNews = shared.withLock { shared in
      body(&shared)
      defer { shared.isSignalled = true }
      return !shared.isSignalled
    }
    if isNews { wake.signal() }
  }
}

/// The limits of a server. Clients are not trusted: everything that a client can make grow has a limit.
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
  case normal = 1000, goingAway = 1001, protocolError = 1002, notUTF8 = 1007, policy = 1008, tooBig = 1009
}

/// A peer broke a rule: the connection ends with this code.
struct WebSocketBreach: Error, Equatable {
  let code: WebSocketCloseCode
  /// For the close frame: at most 123 bytes.
  let reason: StaticString

  static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
