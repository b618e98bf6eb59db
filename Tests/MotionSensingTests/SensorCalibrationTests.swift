// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

/// A calibration applied to samples.
@Suite struct SensorCalibrationTests {
  private let time = SensorInstant(nanoseconds: 5)

  @Test func offsetMatrixAndAxesAreAppliedInThatOrderAndKeepTheUnit() throws {
    let axes = Matrix3(0, -1, 0, 1, 0, 0, 0, 0, 1)
    let correction = try #require(
      SensorCorrection(offset: Vector3(x: 1, y: 2, z: 3), matrix: Matrix3(diagonal: 2, 1, 1), axes: axes))
    #expect(correction(Vector3(x: 2, y: 5, z: 3)) == Vector3(x: -3, y: 2, z: 0))
    let calibration = SensorCalibration(accelerometer: correction)
    // In Core Motion's g, whose sign is opposite: the same force.
    let inG = AccelerometerSample(time: time, reading: Vector3(x: 2, y: 5, z: 3) / -9.80665, unit: .reversedGravity)
    guard case .accelerometer(let sample) = calibration.applied(to: .accelerometer(inG)) else {
      Issue.record("another kind of sample")
      return
    }
    #expect(sample.unit == .reversedGravity && sample.time == time)
    #expect(sample.specificForce.isApproximatelyEqual(to: Vector3(x: -3, y: 2, z: 0), tolerance: 1e-12))
  }

  @Test func bothHalvesOfAnInertialSampleAreCorrectedAndOthersAreLeftAlone() throws {
    let gyroscope = try #require(SensorCorrection(offset: Vector3(x: 0.1, y: 0, z: 0)))
    let magnetometer = try #require(SensorCorrection(offset: Vector3(x: 1e-6, y: 0, z: 0)))
    let calibration = SensorCalibration(gyroscope: gyroscope, magnetometer: magnetometer)
    let sample = SensorSample.inertial(
      InertialSample(
        time: time, angularVelocity: Vector3(x: 0.1, y: 0, z: 0), specificForce: Vector3(x: 0, y: 0, z: 9)))
    let right = SensorSample.inertial(
      InertialSample(time: time, angularVelocity: .zero, specificForce: Vector3(x: 0, y: 0, z: 9)))
    #expect(calibration.applied(to: sample) == right && calibration.kinds == [.gyroscope, .magnetometer])
    let microtesla = MagnetometerSample(time: time, reading: Vector3(x: 21, y: 0, z: 0), unit: .microtesla)
    guard case .magnetometer(let field) = calibration.applied(to: .magnetometer(microtesla)) else { return }
    #expect(field.unit == .microtesla && abs(field.reading.x - 20) < 1e-12)
    let pressure = SensorSample.pressure(PressureSample(time: time, pressure: 101_325))
    #expect(calibration.applied(to: pressure) == pressure)
  }

  @Test func aCorrectionThatCannotBeASensorsIsRefused() {
    let zero = Vector3<Device>.zero
    #expect(SensorCorrection(offset: Vector3(x: .nan, y: 0, z: 0)) == nil)
    #expect(SensorCorrection(offset: zero, matrix: .zero) == nil)
    #expect(SensorCorrection(offset: zero, axes: Matrix3(diagonal: 1, 1, 2)) == nil)
    #expect(SensorCorrection(offset: zero, axes: Matrix3(diagonal: -1, -1, -1)) != nil)
  }

  @Test func aSessionOfAnotherSharesItsStopAndItsWishes() throws {
    let taken = Lock<[SensorSample]>([])
    let outer = SensorSession(
      clock: FreeRunningClock(), request: SensorRequest(kinds: .gyroscope, interval: .zero)
    ) { (sample, _) throws(SourceStopped) in taken.withLock { $0.append(sample) } }
    let later = SensorInstant(nanoseconds: 9)
    let inner = SensorSession(of: outer) { $0.moved(to: later) }
    try inner.deliver(.temperature(TemperatureSample(time: time, temperature: 1)))
    #expect(taken.withLock { $0.map(\.time) } == [later])
    let wish = SensorRequest(kinds: .accelerometer, interval: .milliseconds(5))
    outer.update(wish)
    #expect(inner.request == wish && !inner.isStopped)
    outer.stop()
    #expect(inner.isStopped)
    #expect(throws: SourceStopped.self) { try inner.wait(until: later) }
  }
}
