// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

/// Streams of readings for the filters in lanes, each with a life of its own.
enum LaneStreams {
  /// What sets a stream apart.
  struct Character {
    var rate = 100.0
    var seconds = 8.0
    var magnetometerDivider = 1
    /// Seconds by which the accelerometer is later.
    var accelerometerPhase = 0.0
    /// Readings from…to are missing, s.
    var gap: ClosedRange<Double>?
    /// A reading that is not a number at this time, s.
    var notANumberAt: Double?
    /// From here on the gyroscope is at its range, s.
    var saturatedFrom: Double?
    /// From here on the field points elsewhere, s.
    var turnedFieldFrom: Double?
    /// The hard iron's deviation, T, at a time.
    var hardIronDeviation: (Double) -> Double = { _ in 0.1e-6 }
    /// The time of an order to forget the heading, s.
    var forgetsHeadingAt: Double?
    var restUntil = 2.5
    var seed: UInt64 = 1
  }

  static func events(_ c: Character) -> [OrientationEvent] {
    var events: [OrientationEvent] = []
    var random = Lehmer(seed: c.seed)
    var attitude = Rotation<Device, EastNorthUp>.turned(30 * Double(c.seed % 7), about: .zAxis)
    let axis: Vector3<Device> = random.direction()
    let start = 1_000_000_000 * Int64(c.seed)
    func nanoseconds(_ t: Double) -> Int64 { start + Int64((t * 1e9).rounded()) }
    let count = Int(c.seconds * c.rate)
    for step in 0..<count {
      let t = Double(step) / c.rate
      var rate = t < c.restUntil ? .zero : axis * (1.5 * Scalar.sin(2 * t)) + Vector3(x: 0.2, y: 0, z: 0.4)
      if let from = c.saturatedFrom, t >= from { rate = Vector3(x: 36, y: 0, z: 0) }
      attitude = attitude * Rotation<Device, Device>(rotationVector: rate * (1 / c.rate))
      if let gap = c.gap, gap.contains(t) { continue }
      if let order = c.forgetsHeadingAt, abs(t - order) < 0.5 / c.rate { events.append(.forgottenHeading) }
      var reading = rate + Vector3(x: 0.003, y: -0.002, z: 0.001) + random.vector(0.002)
      if let from = c.saturatedFrom, t >= from { reading.x = 34.9 }
      if let time = c.notANumberAt, abs(t - time) < 0.5 / c.rate { reading.y = .nan }
      events.append(.angularVelocity(reading, atNanoseconds: nanoseconds(t)))
      let acceleration = Vector3<EastNorthUp>(
        x: t < c.restUntil ? 0 : 2 * Scalar.sin(7 * t), y: t < 5 ? 0 : 1.5, z: 9.80665)
      events.append(
        .specificForce(
          attitude.inverse * acceleration + random.vector(0.02), atNanoseconds: nanoseconds(t + c.accelerometerPhase)))
      guard step % c.magnetometerDivider == 0 else { continue }
      var field = Vector3<EastNorthUp>(x: 0, y: 20e-6, z: -45e-6)
      if let from = c.turnedFieldFrom, t >= from { field = Vector3(x: 19e-6, y: -6e-6, z: -45e-6) }
      events.append(
        .magneticField(
          attitude.inverse * field + random.vector(0.2e-6), hardIronDeviation: c.hardIronDeviation(t),
          atNanoseconds: nanoseconds(t)))
    }
    return events
  }

  /// Eight streams that differ in all that may differ.
  static let different: [[OrientationEvent]] = [
    events(Character()),
    events(Character(rate: 286, seconds: 6, seed: 2)),
    // 52 Hz, not 50: whether five samples of 0.02 s fill a block of 0.1 s is a matter of rounding.
    events(Character(rate: 52, magnetometerDivider: 3, accelerometerPhase: 0.004, seed: 3)),
    events(Character(gap: 4...4.3, notANumberAt: 5, seed: 4)),
    events(Character(seconds: 5, gap: 3...4.6, seed: 5)),
    events(Character(seconds: 6, saturatedFrom: 4, restUntil: 0, seed: 6)),
    events(Character(rate: 60, seconds: 25, turnedFieldFrom: 6, seed: 7)),
    events(
      Character(
        seconds: 7, hardIronDeviation: { $0 < 4 ? 1e-6 : $0 < 5 ? 3e-6 : 0.5e-6 }, forgetsHeadingAt: 6, seed: 8)),
  ]

  static let range: OrientationFilter.Parameters = {
    var parameters = OrientationFilter.Parameters.phone
    parameters.gyroscopeDelay = 0.002
    return parameters
  }()
}
