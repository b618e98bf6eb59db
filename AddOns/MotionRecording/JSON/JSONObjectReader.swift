// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// The objects of one flat JSON array, one after the other, without reading the array into memory.
///
/// An object's members are its strings, numbers and literals as text; nested values are passed over. Memory is one
/// object, and both its size and its nesting are capped. Source: RFC 8259.
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
    do throws(JSONScanner.Failure) {
      guard !object.isEmpty else { return [] }
      try JSONScanner.read(object[...], isWhole: false) { (scanner) throws(JSONScanner.Failure) in
        while members.count <= InputLimits.columns, scanner.peek() != UInt8(ascii: "}"), scanner.position < object.count
        {
          if scanner.skip(UInt8(ascii: ",")) { continue }
          let key = try scanner.string()
          try scanner.expect(UInt8(ascii: ":"))
          members.append((key, try scanner.text()))
        }
      }
    } catch {
      // An object that was cut off has the members before the cut.
      if !isTruncated { throw malformed(error.message) }
    }
    guard members.count <= InputLimits.columns, members.allSatisfy({ $0.key.utf8.count <= InputLimits.nameBytes })
    else {
      throw SensorError(
        .limitExceeded,
        "An object has more than \(InputLimits.columns) members or a name of more than \(InputLimits.nameBytes) bytes.",
        at: .init(file: name, byte: Int(objectStart)))
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
          .limitExceeded,
          "This object is longer than \(InputLimits.lineBytes >> 20) MiB, so the file is not a recording.",
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

  private func malformed(_ what: String) -> SensorError {
    .damaged(what, at: .init(file: name, byte: Int(position)))
  }
}
