// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A value in a D-Bus message (D-Bus Specification 0.43, "Type System").
///
/// Arrays of bytes are kept as bytes: as values they would take thirty times their size.
indirect enum DBusValue: Hashable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  /// Any of the six integers of 16, 32 and 64 bits that fits.
  case integer(Int64)
  /// What does not fit into the above: `t` beyond 2⁶³ − 1.
  case unsigned(UInt64)
  case double(Double)
  /// A string, an object path or a signature.
  case text(String)
  case bytes([UInt8])
  case array([DBusValue])
  /// In the order of the message; a key may come twice, and then the last one counts.
  case dictionary([Entry])
  case structure([DBusValue])
  case variant(DBusValue)

  /// One pair of a dictionary.
  struct Entry: Hashable, Sendable {
    var key: DBusValue
    var value: DBusValue
  }

  /// The value inside of variants, however many.
  var plain: DBusValue {
    var value = self
    while case .variant(let inner) = value { value = inner }
    return value
  }

  /// The text, path or signature; nil for other values.
  var text: String? {
    guard case .text(let text) = plain else { return nil }
    return text
  }

  /// The truth value; nil for other values.
  var boolean: Bool? {
    guard case .boolean(let boolean) = plain else { return nil }
    return boolean
  }

  /// The integer, of a byte too; nil for other values.
  var integer: Int64? {
    switch plain {
    case .integer(let number): number
    case .byte(let byte): Int64(byte)
    default: nil
    }
  }

  /// The texts of an array; nil for other values, and elements that are no texts are left out.
  var texts: [String]? {
    guard case .array(let values) = plain else { return nil }
    return values.compactMap(\.text)
  }

  /// A dictionary with texts as keys; empty for other values.
  var table: [String: DBusValue] {
    guard case .dictionary(let entries) = plain else { return [:] }
    var table: [String: DBusValue] = [:]
    for entry in entries { if let key = entry.key.text { table[key] = entry.value } }
    return table
  }
}
