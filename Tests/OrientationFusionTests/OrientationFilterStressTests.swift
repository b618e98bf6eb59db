// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

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

  @Test func withNothingBesides() { Self.expect("none", Self.log, total: 0.75, inclination: 0.7) }

  @Test(arguments: [(2, 0.8, 0.75), (4, 1.1, 0.9), (8, 1.6, 1.3)])
  func slowerSensors(_ stress: (divider: Int, total: Double, inclination: Double)) {
    Self.expect(
      "\(200 / stress.divider) Hz", Self.log.every(stress.divider), total: stress.total,
      inclination: stress.inclination)
  }

  @Test func aGyroscopeThatShowsAPerCentTooMuch() {
    let log = Self.log.mapRows { $0.angularVelocity = $0.angularVelocity * 1.01 }
    Self.expect("+1 % gyroscope scale", log, total: 1.6, inclination: 1.1)
  }

  @Test func aMagnetometerThatIsThreeHundredthsOfASecondLate() {
    Self.expect("20 ms more lag", Self.log.magnetometerLate(byRows: 4), total: 0.8, inclination: 0.7)
  }

  @Test func noisySensors() {
    let log = Self.log.every(2).noisier(gyroscope: 0.02, accelerometer: 0.3, magnetometer: 2e-6)
    Self.expect("noise", log, total: 1.5, inclination: 1.1)
  }

  @Test func aStartInMotion() {
    Self.expect("start in motion", Self.log.every(2).from(seconds: 8), total: 1.8, inclination: 0.8, from: 10)
  }

  @Test(arguments: [(0.02, 1.8, 1.0), (0.06, 3.5, 2)])
  func aStartInMotionWithABias(_ stress: (bias: Double, total: Double, inclination: Double)) {
    let log = Self.log.every(2).from(seconds: 8).mapRows { row in
      row.angularVelocity += Vector3(x: stress.bias, y: -stress.bias, z: stress.bias)
    }
    Self.expect(
      "start in motion, bias \(stress.bias) rad/s", log, total: stress.total, inclination: stress.inclination,
      from: 15)
  }

  @Test(arguments: [(5.0, 20.0, 1.0), (20, 35, 1.1)])
  func aFieldFromTheWrongSideAtTheStart(_ stress: (seconds: Double, settled: Double, total: Double)) {
    // While the field is turned the heading is wrong; afterwards the inclination is unharmed and the heading comes
    // back.
    let log = Self.log.every(2).fieldTurned(forSeconds: stress.seconds)
    Self.expect(
      "field turned for \(stress.seconds) s", log, total: stress.total, inclination: 0.8, from: stress.settled)
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
