// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// What looks like soft iron and is none: the sphere stays a sphere.
@Suite struct SoftIronDeceptionTests {
  typealias Simulation = MagnetometerCalibratorTests.Simulation

  enum Deception: CaseIterable {
    case noise, breathingRoom, otherRooms, magnetThatComesAndGoes, strongMagnetThatComesAndGoes, planarMotion, belt
    case roomThatFollowsTheMotion

    func apply(to simulation: inout Simulation, seed: Int) {
      let p = Double(seed)
      switch self {
      case .noise: simulation.noise = 3e-6
      case .breathingRoom: simulation.room = Self.waves(2e-6, 0.2, 0.13, 0.3, p)
      case .otherRooms: simulation.room = Self.waves(4e-6, 0.02, 0.013, 0.03, p)
      case .magnetThatComesAndGoes:
        simulation.magnet = { t in Int((t + p) / 15) % 2 == 0 ? .zero : Vector3(x: 3e-6, y: 4e-6, z: -3e-6) }
      case .strongMagnetThatComesAndGoes:
        simulation.magnet = { t in Int((t + p) / 40) % 3 == 0 ? .zero : Vector3(x: 3e-6, y: -2e-6, z: -8e-6) }
      case .planarMotion:
        simulation.rate = { t in Vector3(x: 0.05 * Scalar.sin(0.7 * t + p), y: 0.05 * Scalar.sin(0.9 * t), z: 1) }
      case .belt:
        simulation.rate = { t in Vector3(x: 0.6 * Scalar.sin(0.7 * t + p), y: 0.5 * Scalar.sin(0.9 * t), z: 1) }
      case .roomThatFollowsTheMotion: simulation.room = Self.waves(4e-6, 0.9, 0.53, 0.37, p)
      }
    }

    private static func waves(
      _ size: Double, _ a: Double, _ b: Double, _ c: Double, _ phase: Double
    ) -> (Double) -> Vector3<EastNorthUp> {
      { t in
        Vector3(
          x: size * Scalar.sin(a * t + phase), y: size * Scalar.sin(b * t + 2 * phase),
          z: size * Scalar.sin(c * t + 3 * phase))
      }
    }
  }

  @Test(arguments: Deception.allCases)
  func noSoftIronIsSeen(in deception: Deception) {
    for seed in 1...3 {
      var simulation = Simulation()
      simulation.random = Lehmer(seed: UInt64(seed))
      simulation.sampleRate = 25
      deception.apply(to: &simulation, seed: seed)
      var calibrator = MagnetometerCalibrator()
      var found = false
      simulation.run(&calibrator, seconds: 150) { calibrator in
        if calibrator.calibration.softIronDeviation != nil { found = true }
      }
      #expect(!found)
    }
  }

  /// The same deceptions work on a calibrator that asks for less: the law above can fail.
  @Test(arguments: [Deception.noise, .breathingRoom, .otherRooms, .magnetThatComesAndGoes, .roomThatFollowsTheMotion])
  func anEasyBelieverIsDeceived(by deception: Deception) {
    var parameters = MagnetometerCalibrator.Parameters()
    parameters.smallestSoftIron = 0
    parameters.softIronSignificance = 0
    parameters.softIronEvidence = 0
    parameters.softIronPreference = -.infinity
    parameters.softIronError = 1
    parameters.largestSoftIronDeviation = 1
    var simulation = Simulation()
    simulation.sampleRate = 25
    deception.apply(to: &simulation, seed: 1)
    var calibrator = MagnetometerCalibrator(parameters: parameters)
    var found = false
    simulation.run(&calibrator, seconds: 150) { if $0.calibration.softIronDeviation != nil { found = true } }
    #expect(found)
  }

  /// With soft iron *and* a deception the result is no worse than with hard iron alone.
  @Test(arguments: [Deception.noise, .otherRooms, .roomThatFollowsTheMotion, .belt])
  func theCorrectionIsNeverWorseThanTheSphere(in deception: Deception) {
    var simulation = SoftIronTests.distorted(SoftIronTests.distortions[1])
    simulation.sampleRate = 25
    deception.apply(to: &simulation, seed: 1)
    var other = simulation
    var parameters = MagnetometerCalibrator.Parameters()
    parameters.correctsSoftIron = false
    var (calibrator, sphere) = (MagnetometerCalibrator(), MagnetometerCalibrator(parameters: parameters))
    for _ in 0..<10 {
      simulation.run(&calibrator, seconds: 20)
      other.run(&sphere, seconds: 20)
      guard calibrator.calibration.accuracy > .uncalibrated, sphere.calibration.accuracy > .uncalibrated
      else { continue }
      let own = SoftIronTests.error(simulation, calibrator.calibration).angle
      #expect(own < SoftIronTests.error(other, sphere.calibration).angle + 0.3)
    }
  }
}
