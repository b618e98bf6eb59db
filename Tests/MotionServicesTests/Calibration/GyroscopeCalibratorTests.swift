// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import MotionServices
@testable import MotionTools

/// A gyroscope's bias from rest.
@Suite struct GyroscopeCalibratorTests {
  private func run(_ samples: [SensorSample]) -> GyroscopeCalibrator {
    var calibrator = GyroscopeCalibrator()
    for case .inertial(let sample) in samples where !calibrator.isComplete {
      calibrator.update(sample.accelerometer)
      calibrator.update(sample.gyroscope)
    }
    return calibrator
  }

  @Test func theBiasOfAPhoneAtRestIsFoundWithinItsStandardError() throws {
    var errors = DeviceErrorModel.phone
    errors.gyroscope.biasRandomWalk = 0
    let truth = errors.gyroscope.bias
    let calibrator = run(try samples(Rest(), seconds: 12, errors: errors))
    let result = try #require(calibrator.result)
    #expect(calibrator.isComplete && calibrator.progress == 1 && calibrator.verdict == .resting)
    #expect((result.bias - truth).length < 1e-4)
    #expect((result.bias - truth).length < 6 * result.standardError && result.standardError < 1e-4)
    #expect((0.0005..<0.0015).contains(result.noise) && result.duration >= 10)
  }

  @Test func anEvenTurnIsNoBias() throws {
    let fast = run(try samples(Spin(axis: Vector3(x: 0, y: 0, z: 1), rate: 0.5), seconds: 12))
    #expect(fast.result == nil && fast.verdict == .turning)
    // Slow enough for a bias, but gravity creeps away.
    let slow = run(try samples(Spin(axis: Vector3(x: 1, y: 0, z: 0), rate: 0.05), seconds: 30))
    #expect(!slow.isComplete)
  }

  @Test func aHandThatMovesIsNoRest() throws {
    let calibrator = run(try samples(Handheld(), seconds: 40))
    #expect(!calibrator.isComplete && calibrator.verdict != .resting)
  }

  @Test func readingsThatAreNoNumbersAreLeftOutAndGapsBeginAWindowAnew() {
    var calibrator = GyroscopeCalibrator()
    calibrator.update(
      GyroscopeSample(time: .milliseconds(0), angularVelocity: Vector3(x: .nan, y: 0, z: 0)))
    #expect(calibrator.refusedCount == 1)
    // 0.3 s of samples, 0.3 s of silence: no window of half a second is ever full.
    for burst in 0..<20 {
      for step in 0..<30 {
        let sample = GyroscopeSample(
          time: .milliseconds(Int64(burst * 600 + step * 10)), angularVelocity: Vector3(x: 0.01, y: 0, z: 0))
        calibrator.update(sample)
      }
    }
    #expect(calibrator.verdict == .waiting && calibrator.result == nil && calibrator.progress == 0)
  }

  @Test func aKnockInBetweenCostsItsWindowOnly() throws {
    var all = try samples(Rest(), seconds: 14)
    for index in all.indices {
      guard case .inertial(var sample) = all[index], (3.0...3.1).contains(sample.time.seconds - all[0].time.seconds)
      else { continue }
      sample.angularVelocity.x += 0.3
      all[index] = .inertial(sample)
    }
    let calibrator = run(all)
    #expect(calibrator.isComplete)
    #expect(
      try #require(calibrator.result).bias.isApproximatelyEqual(
        to: DeviceErrorModel.phone.gyroscope.bias, tolerance: 3e-4))
  }
}
