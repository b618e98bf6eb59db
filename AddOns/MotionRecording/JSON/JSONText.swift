// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Builds UTF-8 text: JSON, and the cells of tables.
///
/// The one JSON writer of the package. It can be emptied and filled again without releasing its memory. Independent of
/// the locale; doubles in the shortest form that reads back to the same bits.
package struct JSONText: Sendable {
  /// The text so far.
  package private(set) var bytes: [UInt8] = []

  /// Empty, with room for some bytes.
  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Bytes so far.
  package var count: Int { bytes.count }

  /// Empties it; the memory is kept.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Bytes that are ready to be written.
  package mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { bytes.append(contentsOf: $0) }
  }

  /// The text as it is, without quotes.
  package mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

  /// One byte.
  package mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Bytes as they are.
  package mutating func append(raw other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  /// The shortest digits that read back to the same number; `null` when it is not finite, for which JSON has no word.
  package mutating func append(_ value: Double) {
    guard value.isFinite else { return append("null") }
    let count = bytes.count
    bytes.append(addingCapacity: ShortestDecimal.room) { span in
      // unsafe: the room is as long as `ShortestDecimal` asks for.
      span.withUnsafeMutableBufferPointer { text, count in
        guard let start = text.baseAddress else { return }
        count += ShortestDecimal.write(value, to: start + count) ?? 0
      }
    }
    if bytes.count == count { append(raw: value.description) }
  }

  /// A whole number.
  package mutating func append(_ value: some FixedWidthInteger) {
    guard value != 0 else { return bytes.append(UInt8(ascii: "0")) }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let first = bytes.count
    var rest = value.magnitude
    while rest > 0 {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    }
    bytes[first...].reverse()
  }

  /// `true` or `false`.
  package mutating func append(_ value: Bool) { append(value ? "true" : "false") }

  /// A JSON string with its quotes (RFC 8259, section 7).
  package mutating func append(quoting text: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case UInt8(ascii: "\n"): append("\\n")
      case UInt8(ascii: "\t"): append("\\t")
      case 0..<0x20:
        append("\\u00")
        for digit in [byte >> 4, byte & 15] { bytes.append(digit < 10 ? 0x30 + digit : 0x57 + digit) }
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}

extension JSONText {
  /// Text as a cell of a CSV, quoted where it has to be (RFC 4180, section 2).
  package mutating func append(csv text: String) {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return append(raw: text) }
    append("\"")
    for byte in text.utf8 {
      if byte == 0x22 { append("\"") }
      append(byte: byte)
    }
    append("\"")
  }
}
