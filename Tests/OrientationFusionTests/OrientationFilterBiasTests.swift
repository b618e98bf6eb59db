// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// The zero of the gyroscope.
@Suite struct OrientationFilterBiasTests {
  @Test(
    arguments: [0.05, -0.05, 0.11, -0.11], [Vector3<Device>.xAxis, .yAxis, .zAxis])
  func aBiasIsGoneAfterFiveSecondsOfRestFromTheStart(size: Double, axis: Vector3<Device>) {
    // 0.11 rad/s = 6.3 °/s: the bias of a real iPhone 5.
    for usesMagnetometer in [false, true] {
      var motion = SimulatedMotion(start: .turned(30, about: Vector3(x: 1, y: 1, z: 0)))
      motion.bias = axis * size
      var filter = OrientationFilter(usesMagnetometer: usesMagnetometer)
      motion.run(&filter, seconds: 5)
      #expect(Angle(radians: (filter.gyroscopeBias - motion.bias).length).degrees < 0.1)
      #expect(filter.isAtRest)
      #expect(motion.tiltError(filter) < 1)
      if usesMagnetometer { #expect(motion.error(filter) < 3) }
    }
  }

  @Test(arguments: [1.0, 3.0, 6.0]) func aSteadyTurnAfterARestIsATurnAndNoBias(degreesPerSecond: Double) {
    let rate = Angle(degrees: degreesPerSecond).radians
    var motion = SimulatedMotion()
    motion.bias = Vector3(x: 0.01, y: -0.02, z: 0.015)
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    motion.rate = { _ in Vector3(x: 0, y: 0, z: rate) }
    // Longer, 1 °/s without the least tremble is a bias that has moved: a filter without a magnetometer cannot tell.
    motion.run(&filter, seconds: 25)
    #expect(!filter.isAtRest)
    #expect(abs(filter.angularVelocity.z - rate) < Angle(degrees: 0.1).radians + 0.01)
    #expect(Angle(radians: abs(filter.gyroscopeBias.z - 0.015)).degrees < 0.05)
    #expect(abs(motion.headingError(filter)) < 2)
  }

  @Test func aSlowDriftOfTheBiasIsFollowedAtRest() {
    var motion = SimulatedMotion()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    // A sensor that warms up: 0.3 °/s within a minute.
    for k in 1...60 {
      motion.bias = Vector3(x: 0, y: 0, z: Angle(degrees: 0.005 * Double(k)).radians)
      motion.run(&filter, seconds: 1)
    }
    #expect(filter.isAtRest)
    #expect(Angle(radians: abs(filter.gyroscopeBias.z - motion.bias.z)).degrees < 0.03)
  }

  @Test func theScaleOfTheGyroscopeIsLearnedFromTurns() {
    var motion = SimulatedMotion()
    motion.distort = { $0 * 1.004 }
    motion.rate = { t in
      Vector3(
        x: 2 * Scalar.sin(1.1 * t), y: 2 * Scalar.sin(0.7 * t + 1), z: 2 * Scalar.sin(0.9 * t + 2))
    }
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 40)
    let matrix = filter.state.gyroscopeMatrix
    #expect(abs(matrix.m11 + 0.004) < 0.0015)
    #expect(abs(matrix.m22 + 0.004) < 0.0015)
    #expect(abs(matrix.m33 + 0.004) < 0.0015)
  }

  @Test func theEstimateNeverLeavesTheLargestBias() {
    // The true bias is larger than what the parameters allow, on both sides.
    var motion = SimulatedMotion()
    motion.bias = Vector3(x: 0.05, y: -0.05, z: 0)
    motion.rate = { t in
      Vector3(x: 0.6 * Scalar.sin(3 * t), y: 0.5 * Scalar.cos(2 * t), z: 0.7 * Scalar.sin(t))
    }
    var parameters = OrientationFilter.Parameters()
    parameters.largestGyroscopeBias = 0.02
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: true)
    var largest = 0.0
    motion.run(&filter, seconds: 30) { filter, _ in
      let bias = filter.gyroscopeBias
      largest = max(largest, abs(bias.x), abs(bias.y), abs(bias.z))
    }
    #expect(abs(largest - 0.02) < 1e-8)
  }
}
