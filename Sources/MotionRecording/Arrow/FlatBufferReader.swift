// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Reads flatbuffers that nobody vouches for: every offset is compared with the bytes that there are before it is followed.
///
/// A reference that leads out of the buffer is absence, nil, as a field that was left out. References count forwards only, and
/// whoever reads follows them to a depth of its own, so there are no circles to fall into.
struct FlatBufferReader {
  let bytes: [UInt8]

  /// A table in the buffer.
  struct Table {
    fileprivate let reader: FlatBufferReader
    fileprivate let start: Int
    /// Where the table of places lies, and its length in bytes.
    fileprivate let places: Int
    fileprivate let placesLength: Int
  }

  /// The table that the buffer begins with.
  var root: Table? { target(at: 0).flatMap(table) }

  fileprivate func table(at start: Int) -> Table? {
    guard let distance: Int32 = number(at: start) else { return nil }
    let places = start - Int(distance)
    guard let length: UInt16 = number(at: places), length >= 4, places + Int(length) <= bytes.count else { return nil }
    return Table(reader: self, start: start, places: places, placesLength: Int(length))
  }

  /// Where a reference leads.
  fileprivate func target(at position: Int) -> Int? {
    guard let distance: UInt32 = number(at: position), distance > 0, Int(distance) < bytes.count - position else {
      return nil
    }
    return position + Int(distance)
  }

  fileprivate func number<Number: FixedWidthInteger>(at position: Int) -> Number? {
    let size = Number.bitWidth / 8
    guard position >= 0, position <= bytes.count - size else { return nil }
    var value: Number = 0
    for index in (0..<size).reversed() { value = value << 8 | Number(truncatingIfNeeded: bytes[position + index]) }
    return value
  }
}

extension FlatBufferReader.Table {
  private func position(_ field: Int) -> Int? {
    guard 4 + 2 * field + 2 <= placesLength, let place: UInt16 = reader.number(at: places + 4 + 2 * field), place > 0
    else { return nil }
    return start + Int(place)
  }

  /// A number; `otherwise` where it was left out.
  func number<Number: FixedWidthInteger>(_ field: Int, otherwise: Number = 0) -> Number {
    position(field).flatMap { reader.number(at: $0) } ?? otherwise
  }

  func table(_ field: Int) -> FlatBufferReader.Table? {
    position(field).flatMap(reader.target).flatMap(reader.table)
  }

  func string(_ field: Int) -> String? {
    guard let (start, count) = vector(field, elementSize: 1) else { return nil }
    return String(validating: reader.bytes[start..<start + count], as: UTF8.self)
  }

  func has(_ field: Int) -> Bool { position(field) != nil }

  /// The first tables of a vector; one that cannot be read is nil. Nil altogether when there is no such vector.
  func tables(_ field: Int, limit: Int) -> [FlatBufferReader.Table?]? {
    guard let (start, count) = vector(field, elementSize: 4) else { return nil }
    return (0..<min(count, limit)).map { reader.target(at: start + 4 * $0).flatMap(reader.table) }
  }

  /// How many elements a vector has, without reading them.
  func count(_ field: Int, elementSize: Int) -> Int? { vector(field, elementSize: elementSize)?.count }

  /// Structs of two long numbers.
  func pairs(_ field: Int) -> [(Int64, Int64)]? {
    guard let (start, count) = vector(field, elementSize: 16) else { return nil }
    return (0..<count).map {
      (reader.number(at: start + 16 * $0) ?? 0, reader.number(at: start + 16 * $0 + 8) ?? 0)
    }
  }

  /// The elements lie within the buffer, so their count bounds what they take.
  private func vector(_ field: Int, elementSize: Int) -> (start: Int, count: Int)? {
    guard let start = position(field).flatMap(reader.target), let count: UInt32 = reader.number(at: start),
      Int(count) <= (reader.bytes.count - start - 4) / elementSize
    else { return nil }
    return (start + 4, Int(count))
  }
}
