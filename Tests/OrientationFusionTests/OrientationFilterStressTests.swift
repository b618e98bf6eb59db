// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import SimulatedSources
import Testing

@testable import OrientationFusion

/// Stresses on a simulated motion: what each may cost at most. The figures are printed.
///
/// The motion is as vigorous as a trial of the BROAD benchmark, and its sensors have the errors that real ones have: a
/// scale and axes wrong by some tenths of a per cent, and a magnetometer that lags.
@Suite struct OrientationFilterStressTests {
  static func motion(rest: Double = 6) -> SimulatedMotion {
    var motion = SimulatedMotion(start: .turned(30, about: Vector3(x: 1, y: -0.5, z: 2)))
    motion.sampleRate = 200
    motion.rate = { t in
      t < rest
        ? .zero
        : Vector3(
          x: 2.2 * Scalar.sin(1.9 * t) + Scalar.sin(4.3 * t), y: 1.8 * Scalar.sin(1.1 * t + 1) + Scalar.cos(3.7 * t),
          z: 1.5 * Scalar.sin(0.7 * t) + Scalar.sin(2.9 * t + 2))
    }
    motion.acceleration = { t in
      t < rest
        ? .zero : Vector3(x: 2 * Scalar.sin(5.3 * t), y: 2.5 * Scalar.cos(4.1 * t), z: 2 * Scalar.sin(6.7 * t))
    }
    motion.bias = Vector3(x: 0.008, y: -0.006, z: 0.01)
    motion.distort = { v in
      Vector3(x: 1.004 * v.x + 0.002 * v.y, y: 0.997 * v.y - 0.003 * v.z, z: 1.002 * v.z + 0.002 * v.x)
    }
    motion.noise = (0.003, 0.03, 0.3e-6)
    return motion
  }

  /// 45 s at 200 Hz; the magnetometer is 10 ms late.
  static let log = SensorLog(motion(), seconds: 45).magnetometerLate(byRows: 2)

  static func expect(
    _ name: String, _ log: SensorLog, total: Double, inclination: Double, from start: Double = 6,
    location: SourceLocation = #_sourceLocation
  ) {
    let nine = log.errors(usesMagnetometer: true, from: start)
    print("stress \(name): total \(nine.total), inclination \(nine.inclination)")
    #expect(nine.total < total, sourceLocation: location)
    #expect(nine.inclination < inclination, sourceLocation: location)
  }

  @Test func withNothingBesides() { Self.expect("none", Self.log, total: 1.25, inclination: 0.7) }

  @Test(arguments: [(2, 1.3, 0.75), (4, 1.5, 0.9), (8, 1.6, 1.3)])
  func slowerSensors(_ stress: (divider: Int, total: Double, inclination: Double)) {
    Self.expect(
      "\(200 / stress.divider) Hz", Self.log.every(stress.divider), total: stress.total,
      inclination: stress.inclination)
  }

  @Test func aGyroscopeThatShowsAPerCentTooMuch() {
    let log = Self.log.mapRows { $0.angularVelocity = $0.angularVelocity * 1.01 }
    Self.expect("+1 % gyroscope scale", log, total: 3, inclination: 1.7)
  }

  @Test func aMagnetometerThatIsThreeHundredthsOfASecondLate() {
    Self.expect("20 ms more lag", Self.log.magnetometerLate(byRows: 4), total: 1.35, inclination: 0.7)
  }

  @Test func noisySensors() {
    let log = Self.log.every(2).noisier(gyroscope: 0.02, accelerometer: 0.3, magnetometer: 2e-6)
    Self.expect("noise", log, total: 1.95, inclination: 1.1)
  }

  @Test func aStartInMotion() {
    Self.expect("start in motion", Self.log.every(2).from(seconds: 8), total: 1.8, inclination: 0.8, from: 10)
  }

  @Test(arguments: [(0.02, 1.8, 1.25), (0.06, 5.1, 3.7)])
  func aStartInMotionWithABias(_ stress: (bias: Double, total: Double, inclination: Double)) {
    let log = Self.log.every(2).from(seconds: 8).mapRows { row in
      row.angularVelocity += Vector3(x: stress.bias, y: -stress.bias, z: stress.bias)
    }
    Self.expect(
      "start in motion, bias \(stress.bias) rad/s", log, total: stress.total, inclination: stress.inclination,
      from: 15)
  }

  @Test func aFieldFromTheWrongSideAtTheStart() {
    // While the field is turned the heading is wrong; afterwards the inclination is unharmed and the heading comes
    // back.
    let log = Self.log.every(2).fieldTurned(forSeconds: 5)
    Self.expect("field turned for 5 s", log, total: 1.2, inclination: 0.8, from: 20)
  }

  @Test(arguments: [(0.06, 7.0), (0.18, 28)]) func hardIronThatNoCalibrationKnows(
    _ stress: (share: Double, total: Double)
  ) {
    // 49 µT is the strength of the simulated field. The filter is told that the calibration is exact; the error it
    // cannot see is about the angle that the iron turns the horizontal field by.
    let iron = Vector3<Device>(x: 0.6, y: -0.64, z: 0.48) * (stress.share * 49e-6)
    let log = Self.log.every(2).mapRows { $0.magneticField += iron }
    Self.expect("hard iron \(stress.share)", log, total: stress.total, inclination: 0.8)
  }
}

/// Cars and lifts: seconds of acceleration that look like a tilt must not spoil what is known of the gyroscope.
@Suite struct OrientationFilterVehicleTests {
  struct Outcome {
    /// Largest error of an entry of the learned matrix, before the vehicle and after it.
    var matrixBefore = 0.0, matrixAfter = 0.0
    /// Error of the bias after it, rad/s.
    var bias = 0.0
    /// Degrees: largest error of the inclination while the vehicle moves, the one at the end.
    var tilt = 0.0, tiltAtEnd = 0.0
  }

  /// The true matrix of the gyroscope below: reading = (1 + error) · rate.
  static let error = Matrix3(0.004, 0.002, 0, 0, -0.003, -0.002, 0.002, 0, 0.003)

  /// Half a minute in the hand, where the matrix is learned; then the vehicle; then ten seconds on a table, with pauses
  /// between.
  static func outcome(
    _ vehicle: some Trajectory, seconds: Double, usesMagnetometer: Bool
  ) -> Outcome {
    let bias = Vector3<Device>(x: 0.006, y: -0.004, z: 0.008)
    var hand = SimulatedMotion()
    hand.rate = { t in
      t < 4
        ? .zero : Vector3(x: 2 * Scalar.sin(1.3 * t), y: 2 * Scalar.sin(0.9 * t + 1), z: 2 * Scalar.sin(1.1 * t + 2))
    }
    let drive = SensorLog(vehicle, rest: 6, seconds: seconds + 6, seed: 3)
    var filter = OrientationFilter(parameters: .phone, usesMagnetometer: usesMagnetometer)
    var outcome = Outcome()
    var log = SensorLog(hand, seconds: 34)
    let start = log.rows.count
    log.append(drive)
    let stop = log.rows.count
    log.append(
      SensorLog(SimulatedMotion(start: drive.rows[drive.rows.count - 1].truth ?? .identity), seconds: 10, seed: 4))
    log = log.mapRows { $0.angularVelocity = $0.angularVelocity + Self.error * $0.angularVelocity + bias }
    var number = 0
    log.run(&filter) { filter, row in
      defer { number += 1 }
      if number == start { outcome.matrixBefore = Self.matrixError(filter) }
      if number == stop { outcome.matrixAfter = Self.matrixError(filter) }
      guard number >= start, let truth = row.truth, let attitude = filter.attitude else { return }
      let up = Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
      outcome.tiltAtEnd = Angle(radians: (attitude.inverse * up).angle(to: truth.inverse * up)).degrees
      if number < stop { outcome.tilt = max(outcome.tilt, outcome.tiltAtEnd) }
    }
    outcome.bias = (filter.gyroscopeBias - bias).length
    return outcome
  }

  /// Largest entry of (1 + M)(1 + E) − 1, which is zero when the filter has learned the error E.
  static func matrixError(_ filter: OrientationFilter) -> Double {
    let m = filter.state.gyroscopeMatrix + Self.error + filter.state.gyroscopeMatrix * Self.error
    return [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33].map(abs).max() ?? .infinity
  }

  @Test(arguments: [false, true]) func aDriveRoundTheBlockSpoilsLittle(usesMagnetometer: Bool) {
    let outcome = Self.outcome(Drive(), seconds: 72, usesMagnetometer: usesMagnetometer)
    print("drive, magnetometer \(usesMagnetometer): \(outcome)")
    #expect(outcome.bias < 0.001)
    #expect(outcome.tiltAtEnd < 0.3)
    #expect(outcome.matrixAfter < outcome.matrixBefore + 0.002)
    // Of the first second of a pull-away, before it shows.
    #expect(outcome.tilt < 8)
  }

  @Test(arguments: [false, true]) func aLiftSpoilsNothing(usesMagnetometer: Bool) {
    let outcome = Self.outcome(Lift(), seconds: 60, usesMagnetometer: usesMagnetometer)
    print("lift, magnetometer \(usesMagnetometer): \(outcome)")
    #expect(outcome.matrixAfter < outcome.matrixBefore + 0.0002)
    #expect(outcome.bias < 0.002)
    #expect(outcome.tilt < 0.3)
    #expect(outcome.tiltAtEnd < 0.2)
  }
}

/// A phone in a hand in a lift: every 15 s 2 s of 1.2 m/s² up, 6 s at 2.4 m/s, and 2 s of the same downwards.
private struct Lift: Trajectory {
  func state(at seconds: Double) -> TrajectoryState {
    let t = seconds.truncatingRemainder(dividingBy: 15)
    var acceleration = Vector3<EastNorthUp>.zero
    if (3..<5).contains(t) { acceleration.z = 1.2 }
    if (11..<13).contains(t) { acceleration.z = -1.2 }
    // The hand sways by 3° about the phone's x axis, once in 2.1 s.
    let (angle, pulse) = (0.05, 3.0)
    return TrajectoryState(
      attitude: Rotation(rotationVector: Vector3<Device>(x: 0.6 + angle * Scalar.sin(pulse * seconds), y: 0, z: 0)),
      angularVelocity: Vector3(x: angle * pulse * Scalar.cos(pulse * seconds), y: 0, z: 0), acceleration: acceleration)
  }
}

extension SensorLog {
  /// What follows 5 s after the last row, for a pause in which the device is taken elsewhere.
  fileprivate mutating func append(_ next: SensorLog) {
    guard let last = rows.last, let first = next.rows.first else { return }
    let shift = last.time + 5_000_000_000 - first.time
    rows += next.rows.map { row in
      var row = row
      row.time += shift
      return row
    }
  }
}

/// A gyroscope that reads the end of its range: found without being told, restored, and nothing else mistaken for it.
struct GyroscopeClippingTests {
  /// Flicks of 0.5 s about an axis, one every 5 s from 5 s on, between them a hand.
  private static func flicks(_ peak: Double, about axis: Vector3<Device>) -> (Double) -> Vector3<Device> {
    { t in
      let phase = t.truncatingRemainder(dividingBy: 5) - 2.5
      let flick = t > 5 && abs(phase) < 0.25 ? Scalar.cos(2 * .pi * phase) : 0
      let hand = Vector3<Device>(
        x: 0.5 * Scalar.sin(1.1 * t), y: 0.4 * Scalar.sin(1.7 * t), z: 0.3 * Scalar.cos(0.7 * t))
      return axis * (Angle(degrees: peak).radians * flick * flick) + (t > 3 ? hand : .zero)
    }
  }

  private static func clip(_ v: Vector3<Device>, at degreesPerSecond: Double) -> Vector3<Device> {
    let range = Angle(degrees: degreesPerSecond).radians
    func clip(_ x: Double) -> Double { min(range, max(-range, x)) }
    return Vector3(x: clip(v.x), y: clip(v.y), z: clip(v.z))
  }

  private func found(_ filter: OrientationFilter) -> [Real] {
    let range = filter.state.clipping.range
    return [range.x, range.y, range.z].filter { $0 < .infinity }
  }

  @Test(arguments: [250.0, 500, 2000], [Vector3<Device>.xAxis, Vector3(x: 0.3, y: -0.9, z: 0.3)])
  func flatTopsTellTheRangeAndTheLostAngleComesBack(range: Double, axis: Vector3<Device>) {
    var motion = SimulatedMotion(start: .turned(30, about: Vector3(x: 1, y: 2, z: 0)))
    motion.sampleRate = 200
    motion.rate = Self.flicks(1.6 * range, about: axis)
    // The sensor's noise is clipped with its rate.
    motion.noise.gyroscope = 0
    var random = Lehmer(seed: 3)
    motion.distort = { Self.clip($0 + random.vector(0.002), at: range) }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    // About 5 % of the range times 0.2 s are lost at each flick; the readings alone would show nothing of them.
    var (worst, covered, count) = (0.0, 0, 0)
    motion.run(&filter, seconds: 20) { filter, motion in
      // While the flick lasts the lost part is unknown.
      guard abs(motion.time.truncatingRemainder(dividingBy: 5) - 2.5) > 0.3 else { return }
      let tilt = motion.tiltError(filter)
      worst = max(worst, tilt)
      count += 1
      if tilt < 3 * Angle(radians: filter.inclinationStandardDeviation).degrees { covered += 1 }
    }
    #expect(found(filter).contains { abs($0 / Real(Angle(degrees: range).radians) - 1) < 0.01 })
    #expect(Double(covered) > 0.97 * Double(count))
    #expect(worst < 0.065 * range)
    motion.rate = { _ in .zero }
    motion.run(&filter, seconds: 5)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func aRangeOfTheDataSheetIsNotDoubted() {
    var motion = SimulatedMotion()
    motion.rate = Self.flicks(400, about: .xAxis)
    motion.distort = { Self.clip($0, at: 250) }
    var parameters = OrientationFilter.Parameters()
    parameters.gyroscopeRange = Angle(degrees: 2000).radians
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: false)
    motion.run(&filter, seconds: 12)
    #expect(filter.state.clipping.range.x == Real(Angle(degrees: 2000).radians))
  }

  /// What reads like a flat top: smooth maxima sampled densely, a turntable, a robot's steady turn between two ramps, a
  /// gyroscope that repeats its last reading, steps of a converter.
  @Test(arguments: ["maxima", "turntable", "robot", "frozen", "steps"]) func otherThingsAreNoRange(kind: String) {
    var motion = SimulatedMotion()
    motion.sampleRate = kind == "maxima" ? 1000 : 100
    let degree = Angle(degrees: 1).radians
    motion.noise.gyroscope = 0.0005
    motion.rate = { t in
      switch kind {
      case "maxima": Vector3(x: 1500 * degree * Scalar.sin(6 * t), y: 0, z: 0)
      case "turntable": Vector3(x: 0, y: 0, z: 200 * degree * min(1, t))
      // From rest to 160 °/s within 0.5 s, 1.5 s at that rate, and back.
      case "robot": Vector3(x: 0, y: 0, z: 160 * degree * max(0, min(1, t - 3, 3 - abs(t - 5.5 - 1))))
      default: Vector3(x: 150 * degree * Scalar.sin(4 * t), y: 90 * degree * Scalar.cos(3 * t), z: 0)
      }
    }
    var (last, count) = (Vector3<Device>.zero, 0)
    motion.distort = { v in
      count += 1
      let step = 2000 * degree / 32768
      func quantised(_ x: Double) -> Double { (x / step).rounded() * step }
      if kind == "frozen", count % 40 > 30 { return last }
      last = Vector3(x: quantised(v.x), y: quantised(v.y), z: quantised(v.z))
      return last
    }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 15)
    #expect(found(filter).isEmpty)
  }
}
