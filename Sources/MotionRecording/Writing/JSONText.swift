// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// UTF-8 text in the making, with the words of JSON; also used for CSV and other text.
///
/// Emptied and filled again without giving its memory back. Locale-free; doubles in the shortest form that reads back to the
/// same bits.
public struct JSONText: Sendable {
  /// The text so far.
  public private(set) var bytes: [UInt8] = []

  /// Empty, with room for some bytes.
  public init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Bytes so far.
  public var count: Int { bytes.count }

  /// Empties it; the memory is kept.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Bytes that are ready to be written.
  public mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The text as it is, without quotes.
  public mutating func append(raw text: String) { bytes.append(contentsOf: text.utf8) }

  /// One byte.
  public mutating func append(byte: UInt8) { bytes.append(byte) }

  /// Bytes as they are.
  public mutating func append(raw other: some Collection<UInt8>) { bytes.append(contentsOf: other) }

  /// The shortest digits that read back to the same number; `null` when it is not finite, for which JSON has no word.
  public mutating func append(_ value: Double) {
    guard value.isFinite else { return append("null") }
    var digits = DigitStream(bytes: exchange(&bytes, with: []))
    value.write(to: &digits)
    bytes = digits.bytes
  }

  /// A whole number.
  public mutating func append(_ value: some FixedWidthInteger) {
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
  public mutating func append(_ value: Bool) { append(value ? "true" : "false") }

  /// A JSON string with its quotes (RFC 8259, section 7).
  public mutating func append(quoting text: String) {
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

/// Takes a number's digits straight into bytes: a string of their own would cost as much as the digits.
private struct DigitStream: TextOutputStream {
  var bytes: [UInt8]

  mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

  /// What the standard library calls with the digits of a number. Were it to call ``write(_:)`` instead, it would be slower
  /// and nothing else.
  mutating func _writeASCII(_ digits: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: digits) }
}
