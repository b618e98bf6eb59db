// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import OrientationFusion

/// No wrong state is stable: whatever the filter believes, and however sure it is, real motion leads it back.
///
/// A state is made wrong at random after a second: attitude anywhere, bias to 5 °/s, matrix to 1 %, velocity to 3 m/s,
/// and with a magnetometer the hard iron and the field. Its covariance then says that all of it is known well.
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
    // 200 s of the movement phase, which has a truth.
    let first = log.rows.firstIndex { $0.truth != nil } ?? 0
    log.rows = Array(log.rows[first...].prefix(200 * 47))
    for usesMagnetometer in [false, true] {
      let healing = Self.heal(50, on: log, usesMagnetometer: usesMagnetometer)
      print("wrong states on \(trial), magnetometer \(usesMagnetometer): \(healing)")
      #expect(healing.never == 0)
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
      filter.update(magneticField: row.magneticField, hardIronDeviation: 0.5e-6, atNanoseconds: row.time)
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
    filter.state.velocityEast = Real(number(3))
    filter.state.velocityNorth = Real(number(3))
    filter.state.knowsBias = true
    if filter.usesMagnetometer {
      let iron = three(0.3)
      filter.state.hardIron = RealVector(Vector3<Device>(x: iron.0, y: iron.1, z: iron.2))
      filter.state.fieldNorth = Real(0.5 + number(0.3))
      filter.state.fieldDown = Real(number(1))
    }
    let deviations: [(Range<Int>, Double)] = [
      (0..<2, 0.5 * degree), (2..<3, 2 * degree), (3..<5, 0.05), (5..<8, 0.01 * degree), (8..<17, 0.0005),
      (17..<18, 0.002),
      (18..<21, 0.005), (21..<23, 0.01),
    ]
    for (range, deviation) in deviations {
      for index in range where index < filter.state.covariance.order {
        filter.state.covariance.reset(index, variance: Real(deviation * deviation))
      }
    }
  }
}
