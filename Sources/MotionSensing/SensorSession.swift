// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// One run of one source: its output (`deliver`), its clock, and the descriptor that ends its waits.
///
/// The session belongs to the runner of the source. `stop` sets a flag, signals the descriptor and cancels the task; it
/// never waits for the source, so it may be called from inside a handler.
public final class SensorSession: Sendable {
  /// Receives a sample on the source's thread; throws to end the run.
  public typealias Sink = @Sendable (SensorSample, SensorSession) throws(SourceStopped) -> Void
  /// Receives a connection state on the source's thread; throws to end the run.
  public typealias ConnectionSink = @Sendable (ConnectionState, SensorSession) throws(SourceStopped) -> Void

  /// The clock of the source, on the source's own time line.
  public let clock: any SensorClock
  /// Signalled at stop, at a new request, and when a slow consumer has caught up.
  public let wake: WakeSignal
  /// The last instant that the previous run delivered; a recording continues after it. Nil in the first run.
  public let resumeAfter: SensorInstant?

  /// The session that this one is a view of; nil for a session of its own.
  private let parent: SensorSession?
  private let sink: Sink
  private let connectionSink: ConnectionSink?
  private let stopped = Atomic<Bool>(false)
  private let requested: Lock<SensorRequest>
  private let onStop = Lock<(@Sendable () -> Void)?>(nil)

  /// A session over a clock; `sink` receives samples, `connectionSink` (default: none) reports of the connection.
  public init(
    clock: any SensorClock, wake: WakeSignal = WakeSignal(), resumeAfter: SensorInstant? = nil, request: SensorRequest,
    connectionSink: ConnectionSink? = nil, sink: @escaping Sink
  ) {
    self.clock = clock
    self.wake = wake
    self.resumeAfter = resumeAfter
    self.sink = sink
    self.connectionSink = connectionSink
    parent = nil
    requested = Lock(request)
  }

  /// The same run with `transform` applied, for a source that wraps another one: it runs the other one with this
  /// session. Clock, wake signal, requests and stop are those of `parent`, and every sample passes through `transform`
  /// before `parent` receives it. `connection` (default: none) receives the reports of the connection before it does.
  public init(
    of parent: SensorSession, connection: (@Sendable (ConnectionState) -> Void)? = nil,
    transform: @escaping @Sendable (SensorSample) -> SensorSample
  ) {
    self.parent = parent
    clock = parent.clock
    wake = parent.wake
    resumeAfter = parent.resumeAfter
    sink = { (sample, _) throws(SourceStopped) in try parent.deliver(transform(sample)) }
    connectionSink = { (state, _) throws(SourceStopped) in
      connection?(state)
      try parent.report(state)
    }
    requested = Lock(parent.request)
  }

  /// True once the session has been stopped; it never becomes false again.
  public var isStopped: Bool { stopped.load(ordering: .acquiring) || parent?.isStopped == true }

  /// The current request of the subscribers. A driver reads it at the start and after each wake.
  public var request: SensorRequest { parent?.request ?? requested.withLock { $0 } }

  /// Delivers a sample. May block while a consumer of an on-demand source is behind.
  public func deliver(_ sample: SensorSample) throws(SourceStopped) { try sink(sample, self) }

  /// Reports whether the device is connected and which of its sensors is active: at the start of each run and at each
  /// change, for sources that name ``SensorKinds/connection``. Reporting the same state again has no effect.
  public func report(_ connection: ConnectionState) throws(SourceStopped) { try connectionSink?(connection, self) }

  /// Waits until the session's clock reaches `deadline`; a stop ends the wait by throwing.
  public func wait(until deadline: SensorInstant) throws(SourceStopped) {
    while true {
      if isStopped { throw SourceStopped() }
      if clock.wait(until: deadline, wake: wake) { break }
    }
    if isStopped { throw SourceStopped() }
  }

  /// Ends the run soon; returns at once. Further calls do nothing.
  public func stop() {
    guard !stopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    wake.signal()
    let action = onStop.withLock { exchange(&$0, with: nil) }
    action?()
  }

  /// Changes the request; the source reads it at its next wake.
  public func update(_ request: SensorRequest) {
    requested.withLock { $0 = request }
    wake.signal()
  }

  /// Sets an action for stop (cancelling the task of an asynchronous source). It runs once, and immediately if the
  /// session is already stopped.
  public func whenStopped(_ action: @escaping @Sendable () -> Void) {
    onStop.withLock { $0 = action }
    guard isStopped else { return }
    let pending = onStop.withLock { exchange(&$0, with: nil) }
    pending?()
  }
}
