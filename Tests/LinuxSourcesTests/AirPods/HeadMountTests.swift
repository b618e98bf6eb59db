// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSources
import MotionMath
import MotionSensing
import Testing

struct HeadMountTests {
  private static let lowered = Vector3<Chip>(x: -290, y: 845, z: 506)

  @Test func theCapturedReportThroughTheMountIsTheHeadsMotion() throws {
    var link = AirPodsLink(options: try AirPodsOptions(["mount": "0.48357:-0.39604:-0.76299:0.16476"]))
    let samples = try stream(sequence126, into: &link)
    let sample = try #require(samples.first)
    #expect(isClose(sample.vector, -0.02633, -0.02311, -0.81197, 5e-5))
    #expect(abs(sample.w - 0.58265) < 5e-5)
    let attitude = try #require(sample.attitude)
    let (pitch, roll, yaw) = angles(attitude)
    #expect(abs(pitch - 0.392) < 2e-3 && abs(roll + 3.996) < 2e-3 && abs(yaw + 108.661) < 2e-3)
    // The bud's g, which have Core Motion's sign, stay readings in their unit.
    #expect(sample.accelerationUnit == .reversedGravity)
    #expect(isClose(sample.gravity, -0.06969, -0.00684, -0.99755, 5e-5))
    #expect(isClose(sample.angularVelocity, -0.00951, 0.02211, -0.02158))
    #expect(isClose(sample.linearAcceleration, 0.00356, 0.00046, -0.01859))
    #expect(link.status.calibration == .user)
  }

  /// Drives a link as far as a stream and gives it one packet.
  private func stream(_ packet: [UInt8], into link: inout AirPodsLink) throws -> [MotionRow] {
    let now = SensorInstant(nanoseconds: 5_000_000_000)
    link.begin()
    link.request(motion: true, at: now)
    link.opened(address: nil, at: now)
    link.received(hex("01 00 04 00 00 00 01 00 03 00 00 00 00 00 00 00 00 00")[...], at: now)
    link.received(hex("04 00 04 00 06 00 00 00")[...], at: now)
    link.received(packet[...], at: now)
    return link.drainActions().compactMap { if case .deliver(let sample) = $0 { sample } else { nil } }
  }

  @Test func levellingBringsGravityDownByTheSmallestRotation() throws {
    let levelled = try #require(HeadMount.generic.levelled(at: Self.lowered))
    #expect(isClose(levelled * (Self.lowered / Self.lowered.length), 0, 0, -1, 1e-12))
    let gravity = HeadMount.generic * Self.lowered
    let angle = gravity.angle(to: Vector3(x: 0, y: 0, z: -1))
    #expect(abs(levelled.angle(to: HeadMount.generic) - angle) < 1e-9)
  }
}
