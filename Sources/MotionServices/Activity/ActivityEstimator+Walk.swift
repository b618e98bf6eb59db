// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension ActivityEstimator {
  /// What is known of the walk: the span that is not delivered yet, the latest steps, and whether the person walks.
  struct WalkState: Sendable {
    /// The span that is not delivered yet, in nanoseconds.
    var start = Int64.min
    var end = Int64.min
    var steps = 0
    var distance = 0.0
    var active: Int64 = 0
    /// When the last span was delivered.
    var emitted = Int64.min
    /// The end of the last span that was delivered.
    var delivered = Int64.min
    /// Floors that were delivered.
    var floors = (ascended: 0, descended: 0)
    /// The latest steps, for the cadence; the oldest is overwritten.
    var recent = [Int64](repeating: .min, count: 16)
    var count = 0
    /// Pause and resume.
    var isMoving = false
    /// Mean and mean square of the acceleration over about a second.
    var mean = 1.0
    var square = 1.0

    mutating func restart() { (isMoving, mean, square, emitted) = (false, 1, 1, .min) }

    func step(_ age: Int) -> Int64 { recent[(count - 1 - age) % recent.count] }
  }

  /// Adds the steps that became certain to the span.
  mutating func collect(at now: Int64) {
    let period = Int64(1e9 / max(0.5, steps.cadence))
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
      // The cadence of a single interval jumps; the spectrum's is the mean of five seconds.
      walk.distance += stepLength.length(cadence: steps.cadence, isRunning: isRunning)
      walk.recent[walk.count % walk.recent.count] = time
      walk.count += 1
      floors.step(at: time)
    }
    measurePace(at: now, isRunning: isRunning)
  }

  /// The cadence of the last steps, up to 8 s; none when the last one was long ago.
  private mutating func measurePace(at now: Int64, isRunning: Bool) {
    (cadence, pace) = (nil, nil)
    guard walk.count >= 2, now - walk.step(0) < 4_000_000_000, walk.step(0) <= now else { return }
    var first = 0
    while first + 1 < min(walk.count, walk.recent.count), walk.step(0) - walk.step(first + 1) < 8_000_000_000,
      walk.step(first) - walk.step(first + 1) < 1_500_000_000, walk.step(first + 1) < walk.step(first)
    {
      first += 1
    }
    guard first > 0 else { return }
    let rate = Double(first) / (Double(walk.step(0) - walk.step(first)) * 1e-9)
    cadence = rate
    pace = 1 / (rate * stepLength.length(cadence: rate, isRunning: isRunning))
  }

  /// The span so far, which then begins again; nil when it has no steps.
  mutating func emit() -> StepEpoch? {
    guard walk.steps > 0 else { return nil }
    var epoch = StepEpoch(
      start: SensorInstant(nanoseconds: walk.start), end: SensorInstant(nanoseconds: walk.end), steps: walk.steps,
      distance: walk.distance, activeTime: Double(walk.active) * 1e-9)
    if let floors = floors.floors {
      epoch.floorsAscended = floors.ascended - walk.floors.ascended
      epoch.floorsDescended = floors.descended - walk.floors.descended
      walk.floors = floors
    }
    (walk.delivered, walk.steps, walk.distance, walk.active) = (walk.end, 0, 0, 0)
    return epoch
  }

  /// Pause and resume, sooner than the steps are certain: a pause when no candidate comes for two periods or the device
  /// is still; a resumption after four regular candidates in a row that the windows support, at the latest with the
  /// first step that counts.
  mutating func follow(_ norm: Double, isCandidate: Bool, at time: Int64) -> StepEvent? {
    walk.mean += (norm - walk.mean) * 0.04
    walk.square += (norm * norm - walk.square) * 0.04
    let kind: StepEvent.Kind
    if walk.isMoving {
      let period = 1e9 / max(0.5, steps.cadence)
      let silence = Double(time - steps.candidate(0))
      let isStill = walk.square - walk.mean * walk.mean < 0.03 * 0.03
      guard silence > max(1.2e9, 2 * period) || isStill || steps.gate.level < 0 else { return nil }
      kind = .pause
    } else {
      let isCertain = steps.gate.isOpen && steps.row >= 8
      let isLikely = steps.gate.level > 0 && steps.row >= 4 && steps.height > 0.08
      guard isCandidate, isCertain || isLikely else { return nil }
      kind = .resume
    }
    walk.isMoving.toggle()
    return StepEvent(time: SensorInstant(nanoseconds: time), kind: kind)
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
        start: first.start, end: second.end, steps: first.steps + second.steps,
        distance: first.distance + second.distance,
        floorsAscended: second.floorsAscended.map { $0 + (first.floorsAscended ?? 0) },
        floorsDescended: second.floorsDescended.map { $0 + (first.floorsDescended ?? 0) },
        activeTime: first.activeTime + second.activeTime)
    } else {
      merged.steps = steps ?? later.steps
    }
    merged.event = later.event ?? event
    merged.activity = later.activity ?? activity
    return merged
  }
}
