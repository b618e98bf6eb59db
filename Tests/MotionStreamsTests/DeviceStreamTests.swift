// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionStreams
import MotionTesting
import Testing

/// The streams of the device's own sensors bring what the handlers bring.
@Suite struct DeviceStreamTests {
  private static let script: MotionScript = [
    .rest(0.2), .tilt(degrees: 40, .right, for: 0.3), .turn(degrees: 60, .left, for: 0.3), .shake(0.2),
  ]

  @Test(arguments: AttitudeReference.allCases.filter { $0 != .xTrueNorth })
  func deviceMotionIsThatOfTheHandler(_ reference: AttitudeReference) async throws {
    try await withMotion(Self.script) { (device: TestDevice) async throws in
      let manager = CMMotionManager()
      let handled = Box<[CMDeviceMotion]>([])
      manager.deviceMotionUpdateInterval = 0.01
      let frame: CMAttitudeReferenceFrame =
        switch reference {
        case .xArbitrary: .xArbitraryZVertical
        case .xArbitraryCorrected: .xArbitraryCorrectedZVertical
        case .xMagneticNorth: .xMagneticNorthZVertical
        case .xTrueNorth: .xTrueNorthZVertical
        }
      manager.startDeviceMotionUpdates(using: frame, to: serialQueue()) { motion, _ in
        if let motion { handled.with { $0.append(motion) } }
      }
      var iterator = MotionUpdates.device(reference, every: .milliseconds(10)).makeAsyncIterator()
      try await device.playToEnd()
      let expected = handled.value
      #expect(expected.count > 60)
      for (sample, motion) in try await pairs(&iterator, expected, \.timestamp) {
        let (a, q) = (sample.attitude, motion.attitude.quaternion)
        #expect([a.x, a.y, a.z, a.w] == [q.x, q.y, q.z, q.w])
        #expect(numbers(sample.rotationRate) == numbers(motion.rotationRate))
        #expect(numbers(sample.gravity) == numbers(motion.gravity))
        #expect(numbers(sample.userAcceleration) == numbers(motion.userAcceleration))
        #expect(sample.magneticFieldAccuracy == motion.magneticField.accuracy)
        #expect(sample.magneticField.map(numbers) ?? [0, 0, 0] == numbers(motion.magneticField.field))
        #expect(sample.heading ?? -1 == motion.heading)
        #expect(sample.sensorLocation == motion.sensorLocation)
      }
      manager.stopDeviceMotionUpdates()
    }
  }

  @Test func theRawSensorsAreThoseOfTheHandlers() async throws {
    try await withMotion(Self.script) { (device: TestDevice) async throws in
      let manager = CMMotionManager()
      let handled = Box(
        (acceleration: [CMAccelerometerData](), rotation: [CMGyroData](), field: [CMMagnetometerData]()))
      manager.startAccelerometerUpdates(to: serialQueue()) { data, _ in
        if let data { handled.with { $0.acceleration.append(data) } }
      }
      manager.startGyroUpdates(to: serialQueue()) { data, _ in if let data { handled.with { $0.rotation.append(data) } }
      }
      manager.startMagnetometerUpdates(to: serialQueue()) { data, _ in
        if let data { handled.with { $0.field.append(data) } }
      }
      var accelerations = MotionUpdates.accelerometer().makeAsyncIterator()
      var rotations = MotionUpdates.gyroscope().makeAsyncIterator()
      var fields = MotionUpdates.magnetometer().makeAsyncIterator()
      try await device.playToEnd()
      let expected = handled.value
      #expect(expected.acceleration.count > 90 && expected.rotation.count > 90 && expected.field.count > 9)
      for (sample, data) in try await pairs(&accelerations, expected.acceleration, \.timestamp) {
        #expect(numbers(sample.acceleration) == numbers(data.acceleration))
      }
      for (sample, data) in try await pairs(&rotations, expected.rotation, \.timestamp) {
        #expect(numbers(sample.rotationRate) == numbers(data.rotationRate))
      }
      for (sample, data) in try await pairs(&fields, expected.field, \.timestamp) {
        #expect(numbers(sample.magneticField) == numbers(data.magneticField))
      }
      withExtendedLifetime(manager) {}
    }
  }

  @Test func theIntervalIsAskedFor() async throws {
    try await withMotion([.rest(2)]) { (device: TestDevice) async throws in
      var slow = MotionUpdates.device(every: .milliseconds(100)).makeAsyncIterator()
      await device.advance(by: .seconds(2))
      let times = try await slow.take(10).map(\.timestamp)
      #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 0.1) < 0.011 }, "\(times)")
    }
  }

  @Test func aNorthNeedsAMagnetometer() async throws {
    try await withMotion([.rest(1)], MotionSetup { $0.hasMagnetometer = false }) { (_: TestDevice) async throws in
      let error = await refusal(of: MotionUpdates.device(.xMagneticNorth))
      #expect(error?.code == CMErrorNotAvailable && error?.sentence.isEmpty == false)
      let field = await refusal(of: MotionUpdates.magnetometer())
      #expect(field?.code == CMErrorNotAvailable && field?.sentence.contains("magnetometer") == true)
    }
  }
}

/// Three components as an array, which `#expect` can show.
func numbers(_ v: Vector<DeviceFrame>) -> [Double] { [v.x, v.y, v.z] }
func numbers(_ v: CMAcceleration) -> [Double] { [v.x, v.y, v.z] }
func numbers(_ v: CMRotationRate) -> [Double] { [v.x, v.y, v.z] }
func numbers(_ v: CMMagneticField) -> [Double] { [v.x, v.y, v.z] }
