// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import LiveOutput

extension HeadPose {
  /// About the vertical, then about the ears, then about the nose; rad.
  init(yaw: Double, pitch: Double, roll: Double) {
    func turn(_ angle: Double, _ axis: Vector3<NorthWestUp>) -> Rotation<NorthWestUp, NorthWestUp> {
      Rotation<NorthWestUp, NorthWestUp>(rotationVector: axis * angle)
    }
    let turned =
      turn(yaw, .init(x: 0, y: 0, z: 1)) * turn(pitch, .init(x: 1, y: 0, z: 0)) * turn(roll, .init(x: 0, y: 1, z: 0))
    self = turned.relabeled(from: Device.self, to: NorthWestUp.self)
  }
}

/// What is put into packets, byte by byte, and which words choose it.
@Suite struct HeadPacketTests {
  /// 30° to the left, 20° down, 10° to the left shoulder.
  private let pose = HeadPose(
    yaw: Angle(degrees: 30).radians, pitch: Angle(degrees: -20).radians, roll: Angle(degrees: -10).radians)

  private func doubles(_ packet: [UInt8]) -> [Double] {
    stride(from: 0, to: packet.count, by: 8).map { start in
      Double(bitPattern: packet[start..<start + 8].reversed().reduce(0) { $0 << 8 | UInt64($1) })
    }
  }

  /// Big endian, after the address and the tags.
  private func floats(_ packet: [UInt8]) -> [Float] {
    let tags = packet.firstIndex(of: UInt8(ascii: ",")) ?? 0
    let count = packet[tags...].prefix { $0 != 0 }.count - 1
    let start = packet.count - 4 * count
    return (0..<count).map { index in
      Float(bitPattern: packet[(start + 4 * index)..<(start + 4 * index + 4)].reduce(0) { $0 << 8 | UInt32($1) })
    }
  }

  private func isNear(_ values: [some BinaryFloatingPoint], _ wanted: [Double], _ tolerance: Double = 1e-4) -> Bool {
    values.count == wanted.count && zip(values, wanted).allSatisfy { abs(Double($0) - $1) < tolerance }
  }

  @Test func anglesMakeThePoseThatHasThem() {
    #expect(isNear([pose.yaw, pose.pitch, pose.roll].map { Angle(radians: $0).degrees }, [30, -20, -10], 1e-12))
  }

  @Test func opentrackGetsFortyEightBytesOfLittleEndianDegrees() {
    #expect(isNear(doubles(OpentrackPacket.bytes(of: pose)), [0, 0, 0, 30, -20, -10], 1e-12))
    // 0x403E… is 30, its last byte first.
    let packet = OpentrackPacket.bytes(of: HeadPose(yaw: Angle(degrees: 90).radians, pitch: 0, roll: 0))
    #expect(packet.count == 48 && packet[..<24].allSatisfy { $0 == 0 })
    #expect(isNear(doubles(packet), [0, 0, 0, 90, 0, 0], 1e-12) && packet[31] == 0x40 && packet[30] == 0x56)
  }

  @Test func anOSCMessageIsPaddedAndBigEndian() {
    let message = OSCMessage(address: "/SceneRotator/ypr", arguments: [1, -2, 0])
    // 20 + 8 + 12 bytes.
    #expect(message.bytes.count == 40 && Array(message.bytes[17..<20]) == [0, 0, 0])
    #expect(Array(message.bytes[20..<28]) == Array(",fff".utf8) + [0, 0, 0, 0])
    #expect(Array(message.bytes[28...]) == [0x3F, 0x80, 0, 0, 0xC0, 0, 0, 0, 0, 0, 0, 0])
    // An address of four bytes still gets its zero.
    #expect(OSCMessage(address: "/ypr", arguments: [1]).bytes.prefix(8) == Array("/ypr".utf8)[...] + [0, 0, 0, 0])
  }

  private func message(_ name: String, _ pose: HeadPose) throws -> OSCMessage {
    try #require(OSCTemplate(name)).message(of: pose)
  }

  @Test func theSceneTurnsAgainstTheHead() throws {
    // 90° to the left about the vertical: w = z = √½; the scene the other way.
    let left = HeadPose(yaw: .pi / 2, pitch: 0, roll: 0)
    let half = 0.5.squareRoot()
    #expect(try isNear(floats(message("SceneRotator", left).bytes), [half, 0, 0, -half]))
    // Nose down turns about the left ear's axis, +y there, and the scene against it.
    let down = HeadPose(yaw: 0, pitch: -.pi / 2, roll: 0)
    #expect(try isNear(floats(message("SceneRotator", down).bytes), [half, 0, -half, 0]))
    // To the right shoulder: about the nose, +x there.
    let right = HeadPose(yaw: 0, pitch: 0, roll: .pi / 2)
    #expect(try isNear(floats(message("SceneRotator", right).bytes), [half, -half, 0, 0]))
  }

  @Test func everyProgramGetsItsOwnSigns() throws {
    #expect(try isNear(floats(message("sparta", pose).bytes), [30, -20, -10]))
    #expect(try isNear(floats(message("mach1", pose).bytes), [-30, -20, -10]))
    // About z, y, x of a frame with +x ahead and +y to the left: nose down is + about y, the right shoulder + about x.
    let tascar = try #require(OSCTemplate("tascar:me"))
    #expect(tascar.message(of: pose).address == "/me/zyxeuler")
    #expect(isNear(floats(tascar.message(of: HeadPose(yaw: 0.5, pitch: 0, roll: 0)).bytes), [28.64789, 0, 0]))
    #expect(isNear(floats(tascar.message(of: HeadPose(yaw: 0, pitch: -0.5, roll: 0)).bytes), [0, 28.64789, 0]))
    #expect(isNear(floats(tascar.message(of: HeadPose(yaw: 0, pitch: 0, roll: -0.5)).bytes), [0, 0, -28.64789]))
  }

  @Test func aTemplateSaysWhatStandsWhere() throws {
    let template = try #require(OSCTemplate("/head -yaw yaw+ pitch+ rollRad -pitchRad+ qw -qz"))
    let wanted = [-30, 30, 340, Angle(degrees: -10).radians, Angle(degrees: 20).radians, pose.w, -pose.z]
    #expect(template.address == "/head" && isNear(floats(template.message(of: pose).bytes), wanted, 2e-4))
    for wrong in ["/head", "head yaw", "/he#ad yaw", "/head nose", "/head qx+", "/head --yaw", "/head yaw+Rad", ""] {
      #expect(OSCTemplate(wrong) == nil, "\(wrong)")
    }
    #expect(OSCTemplate("/head " + String(repeating: "yaw ", count: 33)) == nil)
  }

  @Test func placesAreReadFromTheWord() throws {
    func target(_ text: String) -> LiveTarget? { LiveTarget(argument: text) }
    #expect(target("opentrack")?.usedPort == 4242 && target("Foxglove")?.usedPort == 8765)
    #expect(target("foxglove:0")?.usedPort == 0 && target("dsu:1")?.usedPort == 1)
    #expect(target("osc:SceneRotator")?.usedPort == 8000 && target("osc:sparta")?.usedPort == 9000)
    #expect(try target("osc:tascar")?.program == .osc(#require(OSCTemplate("tascar:head"))))
    #expect(target("osc:tascar:scene/me@:7000")?.port == 7000)
    let far = try #require(target("opentrack@host.example:1"))
    #expect(far.host == "host.example" && far.port == 1 && far.program == .opentrack)
    #expect(target("osc:/a yaw@[::1]:99")?.host == "::1" && target("opentrack@10.0.0.1")?.port == nil)
    let mistakes = [
      "opentrack@", "opentrack@h:0", "opentrack@h:65536", "opentrack:1", "osc:", "osc:other", "osc:tascar:", "udp",
      "foxglove:", "foxglove:70000", "dsu@h", "",
    ]
    for mistake in mistakes { #expect(target(mistake) == nil, "\(mistake)") }
  }
}
