// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// Soft iron: found where it is, and not where it is not.
@Suite struct SoftIronTests {
  typealias Simulation = MagnetometerCalibratorTests.Simulation

  /// What undoes a symmetric distortion: its inverse with determinant 1.
  static func correction(of distortion: Matrix3) -> Matrix3 {
    guard let inverse = distortion.inverse else { return .identity }
    return inverse * Scalar.pow(inverse.determinant, -1.0 / 3)
  }

  static func distance(_ a: Matrix3, _ b: Matrix3) -> Double {
    let d = a - b
    return (d * d.transpose).trace.squareRoot()
  }

  static func largestElement(_ m: Matrix3) -> Double {
    [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33].map(abs).max() ?? 0
  }

  static let distortions = [
    Matrix3(diagonal: 0.8, 1, 1.2), Matrix3(1.08, 0.03, -0.02, 0.03, 0.95, 0.04, -0.02, 0.04, 1.01),
    Matrix3(1.02, 0.01, 0, 0.01, 0.99, 0.01, 0, 0.01, 0.99),
  ]

  @Test(arguments: distortions)
  func hardAndSoftIronAreFound(distortion: Matrix3) {
    var simulation = Simulation()
    simulation.scale = distortion
    simulation.earth = Vector3(x: 0, y: 22e-6, z: -38e-6)
    var calibrator = MagnetometerCalibrator()
    for seconds in [10.0,10,10,10,10,10, 30,30, 60,60,] {
      simulation.run(&calibrator, seconds: seconds)
      let c = calibrator.calibration
      print(simulation.time, c.accuracy, simulation.error(calibrator), c.hardIronDeviation * 1e6, Self.largestElement(c.softIron - Self.correction(of: distortion)), c.softIronDeviation ?? -1)
    }
  }

  static func errors(_ s: Simulation, _ c: MagnetometerCalibrator) -> Double {
    // rms angle between calibrated and true field over directions of the earth's field
    var r = Lehmer(seed: 5)
    var sum = 0.0
    for _ in 0..<500 {
      let d: Vector3<Device> = r.direction()
      let reading = s.scale * (d * s.earth.length) + s.hardIron
      let a = c.calibration.field(of: reading).angle(to: d)
      sum += a * a
    }
    return Angle(radians: (sum / 500).squareRoot()).degrees
  }

  @Test(arguments: 0..<9)
  func fooled(_ k: Int) {
    var found = 0
    var worst = 0.0
    var (on, off) = (0.0, 0.0)
    var worse = 0.0
    var bad = 0
    for seed in 1...12 {
      var simulation = Simulation()
      simulation.random = Lehmer(seed: UInt64(seed))
      let p = Double(seed)
      switch k {
      case 0: simulation.noise = 0.5e-6
      case 1: simulation.noise = 3e-6
      case 2: simulation.room = { t in Vector3(x: 2e-6 * Scalar.sin(0.2 * t + p), y: 2e-6 * Scalar.sin(0.13 * t + 2 * p), z: 2e-6 * Scalar.sin(0.3 * t + 3 * p)) }
      case 3: simulation.room = { t in Vector3(x: 4e-6 * Scalar.sin(0.02 * t + p), y: 4e-6 * Scalar.sin(0.013 * t + 2 * p), z: 4e-6 * Scalar.sin(0.03 * t + 3 * p)) }
      case 4: simulation.magnet = { t in Int((t + p) / 15) % 2 == 0 ? .zero : Vector3(x: 3e-6, y: 4e-6, z: -3e-6) }
      case 5: simulation.magnet = { t in Int((t + p) / 40) % 3 == 0 ? .zero : Vector3(x: 3e-6, y: -2e-6, z: -8e-6) }
      case 6: simulation.rate = { t in Vector3(x: 0.05 * Scalar.sin(0.7 * t + p), y: 0.05 * Scalar.sin(0.9 * t), z: 1) }
      case 7: simulation.rate = { t in Vector3(x: 0.6 * Scalar.sin(0.7 * t + p), y: 0.5 * Scalar.sin(0.9 * t), z: 1) }
      // the room as a function of how the device is held
      default: simulation.room = { t in Vector3(x: 4e-6 * Scalar.sin(0.9 * t), y: 3e-6 * Scalar.sin(0.53 * t + p), z: 5e-6 * Scalar.sin(0.37 * t + 2)) }
      }
      var parameters = MagnetometerCalibrator.Parameters()
      parameters.correctsSoftIron = false
      var plain = MagnetometerCalibrator(parameters: parameters)
      var other = simulation
      var calibrator = MagnetometerCalibrator()
      for _ in 0..<20 {
        simulation.run(&calibrator, seconds: 15)
        other.run(&plain, seconds: 15)
        let e = (Self.errors(simulation, calibrator), Self.errors(other, plain))
        if calibrator.calibration.accuracy > .uncalibrated && plain.calibration.accuracy > .uncalibrated { on += e.0 / 240; off += e.1 / 240
        worse = max(worse, e.0 - e.1)
        }
        if calibrator.calibration.softIronDeviation != nil { found += 1 }
        worst = max(worst, Self.distance(calibrator.calibration.softIron, .identity))
      }
    }
    print("case", k, "found", found, "worst", worst, "on", on, "off", off, "worse", worse)
  }
}
