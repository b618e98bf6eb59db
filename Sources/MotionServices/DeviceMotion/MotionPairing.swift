// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import OrientationFusion

/// What belongs to a state of motion beside the orientation: which accelerometer sample it is made from, when it may come out,
/// and the magnetic field without the device's own.
///
/// Each state of motion is made from the accelerometer sample nearest to it in time. Where the two sensors come apart, that
/// may be the next one: then the state is held until that sample is there, at most until the next gyroscope sample. While the
/// accelerometer is silent for longer than ``DeviceMotionEstimator/longestSilence`` there is no state.
///
/// The filters are elsewhere: ``DeviceMotionEstimator`` has one per solution. It feeds its filters with a sample first, and
/// then asks here what comes of it.
struct MotionPairing: Sendable {
  let run: Int
  var location = FusedMotionSample.Location.device
  private(set) var calibrator: MagnetometerCalibrator
  private(set) var accelerometer: AccelerometerSample?
  /// Mean interval of the accelerometer, ns; 0 before its second sample.
  private var accelerometerPeriod: Int64 = 0
  /// A state of motion that waits for its accelerometer sample.
  private var pending: DeviceMotion?
  /// A gyroscope sample before the first accelerometer sample: its state can be made when that has come.
  private var unmade: SensorInstant?
  private var magnetometer: MagnetometerSample?

  init(info: SensorInfo, calibrator: MagnetometerCalibrator?, run: Int) {
    self.run = run
    self.calibrator =
      calibrator ?? MagnetometerCalibrator(isCalibrated: info.channel(.magnetometer)?.isCalibrated ?? false)
  }

  // MARK: Accelerometer and gyroscope

  mutating func take(_ sample: AccelerometerSample) {
    if let accelerometer {
      let interval = (sample.time - accelerometer.time).nanoseconds
      accelerometerPeriod =
        accelerometerPeriod == 0 ? interval : accelerometerPeriod + (interval - accelerometerPeriod) / 8
    }
    accelerometer = sample
  }

  /// The time of the gyroscope sample just before the first accelerometer sample, once.
  mutating func takeUnmade() -> SensorInstant? {
    defer { unmade = nil }
    return unmade
  }

  /// Completes the state that waits with the nearer of two accelerometer samples.
  mutating func takePending(at sample: AccelerometerSample) -> DeviceMotion? {
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
  mutating func finish() -> DeviceMotion? {
    defer { pending = nil }
    return pending
  }

  /// Whether the next accelerometer sample is expected nearer to `time` than the latest one.
  private func isNearerAccelerometerComing(after time: SensorInstant) -> Bool {
    guard let accelerometer, accelerometer.time < time else { return false }
    return accelerometerPeriod == 0 || (time - accelerometer.time).nanoseconds * 2 > accelerometerPeriod
  }

  // MARK: Magnetometer

  /// What a magnetometer sample says to a filter.
  struct FieldReading {
    var magneticField: Vector3<Device>
    /// One standard deviation of what remains of the device's own field, T.
    var hardIronDeviation: Double
    /// The device's own field was not known before: an azimuth from then is worth nothing.
    var isFirst: Bool
  }

  mutating func take(_ sample: MagnetometerSample) { magnetometer = sample }

  /// Calibrates with a sample. Nil before the device's own field is known: then the magnetometer says nothing about north, and
  /// the heading stays arbitrary.
  mutating func calibrate(_ sample: MagnetometerSample, angularVelocity: Vector3<Device>) -> FieldReading? {
    let isFirst = calibrator.calibration.accuracy == .uncalibrated
    calibrator.update(
      magneticField: sample.magneticField, angularVelocity: angularVelocity, atNanoseconds: sample.time.nanoseconds)
    let calibration = calibrator.calibration
    guard calibration.accuracy != .uncalibrated else { return nil }
    return FieldReading(
      magneticField: calibration.field(of: sample.magneticField), hardIronDeviation: calibration.fieldDeviation,
      isFirst: isFirst)
  }

  // MARK: The state

  /// The accelerometer sample of a state at `time`; nil where an old reading would pass for a motion.
  func partner(of time: SensorInstant) -> AccelerometerSample? {
    guard let accelerometer, time - accelerometer.time <= DeviceMotionEstimator.longestSilence,
      accelerometer.time - time <= DeviceMotionEstimator.longestSilence
    else { return nil }
    return accelerometer
  }

  /// Nil without a solution.
  func motion(
    at time: SensorInstant, accelerometer: AccelerometerSample, sixAxis: DeviceMotion.Solution?,
    nineAxis: DeviceMotion.Solution?, isAtRest: Bool
  ) -> DeviceMotion? {
    guard sixAxis != nil || nineAxis != nil else { return nil }
    let field = magnetometer.map {
      DeviceMotion.Field(
        magneticField: calibrator.calibration.field(of: $0.magneticField),
        accuracy: calibrator.calibration.accuracy.rawValue)
    }
    return DeviceMotion(
      time: time, accelerometer: accelerometer, sixAxis: sixAxis, nineAxis: nineAxis, field: field,
      isAtRest: isAtRest, run: run, location: location)
  }
}
