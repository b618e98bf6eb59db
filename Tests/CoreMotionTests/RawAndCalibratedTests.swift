// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

@Suite struct RawAndCalibratedTests {
  /// S2, S6, S7, S8: the raw services keep g, rad/s with the gyroscope's bias, and µT with the device's own field;
  /// device motion has bias and field removed. S24: until then the person is asked once to move the device.
  @Test func rawServicesKeepWhatDeviceMotionRemoves() async throws {
    let source = try SimulatedSource(
      scenario: "poses", options: ["hardIron": "30:-20:10", "bias": "0.05", "duration": "40"])
    let host = MotionHost(device: source, clock: FreeRunningClock(), gate: .manual)
    let (acceleration, rate, raw) = (Box(CMAcceleration()), Box(CMRotationRate()), Box(CMMagneticField()))
    let (motion, errors) = (Box<CMDeviceMotion?>(nil), Box<[Int]>([]))
    let queue = serialQueue()
    let manager = host.run { CMMotionManager() }
    manager.startAccelerometerUpdates(to: queue) { data, _ in
      data.map { data in acceleration.with { $0 = data.acceleration } }
    }
    manager.startGyroUpdates(to: queue) { data, _ in data.map { data in rate.with { $0 = data.rotationRate } } }
    manager.startMagnetometerUpdates(to: queue) { data, _ in data.map { data in raw.with { $0 = data.magneticField } } }
    manager.startDeviceMotionUpdates(using: .xMagneticNorthZVertical, to: queue) { sample, error in
      if let sample { motion.with { $0 = sample } }
      if let error { errors.with { $0.append((error as NSError).code) } }
    }
    host.play()
    #expect(await eventually { host.device?.hasEnded == true && queue.operationCount == 0 })

    let last = try #require(motion.value)
    let length = { (x: Double, y: Double, z: Double) in (x * x + y * y + z * z).squareRoot() }
    #expect(abs(length(acceleration.value.x, acceleration.value.y, acceleration.value.z) - 1) < 0.01)
    #expect(abs(rate.value.x - 0.05) < 0.002 && abs(rate.value.z - 0.05) < 0.002)
    #expect(abs(last.rotationRate.x) < 0.002 && abs(last.rotationRate.z) < 0.002)
    let field = last.magneticField.field
    #expect(last.magneticField.accuracy.rawValue >= 0)
    #expect(abs(raw.value.x - field.x - 30) < 2 && abs(raw.value.y - field.y + 20) < 2)
    #expect(abs(raw.value.z - field.z - 10) < 2)
    #expect(errors.value == [Int(CMErrorDeviceRequiresMovement.rawValue)])
  }
}
