// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The packets that are sent to the buds. Opcode 1 is not among them: they close the channel at it.
package enum AirPodsCommand {
  /// Greets: protocol version 1.2 of service 4. Nothing is answered before.
  package static let connect: [UInt8] = [0, 0, 4, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0]
  /// What this host can do.
  package static let capabilities: [UInt8] = [4, 0, 4, 0, 0x4D, 0, 0xD7, 0, 0, 0, 0, 0, 0, 0]
  /// Asks for everything that the buds push, and for the descriptions of their services.
  package static let notifications: [UInt8] = [4, 0, 4, 0, 0x0F, 0, 0xFF, 0xFF, 0xFF, 0xFF]
  /// Takes the buds over from another host.
  package static let takeOwnership: [UInt8] = [4, 0, 4, 0, 9, 0, 6, 1, 0, 0, 0]

  /// Sets the interval between reports of a service, µs: 20 000, 40 000, or 0 = stop. A setting of report 1 in one message of Protocol
  /// Buffers; `sequence` is this host's choice.
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
