// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension MagnetometerCalibrator {
  /// Takes in a reading.
  ///
  /// - Parameters:
  ///   - field: the raw reading, the hard iron in it, T, device axes.
  ///   - rate: the angular velocity at that time, rad/s, device axes, the gyroscope's bias removed.
  ///   - time: nanoseconds of the sensor's clock. Readings out of order, or with numbers that are not finite, are ignored.
  public mutating func update(
    magneticField field: Vector3<Device>, angularVelocity rate: Vector3<Device>, atNanoseconds time: Int64
  ) {
    guard Plausible.accepts(field, limit: Plausible.magneticField),
      Plausible.accepts(rate, limit: Plausible.angularVelocity)
    else { return }
    let interval = state.latestTime.map { SampleTime.seconds(from: $0, to: time) } ?? .infinity
    guard interval > 0 || interval < -1 else { return }
    let mean = (state.latestRate + rate) * 0.5
    state.latestTime = time
    state.latestRate = rate
    guard interval > 0, interval <= 0.5 else {
      state.anchor = nil
      return
    }
    watch(field, interval: interval)
    guard !state.isCalibrated else { return }
    // Readings that contradict a calibration say something about the room, not about the device.
    guard state.calibration.accuracy == .uncalibrated || agrees(field) else {
      state.anchor = nil
      return
    }
    follow(field, rate: mean, interval: interval)
  }

  private func agrees(_ field: Vector3<Device>) -> Bool {
    let strength = state.calibration.field(of: field).length
    let known = state.calibration.fieldStrength
    return parameters.fieldRange.contains(strength)
      && (known == 0 || abs(strength - known) <= parameters.agreement * known)
  }

  /// Raises and lowers the accuracy with the hysteresis of the specification.
  private mutating func watch(_ field: Vector3<Device>, interval: Double) {
    if agrees(field) {
      state.agreeingTime += interval
      state.disagreeingTime = 0
      if state.isCalibrated { followStrength(field, interval: interval) }
    } else {
      state.agreeingTime = 0
      state.disagreeingTime += interval
    }
    if state.agreeingTime >= parameters.riseTime, state.calibration.accuracy < state.attainableAccuracy {
      state.calibration.accuracy = state.calibration.accuracy.higher
      state.agreeingTime = 0
    }
    if state.disagreeingTime >= parameters.fallTime {
      state.disagreeingTime = 0
      lower()
    }
    guard !state.isCalibrated else { return }
    state.fitAge += interval
    if state.fitAge >= parameters.longestFitAge {
      state.fitAge = 0
      state.attainableAccuracy = state.attainableAccuracy.lower
      lower()
    }
  }

  private mutating func lower() {
    guard state.calibration.accuracy > .uncalibrated else { return }
    state.calibration.accuracy = state.calibration.accuracy.lower
    guard state.calibration.accuracy == .uncalibrated, !state.isCalibrated else { return }
    // All that was gathered speaks of a device that is no longer so. Hard and soft iron stay until there are better ones.
    state.attainableAccuracy = .uncalibrated
    state.calibration.hardIronDeviation = .infinity
    state.deviationToBeat = .infinity
    state.softIronDeviationToBeat = .infinity
    state.pairs = RotationPairFit()
    state.buffer = DirectionBuffer()
    state.anchor = nil
  }

  /// The strength of a field that is free of hard iron changes with the place only.
  private mutating func followStrength(_ field: Vector3<Device>, interval: Double) {
    let known = state.calibration.fieldStrength
    let share = known == 0 ? 1 : min(1, interval / 30)
    state.calibration.fieldStrength += share * (field.length - known)
  }

  /// Follows the rotation since the pair's first reading, and closes the pair when it is large enough.
  private mutating func follow(_ field: Vector3<Device>, rate: Vector3<Device>, interval: Double) {
    guard let anchor = state.anchor else {
      startPair(field)
      return
    }
    // v(then) = turn · v(now)
    state.turn = state.turn * Rotation<Device, Device>(rotationVector: rate * interval)
    state.pairTime += interval
    if state.pairTime > parameters.longestPairTime {
      startPair(field)
    } else if state.turn.angle >= parameters.pairAngle {
      state.pairs.add(first: anchor, second: field, turn: state.turn)
      state.buffer.add(field)
      startPair(field)
      fit()
    }
  }

  private mutating func startPair(_ field: Vector3<Device>) {
    state.anchor = field
    state.turn = .identity
    state.pairTime = 0
  }
}
