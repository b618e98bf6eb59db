// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionSensing

/// Starting, ending and restarting the source.
extension MotionHub {
  /// The first worker of the system's queues opens two descriptors, and libdispatch ends the process where there are
  /// none. So it begins with the first hub: when descriptors run out later, a client still hears of it in its handler.
  static let hasWorkers: Bool = {
    guard hasDescriptors() else { return false }
    let begun = DispatchSemaphore(value: 0)
    DispatchQueue.global(qos: .userInitiated).async { begun.signal() }
    return begun.wait(timeout: .now() + .milliseconds(100)) == .success
  }()

  private static func hasDescriptors() -> Bool {
    let probes = [WakeSignal(), WakeSignal()]
    return withExtendedLifetime(probes) { probes.allSatisfy { $0.descriptor >= 0 } }
  }

  /// How long to wait before a failed source is tried again.
  static let retryInterval = SensorDuration.milliseconds(500)

  /// Called under the lock, before a subscriber joins: decides whether a recording begins again for it. Returns the run
  /// that has to end first: one without subscribers to samples.
  func rewind(_ state: inout State, for subscription: Subscription) -> SensorSession? {
    guard restarts else { return nil }
    if state.hasEnded, state.failure == nil { (state.hasEnded, state.isFresh) = (false, true) }
    guard subscription.wantsSamples, case .running(let session) = state.run else { return nil }
    guard state.isFresh else {
      if pipeline.lastInstant != nil { subscription.setLate(true) }
      return nil
    }
    state.run = .closing(session)
    return session
  }

  /// Called under the lock. The new session must be launched outside it.
  func beginRunIfWanted(_ state: inout State) -> SensorSession? {
    guard case .none = state.run, isWanted(state), !state.isHeld, state.isGateOpen, !state.hasEnded
    else { return nil }
    let pipeline = pipeline
    if restarts, state.isFresh {
      state.lastInstant = nil
      pipeline.rewind()
    }
    state.isFresh = false
    let session = SensorSession(
      clock: sessionClock(resumingAfter: state.lastInstant), resumeAfter: state.lastInstant,
      request: combinedRequest(of: state),
      connectionSink: { [unowned self] (connection, session) throws(SourceStopped) in
        if session.isStopped { throw SourceStopped() }
        pipeline.update(connection)
        note(connection)
      }
    ) { [unowned self] (sample, session) throws(SourceStopped) in
      try pipeline.push(sample, session, hub: self)
    }
    state.run = .running(session)
    state.runCount += 1
    // Ended in `finished`: virtual time must not move between the start call and the source's first wait.
    clock.beginWork()
    return session
  }

  /// A recorded time line is laid over the host's clock so that it goes on from where it was, now.
  private func sessionClock(resumingAfter last: SensorInstant?) -> any SensorClock {
    guard case .recorded(let start) = info.timeLine else {
      guard rate != 1 else { return clock }
      let now = clock.now
      return RecordingClock(base: clock, anchor: now, origin: max(last ?? now, now), rate: rate)
    }
    return RecordingClock(base: clock, anchor: clock.now, origin: last ?? start, rate: rate)
  }

  func launch(_ session: SensorSession) {
    let delay: SensorDuration? =
      if case .settle(let duration) = gate, session.resumeAfter == nil { duration } else { nil }
    let isRetry = failure != nil
    do throws(SensorError) {
      let task = try DedicatedThread.launch("motion source") { [self] in
        if let delay { Self.pause(delay, session, MonotonicClock()) }
        if isRetry { pauseBeforeRetry(session) }
        finished(session, await outcome(of: session))
      }
      session.whenStopped { task.cancel() }
    } catch {
      // Reported from a thread that exists already, and tried again like a device that is busy.
      Task.detached { [self] in
        if isRetry { try? await Task.sleep(nanoseconds: UInt64(clamping: Self.retryInterval.nanoseconds)) }
        finished(session, session.isStopped ? .stopped : .failed(error))
      }
    }
  }

  private func pauseBeforeRetry(_ session: SensorSession) {
    let start = clock.now
    Self.pause(Self.retryInterval, session, clock)
    // A free-running clock lets no time pass: without this a replay that keeps failing would spin.
    if clock.now - start < Self.retryInterval { Self.pause(Self.retryInterval, session, MonotonicClock()) }
  }

  /// Waits, or less when the session is stopped.
  private static func pause(_ duration: SensorDuration, _ session: SensorSession, _ clock: any SensorClock) {
    let end = clock.now + duration
    while !session.isStopped, !clock.wait(until: end, wake: session.wake) {}
  }

  /// How a run ended.
  private enum Outcome {
    case stopped
    case ended
    case failed(SensorError)
  }

  private func outcome(of session: SensorSession) async -> Outcome {
    guard !session.isStopped else { return .stopped }
    pipeline.begin()
    pipeline.forgetConnection()
    defer { pipeline.keep() }
    do {
      try session.wake.check()
      try await source.run(session)
      guard !session.isStopped else { return .stopped }
      try pipeline.finish(session, hub: self)
      return .ended
    } catch let error as SensorError where !session.isStopped {
      return .failed(error)
    } catch is SourceStopped {
      return .stopped
    } catch {
      // An error that comes out of a stopped source is only the way it ended.
      if session.isStopped { return .stopped }
      return .failed(SensorError(.system, "The motion source failed: \(error)."))
    }
  }

  private func finished(_ session: SensorSession, _ outcome: Outcome) {
    // First of all: a program that sees the end of the run may end itself.
    if case .failed(let error) = outcome, failure == nil { watch?(.over(error)) } else { watch?(.over(nil)) }
    let (next, news, listeners) = state.withLock { state -> (SensorSession?, HubNews?, [Subscription]) in
      state.run = .none
      // What was reported held for that run; the next one begins with its own report.
      state.connection = nil
      state.lastInstant = pipeline.lastInstant ?? state.lastInstant
      var news: HubNews?
      var listeners = state.subscriptions
      switch outcome {
      case .stopped:
        break
      case .ended where restarts:
        // All have left meanwhile: who has come since wants the recording from its beginning.
        if state.isFresh { break }
        news = .ended
        listeners = end(&state)
      case .ended:
        state.hasEnded = true
        news = .ended
      case .failed(let error):
        // Sent once per failure, however often the retry fails.
        if state.failure == nil { news = .failed(error) }
        // Without subscribers the next start finds out for itself, unless trying again is useless.
        state.failure = state.subscriptions.isEmpty && error.isTransient ? nil : error
        if !error.isTransient { state.hasEnded = true }
      }
      return (beginRunIfWanted(&state), news, listeners)
    }
    if let news {
      for listener in listeners {
        // A device that has failed is not there; its listeners receive that first.
        if case .failed = news, listener.stream.receivesConnection { listener.sendConnection() }
        listener.send(news)
      }
    }
    if let next { launch(next) }
    clock.endWork()
  }

  /// Called under the lock at the end of a recording. Its subscribers get no more samples; those that joined too late
  /// for any sample wait for the next run. Returns the subscribers that are told of the end.
  private func end(_ state: inout State) -> [Subscription] {
    let late = state.subscriptions.filter { $0.isLate && !$0.hasHeard }
    let audience = state.subscriptions.filter { listener in !late.contains { $0 === listener } }
    for listener in late { listener.setLate(false) }
    for listener in audience where listener.wantsSamples { listener.setOver() }
    state.subscriptions.removeAll(where: \.isOver)
    (state.hasEnded, state.isFresh) = (late.isEmpty, true)
    return audience
  }

  /// The source has delivered after a failure: it is back.
  func noteReturn() {
    let hasReturned = state.withLock { state in
      defer { state.failure = nil }
      return state.failure != nil
    }
    if hasReturned { sendConnection() }
  }
}

extension SensorError {
  /// Whether trying again may help: a device can come back, a broken file stays broken.
  var isTransient: Bool {
    switch code {
    case .disconnected, .notPermitted, .busy, .notFound, .system: true
    default: false
    }
  }
}
