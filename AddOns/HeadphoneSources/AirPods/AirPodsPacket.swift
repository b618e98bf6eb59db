// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A packet that the buds send.
package enum AirPodsPacket: Sendable, Hashable {
  /// The answer to ``AirPodsCommand/connect``; 0 = accepted.
  case connectResponse(status: UInt16)
  /// The buds end the conversation.
  case disconnect
  case battery([HeadphoneStatus.Battery])
  /// By role, not by side.
  case ear(primary: HeadphoneStatus.Wear, secondary: HeadphoneStatus.Wear)
  /// 1 = left is the primary bud, 2 = right.
  case role(UInt8)
  case control(id: UInt8, value: UInt8)
  case information(AirPodsInformation)
  case sensor(SensorMessage)
  /// Of no interest here.
  case other(opcode: UInt16)
  /// Not of the form that its head says.
  case malformed

  /// The setting of automatic ear detection.
  package static let earDetectionControl: UInt8 = 0x0A

  /// The next packet of what one read gave; nil at the end. As a rule there is one, but sensor packets, which know
  /// their length, may come several at once.
  package static func next(_ bytes: inout PacketBytes) -> AirPodsPacket? {
    guard !bytes.isEmpty else { return nil }
    guard let type = bytes.number(UInt16.self), bytes.number(UInt16.self) != nil else {
      return rest(&bytes, .malformed)
    }
    switch type {
    case 1:
      guard let status = bytes.number(UInt16.self) else { return rest(&bytes, .malformed) }
      return rest(&bytes, .connectResponse(status: status))
    case 2, 3: return rest(&bytes, .disconnect)
    case 4: return message(&bytes)
    default: return rest(&bytes, .malformed)
    }
  }

  /// A packet that uses all bytes that are left.
  private static func rest(_ bytes: inout PacketBytes, _ packet: AirPodsPacket) -> AirPodsPacket {
    bytes.skip(bytes.count)
    return packet
  }

  private static func message(_ bytes: inout PacketBytes) -> AirPodsPacket {
    guard let opcode = bytes.number(UInt16.self) else { return rest(&bytes, .malformed) }
    if opcode == 0x17 { return sensor(&bytes) }
    let content = bytes
    return rest(&bytes, status(opcode, content))
  }

  private static func sensor(_ bytes: inout PacketBytes) -> AirPodsPacket {
    guard bytes.number(UInt32.self) != nil, let length = bytes.number(UInt16.self),
      let body = bytes.read(Int(length)), let message = SensorMessage(body)
    else { return rest(&bytes, .malformed) }
    return .sensor(message)
  }

  private static func status(_ opcode: UInt16, _ content: PacketBytes) -> AirPodsPacket {
    var bytes = content
    switch opcode {
    case 0x04: return battery(&bytes)
    case 0x06:
      guard let primary = bytes.number(UInt8.self), let secondary = bytes.number(UInt8.self) else { return .malformed }
      return .ear(primary: wear(primary), secondary: wear(secondary))
    case 0x08: return bytes.number(UInt8.self).map { .role($0) } ?? .malformed
    case 0x09:
      guard let id = bytes.number(UInt8.self), let value = bytes.number(UInt8.self) else { return .malformed }
      return .control(id: id, value: value)
    case 0x1D: return AirPodsInformation(bytes).map { .information($0) } ?? .malformed
    default: return .other(opcode: opcode)
    }
  }

  private static func wear(_ code: UInt8) -> HeadphoneStatus.Wear {
    let known: [HeadphoneStatus.Wear] = [.inEar, .out, .inCase, .away, .moving]
    return Int(code) < known.count ? known[Int(code)] : .unknown
  }

  private static func battery(_ bytes: inout PacketBytes) -> AirPodsPacket {
    guard let count = bytes.number(UInt8.self), Int(count) * 5 <= bytes.count else { return .malformed }
    var batteries: [HeadphoneStatus.Battery] = []
    for _ in 0..<count {
      guard let component = bytes.number(UInt8.self), bytes.number(UInt8.self) != nil,
        let level = bytes.number(UInt8.self), let status = bytes.number(UInt8.self), bytes.number(UInt8.self) != nil
      else { return .malformed }
      let parts: [UInt8: HeadphoneStatus.Part] = [1: .single, 2: .right, 4: .left, 8: .chargingCase]
      guard let part = parts[component] else { continue }
      let isKnown = level <= 100 && status != 4
      batteries.append(
        HeadphoneStatus.Battery(
          part: part, percent: isKnown ? Int(level) : nil,
          isCharging: status == 0 || status == 4 ? nil : status == 1 || status == 5))
    }
    return .battery(batteries)
  }
}

/// The description that the buds send once, after the channel is opened.
package struct AirPodsInformation: Sendable, Hashable {
  /// As they came: name, model number, maker, serial numbers, firmware …
  package var strings: [String]

  /// More are not read; 15 were seen.
  static let mostStrings = 32

  init?(_ content: PacketBytes) {
    var bytes = content
    bytes.skip(5)
    var strings: [String] = []
    for part in bytes.rest.split(separator: 0, maxSplits: Self.mostStrings, omittingEmptySubsequences: false)
      .prefix(Self.mostStrings)
    {
      strings.append(String(decoding: part.prefix(256), as: UTF8.self))
    }
    guard strings.count >= 5 else { return nil }
    self.strings = strings
  }

  private func string(_ index: Int) -> String? {
    strings.indices.contains(index) && !strings[index].isEmpty ? strings[index] : nil
  }

  package var name: String? { string(0) }
  package var modelNumber: String? { string(1) }
  package var firmware: String? { string(4) }
  package var leftSerial: String? { string(8) }
  package var rightSerial: String? { string(9) }
}

/// The packets that are sent to the buds. Opcode 1 is not among them: they close the channel at it.
package enum AirPodsCommand {
  /// The first packet: protocol version 1.2 of service 4. The buds answer nothing before it.
  package static let connect: [UInt8] = [0, 0, 4, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  /// What this host can do.
  package static let capabilities: [UInt8] = [4, 0, 4, 0, 0x4D, 0, 0xD7, 0, 0, 0, 0, 0, 0, 0]
  /// Asks for everything that the buds push, and for the descriptions of their services.
  package static let notifications: [UInt8] = [4, 0, 4, 0, 0x0F, 0, 0xFF, 0xFF, 0xFF, 0xFF]
  /// Takes the buds over from another host.
  package static let takeOwnership: [UInt8] = [4, 0, 4, 0, 9, 0, 6, 1, 0, 0, 0]

  /// Sets the interval between reports of a service, µs: 20 000, 40 000, or 0 = stop. A setting of report 1 in one
  /// message of Protocol Buffers; `sequence` is this host's choice.
  package static func setInterval(_ microseconds: UInt32, of service: UInt8, sequence: UInt64) -> [UInt8] {
    let value: [UInt8] = [1] + bytes(microseconds)
    let setting: [UInt8] = [0x08, service, 0x10, 2, 0x1A, UInt8(value.count)] + value
    let isOld = service == 14
    // The older service was seen with a message kind, the newer one without.
    let body = [0x08] + varint(sequence) + (isOld ? [0x10, 2] : []) + [0x42, UInt8(setting.count)] + setting
    return sensorPacket(body)
  }

  /// A sensor packet around a body of at most 65 535 bytes.
  package static func sensorPacket(_ body: [UInt8]) -> [UInt8] {
    [4, 0, 4, 0, 0x17, 0, 0, 0, 0x10, 0] + bytes(UInt16(truncatingIfNeeded: body.count)) + body
  }

  /// Little endian.
  package static func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
    (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// Base 128, the lowest seven bits first.
  package static func varint(_ value: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = value
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    return bytes + [UInt8(rest)]
  }
}
