// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// In a vehicle the velocity is not zero on average; what the gyroscope is worth must not be learned there.
@Suite struct OrientationFilterTravelTests {
  struct Outcome {
    /// Largest entry of the learned matrix; the true one is zero.
    var matrix: Double
    /// Error of the bias, rad/s.
    var bias: Double
    /// Largest tilt error, degrees.
    var tilt: Double
  }

  /// A roundabout at 12 m/s and 0.25 rad/s: 3 m/s² towards its middle for a minute, after 10 s of standing.
  static func roundabout(_ parameters: OrientationFilter.Parameters) -> Outcome {
    var motion = SimulatedMotion()
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    let (start, rate, speed) = (10.0, 0.25, 12.0)
    // A car leans and shakes while it turns; without that the matrix would not be seen at all.
    motion.rate = { t in Vector3(x: 0.05 * Scalar.sin(9 * t), y: 0.04 * Scalar.sin(7 * t), z: rate) }
    motion.acceleration = { t in
      let angle = rate * (t - start)
      let toMiddle = speed * rate
      return Vector3(x: -toMiddle * Scalar.cos(angle), y: -toMiddle * Scalar.sin(angle), z: 0)
    }
    var tilt = 0.0
    motion.run(&filter, seconds: 60) { filter, motion in tilt = max(tilt, motion.tiltError(filter)) }
    let m = filter.state.gyroscopeMatrix
    let largest = [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33].map(abs).max() ?? .infinity
    return Outcome(matrix: largest, bias: filter.gyroscopeBias.length, tilt: tilt)
  }

  @Test func aLongCurveDoesNotSpoilTheGyroscopeNorTipTheVertical() {
    var parameters = OrientationFilter.Parameters()
    let careful = Self.roundabout(parameters)
    parameters.velocityDensityMemory = .infinity
    let careless = Self.roundabout(parameters)
    print("roundabout: careful \(careful), careless \(careless)")
    #expect(careful.matrix < 0.004)
    #expect(careful.bias < 0.003)
    #expect(careful.tilt < 12)
    #expect(careful.matrix < 0.1 * careless.matrix)
    #expect(careful.bias < 0.2 * careless.bias)
    #expect(careful.tilt < 0.6 * careless.tilt)
  }

  @Test func aWrongInclinationIsMendedAllTheSame() {
    // Ten degrees off look like a vehicle that accelerates at 1.7 m/s².
    var motion = SimulatedMotion()
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    motion.rate = { t in Vector3(x: Scalar.sin(2 * t), y: 0.7 * Scalar.sin(3 * t), z: 0.5) }
    motion.distort = { Vector3(x: $0.x + 0.1, y: $0.y, z: $0.z) }
    motion.run(&filter, seconds: 3)
    #expect(motion.tiltError(filter) > 5)
    motion.distort = { $0 }
    motion.run(&filter, seconds: 60)
    #expect(motion.tiltError(filter) < 1.5)
  }
}
