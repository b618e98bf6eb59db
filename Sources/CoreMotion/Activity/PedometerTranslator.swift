// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Turns the samples of one start of a pedometer into counts since a date (S65).
///
/// The count has two parts: what the history holds of the time before the first sample, and what the estimator has
/// counted since, up to the time that the client receives as the end. Where the samples pause (the app was
/// suspended), the history fills the gap. A recorder writes a few seconds late, so the history is read again with
/// each update until a minute has passed.
final class PedometerTranslator: Sendable {
  private struct State {
    var estimator: ActivityEstimator
    var counted = StepTotals()
    /// Spans that only the history covers.
    var spans: [(from: Date, to: Date)] = []
    var past = StepTotals()
    /// Until when the history may still grow within the spans.
    var settles: SensorInstant?
    var last: SensorInstant?
    var returnCount: Int
  }

  /// A pause in the samples that steps may have been missed in.
  private static let longestGap = SensorDuration.seconds(5)
  /// How long a recorder may take to write what it has seen.
  private static let writingDelay = SensorDuration.seconds(60)

  /// The client's date, and where it lies in the run.
  private let start, begin: Date
  private let host: MotionHost
  /// Whether there was a past to count when the service started.
  private let hasPast: Bool
  private let use: HostHistory.Use?
  private let state: Lock<State>

  init(from start: Date, host: MotionHost) {
    begin = host.onRun(start)
    // Of a run that keeps pace with the wall clock the client receives his own date again.
    self.start = abs(begin.timeIntervalSince(start)) < 0.25 ? start : begin
    (self.host, use) = (host, host.history.keep())
    hasPast = begin < host.now - 1
    state = Lock(State(estimator: host.activityEstimator(for: host.device), returnCount: host.returnCount))
  }

  /// The count after a sample, when it has changed.
  func translate(_ sample: SensorSample) -> CMPedometerData.Values? {
    state.withLock { state in
      let isReturn = noteTime(sample.time, &state)
      let update = state.estimator.update(sample)
      return values(after: update, at: sample.time, always: isReturn, &state)
    }
  }

  /// The same at the end of a recording, whose last steps have been waiting.
  func finish() -> CMPedometerData.Values? {
    state.withLock { state in
      guard let last = state.last else { return nil }
      let end = max(last, host.device?.now ?? last)
      let isReturn = noteTime(end, &state)
      return values(after: state.estimator.finish(), at: end, always: isReturn, &state)
    }
  }

  /// For a service of counts; `isWanted` decides which of them a client receives.
  func sink(
    for output: ServiceOutput<CMPedometerData.Values, CMPedometerData>,
    isWanted: @escaping @Sendable (CMPedometerData.Values) -> Bool = { _ in true }
  ) -> HubSink {
    HubSink(
      sample: { [self] in if let values = translate($0), isWanted(values) { output.emit(values) } },
      news: { [self] in if case .ended = $0, let values = finish(), isWanted(values) { output.emit(values) } })
  }

  /// Notes the spans without samples. True when the client is to receive the present count at once.
  private func noteTime(_ time: SensorInstant, _ state: inout State) -> Bool {
    defer { state.last = time }
    let now = host.date(of: time)
    guard let last = state.last else {
      if begin < now { addSpan(from: begin, to: now, at: time, &state) }
      return hasPast
    }
    if time - last > Self.longestGap { addSpan(from: host.date(of: last), to: now, at: time, &state) }
    defer { state.returnCount = host.returnCount }
    return state.returnCount != host.returnCount
  }

  private func addSpan(from start: Date, to end: Date, at time: SensorInstant, _ state: inout State) {
    state.spans.append((start, end))
    state.settles = time + Self.writingDelay
  }

  private func values(
    after update: ActivityUpdate?, at time: SensorInstant, always: Bool, _ state: inout State
  ) -> CMPedometerData.Values? {
    if let epoch = update?.steps { state.counted.add(StepTotals(epoch)) }
    guard update?.steps != nil || always else { return nil }
    if let settles = state.settles {
      state.past = state.spans.reduce(into: StepTotals()) { $0.add(host.pastSteps(from: $1.from, to: $1.to)) }
      if time > settles { state.settles = nil }
    }
    var total = state.past
    total.add(state.counted)
    let known = SensorInstant(nanoseconds: state.estimator.knownUntil)
    var values = CMPedometerData.Values(
      total, from: start, to: max(start, host.date(of: update?.steps == nil ? time : min(time, known))))
    values.currentCadence = state.estimator.cadence
    values.currentPace = state.estimator.pace
    return values
  }
}

extension CMPedometerData.Values {
  /// The count of a span of time, as a query gives it: without what is true of a moment only (S67).
  init(_ steps: StepTotals, from start: Date, to end: Date) {
    self.init(startDate: start, endDate: end, numberOfSteps: steps.steps)
    distance = steps.distance
    (floorsAscended, floorsDescended) = (steps.floorsAscended, steps.floorsDescended)
    averageActivePace = steps.distance > 0 ? steps.activeTime / steps.distance : nil
  }
}
