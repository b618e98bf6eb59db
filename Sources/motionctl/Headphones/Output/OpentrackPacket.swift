// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A datagram for opentrack's input “UDP over network”: six little-endian doubles, x, y, z in centimetres, then yaw, pitch,
/// roll in degrees (opentrack/opentrack on GitHub, `tracker-udp`). 48 bytes, usually to port 4242.
///
/// The signs are ours; opentrack has a switch per axis for others. There is no position: x, y, z are 0.
enum OpentrackPacket {
  static func bytes(of pose: HeadPose) -> [UInt8] {
    var packet: [UInt8] = []
    packet.reserveCapacity(48)
    let angles = [pose.yaw, pose.pitch, pose.roll].map { Angle(radians: $0).degrees }
    for value in [0, 0, 0] + angles { packet.append(littleEndian: value.bitPattern) }
    return packet
  }
}

/// A datagram for opentrack's input “FreePIE UDP receiver” (opentrack/opentrack on GitHub, `tracker-freepie-udp`): a byte that is
/// skipped, a byte that says what follows, and twelve little-endian floats. 50 bytes, usually to port 5555.
///
/// With flags 2, orientation alone, floats 0…2 are yaw, pitch and roll in radians; the others are 0.
enum FreePIEPacket {
  private static let orientationOnly: UInt8 = 2

  static func bytes(of pose: HeadPose) -> [UInt8] {
    var packet: [UInt8] = [0, orientationOnly]
    packet.reserveCapacity(50)
    let angles = [pose.yaw, pose.pitch, pose.roll].map(Float.init)
    for value in angles + Array(repeating: 0, count: 9) { packet.append(littleEndian: value.bitPattern) }
    return packet
  }
}

extension [UInt8] {
  mutating func append(littleEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  mutating func append(bigEndian value: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }
}
