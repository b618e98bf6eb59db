// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension ActivityEstimator {
  /// What is known of the walk: the span that is not delivered yet, the latest steps, and whether the person walks.
  struct WalkState: Sendable {
    /// The span that is not delivered yet, in nanoseconds.
    var start = Int64.min
    var end = Int64.min
    var steps = 0
    var distance = 0.0
    var error = DistanceError()
    var active: Int64 = 0
    /// When the last span was delivered.
    var emitted = Int64.min
    /// The end of the last span that was delivered.
    var delivered = Int64.min
    /// Floors that were delivered.
    var floors = (ascended: 0, descended: 0)
    /// The latest steps and their lengths, for cadence and pace; the oldest is overwritten.
    var recent = [Int64](repeating: .min, count: 16)
    var lengths = [Double](repeating: 0, count: 16)
    var count = 0
    /// Steps without a pause.
    var row = 0
    /// Metres: the deviation of the latest steps of this walk, the older the less.
    var wander = 0.0
    /// Pause and resume.
    var isMoving = false

    mutating func restart() { (emitted, row) = (.min, 0) }

    func step(_ age: Int) -> Int64 { recent[(count - 1 - age) % recent.count] }

    func length(_ age: Int) -> Double { lengths[(count - 1 - age) % lengths.count] }
  }

  /// Adds the steps that became certain to the span.
  mutating func collect(at now: Int64) {
    // fits: a cadence is one of the lines of the spectrum, 0.9…3.6 Hz
    let period = Int64(1e9 / steps.cadence)
    let isRunning = classifier.kind == .running
    for time in steps.counted {
      let previous = walk.count > 0 ? walk.step(0) : .min
      let isNext = previous != .min && time > previous && time - previous < StepDetector.Parameters().longestGap
      // Time that went back: the spans of the new line need not come after those of the old one.
      if previous != .min, time < previous { walk.delivered = .min }
      let begin = max(isNext ? previous : time - period, walk.delivered)
      if walk.steps == 0 { walk.start = begin }
      walk.end = time
      walk.steps += 1
      walk.active += time - begin
      walk.recent[walk.count % walk.recent.count] = time
      walk.lengths[walk.count % walk.lengths.count] = 0
      walk.count += 1
      walk.row = isNext ? walk.row + 1 : 0
      if isNext { goOn(from: previous, to: time, isRunning: isRunning) }
      floors.step(at: time)
    }
    measurePace(at: now)
  }

  /// Adds the way between two steps.
  ///
  /// The first step of a walk adds none: from feet that stand together to feet that stand together, n steps go as far
  /// as n − 1, as the first and the last move the body by half.
  private mutating func goOn(from previous: Int64, to time: Int64, isRunning: Bool) {
    // A single interval jumps, and the spectrum's five seconds hold more than a short walk: four intervals.
    let intervals = min(walk.row, 4)
    let rate = Double(intervals) * 1e9 / Double(time - walk.step(intervals))
    let step = stepLength.length(
      cadence: rate, amplitude: amplitude(from: previous, to: time), isRunning: isRunning)
    let coefficients = stepLength.parameters
    if walk.row == 1 {
      walk.wander = 0
      walk.error.variance += coefficients.edge * coefficients.edge * step.metres * step.metres
    }
    walk.lengths[(walk.count - 1) % walk.lengths.count] = step.metres
    walk.distance += step.metres
    walk.error.common += step.common
    // The variance of a sum whose parts are alike as far as they are near: each with itself and with those before.
    let before = walk.wander * (1 - 1 / coefficients.wanderLength)
    walk.error.variance += step.wander * (step.wander + 2 * before)
    walk.wander = before + step.wander
  }

  /// The cadence of the last steps, up to 8 s; none when the last one was long ago.
  private mutating func measurePace(at now: Int64) {
    (cadence, pace) = (nil, nil)
    guard walk.count >= 2, now - walk.step(0) < 4_000_000_000, walk.step(0) <= now else { return }
    var first = 0
    while first + 1 < min(walk.count, walk.recent.count), walk.step(0) - walk.step(first + 1) < 8_000_000_000,
      walk.step(first) - walk.step(first + 1) < 1_500_000_000, walk.step(first + 1) < walk.step(first)
    {
      first += 1
    }
    guard first > 0 else { return }
    let seconds = Double(walk.step(0) - walk.step(first)) * 1e-9
    cadence = Double(first) / seconds
    let way = (0..<first).reduce(0) { $0 + walk.length($1) }
    if way > 0 { pace = seconds / way }
  }

  /// The span so far, which then begins again; nil when it has no steps.
  mutating func emit() -> StepEpoch? {
    guard walk.steps > 0 else { return nil }
    var epoch = StepEpoch(
      startNanoseconds: walk.start, endNanoseconds: walk.end, steps: walk.steps, distance: walk.distance,
      activeTime: Double(walk.active) * 1e-9)
    epoch.distanceError = walk.error
    if let floors = floors.floors {
      epoch.floorsAscended = floors.ascended - walk.floors.ascended
      epoch.floorsDescended = floors.descended - walk.floors.descended
      walk.floors = floors
    }
    (walk.delivered, walk.steps, walk.distance, walk.error, walk.active) = (walk.end, 0, 0, DistanceError(), 0)
    return epoch
  }

  /// Pause and resume, sooner than the steps are certain: the person walks when gait is likelier than all the rest, and
  /// stops with that, or at once when the last 1.28 s are still.
  mutating func follow(_ time: Int64) -> StepEvent? {
    let isMoving = classifier.gait > 0.5 && window.latestDeviation >= 0.03
    guard isMoving != walk.isMoving else { return nil }
    walk.isMoving = isMoving
    return StepEvent(nanoseconds: time, kind: isMoving ? .resume : .pause)
  }
}

extension ActivityUpdate {
  /// Says nothing.
  var isEmpty: Bool { steps == nil && event == nil && activity == nil }

  /// Both; a long step between two samples may complete more than one window.
  func merged(with later: ActivityUpdate) -> ActivityUpdate {
    var merged = self
    if let first = steps, let second = later.steps {
      merged.steps = StepEpoch(
        startNanoseconds: first.startNanoseconds, endNanoseconds: second.endNanoseconds,
        steps: first.steps + second.steps, distance: first.distance + second.distance,
        floorsAscended: second.floorsAscended.map { $0 + (first.floorsAscended ?? 0) },
        floorsDescended: second.floorsDescended.map { $0 + (first.floorsDescended ?? 0) },
        activeTime: first.activeTime + second.activeTime)
      merged.steps?.distanceError = first.distanceError + second.distanceError
    } else {
      merged.steps = steps ?? later.steps
    }
    merged.event = later.event ?? event
    merged.activity = later.activity ?? activity
    return merged
  }
}
