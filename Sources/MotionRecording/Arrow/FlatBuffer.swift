// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Reads untrusted flatbuffers: every offset is checked against the bytes that are there before it is followed.
///
/// A reference that leads out of the buffer is absence, nil, as a field that was left out. References count forwards
/// only, and callers follow them to a fixed depth, so there are no cycles.
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

  /// A text of at most `limit` bytes, which is looked at before the text is: many references may lead to one long text.
  func string(_ field: Int, limit: Int = InputLimits.nameBytes) -> String? {
    guard let (start, count) = vector(field, elementSize: 1), count <= limit else { return nil }
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

/// Writes flatbuffers from front to back: as much of the format as the messages of Arrow need.
///
/// A table is written with holes where it refers to others; what it refers to is written behind it and fills the hole,
/// since a reference counts forwards. Source: https://flatbuffers.dev/internals/
struct FlatBufferWriter {
  /// One field of a table.
  enum Field {
    case absent
    case byte(UInt8)
    case short(Int16)
    case int(Int32)
    case long(Int64)
    /// To be filled by ``FlatBufferWriter/point(_:)``.
    case reference

    var size: Int {
      switch self {
      case .absent: 0
      case .byte: 1
      case .short: 2
      case .int, .reference: 4
      case .long: 8
      }
    }
  }

  /// Where a reference stands that waits for its target.
  struct Hole { fileprivate var position: Int }

  private(set) var bytes: [UInt8] = []

  /// A buffer whose root table is written next and fills the hole.
  static func beginning() -> (FlatBufferWriter, Hole) {
    var writer = FlatBufferWriter()
    writer.append(UInt32(0))
    return (writer, Hole(position: 0))
  }

  /// Writes a table into a hole; returns the holes of its references in their order.
  mutating func table(_ fields: [Field], in hole: Hole) -> [Hole] {
    // The table of places comes first, then the fields, the widest first so that each lies on a multiple of its size.
    align(to: 8)
    let order = fields.indices.filter { fields[$0].size > 0 }.sorted {
      fields[$0].size == fields[$1].size ? $0 < $1 : fields[$0].size > fields[$1].size
    }
    var places = [UInt16](repeating: 0, count: fields.count)
    // The table begins with 4 bytes; fields of 8 bytes begin behind 4 more.
    var end = fields.contains { $0.size == 8 } ? 8 : 4
    for index in order {
      places[index] = UInt16(end)
      end += fields[index].size
    }
    let placesStart = bytes.count
    append(UInt16(4 + 2 * fields.count))
    append(UInt16(end))
    for place in places { append(place) }
    align(to: 8)
    let start = bytes.count
    point(hole)
    append(Int32(start - placesStart))
    if end > 4, fields.contains(where: { $0.size == 8 }) { append(UInt32(0)) }
    var holes: [Int: Hole] = [:]
    for index in order {
      switch fields[index] {
      case .absent: break
      case .byte(let value): bytes.append(value)
      case .short(let value): append(value)
      case .int(let value): append(value)
      case .long(let value): append(value)
      case .reference:
        holes[index] = Hole(position: bytes.count)
        append(UInt32(0))
      }
    }
    return fields.indices.compactMap { holes[$0] }
  }

  mutating func string(_ text: String, in hole: Hole) {
    align(to: 4)
    point(hole)
    append(UInt32(text.utf8.count))
    bytes.append(contentsOf: text.utf8)
    bytes.append(0)
  }

  /// A vector of references; returns their holes.
  mutating func references(_ count: Int, in hole: Hole) -> [Hole] {
    align(to: 4)
    point(hole)
    append(UInt32(count))
    return (0..<count).map { _ in
      defer { append(UInt32(0)) }
      return Hole(position: bytes.count)
    }
  }

  /// A vector of structs of two long numbers.
  mutating func pairs(_ pairs: [(Int64, Int64)], in hole: Hole) {
    // The count lies right before the first element, which lies on a multiple of 8.
    align(to: 8)
    append(UInt32(0))
    point(hole)
    append(UInt32(pairs.count))
    for (first, second) in pairs {
      append(first)
      append(second)
    }
  }

  mutating func align(to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  /// The hole shows what is written next.
  private mutating func point(_ hole: Hole) {
    let distance = UInt32(bytes.count - hole.position)
    for shift in 0..<4 { bytes[hole.position + shift] = UInt8(truncatingIfNeeded: distance >> (8 * UInt32(shift))) }
  }

  private mutating func append(_ value: some FixedWidthInteger) {
    bytes.append(littleEndian: value)
  }
}
