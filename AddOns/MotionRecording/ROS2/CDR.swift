// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The order of the bytes of a number in a CDR message.
enum CDRByteOrder: UInt8, Sendable, Hashable {
  case big = 0
  case little = 1
}

/// Writes the Common Data Representation of ROS 2: the plain binary form of a message, without field names or types.
///
/// A message begins with four bytes of encapsulation (representation and options); then each number stands at a
/// multiple of its own size, counted from behind these four bytes. Source: OMG DDSI-RTPS 2.5, 10 (serialized payload),
/// and OMG "Common Data Representation" (CORBA 3.3 part 2, 9.3).
struct CDRWriter {
  static let encapsulationBytes = 4

  private(set) var bytes: [UInt8]
  private let order: CDRByteOrder

  init(order: CDRByteOrder = .little, capacity: Int = 0) {
    self.order = order
    bytes = []
    bytes.reserveCapacity(capacity)
    bytes += [0, order.rawValue, 0, 0]
  }

  mutating func append<Bits: FixedWidthInteger>(_ bits: Bits) {
    let size = MemoryLayout<Bits>.size
    while (bytes.count - Self.encapsulationBytes) % size != 0 { bytes.append(0) }
    bytes.append(littleEndian: order == .little ? bits : bits.byteSwapped)
  }

  mutating func append(_ value: Double) { append(value.bitPattern) }

  /// Length with the closing zero, bytes, zero.
  mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count + 1))
    bytes += text.utf8
    bytes.append(0)
  }
}

/// Reads what ``CDRWriter`` describes. The bytes are a peer's: every length is compared with its cap and with what is
/// left.
struct CDRReader {
  private let bytes: ArraySlice<UInt8>
  private let order: CDRByteOrder
  /// Bytes read, the encapsulation included.
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) throws(SensorError) {
    self.bytes = bytes
    position = CDRWriter.encapsulationBytes
    guard bytes.count >= position else {
      throw SensorError(.malformed, "A CDR message has at least 4 bytes, but this one has \(bytes.count).")
    }
    // The options behind the representation have no meaning in plain CDR.
    guard bytes[bytes.startIndex] == 0, let order = CDRByteOrder(rawValue: bytes[bytes.startIndex + 1]) else {
      throw SensorError(
        .unsupported,
        "A message has the encoding \(bytes[bytes.startIndex]), \(bytes[bytes.startIndex + 1]) instead of plain CDR."
      )
    }
    self.order = order
  }

  private var left: Int { bytes.count - position }

  mutating func integer<Bits: FixedWidthInteger>(_ type: Bits.Type = Bits.self) throws(SensorError) -> Bits {
    let size = MemoryLayout<Bits>.size
    let misfit = (position - CDRWriter.encapsulationBytes) % size
    let padding = misfit == 0 ? 0 : size - misfit
    guard left >= padding + size else { throw endedEarly() }
    position += padding
    var bits: Bits = 0
    for byte in bytes[(bytes.startIndex + position)..<(bytes.startIndex + position + size)] {
      bits = bits << 8 | Bits(truncatingIfNeeded: byte)
    }
    position += size
    return order == .big ? bits : bits.byteSwapped
  }

  mutating func double() throws(SensorError) -> Double { Double(bitPattern: try integer()) }

  mutating func text() throws(SensorError) -> String {
    let start = position
    let length = Int(try integer(UInt32.self))
    guard length <= InputLimits.nameBytes else {
      throw SensorError(
        .limitExceeded,
        "There is a name of \(length) bytes at byte \(start) of a CDR message; the limit is \(InputLimits.nameBytes)."
      )
    }
    guard length <= left else { throw endedEarly() }
    // Some writers leave the closing zero of an empty text out.
    guard length > 0 else { return "" }
    let first = bytes.startIndex + position
    position += length
    guard bytes[first + length - 1] == 0,
      let text = String(validating: bytes[first..<(first + length - 1)], as: UTF8.self)
    else {
      throw SensorError(.malformed, "The text at byte \(start) of a CDR message is not terminated UTF-8.")
    }
    return text
  }

  /// The fields are all read: what follows can only be padding.
  func requireEnd() throws(SensorError) {
    guard left < 8 else {
      throw SensorError(
        .malformed,
        "A CDR message has \(left) bytes after its last field: its type is not that of its channel.")
    }
  }

  private func endedEarly() -> SensorError {
    SensorError(
      .malformed, "A CDR message ends at byte \(bytes.count) inside a field: it is truncated or of another type.")
  }
}
