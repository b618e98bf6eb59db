// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing
import OrientationFusion
import OrientationFusionLanes

/// Makes ``DeviceMotion`` from up to eight recordings side by side, in the lanes of a processor's vectors.
///
/// ```swift
/// var batch = DeviceMotionBatch(readers.map(\.info), usesMagnetometer: true)
/// batch.run(next: { lane in readers[lane].next() }) { lane, motion in writers[lane].write(motion) }
/// ```
///
/// A filter in lanes steps all streams at once, so a batch pulls: it asks each recording for its next sample whenever that one
/// can go on, whatever the others' rates. What comes out of a recording is what ``DeviceMotionEstimator`` makes of it alone,
/// within 1e-6 rad: the same samples in pairs, the same calibration of the magnetometer, the same preset.
///
/// A lane stays empty when its recording has ended, and a step costs the same with one stream as with eight: recordings of
/// similar length belong together.
///
/// A value without clock or task, like the estimator: the same samples give the same output.
public struct DeviceMotionBatch: Sendable {
  /// How many recordings there is room for: 8.
  public static var capacity: Int { OrientationFilterLanes.count }

  /// True: every state has the solution with the magnetometer (``DeviceMotion/nineAxis``), else that without.
  public let usesMagnetometer: Bool
  private var filter: OrientationFilterLanes
  private var lanes: [Lane]

  /// What comes of it when the filter has taken in what it is taking in. Not the sample itself, which is large.
  private enum Stage {
    case force(AccelerometerSample)
    case rate(SensorInstant)
    case rateAndForce(SensorInstant)
    case field
  }

  /// A recording under way.
  private struct Lane {
    var pairing: MotionPairing
    var stage = Stage.field
    /// What its filter takes in after what it is taking in.
    var second: OrientationEvent?
  }

  /// `infos` describe the recordings, of which the first eight count: as for a ``DeviceMotionEstimator``, they choose the
  /// filters' presets. `run` is written into every state of motion.
  public init(_ infos: [SensorInfo], usesMagnetometer: Bool, run: Int = 0) {
    let infos = infos.prefix(Self.capacity)
    self.usesMagnetometer = usesMagnetometer
    filter = OrientationFilterLanes(
      parameters: infos.map(DeviceMotionEstimator.parameters), usesMagnetometer: usesMagnetometer)
    lanes = infos.map { Lane(pairing: MotionPairing(info: $0, calibrator: nil, run: run)) }
  }

  /// Goes on until every recording has ended.
  ///
  /// - Parameters:
  ///   - next: the next sample of a recording, by its place in the list of `init`, in order of time; nil = it has ended. It is
  ///     not asked again after that.
  ///   - take: receives each state of motion with the place of its recording.
  public mutating func run(next: (Int) -> SensorSample?, take: (Int, DeviceMotion) -> Void) {
    var events = InlineArray<8, OrientationEvent?>(repeating: nil)
    var going = 0
    for lane in lanes.indices {
      events[lane] = event(of: lane, next, take)
      if events[lane] != nil { going += 1 }
    }
    while going > 0 {
      filter.advance(events).forEach { lane in
        if let second = lanes[lane].second {
          lanes[lane].second = nil
          events[lane] = second
        } else {
          if let motion = complete(lane) { take(lane, motion) }
          events[lane] = event(of: lane, next, take)
          if events[lane] == nil { going -= 1 }
        }
      }
    }
  }

  /// The next that a recording has for its filter, nil at its end.
  private mutating func event(
    of lane: Int, _ next: (Int) -> SensorSample?, _ take: (Int, DeviceMotion) -> Void
  ) -> OrientationEvent? {
    while let sample = next(lane) {
      switch sample {
      case .accelerometer(let sample):
        lanes[lane].stage = .force(sample)
        return event(of: lane, sample)
      case .gyroscope(let sample):
        lanes[lane].stage = .rate(sample.time)
        return .angularVelocity(sample.angularVelocity, atNanoseconds: sample.time.nanoseconds)
      case .inertial(let sample):
        lanes[lane].stage = .rateAndForce(sample.time)
        lanes[lane].second = event(of: lane, sample.accelerometer)
        return .angularVelocity(sample.gyroscope.angularVelocity, atNanoseconds: sample.time.nanoseconds)
      case .magnetometer(let sample):
        lanes[lane].stage = .field
        if let event = event(of: lane, sample) { return event }
      case .pressure, .temperature, .fusedMotion:
        continue
      }
    }
    if let motion = lanes[lane].pairing.finish() { take(lane, motion) }
    return nil
  }

  private mutating func event(of lane: Int, _ sample: AccelerometerSample) -> OrientationEvent {
    lanes[lane].pairing.take(sample)
    return .specificForce(sample.specificForce, atNanoseconds: sample.time.nanoseconds)
  }

  private mutating func event(of lane: Int, _ sample: MagnetometerSample) -> OrientationEvent? {
    lanes[lane].pairing.take(sample)
    let reading = lanes[lane].pairing.calibrate(sample, angularVelocity: filter.angularVelocity(lane: lane))
    guard let reading, usesMagnetometer else { return nil }
    let field = OrientationEvent.magneticField(
      reading.magneticField, hardIronDeviation: reading.hardIronDeviation, atNanoseconds: sample.time.nanoseconds)
    guard reading.isFirst else { return field }
    lanes[lane].second = field
    return .forgottenHeading
  }

  /// The filter has taken a sample in: the state of motion that it completes, if it does.
  private mutating func complete(_ lane: Int) -> DeviceMotion? {
    switch lanes[lane].stage {
    case .force(let sample):
      if let time = lanes[lane].pairing.takeUnmade(), let motion = motion(of: lane, at: time) { return motion }
      return lanes[lane].pairing.takePending(at: sample)
    case .rate(let time):
      let motion = motion(of: lane, at: time)
      return lanes[lane].pairing.pass(motion, at: time)
    case .rateAndForce(let time):
      return motion(of: lane, at: time)
    case .field:
      return nil
    }
  }

  private mutating func motion(of lane: Int, at time: SensorInstant) -> DeviceMotion? {
    guard let accelerometer = lanes[lane].pairing.partner(of: time) else { return nil }
    let reading = filter.reading(lane: lane)
    let solution = reading.attitude.map {
      DeviceMotion.Solution(
        attitude: $0, angularVelocity: reading.angularVelocity, hasHeading: reading.hasHeading,
        inclinationStandardDeviation: reading.inclinationStandardDeviation,
        headingStandardDeviation: reading.headingStandardDeviation)
    }
    return lanes[lane].pairing.motion(
      at: time, accelerometer: accelerometer, sixAxis: usesMagnetometer ? nil : solution,
      nineAxis: usesMagnetometer ? solution : nil, isAtRest: reading.isAtRest)
  }
}
