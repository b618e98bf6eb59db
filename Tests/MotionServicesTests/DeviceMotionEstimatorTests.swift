// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

/// From samples to states of motion: which samples give one, and what it holds. How good the attitude is, is tested
/// with the filter itself.
@Suite struct DeviceMotionEstimatorTests {
  private func estimator(_ solutions: DeviceMotionEstimator.Solutions) -> DeviceMotionEstimator {
    let info = SensorInfo(
      name: "test", origin: .simulation, pacing: .onDemand,
      channels: [.init(kind: .inertial), .init(kind: .magnetometer, isCalibrated: true)])
    var estimator = DeviceMotionEstimator(info: info)
    estimator.solutions = solutions
    return estimator
  }

  /// One per gyroscope sample; the first waits for the first accelerometer sample.
  @Test func eachGyroscopeSampleGivesOneState() throws {
    var estimator = estimator(.sixAxis)
    #expect(estimator.update(.gyroscope(0)) == nil)
    let first = estimator.update(.accelerometer(5, z: 9.5))
    #expect(try #require(first).time == .milliseconds(0))
    #expect(estimator.update(.gyroscope(10)) == nil)
    let state = estimator.update(.accelerometer(16, z: 9.7))
    let motion = try #require(state)
    #expect(motion.time == .milliseconds(10) && motion.field == nil)
    #expect(motion.sixAxis != nil && motion.nineAxis == nil)
    #expect(estimator.update(.magnetometer(17)) == nil && estimator.update(.pressure(18)) == nil)
    #expect(estimator.update(.inertial(20))?.accelerometer.time == .milliseconds(20))
  }

  /// An old reading would pass for a motion: no state while the accelerometer is silent, and again when it speaks.
  @Test func aSilentAccelerometerGivesNoState() {
    var estimator = estimator(.sixAxis)
    for step in Int64(0)..<20 { _ = estimator.update(.inertial(step * 10)) }
    var states: [DeviceMotion] = []
    for step in Int64(20)..<100 {
      if let state = estimator.update(.gyroscope(step * 10)) { states.append(state) }
    }
    #expect(states.allSatisfy { $0.time - $0.accelerometer.time <= DeviceMotionEstimator.longestSilence })
    #expect((24...26).contains(states.count))
    #expect(estimator.update(.inertial(1000)) != nil)
  }

  /// The sensors come apart every 10 ms; `offset` says how long after the gyroscope the accelerometer speaks.
  @Test(arguments: [(2, 2), (4, 4), (6, -4), (9, -1)] as [(Int64, Int64)])
  func aStateIsMadeFromTheNearestAccelerometerSample(offset: Int64, distance: Int64) {
    var estimator = estimator(.sixAxis)
    var states: [DeviceMotion] = []
    for step in Int64(0)..<20 {
      if let state = estimator.update(.gyroscope(step * 10)) { states.append(state) }
      if let state = estimator.update(.accelerometer(step * 10 + offset, z: 9.8)) { states.append(state) }
    }
    #expect(states.count >= 18)
    #expect(states.map(\.time) == states.map(\.time).sorted())
    // The first ones come before the accelerometer's rate is known.
    for state in states.dropFirst(2) {
      #expect((state.accelerometer.time - state.time).nanoseconds == distance * 1_000_000)
    }
  }

  @Test func aStateThatWaitsComesOutAtTheEnd() throws {
    var estimator = estimator(.sixAxis)
    _ = estimator.update(.accelerometer(0, z: 9.8))
    #expect(estimator.update(.gyroscope(8)) == nil)
    let last = estimator.finish()
    #expect(try #require(last).time == .milliseconds(8))
    #expect(estimator.finish() == nil)
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
