// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

/// From samples to states of motion: which samples give one, and what it holds. How good the attitude is, is tested with the
/// filter itself.
@Suite struct DeviceMotionEstimatorTests {
  private func estimator(_ solutions: DeviceMotionEstimator.Solutions) -> DeviceMotionEstimator {
    let info = SensorInfo(
      name: "test", origin: .simulation, pacing: .onDemand,
      channels: [.init(kind: .inertial), .init(kind: .magnetometer, isCalibrated: true)])
    var estimator = DeviceMotionEstimator(info: info)
    estimator.solutions = solutions
    return estimator
  }

  /// One per gyroscope sample, from the first accelerometer sample on, made from the latest accelerometer sample.
  @Test func eachGyroscopeSampleGivesOneState() throws {
    var estimator = estimator(.sixAxis)
    #expect(estimator.update(.gyroscope(0)) == nil)
    #expect(estimator.update(.accelerometer(5, z: 9.5)) == nil)
    let state = estimator.update(.gyroscope(10))
    let motion = try #require(state)
    #expect(motion.time == .milliseconds(10) && motion.accelerometer.time == .milliseconds(5))
    #expect(motion.accelerometer.specificForce.z == 9.5 && motion.field == nil)
    #expect(motion.sixAxis != nil && motion.nineAxis == nil)
    #expect(estimator.update(.magnetometer(12)) == nil && estimator.update(.pressure(13)) == nil)
    #expect(estimator.update(.inertial(20))?.accelerometer.time == .milliseconds(20))
  }

  /// Up is a unit vector in device axes: +z, lying face up.
  @Test func faceUpHasUpAlongZ() throws {
    var estimator = estimator([.sixAxis, .nineAxis])
    var last: DeviceMotion?
    for step in Int64(0)..<100 {
      if step % 2 == 0 { _ = estimator.update(.magnetometer(step * 10)) }
      last = estimator.update(.inertial(step * 10)) ?? last
    }
    let motion = try #require(last)
    for solution in [try #require(motion.sixAxis), try #require(motion.nineAxis)] {
      #expect(abs(solution.up.length - 1) < 1e-12 && solution.up.z > 0.999_999)
      #expect(solution.angularVelocity.length < 1e-3)
    }
    #expect(motion.sixAxis?.hasHeading == false)
    let field = try #require(motion.field)
    #expect(field.magneticField.isFinite && (-1...2).contains(field.accuracy))
  }

  @Test func nobodyAskingMeansNoWork() {
    var estimator = estimator([])
    for step in Int64(0)..<10 { #expect(estimator.update(.inertial(step * 10)) == nil) }
    estimator.solutions = .sixAxis
    #expect(estimator.update(.inertial(100))?.sixAxis != nil)
    estimator.solutions = []
    #expect(estimator.update(.inertial(110)) == nil)
  }

  /// A value: the same samples give bit-identical output, and a copy goes its own way.
  @Test func theSameSamplesGiveTheSameBits() {
    func run() -> [Rotation<Device, EastNorthUp>] {
      var estimator = estimator(.sixAxis)
      return (Int64(0)..<200).compactMap { estimator.update(.inertial($0 * 10, turning: 0.5))?.sixAxis?.attitude }
    }
    #expect(run() == run() && run().count > 150)
    var original = estimator(.sixAxis)
    _ = original.update(.inertial(0))
    var copy = original
    _ = copy.update(.inertial(1000, turning: 3))
    var reference = estimator(.sixAxis)
    _ = reference.update(.inertial(0))
    #expect(original.update(.inertial(10))?.sixAxis?.attitude == reference.update(.inertial(10))?.sixAxis?.attitude)
  }
}
