// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Dispatch
import MotionSensing

/// Starting, ending and restarting the source.
extension MotionHub {
  /// The first worker of the system's queues opens two descriptors, and libdispatch ends the process where there are
  /// none. So it begins with the first hub: when descriptors run out later, a client is still informed in its handler.
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

  /// Called under the lock, before a subscriber joins: decides whether a recording begins again for it. A run without
  /// subscribers to samples has to end first.
  func rewind(_ state: inout State, for listener: Listener) {
    guard restarts else { return }
    if state.hasEnded, state.failure == nil { (state.hasEnded, state.isFresh) = (false, true) }
    guard listener.wantsSamples, case .running(let session) = state.run else { return }
    if state.isFresh {
      state.run = .closing(session)
    } else if pipeline.lastInstant != nil {
      listener.isLate = true
    }
  }

  /// Called under the lock. The new session must be launched outside it.
  func beginRunIfWanted(_ state: inout State) -> SensorSession? {
    guard case .none = state.run, isWanted(state), state.isGateOpen, !state.hasEnded
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
      if session.isStopped { throw SourceStopped() }
      if pipeline.isFirstOfRun() { noteReturn() }
      try pipeline.push(sample, session)
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
    defer { pipeline.keep() }
    do {
      try session.wake.check()
      try await source.run(session)
      guard !session.isStopped else { return .stopped }
      try pipeline.finish(session)
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
    change { state in
      state.run = .none
      // What was reported held for that run; the next one begins with its own report.
      state.connection = nil
      state.lastInstant = pipeline.lastInstant ?? state.lastInstant
      switch outcome {
      case .stopped:
        return []
      case .ended where restarts:
        // All have left meanwhile: who has come since wants the recording from its beginning.
        return state.isFresh ? [] : end(&state).map { ($0, $0.ending) }
      case .ended:
        state.hasEnded = true
        return state.listeners.map { ($0, $0.ending) }
      case .failed(let error):
        // Sent once per failure, however often the retry fails.
        let isNews = state.failure == nil
        // Without subscribers the next start finds out for itself, unless trying again is useless.
        state.failure = state.listeners.isEmpty && error.isTransient ? nil : error
        if !error.isTransient { state.hasEnded = true }
        guard isNews else { return [] }
        // A device that has failed is not there; its listeners receive that first.
        return state.listeners.flatMap { listener -> [(Listener, HubNews?)] in
          (listener.stream.receivesConnection ? [(listener, nil)] : []) + [(listener, .failed(error))]
        }
      }
    }
    clock.endWork()
  }

  /// Called under the lock at the end of a recording. Its subscribers get no more samples; those that joined too late
  /// for any sample wait for the next run. Returns the subscribers that are informed of the end.
  private func end(_ state: inout State) -> [Listener] {
    var (late, audience): ([Listener], [Listener]) = ([], [])
    for listener in state.listeners {
      if listener.isLate, !listener.hasReceived { late.append(listener) } else { audience.append(listener) }
      listener.isLate = false
    }
    state.listeners.removeAll { listener in listener.wantsSamples && !late.contains { $0 === listener } }
    (state.hasEnded, state.isFresh) = (late.isEmpty, true)
    return audience
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
