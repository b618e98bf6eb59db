// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MotionMath
package import MotionSensing
package import MotionServices

/// Follows a device and keeps what it does: steps, activities, and on request the accelerometer at 50 Hz.
///
/// The recorder's command and the history in memory of a program use the same: one subscription to the device's hub, an
/// ``ActivityEstimator``, and a ``HistorySink``. Samples that are in the history already, because a recording is played
/// again, are left out.
package final class HistoryRecorder: Sendable {
  /// How much of the accelerometer is kept.
  package enum Accelerometer: Sendable, Equatable {
    case none
    case always
    /// Until a time on the clock of the samples.
    case until(SensorInstant)
  }

  fileprivate struct State {
    var estimator: ActivityEstimator
    var batcher: AccelerationBatcher
    var decimator = Decimator(interval: HistoryRecorder.interval)
    var accelerometer: Accelerometer
    /// A request from before the first sample.
    var requested: SensorDuration?
    var line: TimeLine?
    var first, last: SensorInstant?
    /// Samples up to here are known.
    var known: SensorInstant?
    var skipped = 0
  }

  /// 50 Hz, the rate of Core Motion's recorder (S73).
  private static let interval = SensorDuration.milliseconds(20)
  /// A step back that is no disorder but another pass over a recording.
  private static let rewind = SensorDuration.seconds(1)

  package let sink: any HistorySink
  private let hub: MotionHub
  private let dates: Lock<SampleDates>
  private let source: String
  private let state: Lock<State>
  private let subscription = Lock<Subscription?>(nil)
  private let onEnd: @Sendable (SensorError?) -> Void
  private let onAccelerometerEnd: @Sendable () -> Void

  /// - Parameters:
  ///   - source: the address that every row names.
  ///   - onAccelerometerEnd: is called when the time is over for which the accelerometer was to be kept.
  ///   - onEnd: is called when the source is over, or why it has failed; it may return after a failure.
  package init(
    host: MotionHost, hub: MotionHub, sink: any HistorySink, source: String, accelerometer: Accelerometer,
    onAccelerometerEnd: @escaping @Sendable () -> Void = {},
    onEnd: @escaping @Sendable (SensorError?) -> Void = { _ in }
  ) {
    (self.hub, self.sink, self.source) = (hub, sink, source)
    (self.onEnd, self.onAccelerometerEnd) = (onEnd, onAccelerometerEnd)
    dates = host.dates
    state = Lock(
      State(
        estimator: host.activityEstimator(for: hub),
        batcher: AccelerationBatcher(range: hub.info.channel(.accelerometer)?.range), accelerometer: accelerometer))
  }

  /// Follows the device from now on; a recording that is over is not played again.
  package func start() {
    subscription.withLock { subscription in
      guard subscription == nil else { return }
      subscription = hub.subscribe(
        .activity, interval: Self.interval, receivesTime: true, runsInBackground: true
      ) { [weak self] sample in
        self?.take(sample)
      } news: { [weak self] news in
        self?.receive(news)
      }
    }
  }

  /// Ends it, and writes what has been collected.
  package func stop() {
    subscription.withLock { exchange(&$0, with: nil) }?.cancel()
    finish()
    sink.finish(at: now)
  }

  deinit { subscription.withLock { $0 }?.cancel() }

  /// Keeps the accelerometer for so long from now; of several requests the one that ends last counts.
  package func recordAccelerometer(for duration: SensorDuration) {
    let isSystem = dates.withLock { $0.followsSystemClock }
    state.withLock { state in
      guard state.accelerometer != .always else { return }
      guard let last = state.last else {
        state.requested = max(state.requested ?? .zero, duration)
        return
      }
      state.extend(to: (isSystem ? max(last, MonotonicClock().now) : last) + duration)
    }
  }

  /// Writes the steps that are known, and on request what is collected of the accelerometer, so that a question is
  /// answered up to the latest sample.
  package func writeCollected(accelerometer: Bool = false) {
    let collected = state.withLock { state -> (HistoryRows, TimeLine)? in
      guard let line = state.line else { return nil }
      var rows = HistoryRows()
      if accelerometer, let batch = state.batcher.finish() { rows.batches = [batch] }
      if let steps = state.estimator.takeSteps() { rows.add(ActivityUpdate(steps: steps)) }
      return rows.isEmpty ? nil : (rows, line)
    }
    if let (rows, line) = collected { sink.write(rows, line: line, durably: true, at: now) }
  }

  /// The dates of the first and the latest sample; nil before the first.
  package var range: ClosedRange<Date>? {
    let (first, last) = state.withLock { ($0.first, $0.last) }
    guard let first, let last else { return nil }
    return dates.withLock { dates in
      let begin = dates.date(of: first)
      return begin...max(begin, dates.date(of: last))
    }
  }

  /// Whether it keeps the accelerometer now, or will from the first sample on.
  package var isRecordingAccelerometer: Bool { state.withLock { $0.accelerometer != .none || $0.requested != nil } }

  /// What happened to the samples so far.
  package var statistics: TimelineStatistics { hub.statistics }

  /// Samples that were known already.
  package var skipped: Int { state.withLock { $0.skipped } }

  private var now: Date { range?.upperBound ?? Date() }

  private func receive(_ news: HubNews) {
    switch news {
    case .failed(let error):
      finish()
      onEnd(error)
    case .ended:
      finish()
      onEnd(nil)
    case .connection, .time: break
    }
  }

  private func take(_ sample: SensorSample) {
    let (line, date) = dates.withLock { ($0.line(of: sample.time, source: source), $0.date(of: sample.time)) }
    let wasRecording = isRecordingAccelerometer
    defer { if wasRecording, !isRecordingAccelerometer { onAccelerometerEnd() } }
    let output = state.withLock { state -> (rows: HistoryRows, before: (AccelerationBatch, TimeLine)?)? in
      guard isNew(sample.time, line, &state) else { return nil }
      // What has been collected belongs to the line before: the computer has slept, or its clock was set.
      let before = state.line.flatMap { old in old == line ? nil : state.batcher.finish().map { ($0, old) } }
      state.line = line
      var rows = HistoryRows(batches: state.collect(sample).map { [$0] } ?? [])
      if let update = state.estimator.update(sample) { rows.add(update) }
      return (rows, before)
    }
    guard let (rows, before) = output else { return }
    if let (batch, line) = before { sink.write(HistoryRows(batches: [batch]), line: line, durably: true, at: date) }
    if !rows.isEmpty { sink.write(rows, line: line, durably: !rows.batches.isEmpty, at: date) }
  }

  private func isNew(_ time: SensorInstant, _ line: TimeLine, _ state: inout State) -> Bool {
    if state.line?.clock != line.clock { state.known = try? sink.history.lastInstant(ofClock: line.clock) }
    if let last = state.last, time + Self.rewind < last { state.known = last }
    if let known = state.known, time <= known {
      state.skipped += 1
      return false
    }
    if state.first == nil { state.first = time }
    state.last = max(state.last ?? time, time)
    if let requested = state.requested {
      state.requested = nil
      state.extend(to: time + requested)
    }
    return true
  }

  /// The source is over or away: what is held back comes out, and the activity is over.
  private func finish() {
    let output = state.withLock { state -> (HistoryRows, TimeLine)? in
      guard let line = state.line, let last = state.last else { return nil }
      var rows = HistoryRows()
      if let update = state.estimator.finish() { rows.add(update) }
      if state.estimator.activity.activity != .unknown {
        rows.add(ActivityUpdate(activity: ActivityChange(start: last, activity: .unknown, confidence: .low)))
      }
      rows.batches += state.batcher.finish().map { [$0] } ?? []
      // What comes after a pause is not compared with what was before.
      state.estimator = ActivityEstimator(parameters: state.estimator.parameters)
      return rows.isEmpty ? nil : (rows, line)
    }
    if let (rows, line) = output { sink.write(rows, line: line, durably: true, at: now) }
  }
}

extension HistoryRecorder.State {
  /// A later end of what is kept of the accelerometer; never an earlier one.
  mutating func extend(to end: SensorInstant) {
    switch accelerometer {
    case .always: break
    case .none: accelerometer = .until(end)
    case .until(let old): accelerometer = .until(max(old, end))
    }
  }

  /// A batch when the sample completes one.
  mutating func collect(_ sample: SensorSample) -> AccelerationBatch? {
    let reading: AccelerometerSample
    switch sample {
    case .accelerometer(let sample): reading = sample
    case .inertial(let sample): reading = sample.accelerometer
    default: return nil
    }
    switch accelerometer {
    case .none: return nil
    case .until(let end) where reading.time > end:
      accelerometer = .none
      return batcher.finish()
    case .until, .always: return decimator.isDue(reading.time) ? batcher.append(reading) : nil
    }
  }
}

extension MotionHost {
  /// An estimator of steps and activities on `hub`, with the placement of its device and the person's steps.
  package func activityEstimator(for hub: MotionHub?) -> ActivityEstimator {
    var parameters = ActivityEstimator.Parameters()
    parameters.placement = hub?.info.placement ?? .body
    parameters.height = policy.personHeight
    return ActivityEstimator(parameters: parameters)
  }
}

extension HistoryRows {
  mutating func add(_ update: ActivityUpdate) {
    if let epoch = update.steps { steps.append(epoch) }
    if let change = update.activity { activities.append(change) }
  }
}
