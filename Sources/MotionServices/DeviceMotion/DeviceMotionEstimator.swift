// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing
package import OrientationFusion

/// Makes ``DeviceMotion`` from raw samples: one per gyroscope sample, as long as both sensors deliver.
///
/// ```swift
/// var estimator = DeviceMotionEstimator(info: source.info)
/// estimator.solutions = [.sixAxis]
/// if let motion = estimator.update(sample) { … }
/// ```
///
/// Each state of motion is made from the accelerometer sample nearest to it in time. Where the two sensors come apart,
/// that may be the next one: then the state is held until that sample is there, at most until the next gyroscope
/// sample. While the accelerometer is silent for longer than ``longestSilence`` there is no state: an old reading would
/// pass for a motion.
///
/// A value without clock or task: the same samples give bit-identical output. It owns up to two orientation filters
/// (without and with the magnetometer), of which only those asked for run; either finds the device's own field.
package struct DeviceMotionEstimator: Sendable {
  /// Which solutions to compute.
  package struct Solutions: OptionSet, Sendable, Hashable {
    /// One bit per solution.
    package let rawValue: UInt8
    /// A set from its bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// From accelerometer and gyroscope.
    package static let sixAxis = Solutions(rawValue: 1)
    /// With the magnetometer.
    package static let nineAxis = Solutions(rawValue: 2)
  }

  /// How far the nearest accelerometer sample may be from a state of motion: a few samples of the slowest in use.
  package static let longestSilence = SensorDuration.milliseconds(250)

  /// May change while running: a filter that joins late starts from the samples that follow.
  package var solutions: Solutions = [] {
    didSet {
      let joined = solutions.subtracting(oldValue)
      if !oldValue.isEmpty || !joined.isEmpty { knownCalibration = calibration(oldValue) }
      if joined.contains(.sixAxis) { sixAxis = [filter(usesMagnetometer: false)] }
      if joined.contains(.nineAxis) { nineAxis = [filter(usesMagnetometer: true)] }
    }
  }

  /// Written into every state of motion (``DeviceMotion/run``).
  package var run: Int { pairing.run }
  /// Written into every state of motion (``DeviceMotion/location``). Default: the device itself.
  package var location: MotionRow.Location {
    get { pairing.location }
    set { pairing.location = newValue }
  }
  let parameters: OrientationFilter.Parameters
  /// What is known of the sensors from earlier runs.
  let knowledge: LearnedSensor?
  // One filter, or none where its solution was never wanted: it is a few kilobytes, and a table has thousands of
  // devices. An array, because unwrapping an optional copies what is in it.
  var sixAxis: [OrientationFilter] = []
  var nineAxis: [OrientationFilter] = []
  private var pairing: MotionPairing
  /// What an earlier run, or another filter, has found of the device's own field.
  private var knownCalibration: MagnetometerCalibration
  /// The same with what this run has found. It survives stop and start: iron does not change without a subscriber.
  package var calibration: MagnetometerCalibration { calibration(solutions) }

  /// `info` chooses the filter's preset and states whether the magnetometer is calibrated already; `calibration` is that
  /// of an earlier run; `learned` is what earlier runs found out about the sensors, its doubts those of today
  /// (``LearnedSensor/widened(elapsed:temperatureChange:)``), and is not used when it cannot be that. `blockDuration`
  /// is that of the filters, s; nil = their own.
  package init(
    info: SensorInfo, calibration: MagnetometerCalibration? = nil, learned: LearnedSensor? = nil, run: Int = 0,
    blockDuration: Double? = nil
  ) {
    knowledge = learned
    var parameters = Self.parameters(for: info)
    if let blockDuration { parameters.blockDuration = blockDuration }
    self.parameters = parameters
    knownCalibration = calibration ?? .none
    pairing = MotionPairing(run: run)
  }

  private func calibration(_ solutions: Solutions) -> MagnetometerCalibration {
    var filter = solutions.contains(.nineAxis) ? nineAxis.first : solutions.isEmpty ? nil : sixAxis.first
    guard let found = filter?.magnetometerCalibration, found.accuracy > .uncalibrated else { return knownCalibration }
    return found
  }

  /// A filter that begins with what is known of the sensors, or with nothing when that cannot be.
  private func filter(usesMagnetometer: Bool) -> OrientationFilter {
    OrientationFilter(
      parameters: parameters, usesMagnetometer: usesMagnetometer, learned: knowledge, calibration: knownCalibration)
  }

  /// The preset of the place of the device, with the range of its gyroscope.
  static func parameters(for info: SensorInfo) -> OrientationFilter.Parameters {
    var parameters: OrientationFilter.Parameters = info.placement == .head ? .headphones : .phone
    parameters.gyroscopeRange = info.channel(.gyroscope)?.range
    parameters.readsMeans = info.channel(.gyroscope)?.isMean ?? false
    parameters.isMagnetometerCalibrated = info.channel(.magnetometer)?.isCalibrated ?? false
    return parameters
  }

  /// Processes any sample; returns the state of motion that it completes, if it does. At most one gyroscope sample
  /// later than the sample that it belongs to.
  package mutating func update(_ sample: SensorSample) -> DeviceMotion? { state(after: sample) { _ in } }

  /// The same; `follow` receives the filter of ``withFilter(_:)`` after each of its readings of the gyroscope and the
  /// magnetometer.
  package mutating func update(
    _ sample: SensorSample, _ follow: (inout OrientationFilter) -> Void
  ) -> DeviceMotion? {
    state(after: sample, follow)
  }

  // Inlined, so that without a follower nothing is called.
  @inline(__always)
  private mutating func state(
    after sample: SensorSample, _ follow: (inout OrientationFilter) -> Void
  ) -> DeviceMotion? {
    switch sample {
    case .accelerometer(let sample):
      update(sample)
      if let time = pairing.claimUnmade(), let motion = motion(at: time) { return motion }
      return pairing.completePending(at: sample)
    case .gyroscope(let sample):
      update(sample)
      withFilter(follow)
      return pairing.pass(motion(at: sample.time), at: sample.time)
    case .inertial(let sample):
      update(sample.gyroscope)
      withFilter(follow)
      update(sample.accelerometer)
      return motion(at: sample.time)
    case .magnetometer(let sample):
      if update(sample) { follow(&nineAxis[0]) }
      return nil
    case .pressure, .temperature, .motion:
      return nil
    }
  }

  /// The state of motion that still waits for an accelerometer sample, with the one before it: nothing better will
  /// come.
  package mutating func finish() -> DeviceMotion? { pairing.finish() }

  /// The filter of the one solution, or of the one with the magnetometer where both are computed; nil where none is.
  @inline(__always) @discardableResult
  package mutating func withFilter<Result>(_ body: (inout OrientationFilter) -> Result) -> Result? {
    guard !solutions.isEmpty else { return nil }
    return computesNineAxis ? body(&nineAxis[0]) : body(&sixAxis[0])
  }

  private var computesSixAxis: Bool { solutions.contains(.sixAxis) }
  var computesNineAxis: Bool { solutions.contains(.nineAxis) }

  private mutating func update(_ sample: GyroscopeSample) {
    let time = sample.time.nanoseconds
    if computesSixAxis { sixAxis[0].update(angularVelocity: sample.angularVelocity, atNanoseconds: time) }
    if computesNineAxis { nineAxis[0].update(angularVelocity: sample.angularVelocity, atNanoseconds: time) }
  }

  private mutating func update(_ sample: AccelerometerSample) {
    pairing.update(sample)
    let time = sample.time.nanoseconds
    if computesSixAxis { sixAxis[0].update(specificForce: sample.specificForce, atNanoseconds: time) }
    if computesNineAxis { nineAxis[0].update(specificForce: sample.specificForce, atNanoseconds: time) }
  }

  /// True when the filter has used the sample.
  private mutating func update(_ sample: MagnetometerSample) -> Bool {
    pairing.update(sample)
    let time = sample.time.nanoseconds
    // Without the other solution the six axes find the iron.
    if computesSixAxis, !computesNineAxis {
      sixAxis[0].update(magneticField: sample.magneticField, atNanoseconds: time)
    }
    if computesNineAxis { nineAxis[0].update(magneticField: sample.magneticField, atNanoseconds: time) }
    return computesNineAxis
  }

  // Mutating, as is `solution()`, though nothing changes: a call that only reads copies the estimator or the filter
  // first, 18 and 7 kilobytes at every sample, a fifth of the processor time of `fuse`.
  private mutating func motion(at time: SensorInstant) -> DeviceMotion? {
    guard !solutions.isEmpty, let accelerometer = pairing.partner(of: time) else { return nil }
    return pairing.motion(
      at: time, accelerometer: accelerometer, sixAxis: computesSixAxis ? sixAxis[0].solution() : nil,
      nineAxis: computesNineAxis ? nineAxis[0].solution() : nil,
      calibration: computesNineAxis ? nineAxis[0].magnetometerCalibration : sixAxis[0].magnetometerCalibration,
      isAtRest: computesSixAxis ? sixAxis[0].isAtRest : nineAxis[0].isAtRest)
  }
}

extension OrientationFilter {
  /// The filter's output now; nil while it has no attitude.
  fileprivate mutating func solution() -> DeviceMotion.Solution? {
    guard let attitude else { return nil }
    return DeviceMotion.Solution(
      attitude: attitude, angularVelocity: angularVelocity, hasHeading: hasHeading,
      inclinationStandardDeviation: inclinationStandardDeviation,
      headingStandardDeviation: usesMagnetometer ? headingStandardDeviation : azimuthStandardDeviation)
  }
}

// What one run hands over to the next.
extension DeviceMotionEstimator {
  /// What this and earlier runs have found out about the device, to be kept for the next one; nil before the first
  /// attitude.
  package var learned: LearnedDevice? {
    var filter = computesNineAxis ? nineAxis.first : sixAxis.first
    guard !solutions.isEmpty, let sensor = filter?.learned(after: knowledge) else { return nil }
    let isKept = !parameters.isMagnetometerCalibrated && calibration.accuracy > .uncalibrated
    return LearnedDevice(sensor: sensor, magnetometer: isKept ? calibration : nil)
  }
}

/// What belongs to a state of motion beside the orientation: which accelerometer sample it is made from, when it may
/// come out, and the magnetic field without the device's own.
///
/// The filters are elsewhere: ``DeviceMotionEstimator`` has one per solution. It feeds its filters with a sample first,
/// and then asks here what comes of it.
struct MotionPairing: Sendable {
  let run: Int
  var location = MotionRow.Location.device
  private(set) var accelerometer: AccelerometerSample?
  /// Mean interval of the accelerometer, ns; 0 before its second sample.
  private var accelerometerPeriod: Int64 = 0
  /// A state of motion that waits for its accelerometer sample.
  private var pending: DeviceMotion?
  /// A gyroscope sample before the first accelerometer sample: its state can be made when that has come.
  private var unmade: SensorInstant?
  private var magnetometer: MagnetometerSample?

  init(run: Int) { self.run = run }

  // MARK: Accelerometer and gyroscope

  mutating func update(_ sample: AccelerometerSample) {
    if let accelerometer {
      let interval = (sample.time - accelerometer.time).nanoseconds
      accelerometerPeriod =
        accelerometerPeriod == 0
        ? interval : accelerometerPeriod &+ interval.clamped(minus: accelerometerPeriod) / 8
    }
    accelerometer = sample
  }

  /// The time of the gyroscope sample just before the first accelerometer sample, once.
  mutating func claimUnmade() -> SensorInstant? { exchange(&unmade, with: nil) }

  /// Completes the state that waits with the nearer of two accelerometer samples.
  mutating func completePending(at sample: AccelerometerSample) -> DeviceMotion? {
    guard var motion = finish() else { return nil }
    if sample.time - motion.time < motion.time - motion.accelerometer.time { motion.accelerometer = sample }
    return motion
  }

  /// `motion` is the state of a gyroscope sample: it comes out, or has to wait and an earlier one comes out.
  mutating func pass(_ motion: DeviceMotion?, at time: SensorInstant) -> DeviceMotion? {
    let earlier = finish()
    unmade = accelerometer == nil ? time : nil
    // One that waited comes first; then this one has to wait too.
    if earlier == nil, !isNearerAccelerometerComing(after: time) { return motion }
    pending = motion
    return earlier
  }

  /// The state that still waits, with the accelerometer sample before it.
  mutating func finish() -> DeviceMotion? { exchange(&pending, with: nil) }

  /// Whether the next accelerometer sample is expected nearer to `time` than the latest one.
  private mutating func isNearerAccelerometerComing(after time: SensorInstant) -> Bool {
    guard let accelerometer, accelerometer.time < time else { return false }
    return accelerometerPeriod == 0 || (time - accelerometer.time).nanoseconds > accelerometerPeriod / 2
  }

  // MARK: Magnetometer

  mutating func update(_ sample: MagnetometerSample) { magnetometer = sample }

  // MARK: The state

  /// The accelerometer sample of a state at `time`; nil where an old reading would pass for a motion.
  mutating func partner(of time: SensorInstant) -> AccelerometerSample? {
    guard let accelerometer, time - accelerometer.time <= DeviceMotionEstimator.longestSilence,
      accelerometer.time - time <= DeviceMotionEstimator.longestSilence
    else { return nil }
    return accelerometer
  }

  /// Nil without a solution.
  mutating func motion(
    at time: SensorInstant, accelerometer: AccelerometerSample, sixAxis: DeviceMotion.Solution?,
    nineAxis: DeviceMotion.Solution?, calibration: MagnetometerCalibration, isAtRest: Bool
  ) -> DeviceMotion? {
    guard sixAxis != nil || nineAxis != nil else { return nil }
    let field = magnetometer.map {
      DeviceMotion.Field(
        magneticField: calibration.field(of: $0.magneticField), accuracy: calibration.accuracy.rawValue)
    }
    return DeviceMotion(
      time: time, accelerometer: accelerometer, sixAxis: sixAxis, nineAxis: nineAxis, field: field,
      isAtRest: isAtRest, run: run, location: location)
  }
}
