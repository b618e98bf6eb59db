// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// Motions whose outcome is known beforehand.
@Suite struct OrientationFilterLawTests {
  @Test(
    arguments: [Vector3<Device>.xAxis, .yAxis, .zAxis, Vector3(x: 0.6, y: -0.64, z: 0.48)], [0.2, 3.0, 15])
  func aSpinThatNeverEndsStaysASpin(axis: Vector3<Device>, rate: Double) {
    // After a rest, so that the slow spin is none of a bias; up to 860 °/s and, at 15 rad/s, 48 turns.
    var motion = SimulatedMotion(start: .turned(35, about: Vector3(x: 1, y: 1, z: 0)))
    motion.rate = { t in t < 4 ? .zero : axis * (rate * min(1, t - 4)) }
    let log = SensorLog(motion, seconds: 25)
    for usesMagnetometer in [false, true] {
      let errors = log.errors(usesMagnetometer: usesMagnetometer, from: 4)
      #expect(errors.inclination < 0.15)
      #expect(errors.total < 0.3)
    }
  }

  /// Coning: the axis of the turn itself goes round, no axis turns on the whole, and yet a heading builds up, which a
  /// filter has to see in rates alone (P. G. Savage, "Strapdown inertial navigation integration algorithm design, part
  /// 1", J. Guidance, Control and Dynamics 21(1), 1998).
  @Test(arguments: [1.0, 3.0]) func coningLeavesTheHeadingThatGeometrySays(frequency: Double) throws {
    let (amplitude, pulse) = (Angle(degrees: 10).radians, 2 * Double.pi * frequency)
    var motion = SimulatedMotion()
    motion.noise = (0, 0, 0)
    motion.rate = { t in
      t < 4
        ? .zero
        : Vector3(
          x: amplitude * pulse * Scalar.cos(pulse * (t - 4)), y: amplitude * pulse * Scalar.sin(pulse * (t - 4)), z: 0)
    }
    let log = SensorLog(motion, seconds: 24)
    let attitudes = log.attitudes(usesMagnetometer: false)
    let estimate = try #require(attitudes.last ?? nil)
    let truth = try #require(log.rows.last?.truth)
    let error = estimate * truth.inverse
    let heading = Angle(radians: 2 * Scalar.atan2(error.z, error.w)).wrapped.degrees
    let errors = log.errors(usesMagnetometer: false, from: 4)
    print("coning at \(frequency) Hz: heading \(heading)°, \(errors)")
    // The cone's heading is Ω a²/2 a second. With x = Ω T/2, trapezoids of rates T apart make the circle a polygon
    // whose radius is too small by x²/3 and whose area is once more smaller by 2x²/3: 4x²/3 in all, of which the filter
    // may learn the radius as a scale. That is 0.14° and 3.9° in 20 s at 100 Hz.
    let x = pulse * 0.005
    let unseen = Angle(radians: 20 * pulse * amplitude * amplitude / 2 * (4.0 / 3) * x * x).degrees
    #expect(abs(heading) < 1.1 * unseen + 0.1)
    #expect(errors.inclination < 0.6)
  }

  @Test(arguments: [Vector3<Device>.xAxis, .yAxis])
  func loopsThroughTheGimbalLockAndUpsideDownLoseNothing(axis: Vector3<Device>) {
    // Somersaults: pitch or roll passes ±90° and 180° twice a turn, with a slow turn about the vertical besides.
    var motion = SimulatedMotion(start: .turned(50, about: .zAxis))
    motion.rate = { t in t < 4 ? .zero : axis * 2 + Vector3(x: 0, y: 0, z: 0.2 * Scalar.sin(0.9 * (t - 4))) }
    let log = SensorLog(motion, seconds: 30)
    let nine = log.errors(usesMagnetometer: true, from: 4)
    let six = log.errors(usesMagnetometer: false, from: 4)
    print("loops about \(axis): 9D \(nine), 6D \(six)")
    #expect(nine.largest < 0.9)
    #expect(six.inclination < 0.45)
  }

  @Test func aMotionUpsideDownIsAsGoodAsUpright() {
    let upright = OrientationFilterRobustnessTests.everydayMotion()
    var over = upright
    over = SimulatedMotion(
      start: .turned(180, about: .xAxis) * Rotation(rotationVector: Vector3<Device>(x: 0.3, y: 0, z: 0)))
    (over.rate, over.acceleration, over.bias) = (upright.rate, upright.acceleration, upright.bias)
    let (a, b) = (
      SensorLog(upright, seconds: 25).errors(usesMagnetometer: true, from: 5),
      SensorLog(over, seconds: 25).errors(usesMagnetometer: true, from: 5)
    )
    print("upright \(a), upside down \(b)")
    #expect(b.total < a.total + 0.5)
    #expect(b.inclination < a.inclination + 0.3)
  }

  @Test(arguments: [0.3, 1.0, 2.0]) func aThrowIsCarriedByTheGyroscopeAlone(duration: Double) {
    // Tumbling in free fall the accelerometer shows nothing; only the gyroscope's noise and bias count.
    var motion = SimulatedMotion(start: .turned(25, about: .xAxis))
    motion.bias = Vector3(x: 0.01, y: -0.01, z: 0.02)
    motion.rate = { t in t > 5 && t < 5 + duration ? Vector3(x: 4, y: -3, z: 5) : .zero }
    motion.acceleration = { t in t > 5 && t < 5 + duration ? SimulatedMotion.gravity * -1 : .zero }
    let errors = SensorLog(motion, seconds: 6 + duration).errors(usesMagnetometer: false, from: 4)
    print("throw of \(duration) s: \(errors)")
    // The rate jumps twice between two samples: each time half an interval of 405 °/s is unknowable.
    #expect(errors.inclination < 2)
  }
}
