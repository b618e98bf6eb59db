// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import HeadphoneSources
import MotionMath
import MotionSensing
import Testing

@Suite struct HeadMountTests {
  private static let ahead = Vector3<Chip>(x: -629, y: 657, z: 495)
  private static let lowered = Vector3<Chip>(x: -290, y: 845, z: 506)

  @Test func twoDirectionsOfGravityGiveTheMount() throws {
    let mount = try #require(HeadMount(ahead: Self.ahead, lowered: Self.lowered))
    let m = mount.rotation.matrix
    let expected = [-0.2186, 0.4450, -0.8684, 0.7637, 0.6320, 0.1316, 0.6074, -0.6345, -0.4780]
    let found = [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33]
    #expect(zip(found, expected).allSatisfy { abs($0 - $1) < 6e-5 })
    let q = mount.rotation
    let sign: Double = q.w < 0 ? -1 : 1
    #expect(isClose(Vector3<Chip>(x: q.x, y: q.y, z: q.z) * sign, -0.39604, -0.76299, 0.16476))
    #expect(abs(q.w * sign - 0.48357) < 1e-5)
    let generic = HeadMount.generic.rotation
    #expect(abs(generic.w - 0.48419) < 1e-5)
  }

  /// gravity = (cos p · sin r, −sin p, −cos p · cos r).
  private func pitchAndRoll(_ gravity: Vector3<Chip>, _ mount: HeadMount) -> (Double, Double) {
    let g = mount.rotation * (gravity / gravity.length)
    return (Scalar.asin(-g.y) * 180 / .pi, Scalar.atan2(g.x, -g.z) * 180 / .pi)
  }

  @Test func theNodIsPitchAndTheTurnIsNeither() throws {
    let mount = try #require(HeadMount(ahead: Self.ahead, lowered: Self.lowered))
    let nod = pitchAndRoll(Self.lowered, mount)
    #expect(abs(nod.0 + 21.67) < 0.01 && abs(nod.1) < 0.01)
    let turned = pitchAndRoll(Vector3(x: -638, y: 657, z: 484), mount)
    #expect(abs(turned.0 - 0.46) < 0.01 && abs(turned.1 - 0.64) < 0.01)
  }

  @Test func theCapturedReportThroughTheMountIsTheHeadsMotion() throws {
    let mount = HeadMount(rotation: Rotation(nearUnitW: 0.48357, x: -0.39604, y: -0.76299, z: 0.16476))
    var link = AirPodsLink(options: try AirPodsOptions(["mount": "0.48357:-0.39604:-0.76299:0.16476"]), mounts: .none)
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
    #expect(mount.rotation.w > 0)
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

  @Test func raisingTheChinAsWellGivesTheSameAxes() throws {
    let two = try #require(HeadMount(ahead: Self.ahead, lowered: Self.lowered))
    // The chin raised by 20° about the same axis.
    let up = Rotation<Device, Device>(rotationVector: Vector3<Device>(x: 20 * .pi / 180, y: 0, z: 0))
    let raised = two.rotation.inverse * (up.inverse * Vector3<Device>(x: 0, y: 0, z: -1))
    let three = try #require(HeadMount(ahead: Self.ahead, lowered: Self.lowered, raised: raised))
    #expect(three.rotation.angle(to: two.rotation) < 1e-9)
  }

  @Test func posesThatDoNotDifferGiveNoMount() {
    #expect(HeadMount(ahead: Self.ahead, lowered: Self.ahead * 2) == nil)
    #expect(HeadMount(ahead: .zero, lowered: Self.ahead) == nil)
    #expect(HeadMount(ahead: Self.ahead, lowered: Vector3(x: .nan, y: 0, z: 0)) == nil)
  }

  @Test func levellingBringsGravityDownByTheSmallestRotation() throws {
    let levelled = try #require(HeadMount.generic.levelled(at: Self.lowered))
    #expect(isClose(levelled.rotation * (Self.lowered / Self.lowered.length), 0, 0, -1, 1e-12))
    let gravity = HeadMount.generic.rotation * Self.lowered
    let angle = gravity.angle(to: Vector3(x: 0, y: 0, z: -1))
    #expect(abs(levelled.rotation.angle(to: HeadMount.generic.rotation) - angle) < 1e-9)
  }

  @Test func theMeanOfTwoMountsLiesInTheMiddle() {
    let other = HeadMount(rotation: Rotation(aboutZ: 0.2) * HeadMount.generic.rotation)
    let mean = HeadMount.generic.averaged(with: other)
    #expect(abs(mean.rotation.angle(to: other.rotation) - 0.1) < 1e-9)
    #expect(abs(mean.rotation.angle(to: HeadMount.generic.rotation) - 0.1) < 1e-9)
  }
}
