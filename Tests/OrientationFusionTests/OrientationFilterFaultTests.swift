// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import OrientationFusion

/// What a bus, a driver and a clock do wrong: the filter never stops, never says nonsense, and finds back.
@Suite struct OrientationFilterFaultTests {
  static let log = SensorLog(OrientationFilterRobustnessTests.everydayMotion(), seconds: 25)

  /// Runs a disturbed log: each attitude must be finite and of unit length; the result are the errors from 20 s on.
  static func errors(of log: SensorLog, usesMagnetometer: Bool = true) -> SensorLog.Errors {
    var filter = OrientationFilter(parameters: log.parameters, usesMagnetometer: usesMagnetometer)
    var sound = true
    log.run(&filter) { filter, _ in
      guard let q = filter.attitude else { return }
      sound = sound && abs(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1) < 1e-9
      sound = sound && filter.gyroscopeBias.isFinite && filter.angularVelocity.isFinite
      sound = sound && filter.inclinationStandardDeviation.isFinite && filter.headingStandardDeviation.isFinite
    }
    #expect(sound)
    return log.errors(usesMagnetometer: usesMagnetometer, from: 20)
  }

  enum Sensor: CaseIterable { case gyroscope, accelerometer, magnetometer }

  @Test(arguments: Sensor.allCases, [Double.nan, .infinity, -.infinity, 1e300, .greatestFiniteMagnitude])
  func halfASecondOfNonsenseFromOneSensorIsALossOfThatSensorOnly(sensor: Sensor, value: Double) {
    let bad = Vector3<Device>(x: value, y: value, z: value)
    let disturbed = Self.log.mapRows { row in
      guard (8.0...8.5).contains(Self.log.seconds(row)) else { return }
      switch sensor {
      case .gyroscope: row.angularVelocity = bad
      case .accelerometer: row.specificForce = bad
      case .magnetometer: row.magneticField = bad
      }
    }
    let (plain, errors) = (Self.errors(of: Self.log), Self.errors(of: disturbed))
    #expect(errors.total < plain.total + 1.5)
    #expect(errors.inclination < plain.inclination + 0.7)
  }

  @Test func nonsenseOfASingleComponentAtTheVeryStartHurtsNothing() {
    let disturbed = Self.log.mapRows { row in
      guard Self.log.seconds(row) < 0.2 else { return }
      row.angularVelocity.x = .nan
      row.specificForce.y = .infinity
      row.magneticField.z = .nan
    }
    #expect(Self.errors(of: disturbed).total < Self.errors(of: Self.log).total + 0.5)
  }

  @Test(arguments: [0.05, 0.2, 0.5]) func dropoutsEveryFewSecondsCostLittle(duration: Double) {
    var log = Self.log
    log.rows.removeAll { row in
      let seconds = Self.log.seconds(row)
      return seconds > 4 && seconds.truncatingRemainder(dividingBy: 3) < duration
    }
    let errors = Self.errors(of: log)
    print("dropouts of \(duration) s: \(errors)")
    #expect(errors.total < 0.5 + 14 * duration)
    #expect(errors.inclination < 0.5 + 9.5 * duration)
  }

  @Test(arguments: [3_600_000_000_000, -60_000_000_000, -2_000_000_000]) func aClockThatJumpsIsAGapAndNoMore(
    jump: Int64
  ) {
    // The device moves on as if nothing had happened; only the stamps are others.
    let disturbed = Self.log.mapRows { row in if Self.log.seconds(row) >= 10 { row.time += jump } }
    var filter = OrientationFilter(parameters: disturbed.parameters, usesMagnetometer: true)
    var last = SensorLog.Errors()
    var number = 0
    disturbed.run(&filter) { filter, row in
      defer { number += 1 }
      guard number >= 2000, let attitude = filter.attitude, let truth = row.truth else { return }
      last.largest = max(last.largest, Angle(radians: attitude.angle(to: truth)).degrees)
    }
    print("clock jumps by \(jump) ns: \(last.largest)")
    #expect(number > 2000)
    #expect(last.largest > 0)
    #expect(last.largest < 1)
  }

  @Test(arguments: [Vector3<Device>.xAxis, .yAxis, .zAxis]) func anAxisBeyondItsRangeIsDoubtedAndFoundAgain(
    axis: Vector3<Device>
  ) {
    // 0.4 s at 1400 °/s, of which the gyroscope shows 1000: 160° are missing, and heading and inclination have to come
    // back.
    var motion = SimulatedMotion(start: .turned(20, about: Vector3(x: 1, y: 1, z: 0)))
    motion.rate = { t in
      axis * (t > 6 && t < 6.4 ? Angle(degrees: 1400).radians : 0)
        + (t > 7 ? Vector3(x: 0.4 * Scalar.sin(t), y: 0.3 * Scalar.cos(1.3 * t), z: 0.4) : .zero)
    }
    let range = Angle(degrees: 1000).radians
    var log = SensorLog(motion, seconds: 40).mapRows { row in
      func clip(_ x: Double) -> Double { min(range, max(-range, x)) }
      row.angularVelocity = Vector3(
        x: clip(row.angularVelocity.x), y: clip(row.angularVelocity.y), z: clip(row.angularVelocity.z))
    }
    log.parameters.gyroscopeRange = range
    let errors = log.errors(usesMagnetometer: true, from: 30)
    print("saturation about \(axis): \(errors)")
    #expect(errors.inclination < 1)
    #expect(errors.total < 4)
  }

  @Test(arguments: [0.3, 1.0, 3.0]) func aVelocityThatChangedWhileTheAccelerometerWasSilentDoesNotTilt(silence: Double)
  {
    // The device gains 4 m/s within a second and loses them again while nothing measures it. Afterwards the filter must
    // not explain the old velocity by a tilt.
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.rate = { t in
      Vector3(x: 0.3 * Scalar.sin(3 * t), y: 0.3 * Scalar.cos(2 * t), z: 0.2 * Scalar.sin(t))
    }
    motion.acceleration = { t in
      Vector3(x: t > 9 && t < 10 ? 4 : t > 10 && t < 10 + silence ? -4 / silence : 0, y: 0, z: 0)
    }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    while motion.time < 10 + silence - 0.001 {
      filter.update(
        angularVelocity: motion.rate(motion.time), atNanoseconds: motion.nanoseconds(motion.time))
      motion.advance(1 / motion.sampleRate)
    }
    var tilt = 0.0
    motion.run(&filter, seconds: 3) { filter, motion in tilt = max(tilt, motion.tiltError(filter)) }
    #expect(tilt < 3.5)
  }

  /// Nanoseconds since boot have more digits than a floating-point number: intervals are computed from integers.
  @Test func aClockThatHasRunForAYearChangesNothing() {
    let year: Int64 = 365 * 86_400 * 1_000_000_000
    let later = Self.log.mapRows { $0.time += year }
    #expect(Self.log.attitudes(usesMagnetometer: true) == later.attitudes(usesMagnetometer: true))
  }
}

/// No wrong state is stable: whatever the filter believes, and however sure it is, real motion leads it back.
///
/// A state is made wrong at random after a second: attitude anywhere, bias to 5 °/s, matrix to 1 %. The
/// covariances of all models then say that all of it is known well.
struct OrientationFilterAttractorTests {
  /// How the states are made wrong, and how many heal within a time.
  private struct Healing {
    var count = 0, late = 0, never = 0
    var slowest = 0.0
  }

  @Test(arguments: [false, true]) func aHandHealsAThousandWrongStates(usesMagnetometer: Bool) {
    let healing = Self.heal(500, on: Self.hand, usesMagnetometer: usesMagnetometer)
    print("wrong states on a hand, magnetometer \(usesMagnetometer): \(healing)")
    #expect(healing.never == 0)
    #expect(Double(healing.late) < 0.1 * Double(healing.count))
  }

  @Test(
    .enabled(if: Recordings.has("broad"), "needs the BROAD recordings"),
    arguments: ["03_undisturbed_slow_rotation_C", "07_undisturbed_fast_rotation_B"])
  func recordedMotionHealsWrongStates(trial: String) throws {
    var log = SensorLog(try Recordings.BroadTrial(name: trial), every: 6)
    // At most 200 s of the movement phase, which has a truth.
    let first = log.rows.firstIndex { $0.truth != nil } ?? 0
    log.rows = Array(log.rows[first...].prefix(200 * 47))
    for usesMagnetometer in [false, true] {
      let healing = Self.heal(50, on: log, usesMagnetometer: usesMagnetometer)
      print("wrong states on \(trial), magnetometer \(usesMagnetometer): \(healing)")
      // Iron that was learned with a wrong attitude takes longer than these 100 s.
      #expect(healing.never <= (usesMagnetometer ? 7 : 0))
    }
  }

  /// A phone that a hand turns to all sides, at 50 Hz.
  private static var hand: SensorLog {
    var motion = SimulatedMotion(start: .turned(40, about: Vector3(x: 1, y: 2, z: 1)))
    motion.sampleRate = 50
    motion.bias = Vector3(x: 0.004, y: -0.003, z: 0.002)
    motion.rate = { t in
      Vector3(
        x: 1.2 * Scalar.sin(1.3 * t) + 0.6 * Scalar.sin(2.9 * t + 1),
        y: 1.0 * Scalar.sin(1.7 * t + 2) + 0.4 * Scalar.sin(0.5 * t),
        z: 1.1 * Scalar.sin(1.1 * t + 1) + 0.5 * Scalar.sin(2.3 * t))
    }
    motion.acceleration = { t in
      Vector3(x: 1.2 * Scalar.sin(5.1 * t), y: 1.0 * Scalar.sin(4.3 * t + 1), z: 0.8 * Scalar.sin(6.7 * t))
    }
    return SensorLog(motion, seconds: 130)
  }

  /// Late: the inclination needs more than 45 s; never: inclination or heading is still wrong at the end.
  private static func heal(_ count: Int, on log: SensorLog, usesMagnetometer: Bool) -> Healing {
    var random = Lehmer(seed: 5)
    var result = Healing()
    for _ in 0..<count {
      var filter = OrientationFilter(parameters: log.parameters, usesMagnetometer: usesMagnetometer)
      var good: (since: Double, inclination: Double)?
      var next = 0
      while next < log.rows.count, log.seconds(log.rows[next]) < 1 { feed(log.rows[next], to: &filter, &next) }
      spoil(&filter, &random)
      // Healed is who is right for five seconds; the whole log would take too long.
      while next < log.rows.count {
        let row = log.rows[next]
        feed(row, to: &filter, &next)
        guard next % 10 == 0, let truth = row.truth, let attitude = filter.attitude else { continue }
        let error = attitude * truth.inverse
        let inclination = Angle(radians: 2 * Scalar.acos(min(1, Scalar.hypot(error.w, error.z)))).degrees
        let heading = abs(Angle(radians: 2 * Scalar.atan2(error.z, error.w)).wrapped.degrees)
        let time = log.seconds(row) - 1
        if inclination > 5 {
          good = nil
        } else if usesMagnetometer, heading > 10 {
          good = good.map { (time, $0.inclination) } ?? (time, time)
        } else {
          good = good ?? (time, time)
        }
        if let good, time - good.since > 5 { break }
      }
      result.count += 1
      result.slowest = max(result.slowest, good?.inclination ?? .infinity)
      if (good?.inclination ?? .infinity) > 45 { result.late += 1 }
      if next == log.rows.count { result.never += 1 }
    }
    return result
  }

  private static func feed(_ row: SensorLog.Row, to filter: inout OrientationFilter, _ next: inout Int) {
    filter.update(angularVelocity: row.angularVelocity, atNanoseconds: row.time)
    filter.update(specificForce: row.specificForce, atNanoseconds: row.time)
    if filter.usesMagnetometer {
      filter.update(magneticField: row.magneticField, atNanoseconds: row.time)
    }
    next += 1
  }

  private static func spoil(_ filter: inout OrientationFilter, _ random: inout Lehmer) {
    func number(_ largest: Double) -> Double { largest * (2 * random.uniform() - 1) }
    func three(_ largest: Double) -> (Double, Double, Double) { (number(largest), number(largest), number(largest)) }
    let degree = Angle(degrees: 1).radians
    let turn: Vector3<Device> = random.vector(1).normalized ?? .xAxis
    filter.state.attitude = filter.state.attitude.map {
      $0 * Rotation<Device, Device>(rotationVector: turn * number(.pi))
    }
    let bias = three(5 * degree)
    filter.state.gyroscopeBias = Vector3(x: bias.0, y: bias.1, z: bias.2)
    let (a, b, c) = (three(0.01), three(0.01), three(0.01))
    filter.state.gyroscopeMatrix = Matrix3(a.0, a.1, a.2, b.0, b.1, b.2, c.0, c.1, c.2)
    filter.state.knowsBias = true
    let deviations: [(Range<Int>, Double)] = [
      (0..<2, 0.5 * degree), (ErrorIndex.azimuth..<ErrorIndex.azimuth + 1, 2 * degree),
      (ErrorIndex.velocity..<ErrorIndex.acceleration, 0.05),
      (ErrorIndex.bias..<ErrorIndex.velocity, 0.01 * degree),
    ]
    for (range, deviation) in deviations {
      for index in range {
        for k in 0..<3 {
          filter.state.bank.models[k].reset(index, variance: Float(deviation * deviation))
        }
      }
    }
    for index in 0..<9 { filter.state.bank.shared.covariance.reset(index, variance: 0.0005 * 0.0005) }
  }
}

/// Readings that two things explain: a late stamp or a gap, a lever arm or a tilt, an acceleration or gravity, a magnet
/// or the earth.
@Suite struct OrientationFilterHypothesisTests {
  private static func hand() -> SimulatedMotion {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.rate = { t in
      t < 3
        ? .zero : Vector3(x: 2 * Scalar.sin(2.1 * t), y: 1.5 * Scalar.sin(1.7 * t), z: 2.4 * Scalar.sin(1.4 * t))
    }
    return motion
  }

  private static func largestTilt(_ motion: SimulatedMotion, seconds: Double, from start: Double) -> Double {
    var (motion, filter, tilt) = (motion, OrientationFilter(usesMagnetometer: false), 0.0)
    motion.run(&filter, seconds: start)
    motion.run(&filter, seconds: seconds - start) { tilt = max(tilt, $1.tiltError($0)) }
    return tilt
  }

  /// Ten readings of 10 ms each arrive together, stamped so many ns apart.
  @Test(arguments: [0, 50_000, 1_000_000] as [Int64]) func readingsThatArriveTogetherAreReadOneByOne(spacing: Int64) {
    var motion = Self.hand()
    let one = Self.largestTilt(motion, seconds: 40, from: 10)
    motion.stamp = { time in
      let (batch, index) = (time / 100_000_000, time % 100_000_000 / 10_000_000)
      return (batch + 1) * 100_000_000 + index * spacing
    }
    let together = Self.largestTilt(motion, seconds: 40, from: 10)
    print("largest tilt: one by one \(one)°, together \(together)°")
    #expect(together < 2 * one + 0.25)
  }

  @Test func aReadingThatIsRepeatedChangesNothing() {
    var (motion, filter) = (Self.hand(), OrientationFilter(usesMagnetometer: false))
    motion.run(&filter, seconds: 10)
    let before = filter.attitude
    let (rate, force) = (Vector3<Device>(x: 1, y: 0, z: 0), Vector3<Device>(x: 0, y: 0, z: 9.8))
    let time = motion.nanoseconds(motion.time)
    filter.update(angularVelocity: rate, atNanoseconds: time)
    filter.update(specificForce: force, atNanoseconds: time)
    let once = filter.attitude
    for _ in 0..<100 {
      filter.update(angularVelocity: rate, atNanoseconds: time)
      filter.update(specificForce: force, atNanoseconds: time)
    }
    #expect(once != before)
    #expect(filter.attitude == once)
  }

  @Test func aTrainThatAcceleratedBeforeTheFirstReadingIsFoundOut() {
    // A lean by 7°, held by a rest; when the train rolls on, the force is shorter than the one that levelled it.
    var motion = SimulatedMotion()
    motion.acceleration = { t in Vector3(x: t < 20 ? 1.2 : 0, y: 0, z: 0) }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 19)
    #expect(motion.tiltError(filter) > 5)
    // What leans without an acceleration is doubted at once, and mended slowly.
    motion.run(&filter, seconds: 17)
    #expect(motion.tiltError(filter) < 1.73 * Angle(radians: filter.inclinationStandardDeviation).degrees)
    motion.run(&filter, seconds: 300)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func aTurntableThatTurnsFromTheStartDoesNotTilt() {
    var motion = SimulatedMotion(start: .turned(30, about: .yAxis))
    let (spin, radius) = (-2.1, 0.1)
    let up = motion.start.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
    motion.rate = { _ in up * spin }
    motion.acceleration = { t in
      Vector3(x: -radius * spin * spin * Scalar.cos(spin * t), y: -radius * spin * spin * Scalar.sin(spin * t), z: 0)
    }
    // The lever arm alone tilts the first reading by 2.6°.
    #expect(Self.largestTilt(motion, seconds: 60, from: 10) < 1.3)
  }

  @Test func aMagnetThatStaysBecomesTheField() {
    var motion = Self.hand()
    motion.field = { t in Vector3(x: t > 60 ? 25e-6 : 0, y: 20e-6, z: -45e-6) }
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 60)
    #expect(abs(motion.headingError(filter)) < 2)
    #expect(filter.headingStandardDeviation < 0.1)
    motion.run(&filter, seconds: 60)
    // Nothing tells a magnet from another place: its direction counts as north, and the inclination does not move.
    let error = Angle(degrees: motion.headingError(filter)).radians
    #expect(abs(abs(error) - Scalar.atan2(25, 20)) < 0.1)
    #expect(motion.tiltError(filter) < 2)
  }
}
