// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing
public import OrientationFusion

/// Makes ``DeviceMotion`` from raw samples: one per gyroscope sample, as long as both sensors speak.
///
/// ```swift
/// var estimator = DeviceMotionEstimator(info: source.info)
/// estimator.solutions = [.sixAxis]
/// if let motion = estimator.update(sample) { … }
/// ```
///
/// Each state of motion is made from the accelerometer sample nearest to it in time. Where the two sensors come apart, that
/// may be the next one: then the state is held until that sample is there, at most until the next gyroscope sample. While the
/// accelerometer is silent for longer than ``longestSilence`` there is no state: an old reading would pass for a motion.
///
/// A value without clock or task: the same samples give bit-identical output. It owns up to two orientation filters (without
/// and with the magnetometer), of which only those asked for run, and the magnetometer's calibration.
public struct DeviceMotionEstimator: Sendable {
  /// Which solutions to compute.
  public struct Solutions: OptionSet, Sendable, Hashable {
    /// One bit per solution.
    public let rawValue: UInt8
    /// A set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// From accelerometer and gyroscope.
    public static let sixAxis = Solutions(rawValue: 1)
    /// With the magnetometer.
    public static let nineAxis = Solutions(rawValue: 2)
  }

  /// How far the nearest accelerometer sample may be from a state of motion: a few samples of the slowest sensors in use.
  public static let longestSilence = SensorDuration.milliseconds(250)

  /// May change while running: a filter that joins late starts from the samples that follow.
  public var solutions: Solutions = [] {
    didSet {
      let joined = solutions.subtracting(oldValue)
      if joined.contains(.sixAxis) { sixAxis = Self.filter(parameters, usesMagnetometer: false, knowledge) }
      if joined.contains(.nineAxis) { nineAxis = Self.filter(parameters, usesMagnetometer: true, knowledge) }
    }
  }

  /// Written into every state of motion (``DeviceMotion/run``).
  public let run: Int
  /// Written into every state of motion (``DeviceMotion/location``). Default: the device itself.
  public var location = FusedMotionSample.Location.device
  let parameters: OrientationFilter.Parameters
  /// What is known of the sensors from earlier runs.
  let knowledge: LearnedSensor?
  // Not optional, and never bound to another name: a filter is a few kilobytes, and unwrapping an optional copies it.
  var sixAxis: OrientationFilter
  var nineAxis: OrientationFilter
  private var accelerometer: AccelerometerSample?
  /// Mean interval of the accelerometer, ns; 0 before its second sample.
  private var accelerometerPeriod: Int64 = 0
  /// A state of motion that waits for its accelerometer sample.
  private var pending: DeviceMotion?
  /// A gyroscope sample before the first accelerometer sample: its state can be made when that has come.
  private var unmade: SensorInstant?
  private var magnetometer: MagnetometerSample?
  /// Survives stop and start: the device's own field does not change when nobody listens.
  public private(set) var calibrator: MagnetometerCalibrator

  /// `info` chooses the filter's preset and tells whether the magnetometer is calibrated already; `calibrator` continues an
  /// earlier calibration; `learned` is what earlier runs found out about the sensors, its doubts those of today
  /// (``LearnedSensor/widened(elapsed:temperatureChange:)``), and is left aside when it cannot be that.
  public init(
    info: SensorInfo, calibrator: MagnetometerCalibrator? = nil, learned: LearnedSensor? = nil, run: Int = 0
  ) {
    self.run = run
    knowledge = learned
    var parameters: OrientationFilter.Parameters =
      switch info.deviceClass {
      case .headphones: .headphones
      case .unknown, .phone, .watch, .controller, .module: .phone
      }
    parameters.gyroscopeRange = info.channel(.gyroscope)?.range
    self.parameters = parameters
    sixAxis = Self.filter(parameters, usesMagnetometer: false, learned)
    nineAxis = Self.filter(parameters, usesMagnetometer: true, learned)
    self.calibrator =
      calibrator ?? MagnetometerCalibrator(isCalibrated: info.channel(.magnetometer)?.isCalibrated ?? false)
  }

  /// Takes any sample; returns the state of motion that it completes, if it does. At most one gyroscope sample later than
  /// the sample that it belongs to.
  public mutating func update(_ sample: SensorSample) -> DeviceMotion? {
    switch sample {
    case .accelerometer(let sample):
      update(sample)
      return takeUnmade(at: sample) ?? takePending(at: sample)
    case .gyroscope(let sample):
      let earlier = finish()
      update(sample)
      unmade = accelerometer == nil ? sample.time : nil
      let motion = motion(at: sample.time)
      // One that waited comes first; then this one has to wait too.
      if earlier == nil, !isNearerAccelerometerComing(after: sample.time) { return motion }
      pending = motion
      return earlier
    case .inertial(let sample):
      update(sample.gyroscope)
      update(sample.accelerometer)
      return motion(at: sample.time)
    case .magnetometer(let sample):
      update(sample)
      return nil
    case .pressure, .temperature, .fusedMotion:
      return nil
    }
  }

  /// The state of motion that still waits for an accelerometer sample, with the sample before it: nothing better will come.
  public mutating func finish() -> DeviceMotion? {
    defer { pending = nil }
    return pending
  }

  /// Whether the next accelerometer sample is expected nearer to `time` than the latest one.
  private func isNearerAccelerometerComing(after time: SensorInstant) -> Bool {
    guard let accelerometer, accelerometer.time < time else { return false }
    return accelerometerPeriod == 0 || (time - accelerometer.time).nanoseconds * 2 > accelerometerPeriod
  }

  /// The state of the gyroscope sample just before the first accelerometer sample.
  private mutating func takeUnmade(at sample: AccelerometerSample) -> DeviceMotion? {
    defer { unmade = nil }
    return unmade.flatMap(motion)
  }

  /// Completes the state that waits with the nearer of two accelerometer samples.
  private mutating func takePending(at sample: AccelerometerSample) -> DeviceMotion? {
    guard var motion = finish() else { return nil }
    if sample.time - motion.time < motion.time - motion.accelerometer.time { motion.accelerometer = sample }
    return motion
  }

  private var computesSixAxis: Bool { solutions.contains(.sixAxis) }
  var computesNineAxis: Bool { solutions.contains(.nineAxis) }

  private mutating func update(_ sample: GyroscopeSample) {
    let time = sample.time.nanoseconds
    if computesSixAxis { sixAxis.update(angularVelocity: sample.angularVelocity, atNanoseconds: time) }
    if computesNineAxis { nineAxis.update(angularVelocity: sample.angularVelocity, atNanoseconds: time) }
  }

  private mutating func update(_ sample: AccelerometerSample) {
    if let accelerometer {
      let interval = (sample.time - accelerometer.time).nanoseconds
      accelerometerPeriod =
        accelerometerPeriod == 0 ? interval : accelerometerPeriod + (interval - accelerometerPeriod) / 8
    }
    accelerometer = sample
    let time = sample.time.nanoseconds
    if computesSixAxis { sixAxis.update(specificForce: sample.specificForce, atNanoseconds: time) }
    if computesNineAxis { nineAxis.update(specificForce: sample.specificForce, atNanoseconds: time) }
  }

  private mutating func update(_ sample: MagnetometerSample) {
    magnetometer = sample
    guard !solutions.isEmpty else { return }
    let angularVelocity = computesNineAxis ? nineAxis.angularVelocity : sixAxis.angularVelocity
    let time = sample.time.nanoseconds
    let before = calibrator.calibration
    calibrator.update(magneticField: sample.magneticField, angularVelocity: angularVelocity, atNanoseconds: time)
    let calibration = calibrator.calibration
    // Before the device's own field is known the magnetometer says nothing about north: the heading stays arbitrary.
    guard calibration.accuracy != .uncalibrated else { return }
    guard computesNineAxis else { return }
    if before.accuracy == .uncalibrated { nineAxis.forgetHeading() }
    nineAxis.update(
      magneticField: calibration.field(of: sample.magneticField),
      hardIronDeviation: calibration.fieldDeviation, atNanoseconds: time)
  }

  private func motion(at time: SensorInstant) -> DeviceMotion? {
    guard let accelerometer, time - accelerometer.time <= Self.longestSilence,
      accelerometer.time - time <= Self.longestSilence
    else { return nil }
    let sixAxis = computesSixAxis ? self.sixAxis.solution : nil
    let nineAxis = computesNineAxis ? self.nineAxis.solution : nil
    guard sixAxis != nil || nineAxis != nil else { return nil }
    let field = magnetometer.map {
      DeviceMotion.Field(
        magneticField: calibrator.calibration.field(of: $0.magneticField),
        accuracy: calibrator.calibration.accuracy.rawValue)
    }
    return DeviceMotion(
      time: time, accelerometer: accelerometer, sixAxis: sixAxis, nineAxis: nineAxis, field: field,
      isAtRest: computesSixAxis ? self.sixAxis.isAtRest : self.nineAxis.isAtRest, run: run,
      location: location)
  }
}

extension OrientationFilter {
  /// What the filter says now; nil while it has no attitude.
  fileprivate var solution: DeviceMotion.Solution? {
    guard let attitude else { return nil }
    return DeviceMotion.Solution(
      attitude: attitude, angularVelocity: angularVelocity, hasHeading: hasHeading,
      inclinationStandardDeviation: inclinationStandardDeviation, headingStandardDeviation: headingStandardDeviation)
  }
}
