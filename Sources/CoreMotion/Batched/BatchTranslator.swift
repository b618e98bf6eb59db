// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

/// Makes a client's batches from the hub's events: the numbers of about a second of samples at a time.
///
/// Asked on the source's thread, one call at a time; `state` is locked because a restart may hand the translator to another
/// service's thread. Batches are made while a workout is active (D17); when none is, one error says so, and batches are dropped
/// until there is one.
final class BatchTranslator<Value: Sendable>: HostTranslator {
  private struct State {
    var batcher: Batcher<Value>
    var hasReportedWorkout = false
  }

  /// Makes values from an event, in order, each with its time.
  typealias Converter = @Sendable (HubEvent, _ emit: (Value, SensorInstant) -> Void) -> Void

  let host: MotionHost
  private let convert: Converter
  private let state: Lock<State>

  /// `group`: samples that belong together, see ``Batcher``.
  init(host: MotionHost, group: Int, convert: @escaping Converter) {
    self.host = host
    self.convert = convert
    state = Lock(State(batcher: Batcher(group: group)))
  }

  func translate(_ event: HubEvent) -> Delivery<[Value]> {
    let (batches, isRefused) = state.withLock { state -> ([[Value]], Bool) in
      var batches: [[Value]] = []
      convert(event) { value, time in
        if let batch = state.batcher.push(value, at: time) { batches.append(batch) }
      }
      switch event {
      case .time(let time): if let batch = state.batcher.advance(to: time) { batches.append(batch) }
      case .ended: if let batch = state.batcher.finish() { batches.append(batch) }
      default: break
      }
      guard !batches.isEmpty else { return ([], false) }
      guard !host.policy.hasActiveWorkout else {
        state.hasReportedWorkout = false
        return (batches, false)
      }
      defer { state.hasReportedWorkout = true }
      return ([], !state.hasReportedWorkout)
    }
    if isRefused { return .error(CMBatchedSensorManager.workoutError, nil) }
    return batches.isEmpty ? .nothing : .samples(batches)
  }
}

extension BatchTranslator where Value == VectorValue {
  /// Batches of an accelerometer, every sample of it.
  static func accelerometer(of hub: MotionHub, host: MotionHost) -> BatchTranslator {
    BatchTranslator(host: host, group: BatchRates(hub).group) { event, emit in
      guard case .accelerometer(let sample) = event else { return }
      emit(CoreMotionConventions.accelerometer(sample), sample.time)
    }
  }
}

extension BatchTranslator where Value == DeviceMotionValue {
  /// Batches of device motion, fused from every sample and reduced to 200 Hz (``MotionDecimator``).
  static func deviceMotion(of hub: MotionHub, host: MotionHost) -> BatchTranslator {
    let translator = DeviceMotionTranslator(frame: .xArbitraryZVertical, host: host, showsDisplay: false)
    let decimator = Lock(MotionDecimator(rate: BatchRates(hub).fusionRate))
    return BatchTranslator(host: host, group: 1) { event, emit in
      func pass(_ motion: DeviceMotion) {
        if case .sample(let value) = translator.translate(.motion(motion)) { emit(value, motion.time) }
      }
      switch event {
      case .motion(let motion): decimator.withLock { $0.update(motion, emit: pass) }
      case .ended: decimator.withLock { $0.finish(emit: pass) }
      case .row(let sample):
        if case .sample(let value) = translator.translate(event) { emit(value, sample.time) }
      default: break
      }
    }
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
    // What the source says it can do; a source that does not know is measured.
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

  /// Accelerometer samples to a state of motion, where that is a whole number; else 1. Without device motion: as if there were
  /// a gyroscope as fast as the accelerometer.
  var group: Int {
    guard let accelerometer, let deviceMotion, deviceMotion > 0 else {
      return MotionDecimator.factor(for: self.accelerometer)
    }
    let ratio = accelerometer / deviceMotion
    let whole = ratio.rounded()
    return whole >= 1 && abs(ratio - whole) < 0.02 * whole ? Int(whole) : 1
  }
}
