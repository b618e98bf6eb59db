// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc

// Where fields begin and end; what an empty one looks like.
extension RowParser {
  /// Moves behind a closing quote and blanks; true when a separator or the end follows.
  @inline(__always)
  func closeField(_ cursor: inout Bytes, _ end: Bytes, _ isQuoted: Bool) -> Bool {
    if isQuoted {
      guard cursor < end, cursor.pointee == 0x22 else { return false }
      cursor += 1
    }
    if cursor == end { return true }
    if separator == 0 { return cursor.pointee == 0x20 || cursor.pointee == 0x09 }
    if cursor.pointee == separator { return true }
    cursor = skipBlanks(cursor, end)
    return cursor == end || cursor.pointee == separator
  }

  /// True for an empty field and for `null`; the cursor then shows its end. `NaN` is one more way to write nothing, where
  /// there may be nothing: whoever saves a table again puts it into the empty cells.
  func isAbsent(_ cursor: inout Bytes, _ end: Bytes, isOptional: Bool) -> Bool {
    let field = fieldBytes(cursor, end)
    let text = field.filter { $0 != 0x22 && $0 != 0x20 }
    let isNaN = isOptional && text.count == 3 && text.map { $0 | 0x20 }.elementsEqual("nan".utf8)
    guard separator != 0, isNaN || text.isEmpty || text.elementsEqual("null".utf8) else { return false }
    cursor += field.count
    return true
  }

  func isNotFinite(_ start: Bytes, _ end: Bytes) -> Bool {
    var text = fieldBytes(start, end).prefix(16).map { $0 | 0x20 }
    if text.first == 0x2D || text.first == 0x2B { text.removeFirst() }
    return text.starts(with: "nan".utf8) || text.starts(with: "inf".utf8)
  }

  /// Moves behind the separator that ends the present field; false when the line ends first.
  func skipField(_ cursor: inout Bytes, _ end: Bytes) -> Bool {
    if separator == 0 {
      cursor = skipBlanks(cursor, end)
      while cursor < end, cursor.pointee != 0x20, cursor.pointee != 0x09 { cursor += 1 }
      return cursor < end
    }
    if cursor < end, cursor.pointee == 0x22 {
      cursor += fieldBytes(cursor, end).count
    } else if let found = memchr(cursor, Int32(separator), end - cursor) {
      cursor = Bytes(found.assumingMemoryBound(to: UInt8.self))
    } else {
      cursor = end
    }
    guard cursor < end else { return false }
    cursor += 1
    return true
  }

  @inline(__always)
  func skipBlanks(_ start: Bytes, _ end: Bytes) -> Bytes {
    var cursor = start
    while cursor < end, cursor.pointee == 0x20 || (cursor.pointee == 0x09 && separator != 0x09) { cursor += 1 }
    return cursor
  }

  /// The field from `start` to its separator; separators inside quotes belong to it.
  func fieldBytes(_ start: Bytes, _ end: Bytes) -> UnsafeBufferPointer<UInt8> {
    var cursor = start
    var isQuoted = false
    while cursor < end {
      let byte = cursor.pointee
      if byte == 0x22 { isQuoted.toggle() }
      if !isQuoted, separator == 0 ? byte == 0x20 || byte == 0x09 : byte == separator { break }
      cursor += 1
    }
    return UnsafeBufferPointer(start: start, count: cursor - start)
  }

  /// A field as a message shows it: quoted, at most 40 characters.
  static func excerpt(_ field: UnsafeBufferPointer<UInt8>) -> String {
    guard !field.isEmpty else { return "nothing" }
    let text = String(decoding: field.prefix(40), as: UTF8.self)
    return text.debugDescription + (field.count > 40 ? "…" : "")
  }
}
