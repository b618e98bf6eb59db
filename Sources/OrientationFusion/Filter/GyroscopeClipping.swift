// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Detects when a gyroscope is at the end of its range, finds that range if it is not known, and restores the lost
/// angle.
///
/// A rate beyond the range reads as the range: the curve of the readings gets a flat top. How the curve rises before it
/// and falls after it says how it went on unseen. ``FlatTop`` does that for an axis; the axes have a range each,
/// because a calibration scales them differently. Documentation/Filter.md 2.1.
struct GyroscopeClipping: Sendable, BitwiseCopyable {
  private(set) var x, y, z: FlatTop
  /// The reading before the latest one, rad/s, and the seconds between the two.
  private var earlier: Real4 = .zero
  private var earlierInterval: Real = 0

  /// `range`: that of the data sheet, rad/s, which wins over what the readings seem to say; nil: to be found.
  init(range: Double?) {
    let axis = FlatTop(range: range.map { Real($0) })
    (x, y, z) = (axis, axis, axis)
  }

  /// The largest magnitude that each axis can read, rad/s; infinite while that is not known.
  var range: RealVector<Device> { RealVector(x: x.range, y: y.range, z: z.range) }

  /// True while an axis reads the end of its known range: the attitude is then a guess.
  var isSaturated: Bool { x.isSaturated || y.isSaturated || z.isSaturated }

  /// The turn of the world that may be missing while an axis is saturated, one standard deviation, rad.
  var possibleLoss: Real4 {
    let (a, b, c) = (x.possibleLoss, y.possibleLoss, z.possibleLoss)
    return (a * a + b * b + c * c).squareRoot()
  }

  /// True when ``add(from:to:interval:axes:restore:)`` has to see this reading.
  @inline(__always)
  func needs(_ reading: RealVector<Device>) -> Bool {
    abs(reading.x) >= x.attention || abs(reading.y) >= y.attention || abs(reading.z) >= z.attention
  }

  /// Keeps what the slope at the beginning of a flat top needs.
  @inline(__always)
  mutating func remember(_ reading: RealVector<Device>, interval: Real) {
    earlier = reading.simd
    earlierInterval = interval
  }

  /// Begins again after a gap in the readings.
  mutating func interrupt() {
    earlierInterval = 0
    x.close()
    y.close()
    z.close()
  }

  /// A step of `interval` seconds between two readings, with the axes of the device in the world at its end. Calls
  /// `restore` for each flat top that ends with it.
  mutating func add(
    from previous: RealVector<Device>, to reading: RealVector<Device>, interval: Real, axes: DeviceAxes,
    restore: (FlatTop.Loss) -> Void
  ) {
    let known = min(x.range, y.range, z.range)
    let (first, time) = (RealVector<Device>(earlier), earlierInterval)
    func step(_ earlier: Real, _ previous: Real, _ reading: Real, _ direction: Real4) -> FlatTop.Step {
      FlatTop.Step(
        earlier: earlier, previous: previous, reading: reading, earlierInterval: time, interval: interval,
        direction: direction, knownRange: known)
    }
    if let loss = x.add(step(first.x, previous.x, reading.x, axes.x)) { restore(loss) }
    if let loss = y.add(step(first.y, previous.y, reading.y, axes.y)) { restore(loss) }
    if let loss = z.add(step(first.z, previous.z, reading.z, axes.z)) { restore(loss) }
  }
}

/// The readings of one axis of a gyroscope while they are at their largest.
///
/// The curve above a flat top is the cubic through both of its ends with their slopes (Hermite's interpolation). For
/// the movements of hands and limbs it gives the lost angle to 30–40 %, where the readings alone give nothing of it.
///
/// It also distinguishes a flat top from similar readings: below the cubic over a smooth maximum, a steady turn or a
/// frozen reading nothing is missing.
struct FlatTop: Sendable, BitwiseCopyable {
  /// Two readings, that before them, rad/s, and their intervals, s.
  struct Step {
    var earlier, previous, reading, earlierInterval, interval: Real
    /// The axis in the world at the end.
    var direction: Real4
    /// The smallest range that any axis has shown, rad/s.
    var knownRange: Real
  }

  /// What a flat top has cost.
  struct Loss {
    /// The lost turn of the world, its standard deviation (in the same direction), rad, and how long it took, s.
    var turn, deviation: Real4
    var duration: Real
  }

  /// The largest magnitude that the axis can read, rad/s; infinite while that is not known.
  private(set) var range: Real = .infinity
  /// A magnitude from here on is looked at; zero while a flat top lasts.
  private(set) var attention: Real
  /// The largest magnitude so far, and how often it was a flat top.
  private var top: Real
  private var count = 0
  private let isGiven: Bool

  // The flat top that lasts. Its curve begins in the middle between the last two readings before it, and ends in the
  // middle between the first two after it: there the slopes are known to second order.
  private var isOpen = false, isLeaving = false
  /// True once it has lasted for too long to be restored.
  private var isLong = false
  private var sign: Real = 1
  private var readings = 0
  private var startRate: Real = 0, startSlope: Real = 0, duration: Real = 0, angle: Real = 0
  /// How much steeper than the slope before it the rise to the top was, and how steeply the readings left it, rad/s².
  private var steepening: Real = 0, leaving: Real = 0
  private var direction: Real4 = .zero

  init(range: Real?) {
    isGiven = range != nil
    self.range = range ?? .infinity
    top = range ?? Constant.smallestRange
    attention = top * (isGiven ? Constant.shareOfRange : 1 - Constant.flatness)
  }

  private static var leastReadings: Int { 3 }
  /// A longer flat top says too little about what is beyond it, s.
  private static var longest: Real { 0.5 }

  var isSaturated: Bool { isOpen && range < .infinity }

  /// How much larger the true rate may be, rad/s: 250 °/s or half the range.
  private var excess: Real { max(Constant.largestExcess, 0.5 * top) }

  private var threshold: Real { top * (isGiven ? Constant.shareOfRange : 1 - Constant.flatness) }

  mutating func close() {
    isOpen = false
    attention = threshold
  }

  @inline(never)
  mutating func add(_ step: Step) -> Loss? {
    guard isOpen else {
      if abs(step.reading) >= threshold { open(step) }
      return nil
    }
    duration += step.interval
    angle += 0.5 * sign * (step.previous + step.reading) * step.interval
    direction += step.direction * step.interval
    if duration > Self.longest { return endPart() }
    let magnitude = sign * step.reading
    if !isGiven, magnitude > top * (1 + Constant.flatness) {
      open(step)
    } else if magnitude >= threshold {
      readings += 1
      isLeaving = false
    } else if !isLeaving {
      isLeaving = true
      leaving = sign * (step.previous - step.reading) / step.interval
    } else {
      return end(step)
    }
    return nil
  }

  /// A reading at the top. A larger one than ever shows that the range, if one was found, is none.
  private mutating func open(_ step: Step) {
    let magnitude = abs(step.reading)
    if !isGiven, magnitude > top * (1 + Constant.flatness) { (range, count) = (.infinity, 0) }
    if !isGiven { top = max(top, magnitude) }
    (isOpen, isLeaving, isLong, readings) = (true, false, false, 1)
    attention = 0
    sign = step.reading < 0 ? -1 : 1
    startRate = 0.5 * sign * (step.earlier + step.previous)
    let isKnown = step.earlierInterval > 0
    startSlope = isKnown ? sign * (step.previous - step.earlier) / step.earlierInterval : 0
    steepening = max(0, sign * (step.reading - step.previous) / step.interval - startSlope)
    duration = 0.5 * step.earlierInterval + step.interval
    angle =
      0.25 * (startRate + sign * step.previous) * step.earlierInterval
      + 0.5 * sign * (step.previous + step.reading) * step.interval
    direction = step.direction * duration
  }

  /// The second reading below the top.
  private mutating func end(_ step: Step) -> Loss? {
    defer { close() }
    guard !isLong else { return endPart() }
    let endRate = 0.5 * sign * (step.previous + step.reading)
    let endSlope = sign * (step.reading - step.previous) / step.interval
    let axis = direction * (1 / duration)
    // The cubic ends half a step before the latest reading.
    duration -= 0.5 * step.interval
    angle -= 0.25 * (endRate + sign * step.reading) * step.interval
    let cubic = duration * (0.5 * (startRate + endRate) + duration * (startSlope - endSlope) / 12)
    let most = excess * duration
    let lost = min(most, max(0, cubic - angle))
    var isNew = false
    if range == .infinity {
      isNew = readings >= Self.leastReadings && lost >= Constant.leastHeight * top * duration
      guard isNew else { return nil }
      count += 1
      if count >= 2 || abs(top / step.knownRange - 1) < Constant.rangeTolerance { range = top }
    }
    // Edges that are steeper than the slopes beside them: the cubic knows nothing of those.
    let edges = duration * duration * (steepening + max(0, leaving + endSlope)) / 12
    let share = Constant.restoredDeviation * lost
    let deviation =
      min(most, Constant.largestDeviation, range < .infinity ? (share * share + edges * edges).squareRoot() : lost)
    return Loss(
      turn: axis * (range < .infinity ? sign * lost : 0), deviation: axis * deviation, duration: duration)
  }

  /// Half a second that cannot be restored.
  private mutating func endPart() -> Loss? {
    let part = Loss(
      turn: .zero, deviation: direction * min(excess, Constant.largestDeviation / duration), duration: duration)
    (duration, direction, isLong) = (0, .zero, true)
    return range < .infinity ? part : nil
  }

  /// The turn of the world that may be missing while the flat top lasts, one standard deviation, rad.
  var possibleLoss: Real4 { isSaturated ? direction * excess : .zero }
}

extension OrientationFilter {
  /// Looks at a step with a reading at or above the largest one so far.
  mutating func addClipping(
    from previous: RealVector<Device>, to reading: RealVector<Device>, interval: Real
  ) {
    let axes = state.axes
    var clipping = state.clipping
    clipping.add(from: previous, to: reading, interval: interval, axes: axes) { restore($0) }
    state.clipping = clipping
  }

  /// Turns the attitude by what a flat top has hidden: an error of unknown size but of known direction. Gravity, tilted
  /// for half of the time, went into the velocity.
  private mutating func restore(_ loss: FlatTop.Loss) {
    let turn = RealVector<EastNorthUp>(loss.turn)
    state.pose.quaternion = Quaternion(turn: turn) * state.pose.quaternion
    state.axes = state.pose.quaternion.axes
    // Of this block alone: what the ones before made of it is in the models.
    let time = min(loss.duration, state.sums.duration)
    let speed = time * (1 - 0.5 * time / loss.duration) * Real(standardGravity)
    state.sums.velocity += Real4(speed * loss.turn.y, -speed * loss.turn.x, 0)
    let d = loss.deviation
    state.sums.lossVariance += (d * d).sum()
    state.bank.add(turn: d)
    // What looked like motion meanwhile was none.
    state.hand.reset()
    // A large error does not stay in one direction: what the linear equations miss is of second order.
    let square = min(1, (d * d).sum())
    for i in 0..<3 { state.bank.add(Float(0.25 * square * square), to: i) }
  }
}
