// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import MotionSensing

/// The thread of a server: waits for the sockets and the wake signal, and does what there is to do.
final class ServerLoop {
  /// Bytes that go to one client, in whole frames, before it is the others' turn: few beside what waits for one
  /// (``WebLimits/queueBytes``), because meanwhile the others' queues grow.
  static let turn = 1 << 16
  /// How long a peer may take to say goodbye, ns.
  static let farewell: Int64 = 1_000_000_000

  /// ns on the monotonic clock.
  static var now: Int64 { motion_monotonic_nanoseconds() }

  let server: WebServer
  let handler: any WebHandler
  private let listener: Int32
  var connections: [WebConnection] = []
  private var nextID = 1
  /// The connection that was served last: in the next turn those behind it come first.
  private var served = 0
  private var buffer = [UInt8](repeating: 0, count: 1 << 14)
  /// No descriptor was free: no connection is accepted before this time, ns.
  private var acceptAfter = Int64.min
  private var stopDeadline: Int64?

  init(server: WebServer, listener: Int32, handler: any WebHandler) {
    (self.server, self.listener, self.handler) = (server, listener, handler)
  }

  func run() {
    defer {
      for connection in connections { remove(connection) }
      close(listener)
    }
    while true {
      let overflowing = server.shared.withLock { shared in
        shared.isSignalled = false
        stopDeadline = shared.stopDeadline
        defer { shared.overflowing = [] }
        return shared.overflowing
      }
      for connection in connections where overflowing.contains(connection.id) && connection.isOpen {
        beginClosing(connection, .policy, "Too many requests are pending.")
      }
      // What there is to send goes before anything is read.
      var hasMore = false
      for connection in connections where flush(connection) { hasMore = true }
      expire()
      if let stopDeadline {
        for connection in connections where !hasMore && !connection.hasUnsent && connection.remainder == nil {
          switch connection.phase {
          case .open: beginClosing(connection, .goingAway, "The program ends.")
          case .request: remove(connection)
          case .closing: break
          }
        }
        if connections.isEmpty || Self.now >= stopDeadline { return }
      }
      wait(hasMore: hasMore)
    }
  }

  // MARK: Waiting

  private func wait(hasMore: Bool) {
    var descriptors = [pollfd(fd: server.wake.descriptor, events: Int16(POLLIN), revents: 0)]
    let listens = stopDeadline == nil && Self.now >= acceptAfter
    descriptors.append(pollfd(fd: listens ? listener : -1, events: Int16(POLLIN), revents: 0))
    for connection in connections {
      let wantsWrite = connection.hasUnsent || connection.tls?.wantsWrite == true
      let events = (connection.isHeard ? Int16(POLLIN) : 0) | (wantsWrite ? Int16(POLLOUT) : 0)
      descriptors.append(pollfd(fd: connection.descriptor, events: events, revents: 0))
    }
    let hasInput = connections.contains { $0.hasInput && $0.isHeard }
    guard motion_ppoll(&descriptors, UInt(descriptors.count), hasMore || hasInput ? 0 : patience) >= 0 else { return }
    if descriptors[0].revents != 0 { server.wake.drain() }
    serve(zip(connections, descriptors.dropFirst(2).map { Int32($0.revents) }).filter { $0.hasInput || $1 != 0 })
    guard descriptors[1].revents != 0 else { return }
    // No more than may wait, so that each of them is read once before it makes room for others.
    for _ in 0..<server.limits.handshakes where !accept() { break }
    makeRoom()
  }

  /// A turn of those that have something to say.
  private func serve(_ ready: [(WebConnection, Int32)]) {
    var budget = InputBudget()
    for (connection, events) in ready where events & POLLOUT != 0 { connection.isBlocked = false }
    for (connection, events) in ready.filter({ $0.0.id > served }) + ready.filter({ $0.0.id <= served }) {
      guard !budget.isSpent else { return }
      served = connection.id
      let isBroken = events & (POLLHUP | POLLERR) != 0
      if connection.isHeard { read(connection, &budget) } else if isBroken { remove(connection) }
    }
  }

  /// ns until the next timed action; negative = never.
  private var patience: Int64 {
    var times = connections.compactMap(\.deadline)
    if let stopDeadline { times.append(stopDeadline) }
    if acceptAfter > Self.now { times.append(acceptAfter) }
    let owes = server.shared.withLock { shared in shared.outboxes.values.contains { $0.owesNotice } }
    if owes { times.append(Self.now + 250_000_000) }
    return times.min().map { max(0, $0 - Self.now) } ?? -1
  }

  /// False when none waits.
  private func accept() -> Bool {
    var isExhausted = false
    if let descriptor = Socket.accept(listener, isExhausted: &isExhausted) {
      connections.append(
        WebConnection(
          id: nextID, descriptor: descriptor, tls: server.identity?.accept(descriptor),
          deadline: after(server.limits.handshakeSeconds), limits: server.limits))
      nextID += 1
      return true
    }
    if isExhausted { acceptAfter = Self.now + 1_000_000_000 }
    return false
  }

  /// A client that only connects does not keep out those that ask: those that have been silent longest are closed.
  private func makeRoom() {
    for waiting in Dictionary(grouping: connections, by: \.waiting).filter({ $0.key != nil }).values {
      let surplus = max(0, waiting.count - server.limits.handshakes)
      for oldest in waiting.sorted(by: { $0.lastReceived < $1.lastReceived }).prefix(surplus) { remove(oldest) }
    }
  }

  private func after(_ seconds: Double) -> Int64 { Self.now + Int64(seconds * 1e9) }

  /// Ends those whose time is over.
  private func expire() {
    let now = Self.now
    for connection in connections where connection.deadline.map({ $0 <= now }) ?? false { remove(connection) }
  }

  // MARK: Writing

  /// Gives a client its turn of what waits for it; true when it could take more at once.
  private func flush(_ connection: WebConnection) -> Bool {
    var hasMore: Bool?
    while !connection.isBlocked {
      guard connection.sendUnsent() else {
        remove(connection)
        return false
      }
      if connection.hasUnsent { return false }
      if let rest = connection.remainder {
        guard hasMore == nil else { return true }
        hasMore = true
        // All before it was taken: the client is there, however long it takes for the whole.
        (connection.lastReceived, connection.deadline) = (Self.now, after(server.limits.idleSeconds))
        connection.unsent += rest.prefix(Self.turn)
        connection.remainder = rest.count > Self.turn ? rest.dropFirst(Self.turn) : nil
        continue
      }
      if connection.endsAfterAnswer, connection.phase == .request {
        (connection.phase, connection.deadline) = (.closing, Self.now + Self.farewell)
      }
      if case .closing = connection.phase {
        if !connection.isShut {
          connection.tls?.shut()
          shutdown(connection.descriptor, Int32(SHUT_WR))
        }
        connection.isShut = true
      }
      guard connection.isOpen else { return false }
      if let hasMore { return hasMore }
      hasMore = refill(connection)
    }
    return false
  }

  /// Takes the next turn out of the client's queue; true when more waits there.
  private func refill(_ connection: WebConnection) -> Bool {
    let now = Self.now
    let mayTell = now - connection.toldAt >= 1_000_000_000
    var isTold = false
    let hasMore = server.shared.withLock { shared in
      shared.outboxes[connection.id]?.pop(Self.turn, mayTell: mayTell, to: &connection.unsent) { dropped in
        isTold = true
        return WebSocketFrame.encoded(.text, Array(server.notice(dropped).utf8))
      }
      shared.statistics.bytes += connection.unsent.count
      return shared.outboxes[connection.id].map { !$0.isEmpty } ?? false
    }
    if isTold { connection.toldAt = now }
    return hasMore
  }

  // MARK: Reading

  /// Deals with what has come from a client, as much as its share of the turn is.
  private func read(_ connection: WebConnection, _ budget: inout InputBudget) {
    budget.begin()
    if connection.hasInput {
      connection.hasInput = false
      proceed(connection, &budget)
    }
    while budget.hasShare, connection.isHeard, !connection.hasInput, receive(connection, &budget) {}
    // The system does not report what TLS has read ahead.
    if connection.tls?.hasPending == true { connection.hasInput = true }
  }

  /// Reads once; true when there is more that the system does not report, in the buffer of TLS.
  private func receive(_ connection: WebConnection, _ budget: inout InputBudget) -> Bool {
    if connection.isPlain() {
      connection.tls = nil
      end(connection, .refusal(400, "This port speaks HTTPS: write https:// instead of http://."))
      return false
    }
    let outcome = connection.receive(into: &buffer)
    if outcome == .failed || outcome == .done(0) { remove(connection) }
    guard case .done(let count) = outcome, count > 0 else { return false }
    connection.lastReceived = Self.now
    budget.spend(count)
    switch connection.phase {
    case .closing: break
    case .open: connection.decoder.append(buffer[..<count])
    case .request: connection.incoming += buffer[..<count]
    }
    proceed(connection, &budget)
    return connection.tls?.hasPending == true
  }

  private func proceed(_ connection: WebConnection, _ budget: inout InputBudget) {
    let isRequest = connection.phase == .request
    if isRequest {
      if advance(connection) {
        // The next request may be here already: it has its turn when the answer has gone out.
        connection.hasInput = !connection.incoming.isEmpty
      } else if let longest = connections.longest(beyond: server.limits.bodiesBytes) {
        end(longest, .refusal(503, "The server has too many long requests at once: send shorter batches."))
      }
    }
    guard connection.isOpen else { return }
    // The handler has much to send to a new client: one in a turn.
    if isRequest { budget.spend(InputBudget.turn) }
    hear(connection, &budget)
  }

  /// Answers one request if it is complete. False when more bytes are needed.
  private func advance(_ connection: WebConnection) -> Bool {
    if connection.pending == nil {
      guard let bytes = connection.consumeHead() else {
        if connection.incoming.count > server.limits.headBytes { end(connection, Self.tooLong) }
        return false
      }
      guard bytes.count <= server.limits.headBytes else {
        end(connection, Self.tooLong)
        return false
      }
      guard let head = HTTPRequestHead(bytes) else {
        end(connection, .notARequest)
        return false
      }
      begin(head, connection)
    }
    guard connection.phase == .request, let (request, length) = connection.pending,
      connection.incoming.count >= length
    else { return false }
    connection.pending = nil
    var whole = request
    whole.body = Array(connection.incoming[..<length])
    connection.incoming.removeFirst(length)
    var response = handler.respond(to: whole)
    if response.closes, response.status >= 400 { server.shared.withLock { $0.statistics.refused += 1 } }
    if whole.head.version != "HTTP/1.1" || whole.head.list("connection").contains(where: { $0.lowercased() == "close" })
    {
      response.closes = true
    }
    (connection.endsAfterAnswer, connection.deadline) = (response.closes, after(server.limits.idleSeconds))
    let body = whole.method == "HEAD" ? [] : response.body
    connection.unsent += response.encodedHead() + body.prefix(Self.turn)
    if body.count > Self.turn { connection.remainder = body.dropFirst(Self.turn) }
    return true
  }

  private static let tooLong = HTTPResponse.refusal(431, "The request is too long.")

  /// The head of a request: refused, a WebSocket, or one whose body is still to come.
  private func begin(_ head: HTTPRequestHead, _ connection: WebConnection) {
    let target: Substring
    switch server.security.check(head) {
    case .answered(let response): return end(connection, response)
    case .revoked(let refusal):
      for other in connections where other.isOpen { beginClosing(other, .policy, "The token is void.") }
      return connections.filter { $0.phase == .request }.forEach { end($0, refusal) }
    case .passed(let rest): target = rest
    }
    let request = HTTPRequest(head, target: target, peer: Socket.peerName(connection.descriptor))
    guard !WebSocketHandshake.isWanted(head) else { return shakeHands(connection, request) }
    guard ["GET", "HEAD", "POST", "OPTIONS"].contains(head.method) else {
      return end(connection, .notARequest)
    }
    guard head.values("transfer-encoding").isEmpty else {
      return end(connection, .refusal(411, "The request must state its length: chunks are not read."))
    }
    let lengths = Set(head.values("content-length"))
    guard lengths.count <= 1, let length = HTTPRequestHead.number(lengths.first ?? "0") else {
      return end(connection, .notARequest)
    }
    guard length <= server.limits.bodyBytes else {
      return end(
        connection, .refusal(413, "The request is longer than \(server.limits.bodyBytes) bytes: send shorter batches."))
    }
    connection.isKnown = true
    connection.deadline = after(server.limits.bodySeconds)
    connection.pending = (request, length)
    if length > connection.incoming.count, head.list("expect").contains(where: { $0.lowercased() == "100-continue" }) {
      connection.unsent += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
    }
  }

  private func shakeHands(_ connection: WebConnection, _ request: HTTPRequest) {
    let open = connections.filter(\.isOpen)
    let isFull = open.count >= server.limits.clients
    // Only a client that has sent no message since its handshake gives up its place.
    let silent = isFull ? open.filter { !$0.hasSentMessage }.min { $0.lastReceived < $1.lastReceived } : nil
    let hasRoom = stopDeadline == nil && (!isFull || silent != nil)
    switch server.handshake.answer(request.head, hasRoom: hasRoom) {
    case .refused(let refusal): end(connection, refusal)
    case .accepted where !handler.accepts(request): end(connection, .refusal(404, "There is no WebSocket here."))
    case .accepted(let response):
      if let silent { beginClosing(silent, .tryAgainLater, "Another client needed the place.") }
      connection.unsent += response.utf8
      (connection.phase, connection.deadline, connection.isKnown) = (.open, nil, true)
      connection.decoder.append(connection.incoming)
      connection.incoming = []
      server.shared.withLock { shared in
        shared.outboxes[connection.id] = Outbox(limits: server.limits)
        shared.statistics.connected += 1
      }
      handler.opened(connection.id, request)
    }
  }

  /// A short answer, after which the connection ends.
  private func end(_ connection: WebConnection, _ response: HTTPResponse) {
    if response.status >= 400 { server.shared.withLock { $0.statistics.refused += 1 } }
    var response = response
    response.closes = true
    connection.unsent += response.encodedHead() + response.body
    (connection.phase, connection.deadline) = (.closing, Self.now + Self.farewell)
    (connection.incoming, connection.pending, connection.remainder) = ([], nil, nil)
  }

  private func hear(_ connection: WebConnection, _ budget: inout InputBudget) {
    do throws(WebSocketBreach) {
      while connection.isOpen {
        connection.hasInput = !budget.hasShare
        guard budget.hasShare, let event = try connection.decoder.next() else { return }
        budget.spend(0)
        connection.hasSentMessage = true
        switch event {
        case .ping(let payload): answer(connection, WebSocketFrame.encoded(.pong, payload))
        case .pong: break
        case .close: beginClosing(connection, .normal, "")
        case .text, .binary: handler.received(event, from: connection.id)
        }
      }
    } catch {
      beginClosing(connection, error.code, "\(error.reason)")
    }
  }

  private func answer(_ connection: WebConnection, _ frame: [UInt8]) {
    let isPatient = server.shared.withLock { $0.outboxes[connection.id]?.pushAnswer(frame) ?? true }
    if !isPatient { beginClosing(connection, .policy, "Too many requests are pending.") }
  }

  // MARK: Ending

  private func beginClosing(_ connection: WebConnection, _ code: WebSocketCloseCode, _ reason: String) {
    forget(connection)
    connection.unsent += WebSocketFrame.close(code, reason)
    (connection.phase, connection.deadline) = (.closing, Self.now + Self.farewell)
  }

  private func remove(_ connection: WebConnection) {
    if connection.isOpen { forget(connection) }
    connections.removeAll { $0 === connection }
    close(connection.descriptor)
  }

  private func forget(_ connection: WebConnection) {
    server.shared.withLock { shared in
      guard let outbox = shared.outboxes.removeValue(forKey: connection.id) else { return }
      shared.statistics.dropped += outbox.dropped
      shared.statistics.frames += outbox.passed
    }
    handler.closed(connection.id)
  }
}
