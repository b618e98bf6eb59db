// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension MagnetometerCalibrator {
  /// Processes a reading.
  ///
  /// - Parameters:
  ///   - field: the raw reading including hard iron, T, device axes.
  ///   - rate: the angular velocity at that time, rad/s, device axes, the gyroscope's bias removed.
  ///   - bias: the bias that was removed, rad/s.
  ///   - isBiasKnown: true when the bias was measured at rest. Until then the calibrator estimates it from the field.
  ///   - time: nanoseconds of the sensor's clock. Readings out of order, or with numbers that are not finite, are ignored.
  /// - Returns: the current ``calibration``.
  @discardableResult
  public mutating func update(
    magneticField field: Vector3<Device>, angularVelocity rate: Vector3<Device>,
    gyroscopeBias bias: Vector3<Device> = .zero,
    isBiasKnown: Bool = false,
    atNanoseconds time: Int64
  ) -> MagnetometerCalibration {
    process(
      magneticField: field, angularVelocity: rate, gyroscopeBias: bias, isBiasKnown: isBiasKnown, atNanoseconds: time)
    return state.calibration
  }

  /// The same without a copy of the result.
  mutating func process(
    magneticField field: Vector3<Device>, angularVelocity rate: Vector3<Device>, gyroscopeBias bias: Vector3<Device>,
    isBiasKnown: Bool, atNanoseconds time: Int64
  ) {
    guard Plausible.accepts(field, limit: Plausible.magneticField),
      Plausible.accepts(rate, limit: Plausible.angularVelocity)
    else { return }
    let interval = state.latestTime.map { SampleTime.seconds(from: $0, to: time) } ?? .infinity
    guard interval > 0 || interval < -1 else { return }
    let mean = (state.latestRate + rate) * 0.5
    (state.latestTime, state.latestRate, state.latestField) = (time, rate, field)
    guard interval > 0, interval <= 0.5 else {
      state.anchor = nil
      state.filter.interrupt()
      state.rival.interrupt()
      for i in 0..<2 { state.frames.beginBlock(i) }
      return
    }
    watch(field, interval: interval)
    guard !state.isCalibrated else { return }
    if isBiasKnown {
      state.filter.use(bias: bias)
      state.rival.use(bias: bias)
    }
    let reading = mean + bias
    state.frames.add(
      state.filter.softIron * field, rate: reading - state.filter.bias, state.rival.softIron * field,
      rate: reading - state.rival.bias, interval: interval)
    if state.frames.time[0] >= Constant.HardIron.blockDuration { state.filter.add(state.frames.endBlock(0)) }
    if state.frames.time[1] >= Constant.HardIron.blockDuration { state.rival.add(state.frames.endBlock(1)) }
    state.rivalTurn += mean.length * interval
    follow(field, rate: mean, interval: interval)
  }

  private mutating func agrees(_ field: Vector3<Device>) -> Bool {
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
    // The magnetism of the device has changed, or the field is another one. What was found stays, and is used again
    // where the field agrees with it; the rival finds out soon whether it still holds.
    state.attainableAccuracy = .uncalibrated
    state.calibration.hardIronDeviation = .infinity
    beginRival(limit: Self.firstRivalTurn)
  }

  /// The strength of a field that is free of hard iron changes with the place only.
  private mutating func followStrength(_ field: Vector3<Device>, interval: Double) {
    let known = state.calibration.fieldStrength
    let share = known == 0 ? 1 : min(1, interval / Constant.strengthMemory)
    state.calibration.fieldStrength += share * (field.length - known)
  }

  /// Follows the rotation since the pair's first reading, and closes the pair when it is large enough.
  private mutating func follow(_ field: Vector3<Device>, rate: Vector3<Device>, interval: Double) {
    guard let anchor = state.anchor else {
      startPair(field)
      return
    }
    // v(then) = turn · v(now)
    state.turn = state.turn.turned(inner: RealVector(rate * interval))
    state.pairTime += interval
    if state.pairTime > parameters.longestPairTime {
      startPair(field)
    } else if Double(state.turn.w * state.turn.w) <= pairLimit {
      state.pairs.add(first: anchor, second: field, turn: state.turn.rotation())
      state.buffer.add(field)
      startPair(field)
      // A reading that contradicts the calibration moves nothing at once: it may come from the room.
      if state.calibration.accuracy == .uncalibrated || agrees(field) { fit() }
    }
  }

  private mutating func startPair(_ field: Vector3<Device>) {
    state.anchor = field
    (state.turn, state.pairTime) = (Quaternion(w: 1, x: 0, y: 0, z: 0), 0)
  }

  // MARK: Fit

  /// Tries to improve the calibration with all readings so far.
  mutating func fit() {
    state.softIronDeviationToBeat *= Constant.ageing
    guard let rough = judgeRival() else { return }
    guard state.buffer.centre == nil else {
      _ = fit(rough)
      return
    }
    // Until a fit is accepted the readings stay in the order of time.
    let readings = state.buffer
    state.buffer.arrange(around: rough.centre)
    if !fit(rough), state.buffer.count > 0 { state.buffer = readings }
  }

  /// Whether a fit was accepted.
  private mutating func fit(_ rough: HardIronFit) -> Bool {
    let softIron = softIronToUse()
    var found = rough
    if softIron.matrix != state.calibration.softIron {
      let hardIron = softIron.hardIron ?? rough
      if state.filter.use(softIron: softIron.matrix, hardIron: hardIron) { state.frames.beginBlock(0) }
      if state.rival.use(softIron: softIron.matrix, hardIron: hardIron) { state.frames.beginBlock(1) }
      guard let corrected = state.filter.hardIron() else { return false }
      found = corrected
    }
    let best = weighed(found)
    var coverage = state.buffer.count
    var spread = state.buffer.spread(around: best.centre, softIron: softIron.matrix)
    if !isPlausible(spread, best.deviation) {
      // Contradictory readings, for example from two rooms: the latest may be of one.
      var recent = state.buffer
      if coverage >= Constant.manyDirections { state.buffer = DirectionBuffer() }
      recent.keep(latest: Self.recentReadings)
      coverage = recent.count
      spread = recent.spread(around: best.centre, softIron: softIron.matrix)
    }
    let deviation = max(best.deviation, parameters.smallestDeviation)
    guard deviation <= parameters.largestDeviation, isPlausible(spread, best.deviation) else { return false }
    if state.calibration.accuracy == .uncalibrated {
      // What is read now has to agree: the strength of the earth's field, and that of the fit.
      let strength = (softIron.matrix * (state.latestField - best.centre)).length
      guard abs(strength - spread.strength) <= parameters.agreement * spread.strength else { return false }
    }

    let step = (best.centre - state.calibration.hardIron).length
    let isConfirmation = step < 2 * (deviation + state.calibration.hardIronDeviation)
    var next = MagnetometerCalibration(
      hardIron: best.centre, fieldStrength: spread.strength, hardIronDeviation: deviation,
      accuracy: state.calibration.accuracy, softIron: softIron.matrix, softIronDeviation: softIron.deviation)
    let accuracy = Self.accuracy(
      error: spread.error, coverage: coverage, deviation: next.fieldDeviation / spread.strength)
    if state.buffer.count > 0 { state.buffer.arrange(around: best.centre) }
    if state.calibration.hardIronDeviation == .infinity { state.agreeingTime = 0 }
    // A fit that agrees from fewer directions does not lower the accuracy.
    state.attainableAccuracy = isConfirmation ? max(accuracy, state.attainableAccuracy) : accuracy
    next.accuracy = max(.low, min(state.calibration.accuracy, state.attainableAccuracy))
    state.calibration = next
    if softIron.hardIron != nil { state.softIronDeviationToBeat = softIron.deviation ?? .infinity }
    state.fitAge = 0
    return true
  }

  /// A second filter that began later knows nothing of what came before: of a gyroscope whose bias was not known yet,
  /// of a magnet that is gone. Where the two contradict each other, the later one is right. Returns the hard iron of the one
  /// that is.
  private mutating func judgeRival() -> HardIronFit? {
    // Of both the one that knows less of the room has to be as careful as the other.
    state.rival.shareSpread(with: &state.filter)
    let found = state.filter.hardIron()
    guard let own = found, let other = state.rival.hardIron() else { return found }
    let step = other.centre - own.centre
    if other.deviation <= 2 * parameters.largestDeviation,
      let weight = (own.covariance + other.covariance).inverse, step.dot(weight * step) > Self.contradiction
    {
      state.contradictions += 1
    } else {
      state.contradictions = 0
    }
    if state.contradictions >= Self.fewestContradictions {
      state.filter = state.rival
      state.frames.followSecond()
      beginRival(limit: Self.firstRivalTurn)
      return other
    }
    if state.rivalTurn > state.rivalLimit { beginRival(limit: min(2 * state.rivalLimit, Constant.lastRivalTurn)) }
    return own
  }

  private mutating func beginRival(limit: Double) {
    state.rival = HardIronFilter(softIron: state.calibration.softIron)
    state.frames.restartSecond()
    state.rivalTurn = 0
    state.contradictions = 0
    state.rivalLimit = limit
  }

  /// 400° of turning.
  private static var recentReadings: Int { 20 }
  /// The rotation after which a rival begins again, rad: small at first.
  static var firstRivalTurn: Double { 8 }
  /// So many pairs in a row, 160° of turning.
  private static var fewestContradictions: Int { 8 }
  /// Normalised squared distance of two hard irons: four standard deviations.
  private static var contradiction: Double { 16 }

  /// Whether the strength is the earth's, which the deviation of the hard iron excuses, and nearly the same in all
  /// directions.
  private mutating func isPlausible(_ spread: (strength: Double, error: Double), _ deviation: Double) -> Bool {
    let range = parameters.fieldRange
    return spread.strength + deviation >= range.lowerBound && spread.strength - deviation <= range.upperBound
      && Self.accuracy(error: spread.error, coverage: 0, deviation: .infinity) > .uncalibrated
  }

  /// The fit with what is known beforehand: a source is calibrated already, then little of its iron is left, or not,
  /// then tens of µT are usual. A fit that is zero within its deviation would be a rare chance in the second case.
  /// Bayes' rule weighs the kinds of sources; the result has the mean and the covariance of all together.
  private func weighed(_ fit: HardIronFit) -> HardIronFit {
    let (h, c) = (fit.centre, fit.covariance)
    var (sum, mean, square) = (0.0, Vector3<Device>.zero, Matrix3.zero)
    for kind in Constant.kindsOfSources {
      let variance = kind.deviation * kind.deviation
      let total = c + .identity * variance
      guard let inverse = total.inverse else { return fit }
      // Relative to the uncalibrated kind, so that no factor of 10¹⁵ comes in.
      let unit = Constant.kindsOfSources[0].deviation
      let weight =
        kind.share * Scalar.exp(-0.5 * h.dot(inverse * h)) / ((total * (1 / (unit * unit))).determinant).squareRoot()
      let centre = inverse * h * variance
      sum += weight
      mean += centre * weight
      square = square + (inverse * c * variance + centre.outer(centre)) * weight
    }
    guard sum > 0, sum.isFinite else { return fit }
    mean = mean * (1 / sum)
    return HardIronFit(centre: mean, covariance: square * (1 / sum) + mean.outer(mean) * -1)
  }

  /// The level that a fit supports: `error` relative spread of the strength, `coverage` of 100 directions, `deviation`
  /// of hard and soft iron relative to the strength.
  ///
  /// By strength alone 55 and 85 directions are needed. The gyroscope's pairs need fewer, so a small deviation of the
  /// centre (5 %, 2 %) replaces the missing directions of "medium", and some of those of "high".
  static func accuracy(error: Double, coverage: Int, deviation: Double) -> MagnetometerAccuracy {
    let (few, medium) = (coverage >= Constant.leastCoverage, coverage >= Constant.mediumCoverage)
    let high = coverage >= Constant.highCoverage || (medium && deviation <= Constant.highDeviation)
    if error <= Constant.highError, high { return .high }
    if error <= Constant.mediumError, medium || (few && deviation <= Constant.mediumDeviation) { return .medium }
    return error <= Constant.lowError ? .low : .uncalibrated
  }
}

// When an ellipsoid is accepted. It has five unknowns more than a sphere, so it always fits better: to noise, to a room
// whose field differs from place to place, to a magnet that came and went. A false one distorts every heading.
// Therefore two independent tests have to agree: the strength of the readings (Fisher's test against the sphere) and
// the gyroscope (the pairs have to turn as the device did). An accepted one stays until both contradict it for a while.
// Documentation/Filter.md 11.4.
extension MagnetometerCalibrator {
  /// The soft iron to use; `hardIron` is set when it comes from a new ellipsoid.
  struct SoftIron {
    var matrix: Matrix3
    var deviation: Double?
    var hardIron: HardIronFit?
  }

  /// Tests whether the readings show an ellipsoid, and whether the one in use still holds.
  mutating func softIronToUse() -> SoftIron {
    let present = SoftIron(matrix: state.calibration.softIron, deviation: state.calibration.softIronDeviation)
    state.fitCount += 1
    guard parameters.correctsSoftIron, state.fitCount % max(1, parameters.softIronFitInterval) == 0 else {
      return present
    }
    if state.pairs.mayPrefer(by: parameters.softIronPreference),
      let fit = state.buffer.fitEllipsoid(fewest: parameters.softIronDirections), isAcceptable(fit)
    {
      state.softIronContradictions = 0
      let deviation = max(fit.deviation, parameters.smallestSoftIronDeviation)
      guard deviation <= state.softIronDeviationToBeat else { return present }
      return SoftIron(matrix: fit.softIron, deviation: deviation, hardIron: fit.hardIron)
    }
    guard present.deviation != nil else { return present }
    state.softIronContradictions = isContradicted(present.matrix) ? state.softIronContradictions + 1 : 0
    guard state.softIronContradictions >= parameters.softIronPatience else { return present }
    state.softIronContradictions = 0
    state.softIronDeviationToBeat = .infinity
    return SoftIron(matrix: .identity)
  }

  private mutating func isAcceptable(_ fit: SoftIronFit) -> Bool {
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
  private mutating func isContradicted(_ softIron: Matrix3) -> Bool {
    guard state.pairs.preference(for: softIron, over: .identity) < 0 else { return false }
    guard let own = state.buffer.squares(softIron: softIron), let sphere = state.buffer.squares(softIron: .identity)
    else { return true }
    return sphere < own
  }
}

extension Vector3 {
  /// The matrix of products of components.
  fileprivate func outer(_ other: Self) -> Matrix3 {
    Matrix3(
      x * other.x, x * other.y, x * other.z, y * other.x, y * other.y, y * other.z, z * other.x, z * other.y,
      z * other.z)
  }
}
