// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

@testable import ActivityEstimation
@testable import MotionServices

/// A person with a device, second by second: the tests own the steps and the clock.
struct Person {
  /// Hz.
  var rate = 50.0
  /// Of the device in the world.
  var orientation = Rotation<Device, EastNorthUp>.identity
  /// Steps per second; nil: stands.
  var cadence: (Double) -> Double? = { _ in 1.8 }
  /// Metres by time, for the barometer; nil: none.
  var height: ((Double) -> Double)?
  var gait = Gait()

  /// What a step looks like in g.
  struct Gait: Sendable {
    /// The rise and fall once a step, twice (a heel and a toe), and the impact.
    var step = 0.4
    var double = 0.15
    var impact = 0.1
    /// One foot more than the other, and to the side: once in two steps. Ahead, once a step.
    var half = 0.0
    var sway = 0.15
    var surge = 0.12
  }

  /// m/s² at a time, given the phase of the steps, and a little noise that is the same at every rate.
  private func force(_ time: Double, phase: Double?) -> Vector3<EastNorthUp> {
    let noise = 0.004 * (Scalar.sin(97.3 * time) + Scalar.sin(61.1 * time + 1) + Scalar.sin(23.7 * time + 2))
    guard let phase else { return Vector3(x: noise, y: -noise, z: 1 + noise) * standardGravity }
    let step = 2 * Double.pi * phase
    var up = gait.step * Scalar.cos(step) + gait.double * Scalar.cos(2 * step) + gait.impact * Scalar.cos(4 * step)
    up += gait.half * Scalar.cos(step / 2)
    let (side, ahead) = (gait.sway * Scalar.cos(step / 2), gait.surge * Scalar.sin(step) + noise)
    return Vector3(x: side, y: ahead, z: 1 + up + noise) * standardGravity
  }

  /// The samples of a span in seconds, and the times of the steps in it.
  func samples(_ span: Range<Double>) -> (samples: [SensorSample], steps: [Double]) {
    var (samples, steps): ([SensorSample], [Double]) = ([], [])
    var phase = 0.25
    for index in 0..<Int((span.upperBound - span.lowerBound) * rate) {
      let time = span.lowerBound + Double(index) / rate
      let instant = SensorInstant(nanoseconds: Int64((time * 1e9).rounded()))
      let frequency = cadence(time)
      if let frequency {
        let next = phase + frequency / rate
        if Int(next) > Int(phase) { steps.append(time) }
        phase = next
      } else {
        phase = 0.25
      }
      let force = orientation.inverse * force(time, phase: frequency.map { _ in phase })
      samples.append(.accelerometer(AccelerometerSample(time: instant, specificForce: force)))
      if let height, index % max(1, Int(rate / 10)) == 0 {
        let pressure = 101_325 * Scalar.pow(1 - height(time) / 44330.769, 1 / 0.190263)
        samples.append(.pressure(PressureSample(time: instant, pressure: pressure)))
      }
    }
    return (samples, steps)
  }
}

/// Everything that an estimator told.
struct Told: Equatable {
  var epochs: [StepEpoch] = []
  var events: [StepEvent] = []
  var changes: [ActivityChange] = []
  /// Seconds at which the first span and the first walk were told.
  var firstCount: Double?
  var firstWalk: Double?
  var rejected = 0

  init(_ samples: [SensorSample], _ estimator: ActivityEstimator = ActivityEstimator()) {
    var estimator = estimator
    for sample in samples { note(estimator.update(sample), at: sample.time.seconds) }
    note(estimator.finish(), at: samples.last?.time.seconds ?? 0)
    rejected = estimator.rejectedCount
  }

  private mutating func note(_ update: ActivityUpdate?, at time: Double) {
    guard let update else { return }
    if let epoch = update.steps {
      epochs.append(epoch)
      firstCount = firstCount ?? time
    }
    if let event = update.event { events.append(event) }
    if let change = update.activity {
      changes.append(change)
      if change.activity == .walking { firstWalk = firstWalk ?? time }
    }
  }

  var steps: Int { epochs.reduce(0) { $0 + $1.steps } }
}

extension ActivityEstimator {
  /// The features of every window of some samples.
  static func features(_ samples: [SensorSample]) -> [ActivityFeatures] {
    var estimator = ActivityEstimator()
    return samples.compactMap { sample in
      _ = estimator.update(sample)
      return estimator.lastFeatures
    }
  }
}

extension SensorSample {
  /// An accelerometer sample of a time in nanoseconds and a force in g.
  static func force(_ time: Int64, _ x: Double, _ y: Double, _ z: Double) -> Self {
    .accelerometer(
      AccelerometerSample(
        time: SensorInstant(nanoseconds: time), specificForce: Vector3(x: x, y: y, z: z) * standardGravity))
  }
}

extension ActivityNetwork.Coefficients {
  /// A network that says the same of every window.
  static func always(_ kind: ActivityNetwork.Kind) -> Self {
    var output = [Float](repeating: 0, count: ActivityNetwork.Kind.allCases.count)
    output[kind.rawValue] = 8
    let count = ActivityFeatures.names.count
    return Self(
      means: [Float](repeating: 0, count: count), deviations: [Float](repeating: 1, count: count), hidden: [],
      output: output)
  }

  /// A network that looks at the strength alone: weak is stationary, strong is walking.
  static var strength: Self {
    var network = always(.stationary)
    network.means[0] = -3
    network.hidden = [8] + [Float](repeating: 0, count: ActivityFeatures.names.count)
    network.output = [-6, 6, 0, 0, 0, 0, 0, 0, -6, -6, -6, -6]
    return network
  }
}

extension ActivityClassifier {
  init(_ network: ActivityNetwork.Coefficients) { self.init(ActivityNetwork(network), VehicleEvidence(.body)) }
}
