// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// The way of a magnetometer's reading to a filter: through the calibration, which the filter in turn tells how the
/// device turns.
///
/// ```swift
/// if let reading = channel.update(magneticField: field, by: &filter, atNanoseconds: time) {
///   filter.update(reading, atNanoseconds: time)
/// }
/// ```
package struct MagnetometerChannel: Sendable {
  package private(set) var calibrator: MagnetometerCalibrator
  /// The latest reading, its time, and how far the device has turned since it was another one, rad.
  private var latestField: Vector3<Device>?
  private var latestTime: Int64 = 0
  private var turnSinceChange = 0.0

  package init(calibrator: MagnetometerCalibrator) { self.calibrator = calibrator }

  /// The current calibration.
  package var calibration: MagnetometerCalibration {
    // Mutating, though nothing changes: a read from another module copies the calibrator first.
    mutating get { calibrator.state.calibration }
  }

  /// What a magnetometer's reading says to a filter.
  package struct Reading: Sendable {
    var magneticField: Vector3<Device>
    /// One standard deviation of what remains of the device's own field, T.
    var hardIronDeviation: Double
    /// How much hard iron the calibration leaves more than before, T.
    var hardIronChange: Vector3<Device>
  }

  /// Calibrates with a reading, T, while `filter` says how the device turns.
  ///
  /// Nil for a reading that has stayed the same to the bit while the device turned: a sensor that hangs says nothing.
  package mutating func update(
    magneticField field: Vector3<Device>, by filter: inout OrientationFilter, atNanoseconds time: Int64
  ) -> Reading? {
    let rate = filter.angularVelocity
    guard isAlive(field, angularVelocity: rate, atNanoseconds: time) else { return nil }
    let before = calibrator.state.calibration.hardIron
    let (bias, isBiasKnown) = filter.knownGyroscopeBias()
    calibrator.process(
      magneticField: field, angularVelocity: rate, gyroscopeBias: bias, isBiasKnown: isBiasKnown, atNanoseconds: time)
    let (softIron, hardIron) = (calibrator.state.calibration.softIron, calibrator.state.calibration.hardIron)
    let isKnown = calibrator.state.calibration.accuracy > .uncalibrated
    return Reading(
      magneticField: softIron * (field - hardIron),
      hardIronDeviation: isKnown ? calibrator.state.calibration.fieldDeviation : .infinity,
      hardIronChange: softIron * (before - hardIron))
  }

  private mutating func isAlive(
    _ field: Vector3<Device>, angularVelocity: Vector3<Device>, atNanoseconds time: Int64
  ) -> Bool {
    defer { (latestField, latestTime) = (field, time) }
    guard latestField == field else {
      turnSinceChange = 0
      return true
    }
    turnSinceChange += angularVelocity.length * max(0, SampleTime.seconds(from: latestTime, to: time))
    return turnSinceChange < Constant.largestTurnWithoutChange
  }
}

extension OrientationFilter {
  /// Processes a reading that has passed its calibration.
  package mutating func update(_ reading: MagnetometerChannel.Reading, atNanoseconds time: Int64) {
    moveHardIron(by: reading.hardIronChange, deviation: reading.hardIronDeviation)
    update(
      magneticField: reading.magneticField, hardIronDeviation: reading.hardIronDeviation, atNanoseconds: time)
  }

  /// What this and earlier runs have learned, with the share that may be believed
  /// (``LearnedSensor/credited(since:credit:)``); nil before the first attitude, and when the numbers cannot be a
  /// sensor's.
  ///
  /// - Parameter knowledge: what this filter started with.
  package func learned(after knowledge: LearnedSensor?) -> LearnedSensor? {
    guard attitude != nil else { return nil }
    let start = OrientationFilter.starting(
      parameters: parameters, usesMagnetometer: usesMagnetometer, learned: knowledge)
    var sensor = learned.credited(since: start.learned)
    if !usesMagnetometer, let knowledge, knowledge.isPlausible {
      // The delay was not estimated: the earlier estimate is kept.
      sensor.magnetometerDelay = knowledge.magnetometerDelay
      sensor[12, 12] = knowledge[12, 12]
    }
    return sensor.isPlausible ? sensor : nil
  }

  /// A filter that begins with what is known of the sensors, or with nothing when that cannot be.
  package static func starting(
    parameters: Parameters, usesMagnetometer: Bool, learned: LearnedSensor?
  ) -> OrientationFilter {
    let informed = learned.flatMap {
      OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer, learned: $0)
    }
    return informed ?? OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
  }

  /// True while the field points elsewhere, by more than ``Parameters/disturbanceAngle``, and for some time after.
  package var isFieldDisturbed: Bool {
    mutating get { state.hasHeading && state.disturbedTime > 0 }
  }

  /// The variance of each axis of the bias, (rad/s)².
  package var gyroscopeBiasVariance: Vector3<Device> {
    // Mutating, though nothing changes: a read from another module copies the filter first.
    mutating get {
      let i = ErrorIndex.bias
      return Vector3(
        x: Double(state.covariance.element(i, i)), y: Double(state.covariance.element(i + 1, i + 1)),
        z: Double(state.covariance.element(i + 2, i + 2)))
    }
  }
}
