// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// A fall that a detector has seen.
package struct Fall: Sendable, Hashable {
  /// How it ended without the person's word.
  package enum Outcome: String, Sendable, Hashable {
    /// The person walked on.
    case rejected
    /// Nobody walked and nobody answered.
    case unresponsive
  }

  /// The time of the hardest contact.
  package var time: SensorInstant
  /// 0…1: how sure the detector is.
  package var probability: Double
  /// Nil while the answer is waited for.
  package var outcome: Outcome?
}

/// Finds falls of a person in the samples of one device. **Not a medical device: nobody's safety may depend on it.**
///
/// ```swift
/// var detector = FallDetector(parameters: .init(placement: .wrist))
/// for sample in samples {
///   if let fall = detector.update(sample) { … }  // first without an outcome, later with it
/// }
/// if let fall = detector.finish() { … }
/// ```
///
/// The acceleration is brought to 50 Hz (``GaitResampler``). A contact is a cell that is the highest within a second
/// either way. 3.5 s after it ``FallFeatures`` describes the phases of a fall: the time before, the lightness on the
/// way down, the impact, the change of posture and the stillness that follows; a ``FallScore`` for the place where the
/// device is worn judges them. A fall then waits 30 s: five steps reject it, else it is unresponsive.
///
/// Sources from 25 Hz on, with a range of ±4 g or more (``refusal(of:)``). A pause of more than 1.5 s and a time that
/// goes back begin anew; samples that are not finite or not later than the one before are left out and counted. Memory
/// is constant; a sample allocates nothing, a fall does.
package struct FallDetector: Sendable {
  /// Where the device is worn.
  package enum Placement: String, Sendable, Hashable, CaseIterable {
    /// Waist, chest or trouser pocket.
    case trunk
    case wrist

    /// By the kind of device.
    package init(_ deviceClass: SensorInfo.DeviceClass) { self = deviceClass == .watch ? .wrist : .trunk }
  }

  /// The settings.
  package struct Parameters: Sendable {
    /// Where the device is worn. Default: trunk.
    package var placement: Placement
    /// How long a fall waits for an answer or for steps. Default 30 s, as Apple's watch does.
    package var patience = SensorDuration(nanoseconds: 30_000_000_000)

    /// The defaults.
    package init(placement: Placement = .trunk) { self.placement = placement }
  }

  /// As given.
  package let parameters: Parameters
  /// Samples that were left out.
  package private(set) var rejectedCount = 0
  /// The contact that was judged with the latest sample, fall or not; nil when none was.
  package private(set) var lastContact: (time: SensorInstant, features: FallFeatures, probability: Double)?

  private let score: FallScore
  private var resampler = GaitResampler()
  private var window = FallWindow()
  private var kind: SensorKinds = []
  private var last = Int64.min
  private var waiting: Waiting?

  /// A fall that waits, and what counts the steps meanwhile.
  private struct Waiting: Sendable {
    var fall: Fall
    var steps = 0
    var walk: ActivityEstimator

    mutating func count(_ sample: SensorSample) { steps += walk.update(sample)?.steps?.steps ?? 0 }
  }

  /// Steps that reject a fall: who lies or gropes makes fewer in 30 s.
  private static let steps = 5
  /// Nanoseconds from the origin of time: differences must be numbers.
  private static let farthest: Int64 = 4_000_000_000_000_000_000

  /// A detector that has seen nothing.
  package init(parameters: Parameters = Parameters()) {
    self.parameters = parameters
    score = parameters.placement == .wrist ? .wrist : .trunk
  }

  /// Takes the next sample in order of time: accelerometer, inertial or fused motion; others are ignored.
  package mutating func update(_ sample: SensorSample) -> Fall? {
    lastContact = nil
    guard let (force, from) = sample.specificForce else { return nil }
    let now = sample.time.nanoseconds
    let isNear = last != .min && now >= last && now.clamped(minus: last) <= GaitResampler.longestGap
    // A device may deliver the same acceleration in two kinds of sample: the first kind serves.
    if isNear, from != kind { return nil }
    guard (-Self.farthest...Self.farthest).contains(now), force.isFinite,
      max(abs(force.x), abs(force.y), abs(force.z)) < 1e4,
      !(isNear && now == last)
    else {
      rejectedCount += 1
      return nil
    }
    let vector = SIMD3(force.x, force.y, force.z) / standardGravity
    guard isNear else {
      // What was near its judgement is judged. A fall goes on waiting over a pause, but not when the time goes back.
      let fall = last == .min ? nil : now < last ? finish() : judgeRest() ?? wait(sample, at: now)
      (kind, last) = (from, now)
      window.removeAll()
      resampler.restart(now, vector)
      return fall
    }
    last = now
    resampler.append(now, vector)
    var fall: Fall?
    while let cell = resampler.next() {
      window.append(SIMD3<Float>(cell.force))
      fall = fall ?? judge(after: FallWindow.after, at: cell.time)
    }
    return fall ?? wait(sample, at: now)
  }

  /// The samples are over: a fall that waits is unresponsive, and so is one that had not been judged yet.
  package mutating func finish() -> Fall? {
    let fall = waiting?.fall ?? judgeRest()
    stopWaiting()
    guard var fall else { return nil }
    fall.outcome = .unresponsive
    return fall
  }

  /// The person has answered: the fall has no outcome here, and the detector looks for the next one.
  package mutating func stopWaiting() { waiting = nil }

  /// The fall that waits for an answer.
  package var openFall: Fall? { waiting?.fall }

  /// Judges the contact that lies so many cells before the latest, when there is one and no fall waits.
  private mutating func judge(after: Int, at time: Int64) -> Fall? {
    guard waiting == nil, let features = window.contact(after: after, least: score.leastPeak) else { return nil }
    let contact = SensorInstant(nanoseconds: time - Int64(after) * GaitResampler.period)
    let probability = score.probability(features)
    lastContact = (contact, features, probability)
    guard probability >= 0.5 else { return nil }
    let fall = Fall(time: contact, probability: probability)
    var walker = ActivityEstimator.Parameters()
    walker.placement = parameters.placement == .wrist ? .wrist : .body
    waiting = Waiting(fall: fall, walk: ActivityEstimator(parameters: walker))
    return fall
  }

  /// The contacts for which there will be no 3.5 s: half of that must do.
  private mutating func judgeRest() -> Fall? {
    for after in stride(from: FallWindow.after - 1, through: FallWindow.leastAfter, by: -1) {
      if let fall = judge(after: after, at: last) { return fall }
    }
    return nil
  }

  private mutating func wait(_ sample: SensorSample, at now: Int64) -> Fall? {
    guard var fall = waiting?.fall else { return nil }
    waiting?.count(sample)
    let isWalking = waiting?.steps ?? 0 >= Self.steps
    guard isWalking || now - fall.time.nanoseconds >= parameters.patience.nanoseconds else { return nil }
    stopWaiting()
    fall.outcome = isWalking ? .rejected : .unresponsive
    return fall
  }
}
