// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CMotionSystem
import Glibc
import MotionSensing

/// The thread of a server: waits for the sockets and the wake signal, and does what there is to do.
final class ServerLoop {
  /// Bytes that go to one client before it is the others' turn.
  private static let turn = 1 << 20
  private static let block = 1 << 16
  /// How long a peer may take to say goodbye, ns.
  static let farewell: Int64 = 1_000_000_000

  /// ns on the monotonic clock.
  static var now: Int64 { motion_monotonic_nanoseconds() }

  let server: WebSocketServer
  let handler: any WebSocketHandler
  private let listener: Int32
  var connections: [WebSocketConnection] = []
  private var nextID = 1
  private var buffer = [UInt8](repeating: 0, count: 1 << 14)
  /// No descriptor was free: no connection is accepted before this time, ns.
  private var acceptAfter = Int64.min
  private var stopDeadline: Int64?

  init(server: WebSocketServer, listener: Int32, handler: any WebSocketHandler) {
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
      var hasMore = false
      for connection in connections where flush(connection) { hasMore = true }
      expire()
      if let stopDeadline {
        for connection in connections where !hasMore && connection.isOpen && !connection.hasUnsent {
          beginClosing(connection, .goingAway, "The program ends.")
        }
        if connections.isEmpty || Self.now >= stopDeadline { return }
      }
      wait(hasMore: hasMore)
    }
  }

  // MARK: Waiting

  private func wait(hasMore: Bool) {
    var descriptors = [pollfd(fd: server.wake.descriptor, events: Int16(POLLIN), revents: 0)]
    let handshakes = connections.count { $0.phase != .open }
    let listens = stopDeadline == nil && handshakes < server.limits.handshakes && Self.now >= acceptAfter
    descriptors.append(pollfd(fd: listens ? listener : -1, events: Int16(POLLIN), revents: 0))
    for connection in connections {
      let events = Int16(POLLIN) | (connection.hasUnsent ? Int16(POLLOUT) : 0)
      descriptors.append(pollfd(fd: connection.descriptor, events: events, revents: 0))
    }
    guard motion_ppoll(&descriptors, UInt(descriptors.count), hasMore ? 0 : patience) > 0 else { return }
    if descriptors[0].revents != 0 { server.wake.drain() }
    for (connection, entry) in zip(connections, descriptors.dropFirst(2)) where entry.revents != 0 {
      if entry.revents & Int16(POLLOUT) != 0 { connection.isBlocked = false }
      if entry.revents & Int16(POLLIN | POLLHUP | POLLERR) != 0 { read(connection) }
    }
    if descriptors[1].revents != 0 { accept() }
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

  private func accept() {
    var isExhausted = false
    if let descriptor = Socket.accept(listener, isExhausted: &isExhausted) {
      let deadline = Self.now + Int64(server.limits.handshakeSeconds * 1e9)
      connections.append(
        WebSocketConnection(id: nextID, descriptor: descriptor, deadline: deadline, limits: server.limits))
      nextID += 1
    } else if isExhausted {
      acceptAfter = Self.now + 1_000_000_000
    }
  }

  /// Ends those whose time is over.
  private func expire() {
    let now = Self.now
    for connection in connections where connection.deadline.map({ $0 <= now }) ?? false { remove(connection) }
  }

  // MARK: Writing

  /// Gives a client what waits for it; true when it could take more at once.
  private func flush(_ connection: WebSocketConnection) -> Bool {
    var given = 0
    while !connection.isBlocked {
      guard connection.sendUnsent() else {
        remove(connection)
        return false
      }
      if connection.hasUnsent { return false }
      if case .closing = connection.phase {
        if !connection.isShut { shutdown(connection.descriptor, Int32(SHUT_WR)) }
        connection.isShut = true
      }
      guard connection.isOpen else { return false }
      if given >= Self.turn { return true }
      refill(connection)
      if connection.unsent.isEmpty { return false }
      given += connection.unsent.count
    }
    return false
  }

  private func refill(_ connection: WebSocketConnection) {
    let now = Self.now
    let mayTell = now - connection.toldAt >= 1_000_000_000
    var isTold = false
    server.shared.withLock { shared in
      shared.outboxes[connection.id]?.pop(Self.block, mayTell: mayTell, to: &connection.unsent) { dropped in
        isTold = true
        return WebSocketFrame.encoded(.text, Array(server.notice(dropped).utf8))
      }
      shared.statistics.bytes += connection.unsent.count
    }
    if isTold { connection.toldAt = now }
  }

  // MARK: Reading

  private func read(_ connection: WebSocketConnection) {
    switch Socket.receive(connection.descriptor, into: &buffer) {
    case .later: return
    case .failed, .done(0): remove(connection)
    case .done(let count):
      switch connection.phase {
      case .closing: return
      case .open: connection.decoder.append(buffer[..<count])
      case .handshake:
        connection.head += buffer[..<count]
        shakeHands(connection)
      }
      if connection.isOpen { hear(connection) }
    }
  }

  private func shakeHands(_ connection: WebSocketConnection) {
    guard let request = connection.consumeHead() else {
      if connection.head.count > server.limits.headBytes { refuse(connection, WebSocketHandshake.tooLong) }
      return
    }
    guard request.count <= server.limits.headBytes else { return refuse(connection, WebSocketHandshake.tooLong) }
    guard let head = HTTPRequestHead(request) else { return refuse(connection, WebSocketHandshake.notARequest) }
    let hasRoom = connections.count(where: \.isOpen) < server.limits.clients && stopDeadline == nil
    switch server.handshake.answer(head, hasRoom: hasRoom) {
    case .refused(let refusal): refuse(connection, refusal)
    case .accepted(let response):
      connection.unsent += response.utf8
      connection.phase = .open
      server.shared.withLock { shared in
        shared.outboxes[connection.id] = Outbox(limits: server.limits)
        shared.statistics.connected += 1
      }
      handler.opened(connection.id)
    }
  }

  private func refuse(_ connection: WebSocketConnection, _ refusal: WebSocketHandshake.Refusal) {
    server.shared.withLock { $0.statistics.refused += 1 }
    connection.unsent += refusal.text.utf8
    connection.phase = .closing(deadline: Self.now + Self.farewell)
  }

  private func hear(_ connection: WebSocketConnection) {
    do throws(WebSocketBreach) {
      while connection.isOpen, let event = try connection.decoder.next() {
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

  private func answer(_ connection: WebSocketConnection, _ frame: [UInt8]) {
    let isPatient = server.shared.withLock { $0.outboxes[connection.id]?.pushAnswer(frame) ?? true }
    if !isPatient { beginClosing(connection, .policy, "Too many requests are pending.") }
  }

  // MARK: Ending

  private func beginClosing(_ connection: WebSocketConnection, _ code: WebSocketCloseCode, _ reason: String) {
    forget(connection)
    connection.unsent += WebSocketFrame.close(code, reason)
    connection.phase = .closing(deadline: Self.now + Self.farewell)
  }

  private func remove(_ connection: WebSocketConnection) {
    if connection.isOpen { forget(connection) }
    connections.removeAll { $0 === connection }
    close(connection.descriptor)
  }

  private func forget(_ connection: WebSocketConnection) {
    server.shared.withLock { shared in
      guard let outbox = shared.outboxes.removeValue(forKey: connection.id) else { return }
      shared.statistics.dropped += outbox.dropped
      shared.statistics.frames += outbox.passed
    }
    handler.closed(connection.id)
  }
}
