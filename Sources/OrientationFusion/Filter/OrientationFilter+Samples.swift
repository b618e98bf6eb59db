// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

// What each reading does: the gyroscope moves the attitude, accelerometer and magnetometer add to the sums of the
// block. Documentation/Filter.md 2 to 4.
extension OrientationFilter {
  /// Processes a reading of the gyroscope: rad/s about the device's axes, right-handed, including its bias.
  ///
  /// The attitude advances to the time of this reading, by the mean of it and the one before. A full block ends with a
  /// correction. Readings may share a stamp when they arrive together; one that repeats the latest, or whose time is
  /// earlier, is ignored. A time more than a second earlier means that the clock was set back and counts as a gap.
  public mutating func update(angularVelocity reading: Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(reading, limit: Plausible.angularVelocity) else { return }
    let raw = RealVector<Device>(reading)
    guard let seconds = state.gyroscopeClock.seconds(to: time) else { return start(at: raw, atNanoseconds: time) }
    if seconds > parameters.longestGap || seconds < -1 {
      prepareRestart(afterGap: seconds)
      return start(at: raw, atNanoseconds: time)
    }
    guard !state.gyroscopeClock.isOld(raw.simd, after: seconds) else { return }
    let interval = state.gyroscopeClock.advance(to: time, after: seconds, reading: raw.simd)
    guard interval > 0 else { return }

    let (previousRate, before) = (RealVector<Device>(state.rawRate), state.pose.rate)
    step(to: raw, interval: Real(interval))
    if state.timeAhead != .min { addForceAhead(rate: (before + state.pose.rate) * 0.5) }
    if state.pose.isKnown { addGapAndSaturation(from: previousRate, to: raw, interval: Real(interval)) }
    state.rateInterval +=
      Constant.rateIntervalShare * (min(Real(interval), Constant.longestRateInterval) - state.rateInterval)
    guard state.sums.duration >= coefficients.blockDuration - Constant.rounding else { return }
    closeBlock()
    // A number that is not finite would stay so.
    if !isFinite() { state = State(parameters: parameters) }
  }

  /// Processes a reading of the accelerometer: specific force in m/s² along the device's axes, +9.81 on the axis that
  /// points up at rest.
  ///
  /// The first usable one (0.2…4 g) levels the device; the following ones correct the inclination at each block's end.
  public mutating func update(specificForce reading: Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(reading, limit: Plausible.specificForce) else { return }
    let force = RealVector<Device>(reading)
    guard let interval = specificForceInterval(of: force, upTo: time) else { return }
    let time = state.specificForceClock.time ?? time
    guard !state.needsLevelling, state.pose.isKnown, let latest = state.gyroscopeTime else {
      return level(reading, atNanoseconds: time)
    }
    let age = SampleTime.seconds(from: latest, to: time)
    if age > Constant.largestAge {
      (state.forceAhead, state.timeAhead) = (force.simd, time)
      state.forceAhead.w = interval
    } else if age >= -Constant.largestAge {
      add(force: force, interval: interval, age: Real(age), rate: state.pose.rate)
    }
  }

  /// The attitude has come to a reading that was ahead of it, or has passed it at a mean `rate`.
  private mutating func addForceAhead(rate: Real4) {
    guard let latest = state.gyroscopeTime else { return }
    let age = SampleTime.seconds(from: latest, to: state.timeAhead)
    guard age <= Constant.largestAge else { return }
    state.timeAhead = .min
    add(force: RealVector(state.forceAhead), interval: state.forceAhead.w, age: Real(age), rate: rate)
  }

  /// Adds a reading that was made `age` seconds after the attitude.
  @inline(__always)
  private mutating func add(force: RealVector<Device>, interval: Real, age: Real, rate: Real4) {
    let seen = age == 0 ? force : Self.turned(force, by: RealVector<Device>(rate) * age)
    state.sums.velocity += (state.axes * seen) * interval
    state.sums.velocityDuration += interval
    state.sums.add(force: force)
  }

  /// Processes a reading of the magnetometer: tesla along the device's axes, as read.
  ///
  /// The field of the device itself, its hard iron, is estimated (``magnetometerCalibration``). A filter without
  /// magnetometer estimates it, too; its attitude does not change.
  public mutating func update(magneticField reading: Vector3<Device>, atNanoseconds time: Int64) {
    guard Plausible.accepts(reading, limit: Plausible.magneticField) else { return }
    if let previous = state.magneticFieldTime {
      let interval = SampleTime.seconds(from: previous, to: time)
      guard interval > 0 || interval < -1 else { return }
    }
    state.magneticFieldTime = time
    guard !state.needsLevelling, let age = ageOfAttitude(atNanoseconds: time) else { return }
    let field = RealVector<Device>(reading - state.heading.knownHardIron)
    let rate = RealVector<Device>(state.pose.rate)
    let seen = age == 0 ? field : Self.turned(field, by: rate * age)
    state.sums.add(field: seen, rate: rate, at: state.axes)
  }

  // MARK: Gyroscope

  private mutating func start(at raw: RealVector<Device>, atNanoseconds time: Int64) {
    state.rawRate = raw.simd
    state.pose.rate = state.corrected(raw).simd
    state.gyroscopeClock.start(at: time, reading: raw.simd)
    state.clipping.interrupt()
  }

  /// Moves on by `interval` seconds to the reading `raw`.
  @inline(__always)
  private mutating func step(to raw: RealVector<Device>, interval: Real) {
    let rate = state.corrected(raw)
    state.sums.add(rate: raw)
    if state.pose.isKnown { rotate(by: raw, corrected: rate, interval: interval) }
    state.rawRate = raw.simd
    state.pose.rate = rate.simd
  }

  /// Moves the attitude on by one sample and integrates the sensitivities to the errors.
  @inline(__always)
  private mutating func rotate(by raw: RealVector<Device>, corrected rate: RealVector<Device>, interval: Real) {
    let previous = RealVector<Device>(state.rawRate)
    // The correction is linear: the mean of the corrected rates is the corrected mean.
    let turn = (RealVector<Device>(state.pose.rate) + rate) * (0.5 * interval)
    let q = state.pose.quaternion.turned(inner: turn)
    let axes = q.axes
    state.pose.quaternion = q
    state.axes = axes
    let mean = (previous + raw) * 0.5
    state.sums.squaredRate += mean.dot(mean) * interval
    state.sums.addRotation(axes, turn: mean * interval, time: interval)
    state.pose.blockTime = state.sums.duration
  }

  /// Adds the variance of a step that was long, and looks at one that may be beyond the range of the gyroscope.
  @inline(__always)
  private mutating func addGapAndSaturation(
    from previous: RealVector<Device>, to raw: RealVector<Device>, interval: Real
  ) {
    if interval > Constant.ordinaryInterval { addGap(from: previous, to: raw, interval: interval) }
    if state.clipping.needs(raw) { addClipping(from: previous, to: raw, interval: interval) }
    state.clipping.remember(previous, interval: interval)
  }

  /// Inside a gap the rate is a guess.
  private mutating func addGap(from previous: RealVector<Device>, to raw: RealVector<Device>, interval: Real) {
    let difference = raw - previous
    let change = difference.dot(difference).squareRoot()
    let rate = max(raw.dot(raw), previous.dot(previous)).squareRoot()
    // Small turns between two readings are what their mean says; a large one has swung meanwhile.
    let swing = min(0.5, Constant.swing * rate * interval)
    let deviation = (interval - Constant.ordinaryInterval) * (0.5 * change + swing * rate + Constant.gapRateDeviation)
    state.sums.extraVariance += deviation * deviation
    // Up has to be found again.
    if deviation > Constant.largestGapDeviation { state.up = MeanForce() }
  }

  // MARK: Accelerometer and magnetometer

  /// The seconds that the specific force at `time` stands for; nil when it is out of order.
  private mutating func specificForceInterval(of force: RealVector<Device>, upTo time: Int64) -> Real? {
    guard let seconds = state.specificForceClock.seconds(to: time), seconds >= -1, seconds <= parameters.longestGap
    else {
      state.specificForceClock.start(at: time, reading: force.simd)
      return Constant.firstForceInterval
    }
    guard !state.specificForceClock.isOld(force.simd, after: seconds) else { return nil }
    let interval = Real(state.specificForceClock.advance(to: time, after: seconds, reading: force.simd))
    guard interval > 0 else { return nil }
    // After a pause the reading stands for its usual share only: what happened in the pause is unknown.
    let usual = Real(state.specificForceClock.median)
    guard seconds <= max(Constant.longestForceInterval, 2 * Double(usual)) else { return usual }
    return interval
  }

  /// The seconds from the attitude to a reading near it; nil without attitude or gyroscope, or more than 0.1 s away.
  @inline(__always)
  private mutating func ageOfAttitude(atNanoseconds time: Int64) -> Real? {
    guard state.pose.isKnown, let latest = state.gyroscopeClock.time else { return nil }
    let interval = SampleTime.seconds(from: latest, to: time)
    return abs(interval) <= Constant.largestAge ? Real(interval) : nil
  }

  /// A reading by a device that has turned on by `turn` rad, in its axes before that.
  @inline(__always)
  private static func turned(_ reading: RealVector<Device>, by turn: RealVector<Device>) -> RealVector<Device> {
    let square = turn.dot(turn)
    let first = turn.cross(reading)
    // Two terms of the exponential series: below 0.1 rad the next is 2e-4 of the reading at most.
    guard square >= Constant.smallSquaredTurn else { return reading + first + turn.cross(first) * 0.5 }
    // Rodrigues' formula.
    let angle = square.squareRoot()
    return reading + first * (Scalar.sin(angle) / angle)
      + turn.cross(first) * ((1 - Scalar.cos(angle)) / (angle * angle))
  }
}
