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
  }
}

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

  @Test func gapsBeginAWindowAnew() {
    var calibrator = GyroscopeCalibrator()
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

/// The samples of a simulated device, taken straight from its source.
func samples(
  _ trajectory: any Trajectory, seconds: Double, errors: DeviceErrorModel = .phone, rate: Double = 100
) throws -> [SensorSample] {
  var configuration = SimulatedSource.Configuration()
  configuration.errors = errors
  configuration.inertial = .together(.init(rate: rate))
  configuration.duration = seconds
  let source = SimulatedSource(trajectory: trajectory, configuration: configuration, name: "test")
  let taken = Lock<[SensorSample]>([])
  let session = SensorSession(
    clock: FreeRunningClock(), request: SensorRequest(kinds: source.info.kinds, interval: .zero)
  ) { (sample, _) throws(SourceStopped) in taken.withLock { $0.append(sample) } }
  try source.run(session)
  return taken.withLock { $0 }
}

extension [SensorSample] {
  var gyroscope: [GyroscopeSample] {
    compactMap { if case .inertial(let sample) = $0 { sample.gyroscope } else { nil } }
  }
  var accelerometer: [AccelerometerSample] {
    compactMap { if case .inertial(let sample) = $0 { sample.accelerometer } else { nil } }
  }
}
