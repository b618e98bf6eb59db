// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What is wrong with a message; the bus is left then, because there is no way to find the beginning of the next one.
enum DBusMistake: Error, Hashable, Sendable {
  /// A length, a padding or a type runs over the end.
  case truncated
  /// A signature that is none.
  case signature
  /// More than the limits of ``DBusLimits``.
  case tooMuch
  /// A boolean that is neither 0 nor 1, a text that is no UTF-8, a header that is none.
  case malformed
}

/// How much of a peer's message is believed. The specification allows 128 MiB and arrays of 64 MiB; the tree of BlueZ with a hundred
/// devices has about 200 kB.
enum DBusLimits {
  /// Bytes of a message, header and body.
  static let message = 4 << 20
  /// Values in a message, each of which costs memory of ours.
  static let values = 200_000
  /// Containers in each other (the specification: 32 arrays and 32 structs, variants counted).
  static let depth = 32
}

/// Reads values out of the bytes of a message (D-Bus Specification 0.43, "Marshaling (Wire Format)").
///
/// Every length is compared with the bytes that are left before anything is reserved for it.
struct DBusReader {
  private let bytes: [UInt8]
  private let isBigEndian: Bool
  /// Counted from the beginning of the message: alignment is relative to it.
  private(set) var position: Int
  private let end: Int
  private var valuesLeft = DBusLimits.values

  init(_ bytes: [UInt8], from position: Int = 0, to end: Int? = nil, isBigEndian: Bool) {
    self.bytes = bytes
    self.position = min(position, bytes.count)
    self.end = min(end ?? bytes.count, bytes.count)
    self.isBigEndian = isBigEndian
  }

  /// All values of a signature, one after another.
  mutating func values(_ signature: String) throws(DBusMistake) -> [DBusValue] {
    let types = Array(signature.utf8)
    guard types.count <= 255 else { throw .signature }
    var values: [DBusValue] = []
    var index = 0
    while index < types.count {
      let next = try Self.end(of: types, from: index)
      values.append(try value(types[index..<next], depth: 0))
      index = next
    }
    return values
  }

  /// Where the complete type that begins at `index` ends.
  static func end(of types: [UInt8], from index: Int, depth: Int = 0) throws(DBusMistake) -> Int {
    guard index < types.count, depth <= DBusLimits.depth else { throw .signature }
    switch types[index] {
    case UInt8(ascii: "a"):
      guard index + 1 < types.count, types[index + 1] == UInt8(ascii: "{") else {
        return try end(of: types, from: index + 1, depth: depth + 1)
      }
      // A basic key and one value: a{kv}.
      guard index + 2 < types.count, basic.contains(types[index + 2]) else { throw .signature }
      let close = try end(of: types, from: index + 3, depth: depth + 1)
      guard close < types.count, types[close] == UInt8(ascii: "}") else { throw .signature }
      return close + 1
    case UInt8(ascii: "("):
      var close = index + 1
      repeat {
        close = try end(of: types, from: close, depth: depth + 1)
      } while close < types.count
        && types[close] != UInt8(ascii: ")")
      guard close < types.count else { throw .signature }
      return close + 1
    case UInt8(ascii: "v"): return index + 1
    case let type where basic.contains(type): return index + 1
    default: throw .signature
    }
  }

  private static let basic = Set("ybnqiuxtdsogh".utf8)

  private static func alignment(_ type: UInt8) -> Int {
    switch type {
    case UInt8(ascii: "n"), UInt8(ascii: "q"): 2
    case UInt8(ascii: "x"), UInt8(ascii: "t"), UInt8(ascii: "d"), UInt8(ascii: "("), UInt8(ascii: "{"): 8
    case UInt8(ascii: "y"), UInt8(ascii: "g"), UInt8(ascii: "v"): 1
    default: 4
    }
  }

  private mutating func value(_ types: ArraySlice<UInt8>, depth: Int) throws(DBusMistake) -> DBusValue {
    guard depth <= DBusLimits.depth, valuesLeft > 0 else { throw .tooMuch }
    valuesLeft -= 1
    guard let type = types.first else { throw .signature }
    try align(Self.alignment(type))
    switch type {
    case UInt8(ascii: "y"): return .byte(UInt8(truncatingIfNeeded: try number(1)))
    case UInt8(ascii: "b"):
      let number = try number(4)
      guard number <= 1 else { throw .malformed }
      return .boolean(number == 1)
    case UInt8(ascii: "n"): return .integer(Int64(Int16(truncatingIfNeeded: try number(2))))
    case UInt8(ascii: "q"): return .integer(Int64(try number(2)))
    case UInt8(ascii: "i"): return .integer(Int64(Int32(truncatingIfNeeded: try number(4))))
    case UInt8(ascii: "u"), UInt8(ascii: "h"): return .integer(Int64(try number(4)))
    case UInt8(ascii: "x"): return .integer(Int64(bitPattern: try number(8)))
    case UInt8(ascii: "t"):
      let number = try number(8)
      return Int64(exactly: number).map { .integer($0) } ?? .unsigned(number)
    case UInt8(ascii: "d"): return .double(Double(bitPattern: try number(8)))
    case UInt8(ascii: "s"), UInt8(ascii: "o"): return .text(try text(lengthBytes: 4))
    case UInt8(ascii: "g"): return .text(try text(lengthBytes: 1))
    case UInt8(ascii: "v"): return try variant(depth: depth)
    case UInt8(ascii: "("): return .structure(try members(types.dropFirst().dropLast(), depth: depth))
    default: return try array(types.dropFirst(), depth: depth)
    }
  }

  private mutating func variant(depth: Int) throws(DBusMistake) -> DBusValue {
    let types = Array(try text(lengthBytes: 1).utf8)
    guard try Self.end(of: types, from: 0) == types.count else { throw .signature }
    return .variant(try value(types[...], depth: depth + 1))
  }

  private mutating func members(_ types: ArraySlice<UInt8>, depth: Int) throws(DBusMistake) -> [DBusValue] {
    let types = Array(types)
    var values: [DBusValue] = []
    var index = 0
    while index < types.count {
      let next = try Self.end(of: types, from: index)
      values.append(try value(types[index..<next], depth: depth + 1))
      index = next
    }
    return values
  }

  /// `types`: that of an element.
  private mutating func array(_ types: ArraySlice<UInt8>, depth: Int) throws(DBusMistake) -> DBusValue {
    guard let type = types.first else { throw .signature }
    let length = Int(try number(4))
    // The padding before the first element is there even when there is none, and does not count.
    try align(Self.alignment(type))
    guard length <= end - position else { throw .truncated }
    let stop = position + length
    if type == UInt8(ascii: "y") {
      defer { position = stop }
      return .bytes(Array(bytes[position..<stop]))
    }
    if type == UInt8(ascii: "{") {
      let members = types.dropFirst().dropLast()
      var entries: [DBusValue.Entry] = []
      while position < stop {
        try align(8)
        let pair = try self.members(members, depth: depth)
        guard pair.count == 2, position <= stop else { throw .malformed }
        entries.append(.init(key: pair[0], value: pair[1]))
      }
      return .dictionary(entries)
    }
    var values: [DBusValue] = []
    while position < stop {
      values.append(try value(types, depth: depth + 1))
      guard position <= stop else { throw .malformed }
    }
    return .array(values)
  }

  /// Moves on to a multiple of `size`; the padding is zero.
  mutating func align(_ size: Int) throws(DBusMistake) {
    let next = (position + size - 1) / size * size
    guard next <= end else { throw .truncated }
    guard bytes[position..<next].allSatisfy({ $0 == 0 }) else { throw .malformed }
    position = next
  }

  /// An unsigned number of 1, 2, 4 or 8 bytes.
  mutating func number(_ count: Int) throws(DBusMistake) -> UInt64 {
    guard count <= end - position else { throw .truncated }
    let slice = bytes[position..<(position + count)]
    position += count
    return isBigEndian
      ? slice.reduce(0) { $0 << 8 | UInt64($1) } : slice.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func text(lengthBytes: Int) throws(DBusMistake) -> String {
    let length = Int(try number(lengthBytes))
    guard length < end - position else { throw .truncated }
    let slice = bytes[position..<(position + length)]
    guard bytes[position + length] == 0, !slice.contains(0), let text = String(validating: slice, as: UTF8.self) else {
      throw .malformed
    }
    position += length + 1
    return text
  }
}
