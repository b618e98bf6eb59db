// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SensorPlausibility

/// Looks at the beginning of a recording for a wrong unit, a wrong sign or swapped columns.
///
/// Gravity reveals all three without any knowledge of the motion: `Plausibility` says how, in the same words to the
/// Python package. What the recording itself says of gravity and attitude has to agree with the accelerometer, and both
/// with one another, because gravity is computed from the attitude. Source: Documentation/Formats.md 2.2, 2.3.
struct SelfCheck {
  /// Radians between gravity and the attitude of one and the same motion event: 0.1°, far above printed digits.
  static let sameEventTolerance = Angle(degrees: 0.1).radians
  /// Radians between the two where they are computed by sensors that tick on their own (Android): 5°.
  static let otherEventTolerance = Angle(degrees: 5).radians

  /// What to do where gravity has been removed.
  static let needsGravity =
    "Steps and orientation need the accelerometer's own readings, or gravity beside it (gravx … and userx … in a map)."

  /// Samples of each stream: 20 s at 100 Hz.
  private static let samples = 2048
  /// Gravity itself does not move at all; constants differ by a thousandth.
  private static let certainGravity = 0.9 * standardGravity...1.1 * standardGravity
  /// m/s²: 1000 g, a hundred times what the devices of this package measure.
  private static let mostForce = 1000 * standardGravity
  /// rad/s.
  private static let mostRate = 1000.0
  /// Radians: beyond it axes are swapped, and beyond its supplement the sign is wrong.
  private static let mostTilt = Angle(degrees: 40).radians

  let plan: RecordingPlan
  private let rows: JudgedRows
  /// What the readings contradict.
  let finding: Finding?

  /// `isSignStated`: by a person, who knows on which half of the earth it was.
  init(_ plan: RecordingPlan, isSignStated: Bool) {
    self.plan = plan
    rows = JudgedRows(plan)
    var said = Plausibility.Statements()
    // What the recording itself says of gravity decides on its sign below.
    said.isSignSaid = plan.statedSign == nil || plan.witness != nil
    said.isCalibrated = plan.streams.flatMap(\.channels).contains {
      $0.kind == .magnetometer && $0.isCalibrated
    }
    let found = Plausibility.judge(rows, said).finding
    finding = isSignStated && found?.kind == .signByField ? nil : found
  }

  /// Sentences for a person; empty when all is well or nothing can be said.
  var warnings: [String] {
    let motion = Self.beginning(of: plan.witness)
    return [
      Self.impossible(
        "accelerometer", rows.forces.map(\.specificForce.length), most: Self.mostForce,
        "m/s², 1000 g"),
      Self.impossible(
        "gyroscope", rows.rates.map(\.angularVelocity.length), most: Self.mostRate, "rad/s"),
      Self.identity(motion, tolerance: plan.witnessTolerance), Self.gravity(motion),
      finding.map { Self.words($0, plan) } ?? Self.family(rows.forces.prefix(Self.samples), motion),
    ].compactMap(\.self)
  }

  /// Readings that no sensor gives.
  private static func impossible(_ name: String, _ lengths: [Double], most: Double, _ unit: String)
    -> String?
  {
    let beyond = lengths.filter { $0 > most }
    guard let largest = beyond.max() else { return nil }
    return
      "Readings of the \(name) above \(text(most)) \(unit): \(beyond.count) of the first \(lengths.count), the largest "
      + "\(text(largest)). No sensor can measure this."
  }

  /// The length of the recorded gravity, which is 1 g whatever moves.
  private static func gravity(_ motion: [MotionRow]) -> String? {
    let lengths = motion.map { ($0.gravity * $0.accelerationUnit.scale).length }.filter(\.isFinite)
    guard let length = median(lengths, by: { $0 }), !certainGravity.contains(length) else {
      return nil
    }
    return
      "The recorded gravity is \(text(length)) m/s² instead of \(text(standardGravity)): its unit may be wrong."
  }

  static func beginning(of plan: SampleStreamPlan?) -> [MotionRow] {
    guard let plan, let next = try? plan.open(.probing) else { return [] }
    var chosen: [MotionRow] = []
    var count = 0
    while count < 4 * samples, chosen.count < samples, let sample = try? next() {
      count += 1
      if case .motion(let motion) = sample { chosen.append(motion) }
    }
    return chosen
  }

  /// Gravity against the attitude.
  private static func identity(_ motion: [MotionRow], tolerance: Double) -> String? {
    let pairs = motion.compactMap { sample -> (gravity: Vector3<Device>, up: Vector3<Device>)? in
      guard let up = sample.attitudesUp,
        let gravity = (sample.gravity * sample.accelerationUnit.scale).normalized
      else {
        return nil
      }
      return (gravity, up)
    }
    guard let middle = median(pairs, by: { $0.gravity.angle(to: $0.up) }) else { return nil }
    let angle = middle.gravity.angle(to: middle.up)
    guard angle > tolerance else { return nil }
    return
      "By the recorded gravity up is \(text(middle.gravity)), by the recorded attitude it is \(text(middle.up)): "
      + "\(text(Angle(radians: angle).degrees))° apart. Columns may be swapped or have the wrong sign."
  }

  /// The accelerometer against what the recording says of up.
  private static func family(_ samples: ArraySlice<AccelerometerSample>, _ motion: [MotionRow])
    -> String?
  {
    guard !motion.isEmpty, let quiet = quietest(samples) else { return nil }
    let ups = motion.filter { (quiet.from...quiet.to).contains($0.time) }.compactMap { sample in
      sample.up
    }
    guard let measured = quiet.mean.normalized,
      let up = ups.reduce(Vector3.zero, { $0 + $1 }).normalized
    else {
      return nil
    }
    let angle = measured.angle(to: up)
    guard angle > mostTilt else { return nil }
    let readings =
      "In its quietest second, by the accelerometer up is \(text(measured)), "
      + "by the recorded \(motion.first?.attitudesUp == nil ? "gravity" : "attitude") it is \(text(up)): "
      + "\(text(Angle(radians: angle).degrees))° apart. "
    return readings
      + (angle > .pi - mostTilt
        ? "The accelerometer may have the opposite sign."
        : "Axes may be swapped or have the wrong sign.")
  }

  private struct Quiet {
    var mean: Vector3<Device>
    var from: SensorInstant
    var to: SensorInstant
  }

  /// The second with the least spread; all of it when there is less than a second.
  private static func quietest(_ samples: ArraySlice<AccelerometerSample>) -> Quiet? {
    guard samples.count >= 5, let last = samples.last else { return nil }
    var best: (spread: Double, range: Range<Int>)?
    var start = 0
    var end = 0
    while true {
      let limit = samples[start].time + SensorDuration(nanoseconds: 1_000_000_000)
      while end < samples.count, samples[end].time <= limit { end += 1 }
      if end - start >= 5,
        best == nil || samples[end - 1].time > limit - SensorDuration.milliseconds(200)
      {
        let mean = mean(samples[start..<end])
        let spread =
          samples[start..<end].reduce(0.0) { sum, sample in
            let difference = sample.specificForce - mean
            return sum + difference.dot(difference)
          } / Double(end - start)
        if best.map({ spread < $0.spread }) ?? true { best = (spread, start..<end) }
      }
      // A tenth of a second on.
      let next = samples[start].time + .milliseconds(100)
      guard limit < last.time else { break }
      while start < samples.count - 1, samples[start].time < next { start += 1 }
      end = max(end, start)
    }
    guard let range = best?.range else { return nil }
    return Quiet(
      mean: mean(samples[range]), from: samples[range.lowerBound].time,
      to: samples[range.upperBound - 1].time)
  }

  private static func mean(_ samples: ArraySlice<AccelerometerSample>) -> Vector3<Device> {
    samples.reduce(Vector3.zero) { $0 + $1.specificForce } * (1 / Double(samples.count))
  }

  private static func median<Element>(_ elements: [Element], by key: (Element) -> Double)
    -> Element?
  {
    let sorted = elements.map { (key($0), $0) }.sorted { $0.0 < $1.0 }
    return sorted.isEmpty ? nil : sorted[sorted.count / 2].1
  }

  static func text(_ vector: Vector3<Device>) -> String {
    "(\(text(vector.x)), \(text(vector.y)), \(text(vector.z)))"
  }

  /// Two decimals.
  static func text(_ number: Double) -> String {
    number.magnitude < 1e12 ? String((number * 100).rounded() / 100) : String(number)
  }
}

extension MotionRow {
  /// Up by the attitude, device axes; nil when the row has none.
  fileprivate var attitudesUp: Vector3<Device>? {
    attitude.map { $0.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: 1) }
  }

  /// By the attitude, else by gravity.
  var up: Vector3<Device>? { attitudesUp ?? (gravity * accelerationUnit.scale).normalized }
}
