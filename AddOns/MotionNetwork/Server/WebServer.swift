// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionTLS
import Foundation
package import MotionSensing

/// What a server does for its clients, on the server's thread: nothing here may wait.
package protocol WebHandler: Sendable {
  /// The answer to a request that has passed the security check. Default: 404.
  func respond(to request: HTTPRequest) -> HTTPResponse
  /// Whether a WebSocket may begin at this path. Default: no.
  func accepts(_ request: HTTPRequest) -> Bool
  func opened(_ client: Int, _ request: HTTPRequest)
  /// A text or bytes. It is answered by ``WebServer/answer(_:to:)``.
  func received(_ event: WebSocketEvent, from client: Int)
  func closed(_ client: Int)
}

extension WebHandler {
  package func respond(to request: HTTPRequest) -> HTTPResponse { .text(404, "There is no such page.") }
  package func accepts(_ request: HTTPRequest) -> Bool { false }
  package func opened(_ client: Int, _ request: HTTPRequest) {}
  package func received(_ event: WebSocketEvent, from client: Int) {}
  package func closed(_ client: Int) {}
}

/// A small server of HTTP/1.1 and WebSockets (RFC 9112, RFC 6455), with or without TLS: pages and measurements of a few
/// clients, at the pace of a source that never waits.
///
/// One thread serves all of them with non-blocking sockets. Producers of data
/// only put frames into queues, one for each client and each limited; a slow client loses the oldest frames of its own
/// queue and is told how many.
///
/// Why not a package: the requirements (a limit on a frame before its payload is read, refusal by status code, a
/// limited queue for each client) concern exactly the part that a package would do for us, and SwiftNIO with TLS takes
/// eight minutes to build where this takes seconds.
package final class WebServer: Sendable {
  /// What the server has done.
  package struct Statistics: Sendable {
    package var connected = 0, refused = 0
    /// Frames and bytes handed to the system, and frames dropped, over all clients.
    package var frames = 0, bytes = 0, dropped = 0
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

  /// Where it listens, the port filled in.
  package let address: ListeningAddress
  let limits: WebLimits
  let security: WebSecurity
  let handshake: WebSocketHandshake
  let identity: TLSIdentity?
  /// The text frame that reports to a client how many frames it has lost.
  let notice: @Sendable (Int) -> String
  let shared = Lock(Shared())
  let wake = WakeSignal()
  private let listener: Int32
  private let finished = DispatchSemaphore(value: 0)

  /// Listens at once; clients are served from ``start(_:)`` on.
  ///
  /// - Parameters:
  ///   - subprotocols: of WebSockets; empty = none.
  ///   - identity: HTTPS instead of HTTP.
  ///   - notice: the text frame that reports to a client how many frames it has lost.
  /// - Throws: `SensorError` when the address is in use, not this computer's or not permitted.
  package init(
    address: ListeningAddress, security: WebSecurity, subprotocols: [String] = [], limits: WebLimits = WebLimits(),
    identity: TLSIdentity? = nil,
    notice: @escaping @Sendable (Int) -> String = { #"{"dropped":\#($0)}"# }
  ) throws(SensorError) {
    let (descriptor, port) = try Socket.listen(address)
    self.address = ListeningAddress(host: address.host, port: port)
    handshake = WebSocketHandshake(subprotocols: subprotocols)
    (self.limits, self.security, self.identity, self.notice, listener) = (
      limits, security, identity, notice, descriptor
    )
  }

  /// Serves clients on a thread of its own until ``stop(grace:)``; call it once.
  package func start(_ handler: any WebHandler) throws(SensorError) {
    do throws(SensorError) {
      try wake.check()
      try SystemThread.start("motion-web") { [self] in
        motion_tls_block_sigpipe()
        ServerLoop(server: self, listener: listener, handler: handler).run()
        finished.signal()
      }
    } catch {
      close(listener)
      finished.signal()
      throw error
    }
  }

  /// Lets clients take what waits for them, for at most `grace` seconds, says goodbye, and waits for the end.
  package func stop(grace: Double) {
    shared.withLock { $0.stopDeadline = ServerLoop.now + Int64(grace * 1e9) }
    wake.signal()
    finished.wait()
    // For a second stop.
    finished.signal()
  }

  /// A text that is never dropped: the answer to something.
  package func answer(_ text: String, to client: Int) {
    let frame = WebSocketFrame.encoded(.text, Array(text.utf8))
    give { shared in
      guard shared.outboxes[client] != nil else { return }
      if shared.outboxes[client]?.pushAnswer(frame) == false { shared.overflowing.insert(client) }
    }
  }

  /// What a client that has just been opened gets before its first data: frames that were pushed to others before. A
  /// client that is too slow for the data loses them first, all but the last. Never waits.
  package func begin(_ client: Int, with frames: [[UInt8]]) {
    give { $0.outboxes[client]?.begin(with: frames) }
  }

  /// Data for some clients. Never waits.
  package func push(_ frames: [(client: Int, frame: [UInt8])]) {
    guard !frames.isEmpty else { return }
    give { shared in
      for (client, frame) in frames { shared.outboxes[client]?.push(frame) }
    }
  }

  package var statistics: Statistics {
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
package struct WebLimits: Sendable, Hashable {
  /// Open WebSockets; the next one gets the place of the one that has been open longest without sending a message, and
  /// when all have sent one it is answered 503. Default: 8.
  package var clients = 8
  /// Connections that have not made a request yet, that are idle between two, whose body has not come yet, and that have
  /// not taken their answer yet: 64 of each; with further ones, the one that has been silent longest is closed.
  package var handshakes = 64
  /// Seconds until a connection without the head of its first request is closed, a TLS handshake included. Default: 2.
  package var handshakeSeconds = 2.0
  /// Seconds that the body of a request may take, over a slow network too. Default: 10.
  package var bodySeconds = 10.0
  /// Seconds that a connection may be idle between two requests. Default: 60.
  package var idleSeconds = 60.0
  /// Bytes of a request with its header fields; a longer one is answered 431. Default: 8 KiB.
  package var headBytes = 8 << 10
  /// Bytes of a request's body; a longer one is answered 413 before it is read. Default: 1 MiB.
  package var bodyBytes = 1 << 20
  /// Bytes of all requests together that have not come completely; beyond them the longest is answered 503. Default:
  /// 16 MiB.
  package var bodiesBytes = 16 << 20
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
  /// Registered later, at IANA.
  case tryAgainLater = 1013
}

/// A peer broke a rule: the connection ends with this code.
struct WebSocketBreach: Error, Equatable {
  let code: WebSocketCloseCode
  /// For the close frame: at most 123 bytes.
  let reason: StaticString

  static func == (a: Self, b: Self) -> Bool { a.code == b.code }
}
