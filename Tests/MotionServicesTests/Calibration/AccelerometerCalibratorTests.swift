// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SimulatedSources
import Testing

@testable import MotionServices
@testable import MotionTools

/// An accelerometer's errors from positions at rest.
@Suite struct AccelerometerCalibratorTests {
  private let bias = Vector3<Device>(x: 0.15, y: -0.2, z: 0.3)

  /// Two seconds in a direction, at 100 Hz, read by a sensor with errors.
  private func hold(
    _ up: Vector3<Device>, _ calibrator: inout AccelerometerCalibrator, matrix: Matrix3 = .identity, noise: Double = 0
  ) -> [AccelerometerCalibrator.Event] {
    let start = clock
    clock += 10_000
    let reading = matrix * (up * (9.80665 / up.length)) + bias
    return (0..<200).compactMap { step in
      let shake = Scalar.sin(Double(step) * 1.7) * noise
      return calibrator.update(
        AccelerometerSample(
          time: .milliseconds(Int64(start + step * 10)), specificForce: reading + Vector3(x: shake, y: shake, z: -shake)
        ))
    }
  }
  private var clock: Int {
    get { counter.value }
    nonmutating set { counter.value = newValue }
  }
  private final class Counter { var value = 0 }
  private let counter = Counter()

  @Test func biasAndScaleComeFromTheSixSidesOfASimulatedPhone() throws {
    var errors = DeviceErrorModel.ideal
    errors.accelerometer.bias = bias
    errors.accelerometer.scaleAndMisalignment = Matrix3(diagonal: 1.02, 0.97, 1.01)
    errors.accelerometer.noiseDensity = 0.0015
    let trajectory = try #require(Scenario(named: "sixSides")).trajectory
    var calibrator = AccelerometerCalibrator()
    var events: [AccelerometerCalibrator.Event] = []
    for sample in try samples(trajectory, seconds: 30, errors: errors).accelerometer {
      if let event = calibrator.update(sample) { events.append(event) }
    }
    #expect(events == DevicePose.allCases.map { .taken($0) })
    let result = try #require(calibrator.result)
    #expect(calibrator.isComplete && (result.bias - bias).length < 0.005)
    #expect(abs(result.matrix.m11 - 1 / 1.02) < 5e-4 && abs(result.matrix.m22 - 1 / 0.97) < 5e-4)
    #expect(abs(result.matrix.m33 - 1 / 1.01) < 5e-4 && result.matrix.m12 == 0)
    #expect(result.errorBefore > 0.2 && result.errorAfter < 1e-6 && (0.0001..<0.005).contains(result.standardError))
  }

  @Test func axesThatLeanTowardsEachOtherComeFromTwelvePositions() throws {
    var parameters = AccelerometerCalibrator.Parameters()
    parameters.positions = 18
    var calibrator = AccelerometerCalibrator(parameters: parameters)
    let sensor = Matrix3(1.02, 0.01, -0.005, 0.01, 0.98, 0.008, -0.005, 0.008, 1.01)
    let edges = [(1.0, 1.0, 0.0), (1, -1, 0), (-1, 1, 0), (-1, -1, 0), (1, 0, 1), (1, 0, -1), (-1, 0, 1), (-1, 0, -1)]
    let more =
      edges.map { Vector3<Device>(x: $0.0, y: $0.1, z: $0.2) }
      + [
        Vector3(x: 0, y: 1, z: 1), Vector3(x: 0, y: 1, z: -1), Vector3(x: 0, y: -1, z: 1), Vector3(x: 0, y: -1, z: -1),
      ]
    for up in DevicePose.allCases.map(\.up) + more {
      let events = hold(up, &calibrator, matrix: sensor, noise: 0.002)
      #expect(events.count == 1)
    }
    #expect(calibrator.isComplete && calibrator.positionCount == 18)
    let result = try #require(calibrator.result)
    let product = result.matrix * sensor
    #expect((result.bias - bias).length < 1e-3 && result.errorAfter < 1e-3 && result.standardError < 1e-3)
    for each in [product.m11 - 1, product.m22 - 1, product.m33 - 1, product.m12, product.m13, product.m23] {
      #expect(abs(each) < 1e-3)
    }
  }

  @Test func aPositionThatIsAlreadyThereLeansOrCannotBeGravityIsRefused() {
    var calibrator = AccelerometerCalibrator()
    #expect(hold(DevicePose.faceUp.up, &calibrator) == [.taken(.faceUp)])
    #expect(hold(DevicePose.topUp.up, &calibrator, noise: 1).isEmpty)
    #expect(hold(DevicePose.faceUp.up, &calibrator) == [.duplicate(.faceUp)])
    #expect(hold(Vector3(x: 1, y: 0, z: 1), &calibrator) == [.leaning])
    #expect(
      hold(DevicePose.topUp.up, &calibrator, matrix: .identity * 2).map { if case .implausible = $0 { 1 } else { 0 } }
        == [1])
    #expect(calibrator.missing == [.faceDown, .topUp, .topDown, .rightUp, .leftUp] && calibrator.result == nil)
  }

  @Test func anAttitudeThatIsHeldIsToldOnceAndNothingInMotion() throws {
    var calibrator = AccelerometerCalibrator()
    #expect(try samples(Rest(), seconds: 10).accelerometer.compactMap { calibrator.update($0) } == [.taken(.faceUp)])
    var moving = AccelerometerCalibrator()
    let hand = try samples(Shake(), seconds: 1.9).accelerometer.suffix(120)
    #expect(hand.compactMap { moving.update($0) }.isEmpty)
    _ = moving.update(AccelerometerSample(time: .milliseconds(0), specificForce: Vector3(x: .infinity, y: 0, z: 0)))
    #expect(moving.refusedCount == 1)
  }
}
