// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing
package import MotionServices

/// Finds strokes: the impact in the accelerometer, and from there back to the start of the swing in device motion.
///
/// ```swift
/// var detector = SwingDetector()
/// for sample in accelerometerBatch { swings += detector.update(sample) }
/// for motion in deviceMotionBatch { swings += detector.update(motion) }
/// swings += detector.finish()      // no more will come
/// ```
///
/// ## The impact
/// A ball on the strings shakes the wrist for some 10 ms, much faster than any arm moves. So the specific force passes
/// a high pass of 100 Hz; where the length of what is left exceeds the threshold there is an impact, and its time is
/// that of the largest specific force around. This needs 800 samples a second: at 100 Hz most of the shock is gone.
///
/// ## The start
/// A swing is a rotation about gravity, whatever the pose of the wrist: the rate about the axis that points up is ω ·
/// up. From the impact back it stays above max(1 rad/s, 10 % of the fastest rate so far) in its own direction; the
/// start is where it has been below for 30 ms, interpolated. Turning the other way before that is the backswing.
///
/// Both streams may come sample by sample or batch by batch, in any order between the two: an impact is judged when
/// both are 0.1 s beyond it, from nothing but the samples up to it, so that the result is the same. Source: BATCH-3.
package struct SwingDetector: Sendable, Hashable {
  /// Hz: a slower accelerometer cannot show what passes the filter.
  package static let lowestRate = 400.0

  /// As given.
  package let parameters: Parameters
  let coefficients: Coefficients
  var state = State()

  /// A detector that has seen nothing. The rate must be at least ``lowestRate`` and more than twice the cut-off, and
  /// the threshold positive.
  package init(parameters: Parameters = Parameters()) {
    precondition(
      parameters.rate >= Self.lowestRate && parameters.rate > 2 * parameters.cutOff && parameters.cutOff > 0
        && parameters.threshold > 0,
      "Swings need an accelerometer of at least 400 Hz, a cut-off below half its rate and a positive threshold.")
    self.parameters = parameters
    coefficients = Coefficients(parameters)
  }

  /// Samples of both kinds that were left out: not finite, or not after the one before.
  package var rejectedCount: Int { state.rejectedCount }

  /// Processes a sample of the accelerometer; returns the swings that it settles. Times must go up.
  package mutating func update(_ sample: AccelerometerSample) -> [Swing] {
    let force = sample.specificForce
    guard force.isFinite, state.accelerometerTime.map({ sample.time > $0 }) ?? true else {
      state.rejectedCount += 1
      return []
    }
    follow(sample.time, force)
    state.accelerometerTime = sample.time
    return settle()
  }

  /// Processes a state of motion; returns the swings that it settles. Times must go up. 200 Hz are enough; more do no
  /// harm.
  package mutating func update(_ motion: DeviceMotion) -> [Swing] {
    guard let solution = motion.sixAxis ?? motion.nineAxis else { return [] }
    if state.run != motion.run {
      // Another run of the source: what was before does not lead to what comes.
      if state.run != nil { state.rotations.removeAll(keepingCapacity: true) }
      state.run = motion.run
    }
    return update(rateAboutUp: solution.angularVelocity.dot(solution.up), at: motion.time)
  }

  /// Processes motion that a device or a recording has fused itself; returns the swings that it settles.
  package mutating func update(_ motion: MotionRow) -> [Swing] {
    // Its gravity is up, in a unit whose sign may be turned.
    let up = (motion.gravity * motion.accelerationUnit.scale).normalized ?? .zero
    return update(rateAboutUp: motion.angularVelocity.dot(up), at: motion.time)
  }

  /// Processes the rotation about gravity itself: rad/s about the axis that points up, positive anticlockwise seen from
  /// above.
  package mutating func update(rateAboutUp rate: Double, at time: SensorInstant) -> [Swing] {
    guard rate.isFinite, state.rotations.last.map({ time > $0.time }) ?? true else {
      state.rejectedCount += 1
      return []
    }
    state.rotations.append(Rotation(time: time, rate: rate))
    forget()
    return settle()
  }

  /// No more will come: judges what has been waiting, with the motion that is there.
  package mutating func finish() -> [Swing] {
    closeImpact()
    defer { state.waiting.removeAll() }
    return state.waiting.map(swing)
  }

  /// Judges the impacts that both streams have passed.
  private mutating func settle() -> [Swing] {
    guard let first = state.waiting.first, isSettled(first) else { return [] }
    var swings: [Swing] = []
    while let impact = state.waiting.first, isSettled(impact) {
      swings.append(swing(impact))
      state.waiting.removeFirst()
    }
    return swings
  }

  private func isSettled(_ impact: Impact) -> Bool {
    guard let time = state.accelerometerTime, time - impact.time >= parameters.settling else { return false }
    if let motion = state.rotations.last, motion.time - impact.time >= parameters.settling { return true }
    return time - impact.time >= parameters.timeout
  }

  private func swing(_ impact: Impact) -> Swing {
    Swing(impact: impact.time, peak: impact.peak, shock: impact.shock, stroke: stroke(before: impact.time))
  }
}

extension SwingDetector {
  /// Where a rotation in one direction began.
  private struct Onset {
    /// The last quiet sample before.
    var index: Int
    var time: SensorInstant
    /// The sample with the fastest rotation.
    var fastest: Int
  }

  /// Drops the rotations that no impact can need any more: those that end before what the accelerometer has reached,
  /// and, when that is silent, those older than anybody waits for.
  mutating func forget() {
    guard let newest = state.rotations.last, let oldest = state.rotations.first else { return }
    var needed = newest.time - parameters.timeout - parameters.lookBack
    if let time = state.accelerometerTime {
      // An impact lies up to the search for its peak behind the latest sample.
      let reached = state.waiting.first?.time ?? (time - parameters.peakBefore - parameters.peakAfter)
      needed = max(needed, min(reached, newest.time) - parameters.lookBack)
    }
    // Thrown away in portions, so that a sample is moved once and not at every step.
    guard needed - oldest.time > .seconds(1) else { return }
    state.rotations.removeFirst(state.rotations.firstIndex { $0.time >= needed } ?? 0)
  }

  /// Walks back from an impact.
  func stroke(before impact: SensorInstant) -> Swing.Stroke {
    let rotations = state.rotations
    guard let last = rotations.lastIndex(where: { $0.time <= impact }),
      impact - rotations[last].time <= parameters.longestStep
    else {
      // Motion that begins behind the impact, or has ended well before it, says nothing about it.
      return .unknown(.noDeviceMotion)
    }
    // The ball brakes the wrist, so the fastest moment may be a little earlier.
    var fastest = last
    for index in stride(from: last, through: 0, by: -1) {
      guard impact - rotations[index].time <= parameters.approach else { break }
      if abs(rotations[index].rate) > abs(rotations[fastest].rate) { fastest = index }
    }
    guard abs(rotations[fastest].rate) >= parameters.leastRate else { return .unknown(.noRotation) }
    let direction = rotations[fastest].rate > 0 ? 1.0 : -1
    switch onset(before: last, from: fastest, direction: direction, impact: impact) {
    case .failure(let reason): return .unknown(reason)
    case .success(let onset):
      return .found(
        Swing.Phases(
          backswing: backswing(before: onset, direction: direction, impact: impact), start: onset.time,
          fastest: rotations[onset.fastest].time, fastestRate: rotations[onset.fastest].rate))
    }
  }

  private enum Search {
    case success(Onset)
    case failure(Swing.Reason)
  }

  /// The onset of the rotation in `direction` that sample `start` is part of; `end` is the last sample looked at.
  private func onset(before end: Int, from start: Int, direction: Double, impact: SensorInstant) -> Search {
    let rotations = state.rotations
    for index in start..<end where isGap(behind: index) { return .failure(.gap) }
    var fastest = start
    var quiet: Int?
    var threshold = 0.0
    for index in stride(from: start, through: 0, by: -1) {
      let (time, rate) = (rotations[index].time, rotations[index].rate * direction)
      guard impact - time <= parameters.lookBack else { break }
      if index < start, isGap(behind: index) { return .failure(.gap) }
      if rate > rotations[fastest].rate * direction { fastest = index }
      threshold = max(parameters.leastRate, parameters.leastFraction * rotations[fastest].rate * direction)
      guard rate < threshold else {
        quiet = nil
        continue
      }
      let border = quiet ?? index
      quiet = border
      guard rotations[border].time - time >= parameters.quiet else { continue }
      let (before, after) = (rotations[border], rotations[border + 1])
      let part = (threshold - before.rate * direction) / ((after.rate - before.rate) * direction)
      let step = Double((after.time - before.time).nanoseconds) * min(1, max(0, part))
      return .success(
        Onset(
          index: border, time: before.time + SensorDuration(nanoseconds: Int64(clamping: step.rounded())),
          fastest: fastest))
    }
    return .failure(.noStart)
  }

  /// When the rotation against `direction` began that ends at the start of the swing; nil when there is none, or when
  /// its beginning is not in the data.
  private func backswing(before start: Onset, direction: Double, impact: SensorInstant) -> SensorInstant? {
    let rotations = state.rotations
    for index in stride(from: start.index, through: 0, by: -1) {
      guard impact - rotations[index].time <= parameters.lookBack, !isGap(behind: index) else { return nil }
      guard rotations[index].rate * direction <= -parameters.leastRate else { continue }
      switch onset(before: index, from: index, direction: -direction, impact: impact) {
      case .success(let onset): return onset.time
      case .failure: return nil
      }
    }
    return nil
  }

  /// Whether states of motion are missing after this one.
  private func isGap(behind index: Int) -> Bool {
    let rotations = state.rotations
    guard index + 1 < rotations.count else { return false }
    return rotations[index + 1].time - rotations[index].time > parameters.longestStep
  }
}

extension SwingDetector {
  /// Follows the accelerometer and puts the impacts that are over on the list of those to be judged.
  mutating func follow(_ time: SensorInstant, _ force: Vector3<Device>) {
    if let last = state.accelerometerTime, time - last > coefficients.longestStep {
      // What was before a gap must not look like a shock after it.
      closeImpact()
      state.filter = nil
      state.recent.removeAll(keepingCapacity: true)
    }
    var filter = state.filter ?? Filter(origin: force)
    let shock = filter.pass(force, coefficients).length
    state.filter = filter

    let length = force.length
    state.recent.append(Magnitude(time: time, value: length))
    while let first = state.recent.first, time - first.time > parameters.peakBefore { state.recent.removeFirst() }

    if let open = state.open, time - open.crossing > parameters.peakAfter { closeImpact() }
    if var open = state.open {
      open.shock = max(shock, open.shock)
      if length > open.peak { (open.time, open.peak) = (time, length) }
      state.open = open
    } else if shock > parameters.threshold, !isRinging(at: time) {
      state.lastCrossing = time
      var impact = Impact(crossing: time, time: time, peak: length, shock: shock)
      for earlier in state.recent where earlier.value > impact.peak {
        (impact.time, impact.peak) = (earlier.time, earlier.value)
      }
      state.open = impact
    }
  }

  /// The peak has been found: nothing larger comes.
  mutating func closeImpact() {
    guard let open = state.open else { return }
    state.open = nil
    state.waiting.append(open)
  }

  private func isRinging(at time: SensorInstant) -> Bool {
    state.lastCrossing.map { time - $0 < parameters.refractory } ?? false
  }
}

extension SwingDetector {
  /// The rotation about gravity at one time.
  struct Rotation: Sendable, Hashable {
    var time: SensorInstant
    /// rad/s about the axis that points up.
    var rate: Double
  }

  /// The length of the specific force at one time, m/s².
  struct Magnitude: Sendable, Hashable {
    var time: SensorInstant
    var value: Double
  }

  /// A shock above the threshold.
  struct Impact: Sendable, Hashable {
    /// When the threshold was passed.
    var crossing: SensorInstant
    /// When the specific force was largest.
    var time: SensorInstant
    /// m/s².
    var peak: Double
    /// m/s², high-pass part.
    var shock: Double
  }

  /// The last inputs and outputs of the high pass, less the input that it began with.
  struct Filter: Sendable, Hashable {
    /// A constant input gives zero from the first sample on.
    let origin: Vector3<Device>
    var x1 = Vector3<Device>.zero
    var x2 = Vector3<Device>.zero
    var y1 = Vector3<Device>.zero
    var y2 = Vector3<Device>.zero

    mutating func pass(_ input: Vector3<Device>, _ c: Coefficients) -> Vector3<Device> {
      let x = input - origin
      let y = (x - x1 * 2 + x2) * c.b - y1 * c.a1 - y2 * c.a2
      (x2, x1, y2, y1) = (x1, x, y1, y)
      return y
    }
  }

  struct State: Sendable, Hashable {
    var accelerometerTime: SensorInstant?
    var filter: Filter?
    /// The lengths within ``Parameters/peakBefore``.
    var recent: [Magnitude] = []
    /// The impact whose peak is still being looked for.
    var open: Impact?
    /// When the threshold was passed last.
    var lastCrossing: SensorInstant?
    /// Impacts whose stroke is still to be found.
    var waiting: [Impact] = []
    /// As far back as a stroke may be looked for.
    var rotations: [Rotation] = []
    /// Of the source, as ``DeviceMotion/run`` counts them.
    var run: Int?
    var rejectedCount = 0
  }
}
