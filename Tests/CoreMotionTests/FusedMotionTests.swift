// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTesting
import Testing

/// Motion that the source had fused itself: a phone's own output, a head tracker.
@Suite struct FusedMotionTests {
  /// Six decimals, as a logger prints them: not quite of length one, and it must stay so.
  private static func sample(_ milliseconds: Int64) -> MotionRow {
    MotionRow(
      time: SensorInstant(nanoseconds: milliseconds * 1_000_000), w: 0.923879, vector: Vector3(x: 0.1, y: 0.2, z: 0.31),
      reference: .xMagneticNorth, angularVelocity: Vector3(x: 0.01, y: 0.02, z: 0.03),
      gravity: Vector3(x: 0.011233, y: -0.027203, z: -0.999999),
      linearAcceleration: Vector3(x: 0.1, y: 0.7, z: -0.3), accelerationUnit: .reversedGravity,
      field: .init(reading: Vector3(x: 57.427162, y: -11.616119, z: -35.794952), unit: .microtesla, accuracy: 1),
      heading: AngleReading(270.000183, .degree), headingAccuracy: AngleReading(12, .degree))
  }

  private static func host() -> MotionHost {
    let info = SensorInfo(
      name: "recording", origin: .recording, pacing: .onDemand,
      channels: [.init(kind: .motion)], fusedReference: .xMagneticNorth)
    let samples = (0..<10).map { SensorSample.motion(sample($0 * 10)) }
    return MotionHost(
      device: MotionTesting.ScriptedSource(samples, info: info), clock: FreeRunningClock(), gate: .manual)
  }

  @Test func itsNumbersReachTheClientBitForBit() async throws {
    let run = try await RecordedRun.collect(Self.host(), frame: .xMagneticNorthZVertical)
    #expect(run.motions.count == 10 && run.errors.isEmpty)
    let motion = try #require(run.motions.first)
    #expect(motion.quaternion == [0.1, 0.2, 0.31, 0.923879])
    #expect(motion.gravity == [0.011233, -0.027203, -0.999999])
    #expect(motion.userAcceleration == [0.1, 0.7, -0.3])
    #expect(motion.rotationRate == [0.01, 0.02, 0.03])
    #expect(motion.field == [57.427162, -11.616119, -35.794952] && motion.accuracy == 1)
    #expect(motion.heading == 270.000183 && motion.headingAccuracy == 12)
  }

  /// A wrong column shows by its length: such a row is dropped and counted, and never reaches a client.
  @Test func whatIsNoRotationIsDroppedAndCounted() async throws {
    var wrong = Self.sample(10)
    wrong.w = 5
    let info = SensorInfo(
      name: "recording", origin: .recording, pacing: .onDemand, channels: [.init(kind: .motion)])
    let source = MotionTesting.ScriptedSource(
      [.motion(Self.sample(0)), .motion(wrong), .motion(Self.sample(20))], info: info)
    let host = MotionHost(device: source, clock: FreeRunningClock(), gate: .manual)
    let run = try await RecordedRun.collect(host)
    #expect(run.motions.map(\.timestamp) == [0, 0.02])
    #expect(host.device?.statistics.motion.nonFinite == 1)
  }

  /// S25, D20: without a raw magnetometer only the frame that the motion was fused in is there besides the arbitrary
  /// one.
  @Test func theFrameItWasFusedInIsAvailable() {
    Self.host().run {
      #expect(
        CMMotionManager.availableAttitudeReferenceFrames() == [.xArbitraryZVertical, .xMagneticNorthZVertical])
      #expect(CMMotionManager().isDeviceMotionAvailable && !CMMotionManager().isGyroAvailable)
    }
  }
}
