// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Bytes of a packet, read from the front; every read says whether there was enough.
///
/// Nothing is reserved for a declared length: a length that exceeds what is there fails, and what is read is a slice.
package struct PacketBytes: Sendable, Hashable {
  /// What has not been read yet.
  package private(set) var rest: ArraySlice<UInt8>

  package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  package var count: Int { rest.count }
  package var isEmpty: Bool { rest.isEmpty }

  /// A little-endian number.
  package mutating func number<T: FixedWidthInteger>(_: T.Type) -> T? {
    let size = T.bitWidth / 8
    guard rest.count >= size else { return nil }
    var value: T = 0
    // Highest byte first, so that each shifts the ones before.
    for byte in rest.prefix(size).reversed() {
      value = size == 1 ? T(truncatingIfNeeded: byte) : (value << 8) | T(byte)
    }
    rest = rest.dropFirst(size)
    return value
  }

  /// The next `count` bytes.
  package mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= rest.count else { return nil }
    defer { rest = rest.dropFirst(count) }
    return rest.prefix(count)
  }

  /// Skips `count` bytes, or as many as there are.
  package mutating func skip(_ count: Int) { rest = rest.dropFirst(max(0, count)) }

  /// A number in base 128, its lowest seven bits first (Protocol Buffers, "Base 128 Varints"); at most ten bytes.
  package mutating func varint() -> UInt64? {
    var value: UInt64 = 0
    for (index, byte) in rest.prefix(10).enumerated() {
      value |= UInt64(byte & 0x7F) << UInt64(7 * index)
      guard byte & 0x80 == 0 else { continue }
      rest = rest.dropFirst(index + 1)
      return value
    }
    return nil
  }
}

/// A field of a Protocol Buffers message (protobuf.dev, "Encoding").
package struct ProtobufField: Sendable, Hashable {
  package enum Value: Sendable, Hashable {
    case number(UInt64)
    case bytes(ArraySlice<UInt8>)
  }
  package var number: UInt64
  package var value: Value

  /// The next field of a message; nil at its end, and where the bytes are none.
  package init?(_ bytes: inout PacketBytes) {
    var next = bytes
    guard let key = next.varint(), key >> 3 != 0 else { return nil }
    number = key >> 3
    switch key & 7 {
    case 0:
      guard let value = next.varint() else { return nil }
      self.value = .number(value)
    case 1:
      guard let value = next.number(UInt64.self) else { return nil }
      self.value = .number(value)
    case 2:
      guard let length = next.varint(), length <= UInt64(next.count), let slice = next.read(Int(length)) else {
        return nil
      }
      value = .bytes(slice)
    case 5:
      guard let value = next.number(UInt32.self) else { return nil }
      self.value = .number(UInt64(value))
    default: return nil
    }
    bytes = next
  }
}
