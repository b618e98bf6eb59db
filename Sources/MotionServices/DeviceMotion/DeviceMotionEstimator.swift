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
  public var run: Int { pairing.run }
  /// Written into every state of motion (``DeviceMotion/location``). Default: the device itself.
  public var location: FusedMotionSample.Location {
    get { pairing.location }
    set { pairing.location = newValue }
  }
  let parameters: OrientationFilter.Parameters
  /// What is known of the sensors from earlier runs.
  let knowledge: LearnedSensor?
  // Not optional, and never bound to another name: a filter is a few kilobytes, and unwrapping an optional copies it.
  var sixAxis: OrientationFilter
  var nineAxis: OrientationFilter
  private var pairing: MotionPairing
  /// Survives stop and start: the device's own field does not change when nobody listens.
  public var calibrator: MagnetometerCalibrator { pairing.calibrator }

  /// `info` chooses the filter's preset and tells whether the magnetometer is calibrated already; `calibrator` continues an
  /// earlier calibration; `learned` is what earlier runs found out about the sensors, its doubts those of today
  /// (``LearnedSensor/widened(elapsed:temperatureChange:)``), and is left aside when it cannot be that.
  public init(
    info: SensorInfo, calibrator: MagnetometerCalibrator? = nil, learned: LearnedSensor? = nil, run: Int = 0
  ) {
    knowledge = learned
    parameters = Self.parameters(for: info)
    sixAxis = Self.filter(parameters, usesMagnetometer: false, learned)
    nineAxis = Self.filter(parameters, usesMagnetometer: true, learned)
    pairing = MotionPairing(info: info, calibrator: calibrator, run: run)
  }

  /// The preset of the kind of device, with the range of its gyroscope.
  static func parameters(for info: SensorInfo) -> OrientationFilter.Parameters {
    var parameters: OrientationFilter.Parameters =
      switch info.deviceClass {
      case .headphones: .headphones
      case .unknown, .phone, .watch, .controller, .module: .phone
      }
    parameters.gyroscopeRange = info.channel(.gyroscope)?.range
    return parameters
  }

  /// Takes any sample; returns the state of motion that it completes, if it does. At most one gyroscope sample later than
  /// the sample that it belongs to.
  public mutating func update(_ sample: SensorSample) -> DeviceMotion? {
    switch sample {
    case .accelerometer(let sample):
      update(sample)
      if let time = pairing.takeUnmade(), let motion = motion(at: time) { return motion }
      return pairing.takePending(at: sample)
    case .gyroscope(let sample):
      update(sample)
      return pairing.pass(motion(at: sample.time), at: sample.time)
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
  public mutating func finish() -> DeviceMotion? { pairing.finish() }

  private var computesSixAxis: Bool { solutions.contains(.sixAxis) }
  var computesNineAxis: Bool { solutions.contains(.nineAxis) }

  private mutating func update(_ sample: GyroscopeSample) {
    let time = sample.time.nanoseconds
    if computesSixAxis { sixAxis.update(angularVelocity: sample.angularVelocity, atNanoseconds: time) }
    if computesNineAxis { nineAxis.update(angularVelocity: sample.angularVelocity, atNanoseconds: time) }
  }

  private mutating func update(_ sample: AccelerometerSample) {
    pairing.take(sample)
    let time = sample.time.nanoseconds
    if computesSixAxis { sixAxis.update(specificForce: sample.specificForce, atNanoseconds: time) }
    if computesNineAxis { nineAxis.update(specificForce: sample.specificForce, atNanoseconds: time) }
  }

  private mutating func update(_ sample: MagnetometerSample) {
    pairing.take(sample)
    guard !solutions.isEmpty else { return }
    let angularVelocity = computesNineAxis ? nineAxis.angularVelocity : sixAxis.angularVelocity
    guard let reading = pairing.calibrate(sample, angularVelocity: angularVelocity), computesNineAxis else { return }
    if reading.isFirst { nineAxis.resetHeading() }
    nineAxis.update(
      magneticField: reading.magneticField, hardIronDeviation: reading.hardIronDeviation,
      atNanoseconds: sample.time.nanoseconds)
  }

  // Mutating, as is `solution()`, though nothing changes: a call that only reads copies the estimator or the filter first, 18 and 7
  // kilobytes at every sample, a fifth of the processor time of `fuse`.
  private mutating func motion(at time: SensorInstant) -> DeviceMotion? {
    guard let accelerometer = pairing.partner(of: time) else { return nil }
    return pairing.motion(
      at: time, accelerometer: accelerometer, sixAxis: computesSixAxis ? sixAxis.solution() : nil,
      nineAxis: computesNineAxis ? nineAxis.solution() : nil,
      isAtRest: computesSixAxis ? sixAxis.isAtRest : nineAxis.isAtRest)
  }
}

extension OrientationFilter {
  /// What the filter says now; nil while it has no attitude.
  fileprivate mutating func solution() -> DeviceMotion.Solution? {
    guard let attitude else { return nil }
    return DeviceMotion.Solution(
      attitude: attitude, angularVelocity: angularVelocity, hasHeading: hasHeading,
      inclinationStandardDeviation: inclinationStandardDeviation, headingStandardDeviation: headingStandardDeviation)
  }
}
