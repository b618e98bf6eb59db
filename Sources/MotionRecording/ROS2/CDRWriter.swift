// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The order of the bytes of a number in a CDR message.
public enum CDRByteOrder: UInt8, Sendable, Hashable {
  case big = 0
  case little = 1
}

/// Writes the Common Data Representation of ROS 2: the plain binary form of a message, without field names or types.
///
/// A message begins with four bytes of encapsulation (representation and options); then each number stands at a multiple of
/// its own size, counted from behind these four bytes. Source: OMG DDSI-RTPS 2.5, 10 (serialized payload), and OMG
/// "Common Data Representation" (CORBA 3.3 part 2, 9.3).
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

  mutating func append(_ value: UInt32) { appendAligned(value) }

  mutating func append(_ value: Int32) { appendAligned(UInt32(bitPattern: value)) }

  mutating func append(_ value: Double) { appendAligned(value.bitPattern) }

  /// Length with the closing zero, bytes, zero.
  mutating func append(_ text: String) {
    append(UInt32(truncatingIfNeeded: text.utf8.count + 1))
    bytes += text.utf8
    bytes.append(0)
  }

  private mutating func appendAligned<Bits: FixedWidthInteger>(_ bits: Bits) {
    let size = MemoryLayout<Bits>.size
    while (bytes.count - Self.encapsulationBytes) % size != 0 { bytes.append(0) }
    withUnsafeBytes(of: order == .little ? bits.littleEndian : bits.bigEndian) { bytes += $0 }
  }
}
