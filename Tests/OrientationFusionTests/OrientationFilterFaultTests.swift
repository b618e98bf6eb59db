// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

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
    #expect(errors.total < plain.total + 1)
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
