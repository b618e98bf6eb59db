// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A source that a test can unplug at any moment.
///
/// The inner source runs on a session of its own, which shares the wake signal of the real one, so a stop or a new
/// request reaches it through its clock. Unplugging ends that session; the run then fails like that of a disconnected
/// device. The hub retries every half second of the clock's time, which succeeds after it is plugged in again.
final class UnpluggableSource: SensorSource {
  private struct State {
    var isPlugged = true
    var session: SensorSession?
    var firstRun: SensorInstant?
  }

  let source: any SensorSource
  private let state = Lock(State())

  init(_ source: any SensorSource) { self.source = source }

  var info: SensorInfo { source.info }
  /// When the first run began, on the session's clock: time 0 of a script. Nil: there has been no subscriber yet.
  var firstRun: SensorInstant? { state.withLock { $0.firstRun } }
  var isPlugged: Bool { state.withLock { $0.isPlugged } }

  func setPlugged(_ isPlugged: Bool) {
    let session = state.withLock { state in
      state.isPlugged = isPlugged
      return isPlugged ? nil : state.session
    }
    session?.stop()
  }

  func run(_ session: SensorSession) async throws {
    let inner = SensorSession(
      clock: ForwardingClock(outer: session), wake: session.wake, resumeAfter: session.resumeAfter,
      request: session.request,
      connectionSink: { (connection, inner) throws(SourceStopped) in
        if inner.isStopped { throw SourceStopped() }
        try session.report(connection)
      }
    ) { (sample, inner) throws(SourceStopped) in
      if inner.isStopped { throw SourceStopped() }
      try session.deliver(sample)
    }
    try state.withLock { state in
      guard state.isPlugged else { throw absent }
      state.session = inner
      state.firstRun = state.firstRun ?? session.clock.now
    }
    (inner.clock as? ForwardingClock)?.connect(inner)
    defer { state.withLock { $0.session = nil } }
    do {
      try await source.run(inner)
    } catch {
      if session.isStopped { throw SourceStopped() }
      throw isPlugged || !inner.isStopped ? error : absent
    }
    if inner.isStopped, !session.isStopped { throw absent }
  }

  private var absent: SensorError {
    SensorError(.disconnected, "The test unplugged the \(info.name); replug it and wait half a second.")
  }
}

/// The clock of an inner session: at each wait it looks whether the outer one has been stopped or asked for something
/// else.
private final class ForwardingClock: SensorClock {
  private let outer: SensorSession
  private let inner = Lock(Unowned())

  private struct Unowned { weak var session: SensorSession? }

  init(outer: SensorSession) { self.outer = outer }

  func connect(_ session: SensorSession) { inner.withLock { $0.session = session } }

  var now: SensorInstant { outer.clock.now }

  func wait(until deadline: SensorInstant, wake: WakeSignal) -> Bool {
    let reached = outer.clock.wait(until: deadline, wake: wake)
    if let session = inner.withLock({ $0.session }) {
      if outer.isStopped {
        session.stop()
      } else if session.request != outer.request {
        session.update(outer.request)
      }
    }
    return reached
  }

  func beginWork() { outer.clock.beginWork() }
  func endWork() { outer.clock.endWork() }
}
