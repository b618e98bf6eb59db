// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// The stresses of `OrientationFilterStressTests` on real sensors, so few that a debug build is through in time. What
/// happens on the way that users take, beside VQF: `make stress`.
@Suite(
  .serialized,
  .enabled(if: Recordings.has("broad"), "needs the BROAD trials (shared/data/broad)"))
struct RecordedStressTests {
  static func log(_ index: Int, every divider: Int = 3) throws -> SensorLog {
    SensorLog(try Recordings.BroadTrial(name: Recordings.broadTrials[index]), every: divider)
  }

  static func expect(
    _ name: String, _ log: SensorLog, total: Double, inclination: Double, location: SourceLocation = #_sourceLocation
  ) {
    let errors = log.errors(usesMagnetometer: true)
    print("BROAD, \(name): total \(errors.total), inclination \(errors.inclination)")
    #expect(errors.total < total, sourceLocation: location)
    #expect(errors.inclination < inclination, sourceLocation: location)
  }

  // Trial 2: slow rotation with breaks; 4: fast rotation with breaks.

  @Test func aThirdOfTheSamplesIsEnough() throws {
    Self.expect("95 Hz", try Self.log(4), total: 1.5, inclination: 1)
  }

  @Test func aSixthOfTheSamplesServes() throws {
    Self.expect("48 Hz", try Self.log(4, every: 6), total: 1.9, inclination: 1.3)
  }

  @Test func aPerCentOfScaleIsFound() throws {
    let log = try Self.log(4, every: 3).mapRows { $0.angularVelocity = $0.angularVelocity * 1.01 }
    Self.expect("95 Hz, +1 % scale", log, total: 2.2, inclination: 1.2)
  }

  @Test func twentyMillisecondsOfLagAreFound() throws {
    Self.expect("95 Hz, 21 ms of lag", try Self.log(4).magnetometerLate(byRows: 2), total: 1.5, inclination: 1)
  }

  @Test func noiseIsBorne() throws {
    let log = try Self.log(4).noisier(gyroscope: 0.01, accelerometer: 0.2, magnetometer: 1e-6)
    Self.expect("95 Hz, noise", log, total: 1.5, inclination: 1.1)
  }

  @Test(arguments: [0.0, 0.01]) func aStartInMotionFindsItself(bias: Double) throws {
    let log = try Self.log(2).fromFirstTruth().mapRows { row in
      row.angularVelocity += Vector3(x: bias, y: -bias, z: bias)
    }
    Self.expect("95 Hz, start in motion, bias \(bias) rad/s", log, total: 1.7, inclination: 0.5)
  }

  @Test func hardIronThatNoCalibrationKnowsIsNoDisaster() throws {
    let log = try Self.log(2).mapRows { $0.magneticField += Vector3(x: 0.6, y: -0.64, z: 0.48) * 3e-6 }
    Self.expect("95 Hz, hard iron 6 %", log, total: 7, inclination: 0.5)
  }
}
