// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The objects of one flat JSON array, one after the other, without reading the array into memory.
///
/// An object's members are its strings, numbers and literals as text; nested values are passed over. Memory is one object, and both its
/// size and its nesting are capped. Source: RFC 8259.
final class JSONObjectReader {
  /// Bytes from the beginning of the text to the next one.
  private(set) var position: Int64
  /// Where the present object begins.
  private(set) var objectStart: Int64 = 0
  /// The text ended within the present object; members that were complete are there.
  private(set) var isTruncated = false
  private let source: any ByteSource
  private let name: String
  private var input: [UInt8] = []
  private var cursor = 0
  private var object: [UInt8] = []
  private var hasEnded = false

  /// `source` begins `position` bytes into the text; `skip` of them are passed over first.
  init(_ source: any ByteSource, position: Int64, skip: Int64 = 0, name: String) throws(SensorError) {
    self.source = source
    self.name = name
    self.position = position - skip
    while self.position < position, try nextByte() != nil {}
  }

  /// Goes on to the next object; false at the end of the array or of the text.
  func next() throws(SensorError) -> Bool {
    guard !hasEnded, !isTruncated else { return false }
    while let byte = try nextByte() {
      switch byte {
      case 0x7B:
        objectStart = position - 1
        try readObject()
        return true
      case 0x5D:
        hasEnded = true
        return false
      // Blanks, commas, the array's bracket, a byte-order mark.
      case 0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5B, 0xEF, 0xBB, 0xBF: continue
      default: throw malformed("Expected an object of the array, found another character")
      }
    }
    return false
  }

  /// The members of the present object, in their order; null and nested values have the text nil.
  func members() throws(SensorError) -> [(key: String, value: String?)] {
    var members: [(key: String, value: String?)] = []
    var index = 0
    while index < object.count {
      skipBlanks(&index)
      guard index < object.count, object[index] != 0x7D else { break }
      if object[index] == 0x2C {
        index += 1
        continue
      }
      guard let key = try string(&index) else { break }
      skipBlanks(&index)
      guard index < object.count else { break }
      guard object[index] == 0x3A else { throw malformed("Expected a colon behind a name") }
      index += 1
      skipBlanks(&index)
      guard let value = try value(&index) else { break }
      guard members.count < InputLimits.columns, key.utf8.count <= InputLimits.nameBytes else {
        throw SensorError(
          .limitExceeded,
          "An object has more than \(InputLimits.columns) members or a name of more than \(InputLimits.nameBytes) bytes.",
          at: .init(file: name, byte: Int(objectStart)))
      }
      members.append((key, value))
    }
    return members
  }

  /// Reads up to the brace that closes the object, which is kept as bytes.
  private func readObject() throws(SensorError) {
    object.removeAll(keepingCapacity: true)
    var depth = 1
    var isInString = false
    var isEscaped = false
    while let byte = try nextByte() {
      guard object.count < InputLimits.lineBytes else {
        throw SensorError(
          .limitExceeded, "This object is longer than \(InputLimits.lineBytes >> 20) MiB, so the file is no recording.",
          at: .init(file: name, byte: Int(objectStart)))
      }
      object.append(byte)
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == 0x5C {
          isEscaped = true
        } else if byte == 0x22 {
          isInString = false
        }
        continue
      }
      switch byte {
      case 0x22: isInString = true
      case 0x7B, 0x5B:
        depth += 1
        guard depth <= InputLimits.jsonDepth else {
          throw SensorError(
            .limitExceeded, "The JSON is nested deeper than \(InputLimits.jsonDepth) levels.",
            at: .init(file: name, byte: Int(position)))
        }
      case 0x7D, 0x5D:
        depth -= 1
        if depth == 0 { return }
      default: break
      }
    }
    isTruncated = true
  }

  private func nextByte() throws(SensorError) -> UInt8? {
    if cursor == input.count {
      input = try source.bytes(limit: 64 << 10)
      cursor = 0
      if input.isEmpty { return nil }
    }
    defer {
      cursor += 1
      position += 1
    }
    return input[cursor]
  }

  private func skipBlanks(_ index: inout Int) {
    while index < object.count {
      guard object[index] == 0x20 || (0x09...0x0D).contains(object[index]) else { return }
      index += 1
    }
  }

  /// A member's value: a string's content, another scalar as it stands, nil inside for null and nested ones; nil when cut off.
  private func value(_ index: inout Int) throws(SensorError) -> String?? {
    guard index < object.count else { return nil }
    if object[index] == 0x22 { return try string(&index).map { .some($0) } }
    if object[index] == 0x7B || object[index] == 0x5B { return passNested(&index) ? .some(nil) : nil }
    let start = index
    while index < object.count, object[index] != 0x2C, object[index] != 0x7D { index += 1 }
    // A scalar that nothing ends may be cut off.
    guard index < object.count else { return nil }
    let text = String(decoding: object[start..<index], as: UTF8.self).filter { !$0.isWhitespace }
    return text == "null" ? .some(nil) : .some(text)
  }

  private func passNested(_ index: inout Int) -> Bool {
    var depth = 0
    var isInString = false
    while index < object.count {
      let byte = object[index]
      index += 1
      if isInString {
        if byte == 0x5C { index += 1 } else if byte == 0x22 { isInString = false }
        continue
      }
      switch byte {
      case 0x22: isInString = true
      case 0x7B, 0x5B: depth += 1
      case 0x7D, 0x5D: depth -= 1
      default: break
      }
      if depth == 0 { return true }
    }
    return false
  }

  /// A string at `index`; nil when it is cut off.
  private func string(_ index: inout Int) throws(SensorError) -> String? {
    guard object[index] == 0x22 else { throw malformed("Expected a name in quotes") }
    index += 1
    let start = index
    var isEscaped = false
    while index < object.count, object[index] != 0x22 {
      if object[index] == 0x5C {
        isEscaped = true
        index += 1
      }
      index += 1
    }
    guard index < object.count else { return nil }
    let bytes = object[start..<index]
    index += 1
    return isEscaped ? Self.unescaped(bytes) : String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
    var units: [UInt16] = []
    var rest = Array(String(decoding: bytes, as: UTF8.self).utf16)[...]
    let short: [UInt16: UInt16] = [0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let kind = rest.popFirst() else {
        units.append(unit)
        continue
      }
      if kind == 0x75, let code = UInt16(String(decoding: rest.prefix(4), as: UTF16.self), radix: 16) {
        units.append(code)
        rest = rest.dropFirst(4)
      } else {
        units.append(short[kind] ?? kind)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private func malformed(_ what: String) -> SensorError {
    SensorError(.malformed, "\(what); \(SensorError.skipHint)", at: .init(file: name, byte: Int(position)))
  }
}
