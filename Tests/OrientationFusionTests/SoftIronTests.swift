// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// Soft iron: found where it is, with an honest deviation, and kept while it is there.
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

  /// The six elements of a symmetric matrix.
  static func elements(_ m: Matrix3) -> [Double] { [m.m11, m.m22, m.m33, m.m12, m.m13, m.m23] }

  /// Over all directions: RMS angle between calibrated and true field in degrees, and relative scatter of the strength.
  static func error(_ simulation: Simulation, _ calibration: MagnetometerCalibration) -> (
    angle: Double, scatter: Double
  ) {
    var random = Lehmer(seed: 5)
    var (angles, strengths, squares) = (0.0, 0.0, 0.0)
    let count = 300.0
    for _ in 0..<Int(count) {
      let field: Vector3<Device> = random.direction() * simulation.earth.length
      let calibrated = calibration.field(of: simulation.scale * field + simulation.hardIron)
      let angle = calibrated.angle(to: field)
      angles += angle * angle
      strengths += calibrated.length
      squares += calibrated.dot(calibrated)
    }
    let mean = strengths / count
    return (
      Angle(radians: (angles / count).squareRoot()).degrees, max(0, squares / count - mean * mean).squareRoot() / mean
    )
  }

  static let distortions = [
    Matrix3(diagonal: 0.8, 1, 1.2), Matrix3(1.08, 0.03, -0.02, 0.03, 0.95, 0.04, -0.02, 0.04, 1.01),
    Matrix3(0.9, 0, 0.1, 0, 1, 0, 0.1, 0, 1.1),
  ]

  static func distorted(_ distortion: Matrix3) -> Simulation {
    var simulation = Simulation()
    simulation.scale = distortion
    // Within the earth's range along every axis of the ellipsoid.
    simulation.earth = Vector3(x: 0, y: 22e-6, z: -38e-6)
    return simulation
  }

  @Test(arguments: distortions)
  func hardAndSoftIronAreFound(distortion: Matrix3) {
    var simulation = Self.distorted(distortion)
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 60)
    let calibration = calibrator.calibration
    let softIron = calibration.softIron
    for (found, truth) in zip(Self.elements(softIron), Self.elements(Self.correction(of: distortion))) {
      #expect(abs(found - truth) < 0.015)
    }
    #expect(simulation.error(calibrator) < 1)
    #expect(Self.error(simulation, calibration).angle < 0.5)
    #expect(Self.error(simulation, calibration).scatter < 0.01)
    #expect(abs(softIron.determinant - 1) < 1e-9)
    #expect(Self.distance(softIron, softIron.transpose) < 1e-12)
    #expect(calibration.accuracy >= .medium)
  }

  @Test func theFieldInTheWorldStandsStillAfterwards() {
    var simulation = Self.distorted(Self.distortions[1])
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 60)
    var worst = (before: 0.0, after: 0.0)
    for _ in 0..<60 {
      simulation.run(&calibrator, seconds: 0.5)
      let (reading, calibration) = (simulation.reading(.zero), calibrator.calibration)
      func miss(_ field: Vector3<Device>) -> Double {
        Angle(radians: (simulation.attitude * field).angle(to: simulation.earth)).degrees
      }
      worst.before = max(worst.before, miss(reading - calibration.hardIron))
      worst.after = max(worst.after, miss(calibration.field(of: reading)))
    }
    #expect(worst.before > 3)
    #expect(worst.after < 0.7)
  }

  @Test func theStatedDeviationsCoverTheTruth() {
    var random = Lehmer(seed: 11)
    var (all, softIron, hardIron) = (0.0, 0.0, 0.0)
    for _ in 0..<8 {
      let (a, b): (Vector3<Device>, Vector3<Device>) = (random.vector(0.06), random.vector(0.04))
      var simulation = Self.distorted(Matrix3(1 + a.x, b.x, b.y, b.x, 1 + a.y, b.z, b.y, b.z, 1 + a.z))
      simulation.random = random
      simulation.noise = 0.8e-6
      var calibrator = MagnetometerCalibrator()
      simulation.run(&calibrator, seconds: 50)
      random = simulation.random
      let calibration = calibrator.calibration
      guard let deviation = calibration.softIronDeviation else {
        Issue.record("No soft iron was found.")
        continue
      }
      let truth = Self.correction(of: simulation.scale)
      let misses = zip(Self.elements(calibration.softIron), Self.elements(truth)).map { abs($0 - $1) }
      softIron += Double(misses.count { $0 < 1.96 * deviation }) / 6
      let miss = calibration.hardIron - simulation.hardIron
      let bound = 1.96 * calibration.hardIronDeviation
      hardIron += Double([miss.x, miss.y, miss.z].count { abs($0) < bound }) / 3
      all += 1
    }
    print("within the 95 % bound: soft iron \(softIron / all), hard iron \(hardIron / all)")
    #expect(softIron / all > 0.9)
    #expect(hardIron / all > 0.9)
  }

  @Test func otherAxesGiveTheSameMagnetismInThoseAxes() {
    let turn = Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 0.4, y: -1.1, z: 0.7))
    let matrix = turn.matrix
    var simulation = Self.distorted(Self.distortions[1])
    var turned = simulation
    turned.scale = matrix * simulation.scale * matrix.transpose
    turned.hardIron = turn * simulation.hardIron
    turned.attitude = simulation.attitude * turn.inverse
    let rate = simulation.rate
    turned.rate = { turn * rate($0) }
    var (first, second) = (MagnetometerCalibrator(), MagnetometerCalibrator())
    simulation.run(&first, seconds: 60)
    turned.run(&second, seconds: 60)
    let expected = matrix * first.calibration.softIron * matrix.transpose
    #expect(Self.distance(second.calibration.softIron, expected) < 0.018)
    #expect((second.calibration.hardIron - turn * first.calibration.hardIron).length < 0.6e-6)
  }

  @Test func softIronAtTheThresholdDoesNotFlipFlop() {
    // √(Σ (S − 1)²) is 0.05, what the calibrator asks for.
    var simulation = Self.distorted(Matrix3(diagonal: 1.035, 1, 0.965))
    var calibrator = MagnetometerCalibrator()
    var changes = 0
    var had = false
    simulation.run(&calibrator, seconds: 200) { calibrator in
      let has = calibrator.calibration.softIronDeviation != nil
      if has != had { changes += 1 }
      had = has
    }
    #expect(changes <= 1)
  }

  @Test func softIronThatIsTakenAwayIsGivenUp() {
    var simulation = Self.distorted(Self.distortions[1])
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 60)
    #expect(calibrator.calibration.softIronDeviation != nil)
    simulation.scale = .identity
    simulation.run(&calibrator, seconds: 120)
    #expect(Self.error(simulation, calibrator.calibration).angle < 0.6)
  }

  @Test func aStoredSoftIronServesAtOnceAndAWrongOneNever() {
    var simulation = Self.distorted(Self.distortions[1])
    var first = MagnetometerCalibrator()
    simulation.run(&first, seconds: 60)
    let stored = first.calibration
    let second = MagnetometerCalibrator(calibration: stored)
    #expect(second.calibration.softIron == stored.softIron)
    #expect(second.calibration.fieldDeviation > stored.hardIronDeviation)
    for wrong in [
      Matrix3.zero, .identity * 1.1, Matrix3(diagonal: 4, 1, 0.25), Matrix3(1, 0.1, 0, 0, 1, 0, 0, 0, 1),
      Matrix3(diagonal: .nan, 1, 1), Matrix3(diagonal: -1, -1, 1),
    ] {
      var broken = stored
      broken.softIron = wrong
      #expect(MagnetometerCalibrator(calibration: broken).calibration == .none)
    }
    var broken = stored
    broken.softIronDeviation = -1
    #expect(MagnetometerCalibrator(calibration: broken).calibration == .none)
  }

  @Test func itCanBeSwitchedOff() {
    var simulation = Self.distorted(Self.distortions[1])
    var parameters = MagnetometerCalibrator.Parameters()
    parameters.correctsSoftIron = false
    var calibrator = MagnetometerCalibrator(parameters: parameters)
    simulation.run(&calibrator, seconds: 60)
    #expect(calibrator.calibration.accuracy > .uncalibrated)
    #expect(calibrator.calibration.softIron == .identity)
    #expect(calibrator.calibration.softIronDeviation == nil)
  }

  @Test func doubtsOfAKeptCalibrationGrow() {
    var simulation = Self.distorted(Self.distortions[1])
    var calibrator = MagnetometerCalibrator()
    simulation.run(&calibrator, seconds: 40)
    let kept = calibrator.calibration
    #expect(kept.widened(elapsed: 0) == kept)
    let (hour, day) = (kept.widened(elapsed: 3600), kept.widened(elapsed: .infinity))
    #expect(kept.fieldDeviation < hour.fieldDeviation && hour.fieldDeviation < day.fieldDeviation)
    #expect(day.hardIronDeviation > 2e-6 && (day.softIronDeviation ?? 0) > 0.005)
    #expect(day.hardIron == kept.hardIron && day.softIron == kept.softIron)
    #expect(MagnetometerCalibration.none.widened(elapsed: .infinity) == .none)
  }

  /// Calibrator and filter together, as a compass: calibrated by turns about all axes, then turned slowly about one.
  /// What soft iron costs in heading, and what is left of it.
  @Test func theHeadingIsMended() {
    func heading(correctsSoftIron: Bool) -> Double {
      var parameters = MagnetometerCalibrator.Parameters()
      parameters.correctsSoftIron = correctsSoftIron
      var calibrator = MagnetometerCalibrator(parameters: parameters)
      var filter = OrientationFilter(usesMagnetometer: true)
      var motion = SimulatedMotion()
      motion.rate = { t in
        guard t < 60 else { return Vector3(x: 0, y: 0, z: 0.25) }
        return Vector3(
          x: 1.3 * Scalar.sin(0.9 * t), y: 1.1 * Scalar.sin(0.53 * t + 1), z: 1.2 * Scalar.sin(0.37 * t + 2))
      }
      let iron = Vector3<Device>(x: 80e-6, y: -50e-6, z: 30e-6)
      var random = Lehmer(seed: 3)
      var (sum, count) = (0.0, 0.0)
      for _ in 0..<5000 {
        let time = motion.nanoseconds(motion.time)
        filter.update(angularVelocity: motion.rate(motion.time), atNanoseconds: time)
        filter.update(specificForce: motion.attitude.inverse * SimulatedMotion.gravity, atNanoseconds: time)
        let field = motion.attitude.inverse * motion.field(motion.time)
        let reading = Self.distortions[1] * field + iron + random.vector(0.3e-6)
        calibrator.update(
          magneticField: reading, angularVelocity: filter.angularVelocity, gyroscopeBias: filter.gyroscopeBias,
          atNanoseconds: time)
        let calibration = calibrator.calibration
        filter.update(
          magneticField: calibration.field(of: reading), hardIronDeviation: calibration.fieldDeviation,
          atNanoseconds: time)
        motion.advance(0.02)
        guard motion.time > 70 else { continue }
        sum += motion.headingError(filter) * motion.headingError(filter)
        count += 1
      }
      return (sum / count).squareRoot()
    }
    let (without, with) = (heading(correctsSoftIron: false), heading(correctsSoftIron: true))
    print("heading with 8 % of soft iron: RMS \(without)° with hard iron alone, \(with)° with both")
    #expect(with < 0.6)
    #expect(with < 0.5 * without)
  }
}

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
