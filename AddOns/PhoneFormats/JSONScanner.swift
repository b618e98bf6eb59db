// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Reads JSON (RFC 8259) from memory, token by token, without building a tree: the one JSON reader of the package.
///
/// Only strings that are asked for are allocated; depth and lengths are limited.
package struct JSONScanner {
  /// How deep objects and arrays may lie in each other.
  package static let deepest = 64
  /// Bytes of one string.
  package static let longestString = 1 << 20

  /// Where reading stopped making sense.
  package struct Failure: Error {
    package var byte: Int
    package var message: String
    /// A text that goes on like this is refused for what it would take.
    package var isLimit = false
  }

  @usableFromInline let bytes: ArraySlice<UInt8>
  /// Bytes that have been read.
  @usableFromInline var cursor = 0

  private init(_ bytes: ArraySlice<UInt8>) { self.bytes = bytes }

  /// Reads a text; `body` takes what is in it. `isWhole`: nothing may follow.
  package static func read<Value>(
    _ bytes: ArraySlice<UInt8>, isWhole: Bool = true, _ body: (inout JSONScanner) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard !bytes.isEmpty else { throw Failure(byte: 0, message: "The text is empty") }
    var scanner = JSONScanner(bytes)
    let value = try body(&scanner)
    if isWhole { try scanner.expectEnd() }
    return value
  }

  @inlinable var end: Int { bytes.count }

  /// A part of the text, by its places from the beginning.
  package func text(_ range: Range<Int>) -> ArraySlice<UInt8> {
    bytes[bytes.startIndex + range.lowerBound..<bytes.startIndex + range.upperBound]
  }

  /// How many bytes have been read.
  package var position: Int { cursor }

  package func failure(_ message: String) -> Failure { Failure(byte: cursor, message: message) }

  /// The next byte that is no white space, without consuming it; 0 at the end.
  @inlinable package mutating func peek() -> UInt8 {
    while cursor < end {
      switch bytes.span.byte(cursor) {
      case 0x20, 0x09, 0x0A, 0x0D: cursor += 1
      case let byte: return byte
      }
    }
    return 0
  }

  /// Skips `byte` when it comes next; false when another does.
  @inlinable package mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte, cursor < end else { return false }
    cursor += 1
    return true
  }

  @inlinable package mutating func expect(_ byte: UInt8) throws(Failure) {
    guard skip(byte) else {
      throw failure("Expected \(String(UnicodeScalar(byte)).debugDescription) here")
    }
  }

  private mutating func expectEnd() throws(Failure) {
    guard peek() == 0, cursor == end else { throw failure("There is text after the object") }
  }

  /// Where the bytes between the quotes of a string lie, escapes not resolved.
  package mutating func rawString() throws(Failure) -> Range<Int> {
    try expect(UInt8(ascii: "\""))
    let first = cursor
    while cursor < end {
      switch bytes.span.byte(cursor) {
      case UInt8(ascii: "\""):
        guard cursor - first <= Self.longestString else {
          throw failure("This string is longer than \(Self.longestString >> 20) MiB")
        }
        cursor += 1
        return first..<cursor - 1
      case UInt8(ascii: "\\"):
        guard end - cursor > 1 else { throw failure("The string has no end") }
        cursor += 2
      case 0..<0x20: throw failure("The string contains a control character")
      default: cursor += 1
      }
    }
    throw failure("The string has no end")
  }

  /// A string with its escapes resolved.
  package mutating func string() throws(Failure) -> String {
    let raw = text(try rawString())
    guard raw.contains(UInt8(ascii: "\\")) else {
      guard let text = String(validating: raw, as: UTF8.self) else { throw failure("The string is not UTF-8") }
      return text
    }
    return try unescape(raw)
  }

  /// A number as it stands, not yet rounded, and where its text lies; nil for `null`.
  package mutating func number() throws(Failure) -> (value: DecimalNumber, text: Range<Int>)? {
    let first = peek()
    if first == UInt8(ascii: "n") {
      try word("null")
      return nil
    }
    let begin = cursor
    var position = cursor
    guard first == UInt8(ascii: "-") || first &- 0x30 < 10, let value = DecimalNumber(bytes.span, at: &position) else {
      throw failure("Expected a number here")
    }
    cursor = position
    return (value, begin..<cursor)
  }

  package mutating func boolean() throws(Failure) -> Bool {
    let isTrue = peek() == UInt8(ascii: "t")
    try word(isTrue ? "true" : "false")
    return isTrue
  }

  /// Passes over a value of any kind; `depth` = how many objects and arrays it lies in.
  package mutating func skip(depth: Int) throws(Failure) {
    guard depth <= Self.deepest else {
      throw Failure(
        byte: cursor, message: "Objects and arrays are nested deeper than \(Self.deepest) levels", isLimit: true)
    }
    switch peek() {
    case UInt8(ascii: "{"):
      try list("{", "}") { (scanner) throws(Failure) in
        _ = try scanner.rawString()
        try scanner.expect(UInt8(ascii: ":"))
        try scanner.skip(depth: depth + 1)
      }
    case UInt8(ascii: "["): try elements { (scanner) throws(Failure) in try scanner.skip(depth: depth + 1) }
    case UInt8(ascii: "\""): _ = try rawString()
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean()
    default: _ = try number()
    }
  }

  /// A value as text: a string's content, another scalar as it stands; nil for null, objects and arrays.
  package mutating func text() throws(Failure) -> String? {
    switch peek() {
    case UInt8(ascii: "\""): return try string()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      try skip(depth: 1)
      return nil
    default:
      let first = cursor
      while cursor < end, bytes.span.byte(cursor) != UInt8(ascii: ","), bytes.span.byte(cursor) != UInt8(ascii: "}") {
        cursor += 1
      }
      // A scalar that nothing ends may be cut off.
      guard cursor < end else { throw failure("The value has no end") }
      let text = String(decoding: self.text(first..<cursor), as: UTF8.self)
        .filter { !$0.isWhitespace }
      return text == "null" ? nil : text
    }
  }

  private mutating func word(_ word: String) throws(Failure) {
    guard text(cursor..<end).starts(with: word.utf8) else { throw failure("This is not a value") }
    cursor += word.utf8.count
  }

  private func unescape(_ raw: ArraySlice<UInt8>) throws(Failure) -> String {
    var units: [UInt16] = []
    var plain: [UInt8] = []
    func fail() -> Failure { failure("The string has an invalid escape, or is not UTF-8") }
    var index = raw.startIndex
    while index < raw.endIndex {
      guard raw[index] == UInt8(ascii: "\\") else {
        plain.append(raw[index])
        index += 1
        continue
      }
      guard index + 1 < raw.endIndex else { throw fail() }
      let letter = raw[index + 1]
      index += 2
      switch letter {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): plain.append(letter)
      case UInt8(ascii: "b"): plain.append(8)
      case UInt8(ascii: "f"): plain.append(12)
      case UInt8(ascii: "n"): plain.append(10)
      case UInt8(ascii: "r"): plain.append(13)
      case UInt8(ascii: "t"): plain.append(9)
      case UInt8(ascii: "u"):
        guard index + 4 <= raw.endIndex,
          let unit = UInt16(String(decoding: raw[index..<index + 4], as: UTF8.self), radix: 16)
        else { throw fail() }
        index += 4
        units.append(unit)
        // The second half of a pair is waited for.
        if UTF16.isLeadSurrogate(unit), index + 1 < raw.endIndex, raw[index] == UInt8(ascii: "\\"),
          raw[index + 1] == UInt8(ascii: "u")
        {
          continue
        }
        guard let piece = String(validating: units, as: UTF16.self) else { throw fail() }
        plain.append(contentsOf: piece.utf8)
        units.removeAll()
      default: throw fail()
      }
      guard units.isEmpty else { throw fail() }
    }
    guard units.isEmpty, let text = String(validating: plain, as: UTF8.self) else { throw fail() }
    return text
  }
}

/// Objects and arrays, member by member. `body` must read the value.
extension JSONScanner {
  package mutating func members(
    _ body: (String, inout JSONScanner) throws(Failure) -> Void
  ) throws(Failure) {
    try list("{", "}") { (scanner) throws(Failure) in
      let key = try scanner.string()
      try scanner.expect(UInt8(ascii: ":"))
      try body(key, &scanner)
    }
  }

  package mutating func elements(_ body: (inout JSONScanner) throws(Failure) -> Void) throws(Failure) {
    try list("[", "]", body)
  }

  private mutating func list(
    _ begin: Unicode.Scalar, _ end: Unicode.Scalar, _ body: (inout JSONScanner) throws(Failure) -> Void
  ) throws(Failure) {
    try expect(UInt8(ascii: begin))
    if skip(UInt8(ascii: end)) { return }
    repeat { try body(&self) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: end))
  }

  /// The nearest double of a number that was read; nil when no double holds it.
  package func double(_ number: DecimalNumber, _ text: Range<Int>) -> Double? {
    number.double(text: bytes.span.extracting(text))
  }

  /// Whether a part of the text has these bytes.
  @inlinable package func holds(_ range: Range<Int>, _ other: [UInt8]) -> Bool {
    guard range.count == other.count else { return false }
    for index in other.indices where bytes.span[range.lowerBound + index] != other[index] { return false }
    return true
  }

  /// A number, rounded once; nil for `null`, and for one that no double holds.
  package mutating func double() throws(Failure) -> Double? {
    guard let (decimal, text) = try number() else { return nil }
    return double(decimal, text)
  }

  /// A whole number, digit for digit: nanoseconds since 1970 do not fit into a double. Nil for `null`, for text and for
  /// a number that is too large.
  package mutating func whole() throws(Failure) -> Int64? {
    guard peek() != UInt8(ascii: "\"") else { return try text().flatMap { Int64($0) } }
    return try number()?.value.nanoseconds(decimals: 0)
  }
}
