// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct TyrexTests {
  @Test func rawSensorsAreInGAndSecondsBecomeExactNanoseconds() throws {
    let folder = try TemporaryFolder()
    let result = try read(folder.write(Fixture.tyrex()))
    #expect(result.recording.format == .tyrex)
    #expect(result.samples.count == 30 && result.fused.isEmpty)
    #expect(result.accelerometer[2].time.nanoseconds == 58_202_468_800_000)
    #expect(result.accelerometer[2].reading == Vector3(x: 0.02, y: -0.09, z: -1.0025))
    #expect(result.accelerometer[2].unit == .reversedGravity)
    #expect(result.magnetometer[1].reading.x == 91.8)
  }

  @Test func recordedMotionDerivesGravityFromTheAttitudeAndSaysSo() throws {
    let folder = try TemporaryFolder()
    let result = try read(folder.write(Fixture.tyrex()), .recorded)
    #expect(result.recording.info.name.contains("gravity from the recorded attitude"))
    #expect(result.fused.count == 10)
    let sample = result.fused[1]
    #expect(sample.w == 1 && sample.reference == .xMagneticNorth)
    // Face up: Core Motion's gravity is (0, 0, −1) g, and user acceleration the rest of the raw reading.
    #expect(sample.gravity.isApproximatelyEqual(to: Vector3(x: 0, y: 0, z: -1), tolerance: 1e-15))
    #expect(
      sample.linearAcceleration.isApproximatelyEqual(to: Vector3(x: 0.01, y: -0.09, z: -0.0025), tolerance: 1e-12))
    #expect(sample.angularVelocity == Vector3(x: 0.41, y: -0.01, z: 0.77))
    #expect(sample.field?.accuracy == 2 && sample.field?.reading.x == 21.25)
  }

  @Test func anAndroidTrialIsRefusedBecauseItsUnitAndSignDiffer() throws {
    let folder = try TemporaryFolder()
    var files = Fixture.tyrex()
    files["accelerometer.txt"] = (0..<20).map { "58202.\(1000 + $0) 0.1 0.2 9.81\n" }.joined()
    let error = failure(try folder.write(files))
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("not an iPhone trial") == true)
  }
}
