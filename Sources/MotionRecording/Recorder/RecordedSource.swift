// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A source whose samples are recorded on their way to all subscribers: as they came, before any calibration.
struct RecordedSource: SensorSource {
  private struct State {
    var first: SensorInstant?
    var last: SensorInstant?
    /// When the last one was received.
    var received: SensorInstant?
    var connection: ConnectionState?
    /// Since the source failed, no sample has come.
    var isSilentAfterFailure = false
  }

  let base: any SensorSource
  let recorder: Recorder
  /// Whether the session's clock tells when a sample was received; a free-running one does not.
  let knowsArrival: Bool
  /// Of sample time; nil = no end.
  let limit: SensorDuration?
  let onLimit: @Sendable () -> Void
  private let state = Lock(State())

  init(
    _ base: any SensorSource, recorder: Recorder, knowsArrival: Bool, limit: SensorDuration?,
    onLimit: @escaping @Sendable () -> Void
  ) {
    (self.base, self.recorder, self.knowsArrival) = (base, recorder, knowsArrival)
    (self.limit, self.onLimit) = (limit, onLimit)
  }

  var info: SensorInfo { base.info }
  /// Whether a sample has been recorded.
  var hasSpoken: Bool { state.withLock { $0.first != nil } }

  func run(_ session: SensorSession) async throws {
    do {
      try await base.run(
        SensorSession(of: session, connection: { record($0, session) }) { sample in
          record(sample, session)
          return sample
        })
    } catch {
      if let error = error as? SensorError, !session.isStopped { note(error, session) }
      throw error
    }
  }

  private func record(_ sample: SensorSample, _ session: SensorSession) {
    // What the source still delivers while it is being stopped is dropped.
    guard !session.isStopped else { return }
    let time = sample.time
    let received = knowsArrival ? session.clock.now : nil
    let (first, silentSince) = state.withLock { state -> (SensorInstant, SensorInstant?) in
      defer { (state.last, state.received, state.isSilentAfterFailure) = (time, received, false) }
      state.first = state.first ?? time
      return (state.first ?? time, state.isSilentAfterFailure ? state.last : nil)
    }
    if isOver(time, since: first) { return onLimit() }
    if let silentSince {
      let gap = RecordingEvent.gap(silentSince, service: "source", duration: time - silentSince, lost: nil)
      recorder.append(.event(gap, receivedAt: received))
    }
    recorder.append(.sample(sample, receivedAt: received))
  }

  /// Whether a sample is beyond the limit. The microsecond takes up the rounding of time stamps, so that 2 s at 100 Hz
  /// are 200 samples.
  private func isOver(_ time: SensorInstant, since first: SensorInstant) -> Bool {
    guard let limit else { return false }
    return time - first + SensorDuration(nanoseconds: 1000) >= limit
  }

  /// Records something that was computed from the samples; it counts as received with the last of them.
  func add(_ sample: SensorSample) {
    let (first, received) = state.withLock { ($0.first ?? sample.time, $0.received) }
    guard !isOver(sample.time, since: first) else { return }
    recorder.append(.sample(sample, receivedAt: received))
  }

  /// A report that says nothing new is not written.
  private func record(_ connection: ConnectionState, _ session: SensorSession) {
    let isNews = state.withLock { state in
      defer { state.connection = connection }
      return state.connection != connection
    }
    guard isNews, !session.isStopped else { return }
    record(RecordingEvent(connection, at: now(session)), session)
  }

  private func note(_ error: SensorError, _ session: SensorSession) {
    // Told once, however often the source is tried again.
    let isNews = state.withLock { state in
      defer { (state.isSilentAfterFailure, state.connection) = (state.first != nil, nil) }
      return state.first != nil && !state.isSilentAfterFailure
    }
    guard isNews else { return }
    let event = RecordingEvent.error(
      now(session), service: "source", domain: "opencoremotion.\(error.code.rawValue)", code: Int(error.errno ?? 0),
      message: error.message)
    record(event, session)
  }

  private func record(_ event: RecordingEvent, _ session: SensorSession) {
    recorder.append(.event(event, receivedAt: knowsArrival ? session.clock.now : nil))
  }

  /// On the time line of the samples: where the clock does not tell, as late as the last of them.
  private func now(_ session: SensorSession) -> SensorInstant {
    knowsArrival ? session.clock.now : state.withLock { $0.last } ?? session.clock.now
  }
}
