// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Makes steps, distance, floors and activity out of the samples of one device.
///
/// ```swift
/// var estimator = ActivityEstimator()
/// for sample in samples {
///   if let update = estimator.update(sample) { … }
/// }
/// if let update = estimator.finish() { … }
/// ```
///
/// The acceleration is brought to 50 Hz (``GaitResampler``). Every 1.28 s the last 5.12 s become a handful of numbers
/// (``ActivityFeatures``); a decision tree judges them and ``ActivityClassifier`` joins the judgements to activities.
/// ``StepDetector`` counts the maxima of the acceleration while the numbers look like gait. ``FloorCounter`` adds up
/// the height between steps.
///
/// A pause of more than 1.5 s, and a time that goes back, reset it; samples that are not finite, that have the time
/// of the one before or an impossible one are left out and counted. Memory is constant; a sample allocates nothing.
package struct ActivityEstimator: Sendable {
  /// Where the device is worn: it selects the thresholds.
  package enum Placement: Sendable, Hashable {
    /// A phone in a pocket, hand or bag.
    case body
    case wrist
    case head

    /// By the kind of device.
    package init(_ deviceClass: SensorInfo.DeviceClass) {
      self =
        switch deviceClass {
        case .watch: .wrist
        case .headphones: .head
        default: .body
        }
    }
  }

  /// The settings.
  package struct Parameters: Sendable {
    /// Where the device is worn. Default: body.
    package var placement = Placement.body
    /// Metres: the person's height, for the length of a step. Nil, the default: not known, 1.70 serves.
    package var height: Double?
    /// Nil: those of the placement.
    var steps: StepDetector.Parameters?
    /// Nil: those of the placement.
    var tree: ActivityTree?
    var running: LogisticScore?
    var classifier = ActivityClassifier.Parameters()

    /// The defaults.
    package init() {}
  }

  /// As given.
  package let parameters: Parameters
  /// Steps per second over the last seconds; nil while nobody steps.
  package internal(set) var cadence: Double?
  /// Seconds per metre; nil while nobody steps.
  package internal(set) var pace: Double?
  /// The activity now; `.unknown` before the first decision.
  package internal(set) var activity = ActivityChange(
    start: SensorInstant(nanoseconds: 0), activity: .unknown, confidence: .low)
  /// The features of the window that closed with the latest sample; nil when none did.
  package internal(set) var lastFeatures: ActivityFeatures?
  /// Samples that were left out: not finite, at the time of the one before, or at an impossible time.
  package internal(set) var rejectedCount = 0

  var steps: StepDetector
  var classifier: ActivityClassifier
  var stepLength: StepLength
  var amplitude = StepAmplitude()
  var floors = FloorCounter()
  var walk = WalkState()
  var line = Line()
  private var resampler = GaitResampler()
  private var window = GaitWindow()
  private var spectrum = GaitSpectrum()

  /// The present line of samples, from one pause to the next.
  struct Line: Sendable {
    /// The kind that gives the acceleration, its first and its last time in nanoseconds.
    var kind: SensorKinds = []
    var start = Int64.min
    var last = Int64.min
    /// The squared rate of rotation in (rad/s)² and its time.
    var rotation = Float.nan
    var rotationTime = Int64.min
    /// Cells of 20 ms since the start.
    var cells = 0
  }

  /// Nanoseconds from the origin of time.
  private static let farthest: Int64 = 4_000_000_000_000_000_000

  /// An estimator that has seen nothing.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    let isWrist = parameters.placement == .wrist
    steps = StepDetector(parameters: parameters.steps ?? (isWrist ? .wrist : .body))
    classifier = ActivityClassifier(
      tree: parameters.tree ?? (isWrist ? .wrist : .body),
      running: parameters.running ?? (isWrist ? .runningWrist : .runningBody),
      parameters: parameters.classifier)
    stepLength = StepLength(height: parameters.height, parameters: isWrist ? .wrist : .body)
  }

  /// Takes the next sample in order of time: accelerometer, gyroscope, inertial, air pressure or fused motion; others
  /// are ignored.
  package mutating func update(_ sample: SensorSample) -> ActivityUpdate? {
    lastFeatures = nil
    // Differences of times must be numbers; 126 years from the origin is not a time.
    guard (-Self.farthest...Self.farthest).contains(sample.time.nanoseconds) else {
      rejectedCount += 1
      return nil
    }
    switch sample {
    case .accelerometer(let sample):
      return take(sample.specificForce, at: sample.time, from: .accelerometer)
    case .inertial(let sample):
      rotate(sample.angularVelocity, at: sample.time)
      return take(sample.specificForce, at: sample.time, from: .inertial)
    case .motion(let sample):
      rotate(sample.angularVelocity, at: sample.time)
      let force = (sample.gravity + sample.linearAcceleration) * sample.accelerationUnit.scale
      return take(force, at: sample.time, from: .motion)
    case .gyroscope(let sample):
      rotate(sample.angularVelocity, at: sample.time)
    case .pressure(let sample):
      guard sample.medium == .air else { return nil }
      if sample.pressure.isFinite {
        floors.update(pressure: sample.pressure, at: sample.time.nanoseconds)
      } else {
        rejectedCount += 1
      }
    case .magnetometer, .temperature: break
    }
    return nil
  }

  private mutating func rotate(_ rate: Vector3<Device>, at time: SensorInstant) {
    guard rate.isFinite else {
      rejectedCount += 1
      return
    }
    (line.rotation, line.rotationTime) = (Float(rate.dot(rate)), time.nanoseconds)
  }

  private mutating func take(_ force: Vector3<Device>, at time: SensorInstant, from kind: SensorKinds)
    -> ActivityUpdate?
  {
    let now = time.nanoseconds
    let isNear = line.last != .min && now >= line.last && now - line.last <= GaitResampler.longestGap
    // A device may deliver the same acceleration in two kinds of sample: the first kind serves.
    if isNear, kind != line.kind { return nil }
    guard force.isFinite, abs(force.x) < 1e4, abs(force.y) < 1e4, abs(force.z) < 1e4, !(isNear && now == line.last)
    else {
      rejectedCount += 1
      return nil
    }
    let vector = SIMD3(force.x, force.y, force.z) / standardGravity
    guard isNear else { return restart(at: now, vector, kind) }
    line.last = now
    resampler.append(now, vector)
    var update: ActivityUpdate?
    while let cell = resampler.next() {
      if let news = take(cell.force, at: cell.time) { update = update?.merged(with: news) ?? news }
    }
    return update
  }

  private mutating func restart(at time: Int64, _ force: SIMD3<Double>, _ kind: SensorKinds) -> ActivityUpdate? {
    let update = line.last == .min ? nil : finish()
    if line.last != .min, time < line.last { floors.restart() }
    line = Line(kind: kind, start: time, last: time, rotation: line.rotation, rotationTime: line.rotationTime)
    resampler.restart(time, force)
    window.removeAll()
    steps.restart()
    amplitude.restart()
    classifier.restart()
    walk.restart()
    return update
  }

  /// A cell of 20 ms.
  private mutating func take(_ force: SIMD3<Double>, at time: Int64) -> ActivityUpdate? {
    let norm = (force * force).sum().squareRoot()
    let isTurning = line.rotationTime != .min && abs(time - line.rotationTime) < 500_000_000
    window.append(SIMD3<Float>(force), norm: Float(norm), rotation: isTurning ? line.rotation : .nan)
    let isCandidate = steps.update(norm, at: time)
    amplitude.update(norm, at: time)
    line.cells += 1
    let event = follow(norm, isCandidate: isCandidate, at: time)
    // 1.28 s; the first window may be half.
    guard line.cells % 64 == 0, line.cells >= GaitWindow.length / 2 else {
      return event.map { ActivityUpdate(event: $0) }
    }
    var update = closeWindow(at: time)
    if let event { update.event = event }
    return update.isEmpty ? nil : update
  }

  private mutating func closeWindow(at time: Int64) -> ActivityUpdate {
    var features = ActivityFeatures(window, &spectrum)
    let length = window.count < GaitWindow.length ? GaitWindow.length / 2 : GaitWindow.length
    let start = time - Int64(length) * GaitResampler.period
    let regularity = steps.regularity(since: start)
    features.candidates = Double(regularity.count) / (Double(length) * GaitResampler.seconds)
    features.irregularity = regularity.irregularity
    features.rate = features.stepRate(regularity.rate)
    features.pedalling = steps.followPedals(features)
    lastFeatures = features

    classifier.update(features, middle: (start + time) / 2)
    steps.close(features, from: start, to: time, gait: Double(classifier.gait), path: classifier.pathOdds)
    if features.deviation < ActivityFeatures.leastDeviation { floors.stayStill(at: time) }
    collect(at: time)
    var update = ActivityUpdate(activity: decide(features))
    if walk.emitted == .min || time - walk.emitted >= 2_560_000_000, let epoch = emit() {
      update.steps = epoch
      walk.emitted = time
    }
    return update
  }

  /// The samples are over: what is still held back and certain.
  package mutating func finish() -> ActivityUpdate? {
    guard line.last != .min else { return nil }
    steps.finish()
    collect(at: line.last)
    let update = ActivityUpdate(steps: emit())
    return update.isEmpty ? nil : update
  }

  /// What is known of the person's steps beside the model, for the steps from now on; ``StepLengthCalibration`` finds
  /// it.
  package var stepLengthCorrection: StepLengthCorrection {
    get { stepLength.correction }
    set { stepLength.correction = newValue }
  }
}
