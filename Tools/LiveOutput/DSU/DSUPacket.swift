// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The packets of the DSU protocol ("cemuhook"), by which emulators of game consoles receive the motion of a
/// controller.
///
/// Little endian; a header of 16 bytes with the CRC-32 of the whole packet, then the kind of event and its fields.
/// Source: the protocol's public description, https://v1993.github.io/cemuhook-protocol/ (protocol version 1001).
enum DSUPacket {
  static let version: UInt16 = 1001
  static let headerBytes = 16

  enum Event: UInt32 {
    case version = 0x100000
    case slots = 0x100001
    case data = 0x100002
  }

  /// What a client asks for.
  enum Request: Equatable {
    case version
    /// The slots that it wants to know of, at most four.
    case slots([UInt8])
    /// Data of our slot, for the next five seconds.
    case data
    /// Data of a slot or address that is not ours.
    case otherData
  }

  /// Reads a packet of a client; nil when it is none, damaged, or of another version.
  static func request(_ bytes: ArraySlice<UInt8>) -> Request? {
    let bytes = Array(bytes)
    guard bytes.count >= headerBytes + 4, bytes.starts(with: "DSUC".utf8), number(bytes, 4, 2) <= UInt64(version) else {
      return nil
    }
    let length = Int(number(bytes, 6, 2))
    // What follows the declared length is no part of the packet.
    guard length >= 4, length <= bytes.count - headerBytes else { return nil }
    var packet = Array(bytes[..<(headerBytes + length)])
    let checksum = number(packet, 8, 4)
    packet.replaceSubrange(8..<12, with: [0, 0, 0, 0])
    guard checksum == UInt64(crc32(packet)) else { return nil }
    let fields = packet[(headerBytes + 4)...]
    switch Event(rawValue: UInt32(number(packet, headerBytes, 4))) {
    case .version: return .version
    case .slots:
      guard fields.count >= 4 else { return nil }
      let count = number(packet, headerBytes + 4, 4)
      guard count <= 4, fields.count >= 4 + Int(count) else { return nil }
      let slots = Array(fields.dropFirst(4).prefix(Int(count)))
      return slots.allSatisfy { $0 < 4 } ? .slots(slots) : nil
    case .data:
      guard let flags = fields.first, fields.count >= 8 else { return nil }
      let isOurs =
        (flags & 1 == 0 || fields[fields.startIndex + 1] == 0)
        && (flags & 2 == 0 || fields.dropFirst(2).prefix(6).allSatisfy { $0 == 0 })
      return isOurs ? .data : .otherData
    case nil: return nil
    }
  }

  static func versionReply(server: UInt32) -> [UInt8] {
    sealed(.version, server: server) { $0.append(littleEndian: version) }
  }

  /// Our controller is in slot 0; the others are empty.
  static func slotReply(_ slot: UInt8, server: UInt32) -> [UInt8] {
    sealed(.slots, server: server) { bytes in
      appendStart(slot, to: &bytes)
      bytes.append(0)
    }
  }

  /// A state of motion for one client; `count` = packets it has had.
  static func data(_ motion: MotionRow, count: UInt32, server: UInt32) -> [UInt8] {
    sealed(.data, server: server) { bytes in
      appendStart(0, to: &bytes)
      bytes.append(1)
      bytes.append(littleEndian: count)
      // Buttons, then four sticks in their middle, then analogue buttons and two touches.
      bytes += [0, 0, 0, 0, 128, 128, 128, 128]
      bytes += [UInt8](repeating: 0, count: 24)
      bytes.append(littleEndian: UInt64(max(0, motion.time.nanoseconds / 1000)))
      // The protocol wants g with Core Motion's sign, face up (0, 0, −1), and degrees a second.
      let force = (motion.gravity + motion.linearAcceleration) * (motion.accelerationUnit.scale / -standardGravity)
      let rate = motion.angularVelocity * Angle(radians: 1).degrees
      // From x right, y to the upper edge, z out of the face into the protocol's axes: reported by implementations and
      // derived from there, not tried on an emulator.
      for value in [force.x, force.z, -force.y, -rate.x, rate.z, rate.y] {
        bytes.append(littleEndian: Float(value).bitPattern)
      }
    }
  }

  /// Slot, state, model, connection, address, battery; model 2 = with a full gyroscope.
  private static func appendStart(_ slot: UInt8, to bytes: inout [UInt8]) {
    bytes += slot == 0 ? [0, 2, 2, 0] : [slot, 0, 0, 0]
    bytes += [UInt8](repeating: 0, count: 7)
  }

  private static func sealed(_ event: Event, server: UInt32, _ fill: (inout [UInt8]) -> Void) -> [UInt8] {
    var bytes = Array("DSUS".utf8)
    bytes.append(littleEndian: version)
    bytes += [0, 0, 0, 0, 0, 0]
    bytes.append(littleEndian: server)
    bytes.append(littleEndian: event.rawValue)
    fill(&bytes)
    bytes.put(UInt16(bytes.count - headerBytes), at: 6)
    bytes.put(crc32(bytes), at: 8)
    return bytes
  }

  private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> UInt64 {
    bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension [UInt8] {
  /// Writes a number, its lowest byte first.
  fileprivate mutating func put(_ value: some FixedWidthInteger, at offset: Int) {
    for index in 0..<value.bitWidth / 8 { self[offset + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}

/// The reflected CRC of Ethernet and zip (polynomial EDB88320), bit by bit: packets are 100 bytes long.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var value = UInt32.max
  for byte in bytes {
    value ^= UInt32(byte)
    for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
  }
  return ~value
}
