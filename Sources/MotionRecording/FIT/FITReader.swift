// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// One data message of a FIT file.
struct FITMessage {
  /// The global number of its kind.
  var kind: UInt16
  /// The field 253, or the time that a compressed header gives: seconds.
  var time: UInt32?
  /// Where it lies in the file.
  var offset: UInt64
  fileprivate var fields: [FITDefinition.Field]
  fileprivate var isBigEndian: Bool
  fileprivate var bytes: [UInt8]

  /// The numbers of a field, NaN for those that are marked as invalid; nil where the message has no such field.
  func numbers(_ number: UInt8) -> [Double]? {
    guard let field = fields.first(where: { $0.number == number }) else { return nil }
    let size = FITDefinition.size(ofType: field.type)
    guard size > 0 else { return [] }
    return stride(from: field.start, to: field.start + field.size - field.size % size, by: size).map { start in
      let number = bytes[start..<start + size]
      let bits = (isBigEndian ? Array(number) : number.reversed()).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return FITDefinition.value(bits, type: field.type)
    }
  }
}

/// What the messages of a local number look like, until it is defined again.
struct FITDefinition {
  struct Field {
    var number: UInt8
    var size: Int
    var type: UInt8
    var start: Int
  }

  var kind: UInt16
  var isBigEndian: Bool
  var fields: [Field] = []
  /// Bytes of a message, those of developers included.
  var size = 0

  /// Bytes of a number, by the base types of the protocol; 0 for text.
  static func size(ofType type: UInt8) -> Int {
    switch type & 0x1F {
    case 0, 1, 2, 10, 13: 1
    case 3, 4, 11: 2
    case 5, 6, 8, 12: 4
    case 9, 14, 15, 16: 8
    default: 0
    }
  }

  /// A number from its bits; NaN for the value that marks one as invalid.
  static func value(_ bits: UInt64, type: UInt8) -> Double {
    switch type & 0x1F {
    case 0, 2: bits == 0xFF ? .nan : Double(bits)
    case 1: bits == 0x7F ? .nan : Double(Int8(truncatingIfNeeded: bits))
    case 3: bits == 0x7FFF ? .nan : Double(Int16(truncatingIfNeeded: bits))
    case 4: bits == 0xFFFF ? .nan : Double(bits)
    case 5: bits == 0x7FFF_FFFF ? .nan : Double(Int32(truncatingIfNeeded: bits))
    case 6: bits == 0xFFFF_FFFF ? .nan : Double(bits)
    case 8: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
    case 9: Double(bitPattern: bits)
    default: .nan
    }
  }
}

/// Reads the messages of a FIT file one after the other, or of several that follow each other in one file.
///
/// A file is a header of 12 or 14 bytes, records, and the sum CRC-16 of all before it. A record defines what the data
/// messages of one of 16 local numbers look like, or is such a message. Where a record is damaged the lengths of those
/// behind it are unknown: the rest of the file is lost. Source: Flexible and Interoperable Data Transfer Protocol,
/// D00001275.
final class FITReader {
  private let input: MCAPInput
  private let context: ReadingContext
  private var position: UInt64 = 0
  /// Of the records of this file; nil = its header comes next.
  private var end: UInt64?
  private var definitions: [UInt8: FITDefinition] = [:]
  private var lastTime: UInt32?
  private var sum: UInt16 = 0
  /// The header of a recorder that was killed states no length, and there is no sum.
  private(set) var isUnfinished = false

  var path: String { input.path }

  init(_ input: MCAPInput, _ context: ReadingContext) { (self.input, self.context) = (input, context) }

  /// The next message; nil at the end.
  func next() throws(SensorError) -> FITMessage? {
    while position < input.size {
      let begin = position
      do throws(SensorError) {
        guard let end else {
          try readHeader()
          continue
        }
        guard position < end else {
          try finish()
          continue
        }
        if let message = try readRecord() { return message }
      } catch {
        // Nothing behind it can be told apart.
        (position, end) = (input.size, nil)
        if error.code == .cutOff {
          context.statistics.count(.truncated, at: error.place ?? input.place(begin))
        } else {
          try context.report(.malformed, error)
        }
      }
    }
    // Between two records, or before its sum.
    if end != nil, !isUnfinished { context.statistics.count(.truncated, at: input.place(input.size)) }
    end = nil
    return nil
  }

  private func take(_ count: Int) throws(SensorError) -> [UInt8] {
    let bytes = try input.bytes(at: position, count: count)
    let next = position + UInt64(bytes.count)  // fits: a count
    guard bytes.count == count, end.map({ next <= $0 }) ?? true else {
      throw SensorError(.cutOff, "The FIT file ends in the middle of a record.", at: input.place(position))
    }
    position = next
    for byte in bytes { sum = Self.table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
    return bytes
  }

  private func readHeader() throws(SensorError) {
    (sum, definitions, lastTime) = (0, [:], nil)
    let begin = position
    let head = try take(12)
    guard head[0] == 12 || head[0] == 14, head[8...].elementsEqual(".FIT".utf8) else {
      throw .damaged("There is no header of a FIT file", at: input.place(begin))
    }
    _ = try take(Int(head[0]) - 12)
    let length = LittleEndianBytes(head).unsigned32(at: 4)
    isUnfinished = length == 0
    end = isUnfinished ? input.size : position + UInt64(length)
  }

  /// The sum behind the records.
  private func finish() throws(SensorError) {
    end = nil
    guard !isUnfinished else { return }
    let begin = position
    // The sum of everything with its own sum behind it is zero.
    _ = try take(2)
    guard sum == 0 else {
      try context.report(
        .malformed, "The checksum of the FIT file is wrong, so something in it is damaged", at: input.place(begin))
      return
    }
  }

  private func readRecord() throws(SensorError) -> FITMessage? {
    let begin = position
    let head = try take(1)[0]
    if head & 0xC0 == 0x40 {
      try readDefinition(local: head & 0x0F, hasDeveloperFields: head & 0x20 != 0)
      return nil
    }
    let isCompressed = head & 0x80 != 0
    let local = isCompressed ? head >> 5 & 0x03 : head & 0x0F
    guard let definition = definitions[local] else {
      throw .damaged(
        "A message of the FIT file has the local number \(local), which is not defined: what follows cannot be read",
        at: input.place(begin))
    }
    var message = FITMessage(
      kind: definition.kind, offset: begin, fields: definition.fields, isBigEndian: definition.isBigEndian,
      bytes: try take(definition.size))
    if isCompressed, let last = lastTime {
      // Five bits of the time, which only goes forward.
      message.time = last &+ (UInt32(head & 0x1F) &- last) & 0x1F
    } else if let stamp = message.numbers(253)?.first, stamp.isFinite {
      message.time = UInt32(exactly: stamp)
    }
    lastTime = message.time ?? lastTime
    return message
  }

  private func readDefinition(local: UInt8, hasDeveloperFields: Bool) throws(SensorError) {
    let head = try take(5)
    let isBigEndian = head[1] == 1
    let kind = isBigEndian ? UInt16(head[2]) << 8 | UInt16(head[3]) : UInt16(head[3]) << 8 | UInt16(head[2])
    var definition = FITDefinition(kind: kind, isBigEndian: isBigEndian)
    let fields = try take(3 * Int(head[4]))
    for place in stride(from: 0, to: fields.count, by: 3) {
      definition.fields.append(
        .init(number: fields[place], size: Int(fields[place + 1]), type: fields[place + 2], start: definition.size))
      definition.size += Int(fields[place + 1])
    }
    if hasDeveloperFields {
      let others = try take(3 * Int(try take(1)[0]))
      for place in stride(from: 0, to: others.count, by: 3) { definition.size += Int(others[place + 1]) }
    }
    definitions[local] = definition
  }

  /// CRC-16 with the reflected polynomial A001, byte by byte.
  private static let table: [UInt16] = (0..<256).map { byte in
    // fits: below 256
    (0..<8).reduce(UInt16(byte)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
  }
}
