// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// UTF-8 that grows and is emptied again and again without giving its memory back: rows are written into it, not made of
/// strings.
struct TextBuffer: Sendable {
  private(set) var bytes: [UInt8] = []

  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  var count: Int { bytes.count }

  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  mutating func append(_ text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ byte: UInt8) { bytes.append(byte) }

  /// The shortest digits that read back to the same number (`formats.md` 1, rule 4).
  mutating func append(_ value: Double) { value.write(to: &self) }

  mutating func append(_ value: Int) {
    // Levels, frames and places are one digit: no string for those.
    guard !(0..<10).contains(value) else { return bytes.append(UInt8(ascii: "0") + UInt8(value)) }
    bytes.append(contentsOf: value.description.utf8)
  }

  /// Rounded to `places` decimals and set to the right in `width` columns.
  mutating func append(_ value: Double, places: Int, width: Int) {
    guard value.isFinite, abs(value) < 1e9 else { return append("–", width: width) }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((abs(value) * scale).rounded())
    let unit = Int64(scale)
    var text = "\(scaled / unit)"
    if places > 0 {
      let fraction = String(scaled % unit)
      text += "." + String(repeating: "0", count: places - fraction.count) + fraction
    }
    // No minus in front of a zero.
    if value < 0, scaled != 0 { text = "-" + text }
    append(text, width: width)
  }

  /// Set to the right in `width` columns.
  mutating func append(_ text: String, width: Int) {
    for _ in text.count..<max(width, text.count) { bytes.append(UInt8(ascii: " ")) }
    bytes.append(contentsOf: text.utf8)
  }

  /// A JSON string with its quotes.
  mutating func appendJSON(_ text: String) {
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0..<0x20:
        append("\\u00")
        append(String(byte >> 4, radix: 16))
        append(String(byte & 15, radix: 16))
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}

/// A number writes its digits straight into the buffer: a string of their own would cost as much as the digits.
extension TextBuffer: TextOutputStream {
  mutating func write(_ text: String) { append(text) }

  /// What the standard library calls with the digits of a number. Were it to call ``write(_:)`` instead, it would be slower
  /// and nothing else.
  mutating func _writeASCII(_ digits: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: digits) }
}
