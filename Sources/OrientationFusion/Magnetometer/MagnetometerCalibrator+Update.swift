// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension MagnetometerCalibrator {
  /// Processes a reading.
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
    // Readings that contradict a calibration come from the room, not from the device.
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

  /// Raises and lowers the accuracy with hysteresis.
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
    // The readings come from a device whose magnetism has changed. Hard and soft iron stay until there are better ones.
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

  // MARK: Fit

  /// Tries to improve the calibration with all readings so far.
  mutating func fit() {
    state.deviationToBeat *= Self.ageing
    state.softIronDeviationToBeat *= Self.ageing
    guard let centre = state.pairs.solve(softIron: state.calibration.softIron)?.centre else { return }
    var buffer = state.buffer
    if buffer.centre == nil { buffer.arrange(around: centre) }
    let softIron = softIronToUse(buffer)
    guard var best = state.pairs.solve(softIron: softIron.matrix) else { return }
    if let ellipsoid = softIron.hardIron {
      best = ellipsoid
    } else if best.deviation <= parameters.largestDeviation || state.calibration.accuracy > .uncalibrated {
      let sphere = buffer.fitSphere(softIron: softIron.matrix)
      if let sphere, sphere.deviation < best.deviation { best = sphere }
    }
    best.deviation = max(best.deviation, parameters.smallestDeviation)
    // With another soft iron the deviation to beat does not hold.
    let isAnother = softIron.matrix != state.calibration.softIron
    guard best.deviation <= parameters.largestDeviation, best.deviation <= state.deviationToBeat || isAnother
    else { return }

    buffer.arrange(around: best.centre)
    let spread = buffer.spread(around: best.centre, softIron: softIron.matrix)
    var next = MagnetometerCalibration(
      hardIron: best.centre, fieldStrength: spread.strength, hardIronDeviation: best.deviation,
      accuracy: state.calibration.accuracy, softIron: softIron.matrix, softIronDeviation: softIron.deviation)
    let accuracy = Self.accuracy(
      error: spread.error, coverage: buffer.count, deviation: next.fieldDeviation / spread.strength)
    guard parameters.fieldRange.contains(spread.strength), accuracy > .uncalibrated else {
      // Contradictory readings, for example from two rooms: start again with new ones.
      if buffer.count >= 60 { state.buffer = DirectionBuffer() }
      return
    }
    state.buffer = buffer
    if state.calibration.hardIronDeviation == .infinity { state.agreeingTime = 0 }
    // A fit that agrees from fewer directions does not lower the accuracy.
    let step = (best.centre - state.calibration.hardIron).length
    let isConfirmation = step < 2 * (best.deviation + state.calibration.hardIronDeviation)
    state.attainableAccuracy = isConfirmation ? max(accuracy, state.attainableAccuracy) : accuracy
    next.accuracy = min(state.calibration.accuracy, state.attainableAccuracy)
    state.calibration = next
    state.deviationToBeat = best.deviation
    if softIron.hardIron != nil { state.softIronDeviationToBeat = softIron.deviation ?? .infinity }
    state.fitAge = 0
  }

  /// The factor by which the deviation of a fit grows at every following one.
  private static var ageing: Double { 1.02 }

  /// The level that a fit supports: `error` relative spread of the strength, `coverage` of 100 directions, `deviation` of
  /// hard and soft iron relative to the strength.
  ///
  /// By strength alone 55 and 85 directions are needed. The gyroscope's pairs need fewer, so a small deviation of the centre
  /// (5 %, 2 %) replaces the missing directions of "medium", and some of those of "high".
  static func accuracy(error: Double, coverage: Int, deviation: Double) -> MagnetometerAccuracy {
    if error <= 0.045, coverage >= 85 || (coverage >= 55 && deviation <= 0.02) { return .high }
    if error <= 0.075, coverage >= 55 || (coverage >= 15 && deviation <= 0.05) { return .medium }
    return error <= 0.12 ? .low : .uncalibrated
  }
}

// When an ellipsoid is accepted. It has five unknowns more than a sphere, so it always fits better: to noise, to a room whose
// field differs from place to place, to a magnet that came and went. A false one distorts every heading. Therefore two
// independent tests have to agree: the strength of the readings (Fisher's test against the sphere) and the gyroscope (the pairs
// have to turn as the device did). An accepted one stays until both contradict it for a while. Documentation/Filter.md 11.4.
extension MagnetometerCalibrator {
  /// The soft iron to use; `hardIron` is set when it comes from a new ellipsoid.
  struct SoftIron {
    var matrix: Matrix3
    var deviation: Double?
    var hardIron: HardIronFit?
  }

  /// Tests whether the readings show an ellipsoid, and whether the one in use still holds.
  mutating func softIronToUse(_ buffer: DirectionBuffer) -> SoftIron {
    let present = SoftIron(matrix: state.calibration.softIron, deviation: state.calibration.softIronDeviation)
    state.fitCount += 1
    guard parameters.correctsSoftIron, state.fitCount % max(1, parameters.softIronFitInterval) == 0 else {
      return present
    }
    if let fit = buffer.fitEllipsoid(fewest: parameters.softIronDirections), isAcceptable(fit) {
      state.softIronContradictions = 0
      let deviation = max(fit.deviation, parameters.smallestSoftIronDeviation)
      guard deviation <= state.softIronDeviationToBeat else { return present }
      return SoftIron(matrix: fit.softIron, deviation: deviation, hardIron: fit.hardIron)
    }
    guard present.deviation != nil else { return present }
    state.softIronContradictions = isContradicted(present.matrix, buffer) ? state.softIronContradictions + 1 : 0
    guard state.softIronContradictions >= parameters.softIronPatience else { return present }
    state.softIronContradictions = 0
    state.softIronDeviationToBeat = .infinity
    return SoftIron(matrix: .identity)
  }

  private func isAcceptable(_ fit: SoftIronFit) -> Bool {
    let isInUse = state.calibration.softIronDeviation != nil
    let smallest = parameters.smallestSoftIron * (isInUse ? parameters.softIronHysteresis : 1)
    guard fit.error <= parameters.softIronError, fit.deviation <= parameters.largestSoftIronDeviation,
      fit.hardIron.deviation <= parameters.largestDeviation,
      fit.strength >= smallest, fit.strength >= parameters.softIronSignificance * fit.deviation,
      fit.evidence >= parameters.softIronEvidence
    else { return false }
    return state.pairs.preference(for: fit.softIron, over: .identity) >= parameters.softIronPreference
  }

  /// True when the sphere now fits both, the strength and the pairs, better than the soft iron in use.
  private func isContradicted(_ softIron: Matrix3, _ buffer: DirectionBuffer) -> Bool {
    guard state.pairs.preference(for: softIron, over: .identity) < 0 else { return false }
    guard let own = buffer.squares(softIron: softIron), let sphere = buffer.squares(softIron: .identity)
    else { return true }
    return sphere < own
  }
}
