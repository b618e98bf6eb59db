// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// The objects of one flat JSON array, one after the other, without reading the array into memory.
///
/// An object's members are its strings, numbers and literals as text; nested values are passed over. Memory is one
/// object, and both its size and its nesting are capped. Source: RFC 8259.
final class JSONObjectReader {
  /// Where the present object begins.
  private(set) var objectStart: Int64 = 0
  /// Of the present object, in their order; null and nested values have the text nil.
  private(set) var members: [(key: String, value: String?)] = []
  /// The text ended within the present object; members that were complete are there.
  private(set) var isTruncated = false
  private let source: any ByteSource
  private let name: String
  /// Bytes that were read, how many of them have been used, and where in the text they begin.
  private var (input, used, base): ([UInt8], Int, Int64)
  private var hasEnded = false

  /// `source` begins `position` bytes into the text; `skip` of them are passed over first.
  init(_ source: any ByteSource, position: Int64, skip: Int64 = 0, name: String) throws(SensorError) {
    (self.source, self.name) = (source, name)
    (input, used, base) = ([], 0, position - skip)
    while self.position < position, try refill() { used = Int(min(Int64(input.count), position - base)) }
  }

  /// Bytes from the beginning of the text to the next one.
  var position: Int64 { base + Int64(used) }

  /// Goes on to the next object; false at the end of the array or of the text.
  func next() throws(SensorError) -> Bool {
    guard !hasEnded, !isTruncated else { return false }
    while true {
      // Blanks, commas, the array's bracket, a byte-order mark.
      while used < input.count, [0x20, 0x09, 0x0A, 0x0D, 0x2C, 0x5B, 0xEF, 0xBB, 0xBF].contains(input[used]) {
        used += 1
      }
      if used < input.count { break }
      guard try refill() else { return false }
    }
    hasEnded = input[used] == UInt8(ascii: "]")
    if hasEnded { return false }
    guard input[used] == UInt8(ascii: "{") else {
      throw .damaged("Expected an object of the array, found another character", at: place())
    }
    objectStart = position
    while try !readObject() {}
    guard members.count <= InputLimits.columns, members.allSatisfy({ $0.key.utf8.count <= InputLimits.nameBytes })
    else {
      throw SensorError(
        .limitExceeded,
        "An object has more than \(InputLimits.columns) members or a name of more than \(InputLimits.nameBytes) bytes.",
        at: place())
    }
    return true
  }

  /// Reads what there is of the present object; false when more has been fetched, because it ends with the input.
  private func readObject() throws(SensorError) -> Bool {
    members.removeAll(keepingCapacity: true)
    do throws(JSONScanner.Failure) {
      used += try JSONScanner.read(input[used...], isWhole: false) { (scanner) throws(JSONScanner.Failure) in
        try scanner.members { (key, scanner) throws(JSONScanner.Failure) in members.append((key, try scanner.text())) }
        return scanner.position
      }
      return true
    } catch {
      let left = input.count - used
      // A word that was cut begins up to five bytes before the end.
      guard !error.isLimit, error.byte + 5 >= left else {
        throw error.isLimit
          ? SensorError(.limitExceeded, "\(error.message).", at: place(error.byte))
          : .damaged(error.message, at: place(error.byte))
      }
      guard left < InputLimits.lineBytes else {
        throw SensorError(
          .limitExceeded,
          "This object is longer than \(InputLimits.lineBytes >> 20) MiB, so the file is not a recording.", at: place())
      }
      isTruncated = try !refill()
      if isTruncated { used = input.count }
      return isTruncated
    }
  }

  /// Fetches more bytes; false at the end of the text.
  private func refill() throws(SensorError) -> Bool {
    let more = try source.bytes(limit: 64 << 10)
    input.removeFirst(used)
    input += more
    (used, base) = (0, base + Int64(used))
    return !more.isEmpty
  }

  private func place(_ offset: Int = 0) -> SensorError.Place { .init(file: name, byte: Int(position) + offset) }
}
