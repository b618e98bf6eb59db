// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// One run of an ``AirPodsSource``: one thread, which waits for the channel, the session's signal and the link's
/// deadline.
struct AirPodsRun {
  private let source: AirPodsSource
  private let session: SensorSession
  private var link: AirPodsLink
  private var channel: (any AirPodsChannel)?
  /// What is being done; its memory goes back and forth between the link and here, so that a sample costs none.
  private var batch: [AirPodsLink.Action] = []
  private var buffer = [UInt8](repeating: 0, count: Int(L2CAPConnector.inboundMTU) + 1)

  init(source: AirPodsSource, session: SensorSession) {
    self.source = source
    self.session = session
    let stored = source.state.withLock { $0 }
    link = AirPodsLink(options: source.options, memory: stored.memory, statistics: stored.statistics)
  }

  mutating func deliverAll() throws {
    defer { finish() }
    link.begin()
    while true {
      link.request(motion: session.request.kinds != .connection, at: session.clock.now)
      try perform()
      publish()
      wait()
      if session.isStopped { throw SourceStopped() }
      try readAll()
      link.tick(at: session.clock.now)
    }
  }

  private func wait() {
    if let channel { return channel.wait(until: link.deadline, session: session) }
    if link.deadline.nanoseconds == .max {
      _ = session.wake.wait(limit: nil)
    } else {
      _ = session.clock.wait(until: link.deadline, wake: session.wake)
    }
  }

  /// Does what the link wants, in order; an open channel may lead to more.
  private mutating func perform() throws {
    while !link.actions.isEmpty {
      swap(&batch, &link.actions)
      defer { batch.removeAll(keepingCapacity: true) }
      for index in batch.indices { try perform(batch[index]) }
    }
  }

  private mutating func perform(_ action: AirPodsLink.Action) throws {
    switch action {
    case .open:
      publish()
      do {
        let opened = try source.connector.connect(to: source.device, session: session)
        channel = opened
        link.opened(address: opened.address, at: session.clock.now)
      } catch let error as SensorError {
        // Waiting fixes neither a mistake in the address nor a system that denies access.
        guard [.disconnected, .busy, .notFound].contains(error.code) else { throw error }
        link.failed(error, at: session.clock.now)
      }
    case .send(let packet):
      do { try channel?.write(packet) } catch { lose(error) }
    case .close: closeChannel()
    case .report(let connection): try session.report(connection)
    case .deliver(let sample):
      guard session.resumeAfter.map({ sample.time > $0 }) ?? true else { return }
      try session.deliver(.motion(sample))
    }
  }

  /// Everything that has arrived; each packet's samples go on before the next one is read.
  private mutating func readAll() throws {
    while let channel {
      if session.isStopped { throw SourceStopped() }
      let count: Int?
      do { count = try channel.read(into: &buffer) } catch {
        lose(error)
        return
      }
      guard let count else { return }
      link.received(buffer[..<min(count, buffer.count)], at: session.clock.now)
      try perform()
    }
  }

  private mutating func lose(_ error: SensorError) {
    guard channel != nil else { return }
    closeChannel()
    link.failed(error, at: session.clock.now)
  }

  private mutating func closeChannel() {
    channel?.close()
    channel = nil
  }

  private func publish() {
    source.state.withLock { state in
      state.status = link.status
      state.statistics = link.statistics
    }
  }

  /// Interval 0 is sent in any case: a stream that is not stopped empties the batteries of the buds.
  private mutating func finish() {
    link.end()
    for action in link.drainActions() {
      if case .send(let packet) = action { try? channel?.write(packet) }
    }
    closeChannel()
    publish()
    source.state.withLock { $0.memory = link.memory }
  }
}
