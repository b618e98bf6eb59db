// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import SimulatedSources
import Testing

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
    _ vehicle: some Trajectory, seconds: Double, usesMagnetometer: Bool,
    parameters: OrientationFilter.Parameters = .phone
  ) -> Outcome {
    let bias = Vector3<Device>(x: 0.006, y: -0.004, z: 0.008)
    var hand = SimulatedMotion()
    hand.rate = { t in
      t < 4
        ? .zero : Vector3(x: 2 * Scalar.sin(1.3 * t), y: 2 * Scalar.sin(0.9 * t + 1), z: 2 * Scalar.sin(1.1 * t + 2))
    }
    let drive = SensorLog(vehicle, rest: 6, seconds: seconds + 6, seed: 3)
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: usesMagnetometer)
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
    var parameters = OrientationFilter.Parameters.phone
    parameters.velocityDensityMemory = .infinity
    let careless = Self.outcome(
      Drive(), seconds: 72, usesMagnetometer: usesMagnetometer, parameters: parameters)
    print("drive, magnetometer \(usesMagnetometer): \(outcome), careless \(careless)")
    #expect(outcome.bias < 0.001)
    #expect(outcome.tiltAtEnd < 0.3)
    #expect(outcome.matrixAfter < outcome.matrixBefore + 0.002)
    #expect(outcome.matrixAfter < 0.2 * careless.matrixAfter)
    // Of the first second of a pull-away, before it shows.
    #expect(outcome.tilt < 8)
    #expect(outcome.tilt < 0.6 * careless.tilt)
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
