// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Makes a client's batches from the hub's samples: the numbers of about a second of samples at a time.
///
/// Asked on the source's thread, one call at a time; `state` is locked because a restart may hand the translator to
/// another service's thread. Batches are made while a workout is active (D17); when none is, one error says so, and
/// batches are dropped until there is one.
final class BatchTranslator<Value: Sendable>: Sendable {
  private struct State {
    var batcher: Batcher<Value>
    var hasReportedWorkout = false
  }

  /// Receives a value with its time.
  typealias Emit = (Value, SensorInstant) -> Void

  /// Makes values in order, each with its time.
  struct Converter: Sendable {
    var sample: @Sendable (SensorSample, Emit) -> Void
    var motion: @Sendable (DeviceMotion, Emit) -> Void = { _, _ in }
    /// What is still held at the end.
    var finish: @Sendable (Emit) -> Void = { _ in }
  }

  /// Batches that are complete, and the error of a workout that is not active, once.
  typealias Outcome = (batches: [[Value]], refusal: NSError?)

  let host: MotionHost
  private let convert: Converter
  private let state: Lock<State>

  /// `group`: samples that belong together, see ``Batcher``.
  init(host: MotionHost, group: Int, convert: Converter) {
    self.host = host
    self.convert = convert
    state = Lock(State(batcher: Batcher(group: group)))
  }

  func translate(_ sample: SensorSample) -> Outcome { collect { convert.sample(sample, $0) } }
  func translate(_ motion: DeviceMotion) -> Outcome { collect { convert.motion(motion, $0) } }

  func translate(_ news: HubNews) -> Outcome {
    switch news {
    case .time(let time): collect({ _ in }) { $0.advance(to: time) }
    case .ended: collect(convert.finish) { $0.finish() }
    default: ([], nil)
    }
  }

  private func collect(
    _ convert: (Emit) -> Void, complete: (inout Batcher<Value>) -> [Value]? = { _ in nil }
  ) -> Outcome {
    state.withLock { state in
      var batches: [[Value]] = []
      convert { value, time in
        if let batch = state.batcher.push(value, at: time) { batches.append(batch) }
      }
      if let batch = complete(&state.batcher) { batches.append(batch) }
      guard !batches.isEmpty else { return ([], nil) }
      guard !host.policy.hasActiveWorkout else {
        state.hasReportedWorkout = false
        return (batches, nil)
      }
      defer { state.hasReportedWorkout = true }
      return ([], state.hasReportedWorkout ? nil : CMBatchedSensorManager.workoutError)
    }
  }

  /// For a service whose values are batches.
  func sink<Object>(for output: ServiceOutput<[Value], Object>) -> HubSink {
    @Sendable func emit(_ outcome: Outcome) {
      if let refusal = outcome.refusal { output.fail(refusal) }
      for batch in outcome.batches { output.emit(batch) }
    }
    return HubSink(
      receivesTime: true, sample: { [self] in emit(translate($0)) }, motion: { [self] in emit(translate($0)) },
      news: { [self] in emit(translate($0)) })
  }
}

extension BatchTranslator where Value == AccelerometerSample {
  /// Batches of an accelerometer, every sample of it.
  static func accelerometer(of hub: MotionHub, host: MotionHost) -> BatchTranslator {
    BatchTranslator(
      host: host, group: BatchRates(hub).group,
      convert: Converter { sample, emit in
        if case .accelerometer(let sample) = sample { emit(sample, sample.time) }
      })
  }
}

extension BatchTranslator where Value == MotionRow {
  /// Batches of device motion, fused from every sample and reduced to 200 Hz (``MotionDecimator``).
  static func deviceMotion(of hub: MotionHub, host: MotionHost) -> BatchTranslator {
    let translator = DeviceMotionTranslator(frame: .xArbitraryZVertical, host: host)
    let decimator = Lock(MotionDecimator(rate: BatchRates(hub).fusionRate))
    @Sendable func pass(_ motion: DeviceMotion, _ emit: Emit) {
      if let row = translator.translate(motion).row { emit(row, row.time) }
    }
    return BatchTranslator(
      host: host, group: 1,
      convert: Converter { sample, emit in
        if case .motion(let row) = sample { emit(MotionFraming.row(row), row.time) }
      } motion: { motion, emit in
        decimator.withLock { $0.update(motion) { pass($0, emit) } }
      } finish: { emit in
        decimator.withLock { $0.finish { pass($0, emit) } }
      })
  }
}

/// The rates at which a source's batches are made.
struct BatchRates {
  /// Hz of the accelerometer; nil = there is none, or its rate is not known yet.
  let accelerometer: Double?
  /// Hz at which states of motion come out of the estimator; nil as above.
  let fusionRate: Double?
  /// Hz after the reduction; nil as above.
  let deviceMotion: Double?

  init(_ hub: MotionHub) {
    let (info, counts) = (hub.info, hub.statistics)
    // The rate that the source states; one that states none is measured.
    func rate(_ kind: SensorKinds, _ counts: TimelineStatistics.Counts) -> Double? {
      guard let channel = info.channel(kind) else { return nil }
      return channel.rates.last ?? counts.rate
    }
    accelerometer = rate(.accelerometer, counts.accelerometer)
    if info.kinds.contains(.motion) {
      fusionRate = nil
      deviceMotion = rate(.motion, counts.motion)
    } else {
      fusionRate = rate(.gyroscope, counts.gyroscope)
      deviceMotion = fusionRate.map { $0 / Double(MotionDecimator.factor(for: $0)) }
    }
  }

  /// Accelerometer samples to a state of motion, where that is a whole number; else 1. Without device motion: as if
  /// there were a gyroscope as fast as the accelerometer.
  var group: Int {
    guard let accelerometer, let deviceMotion, deviceMotion > 0 else {
      return MotionDecimator.factor(for: self.accelerometer)
    }
    let ratio = accelerometer / deviceMotion
    let whole = ratio.rounded()
    return whole >= 1 && abs(ratio - whole) < 0.02 * whole ? Int(clamping: whole) : 1
  }
}
