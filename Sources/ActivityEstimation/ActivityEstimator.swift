// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// Makes steps, distance, floors and activity out of the samples of one device.
///
/// ```swift
/// var estimator = ActivityEstimator()
/// for (force, time) in samples {
///   if let update = estimator.update(specificForce: force, atNanoseconds: time) { … }
/// }
/// if let update = estimator.finish() { … }
/// ```
///
/// The acceleration is brought to 50 Hz (``GaitResampler``). Every 0.64 s a window of 5.12 s becomes a handful of
/// numbers (``ActivityFeatures``); ``ActivityNetwork`` says which kinds of movement they fit and ``ActivityClassifier``
/// joins the windows to activities, and to the pace of a gait. ``StepDetector`` counts the waves of the acceleration
/// where the activity is gait. ``FloorCounter`` adds up the height between steps. What is decided is the middle of the
/// window, so activities are known at least 2.56 s late; ``knownUntil`` says it of steps.
///
/// A pause of more than 1.5 s, and a time that goes back, reset it; samples that are not finite, that have the time
/// of the one before or an impossible one are left out and counted. Memory is constant; a sample allocates nothing.
package struct ActivityEstimator: Sendable {
  /// The settings.
  package struct Parameters: Sendable {
    /// Where the device is worn: it selects the network. Default: body.
    package var placement = Placement.body
    /// Metres: the person's height, for the length of a step. Nil, the default: not known, 1.70 serves.
    package var height: Double?
    /// Those of the two parts that decide.
    package var steps = StepDetector.Parameters()
    package var classifier = ActivityClassifier.Parameters()

    /// The defaults.
    package init() {}
  }

  /// As given.
  package let parameters: Parameters
  /// Steps per second over the last seconds; nil while nobody steps.
  package internal(set) var cadence: Double?
  /// Seconds per metre; nil while nobody steps.
  package internal(set) var pace: Double?
  /// Nanoseconds: steps are known up to here, 1 s before the newest sample in a walk that goes on (``StepDetector``),
  /// 3.5 s else.
  package internal(set) var knownUntil = Int64.min
  /// The activity now; `.unknown` before the first decision.
  package internal(set) var activity = ActivityChange(
    startNanoseconds: 0, activity: .unknown, confidence: .low)
  /// The features of the window that closed with the latest sample; nil when none did. They describe the time 2.56 s
  /// ago.
  package var lastFeatures: ActivityFeatures?
  /// For training: the spectra and the autocorrelation behind ``lastFeatures``.
  package var lastSpectra: [Float] { room.spectra }
  /// Samples that were left out: not finite, at the time of the one before, or at an impossible time.
  package internal(set) var rejectedCount = 0

  /// The kind behind ``activity``.
  var told: ActivityNetwork.Kind?
  var steps: StepDetector
  var classifier: ActivityClassifier
  var stepLength: StepLength
  var amplitude = StepAmplitude()
  var floors = FloorCounter()
  var walk = WalkState()
  var line = Line()
  private var resampler = GaitResampler()
  var window = GaitWindow()
  private var room = ActivityFeatures.Workspace()
  private let frequency = StepFrequency()

  /// The present line of samples, from one pause to the next.
  struct Line: Sendable {
    /// The stream that gives the acceleration, its first and its last time in nanoseconds.
    var stream: UInt16 = 0
    var start = Int64.min
    var last = Int64.min
    /// Cells of 20 ms since the start, the first of the present pair, and its norm.
    var cells = 0
    var first = (norm: 0.0, force: SIMD3<Double>.zero)
  }

  /// Nanoseconds from the origin of time.
  private static let farthest: Int64 = 4_000_000_000_000_000_000

  /// An estimator that has seen nothing.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    let isWrist = parameters.placement == .wrist
    steps = StepDetector(parameters: parameters.steps)
    classifier = ActivityClassifier(
      ActivityNetwork(isWrist ? .wrist : .body), VehicleEvidence(isWrist ? .wrist : .body),
      parameters: parameters.classifier)
    stepLength = StepLength(height: parameters.height, parameters: isWrist ? .wrist : .body)
  }

  /// Takes the next pressure of the air in pascal, in order of time with the specific force.
  package mutating func update(airPressure pressure: Double, atNanoseconds time: Int64) {
    lastFeatures = nil
    if isTime(time), pressure.isFinite { floors.update(pressure: pressure, at: time) } else { rejectedCount += 1 }
  }

  /// Differences of times must be numbers; 126 years from the origin is not a time.
  private func isTime(_ time: Int64) -> Bool { (-Self.farthest...Self.farthest).contains(time) }

  /// Takes the next specific force in m/s², in order of time. A device may deliver the same one in two streams: the
  /// first serves.
  package mutating func update(specificForce force: Vector3<Device>, stream: UInt16 = 0, atNanoseconds now: Int64)
    -> ActivityUpdate?
  {
    lastFeatures = nil
    return take(force, stream, at: now)
  }

  @inline(__always)
  private mutating func take(_ force: Vector3<Device>, _ stream: UInt16, at now: Int64) -> ActivityUpdate? {
    guard isTime(now) else {
      rejectedCount += 1
      return nil
    }
    let isNear = line.last != .min && now >= line.last && now - line.last <= GaitResampler.longestGap
    if isNear, stream != line.stream { return nil }
    guard force.isFinite, abs(force.x) < 1e4, abs(force.y) < 1e4, abs(force.z) < 1e4, !(isNear && now == line.last)
    else {
      rejectedCount += 1
      return nil
    }
    let vector = SIMD3(force.x, force.y, force.z) / standardGravity
    guard isNear else { return restart(at: now, vector, stream) }
    line.last = now
    resampler.append(now, vector)
    while let cell = resampler.next() {
      if isWindowDue(after: cell.force, at: cell.time) { return closeWindows(at: cell.time) }
    }
    return nil
  }

  /// The window that ends at a time, and those that the same sample completes after it.
  @inline(never)
  private mutating func closeWindows(at time: Int64) -> ActivityUpdate? {
    var update = news(at: time)
    while let cell = resampler.next() {
      guard isWindowDue(after: cell.force, at: cell.time), let later = news(at: cell.time) else { continue }
      update = update?.merged(with: later) ?? later
    }
    return update
  }

  @inline(never)
  private mutating func restart(at time: Int64, _ force: SIMD3<Double>, _ stream: UInt16) -> ActivityUpdate? {
    let last = line.last
    let update = finish()
    if last != .min, time < last { floors.restart() }
    line = Line(stream: stream, start: time, last: time)
    resampler.restart(time, force)
    window.removeAll()
    steps.restart()
    amplitude.restart()
    classifier.restart()
    walk.restart()
    return update
  }

  /// Takes a cell of 20 ms; two are a cell of the window. True when a window ends with it.
  @inline(__always)
  private mutating func isWindowDue(after force: SIMD3<Double>, at time: Int64) -> Bool {
    let norm = (force * force).sum().squareRoot()
    amplitude.update(norm, at: time)
    line.cells += 1
    guard line.cells % 2 == 0 else {
      line.first = (norm, force)
      return false
    }
    window.append(SIMD3<Float>((force + line.first.force) / 2), norm: Float((norm + line.first.norm) / 2))
    // 0.64 s; the first window is half empty: its middle is the begin.
    let cells = line.cells / 2
    return cells % StepDetector.block == 0 && cells >= GaitWindow.length / 2
  }

  /// What the window that ends at a time brings.
  private mutating func news(at time: Int64) -> ActivityUpdate? {
    var update = closeWindow(at: time)
    if walk.emitted == .min || time - walk.emitted >= 2_560_000_000, let epoch = emit() {
      update.steps = epoch
      walk.emitted = time
    }
    return update.isEmpty ? nil : update
  }

  private static let half = Int64(GaitWindow.length / 2) * StepDetector.cell

  /// Judges the window that ends at a time; steps are collected, not delivered.
  private mutating func closeWindow(at time: Int64) -> ActivityUpdate {
    let features = ActivityFeatures(window, &room, frequency)
    lastFeatures = features
    let middle = time - Self.half
    classifier.update(features, room, middle: middle)
    steps.close()
    if steps.closed > ActivityClassifier.lag {
      judge(classifier.lateGait, features.deviation, age: ActivityClassifier.lag, at: time)
    }
    if features.deviation < Self.leastDeviation { floors.stayStill(at: time) }
    // The end of the samples is not a pause of the person.
    let event = window.isOpen ? follow(time) : nil
    return ActivityUpdate(event: event, activity: decide(features))
  }

  /// g: a device that moves less than this is not carried by a walking person.
  private static let leastDeviation: Float = 0.01

  private mutating func judge(_ gait: Float, _ deviation: Float, age: Int, at time: Int64) {
    let classifier = classifier
    steps.judge(
      window, deviation: deviation, isGait: gait > 0.5, age: age, pace: classifier.pace, middle: time - Self.half
    ) { classifier.gaitBefore(age, $0) }
    collect(at: time)
    knownUntil = min(line.last, time - Self.half + steps.knownAfterMiddle)
  }

  /// The span of steps that is known and not delivered yet; nil when it has none.
  package mutating func takeSteps() -> StepEpoch? {
    lastFeatures = nil
    return emit()
  }

  /// The samples are over: what is still held back and certain.
  package mutating func finish() -> ActivityUpdate? {
    guard line.last != .min else { return nil }
    var update = ActivityUpdate()
    // The windows whose middle is in the last seconds: empty at the end.
    var cells = line.cells / 2
    let end = cells + GaitWindow.length / 2
    var time = line.start + Int64(cells) * StepDetector.cell
    while cells < end {
      window.appendEmpty()
      cells += 1
      guard cells % StepDetector.block == 0, cells >= GaitWindow.length / 2, !window.valid.isEmpty else { continue }
      time = line.start + Int64(cells) * StepDetector.cell
      update = update.merged(with: closeWindow(at: time))
    }
    for age in stride(from: min(ActivityClassifier.lag, steps.closed) - 1, through: 0, by: -1) {
      judge(ActivityClassifier.gait(classifier.smoothed(age)), .infinity, age: age, at: time)
    }
    update.steps = takeSteps()
    knownUntil = line.last
    // What comes after is another line.
    line = Line()
    return update.isEmpty ? nil : update
  }
}
