// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// The records of a `log.bin`: a separator, type, Unix time, size, payload, checksum. Source: actigraph/GT3X-File-Format.
///
/// A record whose checksum is wrong is lost alone and counted: the next begins at a separator behind which a record is
/// whole.
final class GT3XLog {
  /// A record.
  struct Record {
    var type: UInt8
    /// Seconds since 1970 on the wearer's clock, as if it were universal time.
    var time: UInt32
    var payload: ArraySlice<UInt8>
    var place: SensorError.Place
  }

  /// Kinds of records that are read.
  enum Kind {
    static let activity: UInt8 = 0
    static let parameters: UInt8 = 21
    static let sensorSchema: UInt8 = 24
    static let sensorData: UInt8 = 25
    static let activity2: UInt8 = 26
  }

  private static let separator: UInt8 = 0x1E
  /// Beside the payload.
  private static let frame = 9
  /// Room for the largest record, and as much again.
  private static let bufferSize = 2 * (0xFFFF + frame + 1)

  private let source: any ByteSource
  private let name: String
  private let context: ReadingContext
  private var buffer: [UInt8] = []
  private var position = 0
  private var bufferOffset = 0
  private var hasEnded = false

  init(_ source: any ByteSource, name: String, _ context: ReadingContext) {
    (self.source, self.name, self.context) = (source, name, context)
  }

  private var place: SensorError.Place { SensorError.Place(file: name, byte: bufferOffset + position) }

  /// The next whole record; nil at the end.
  func next() throws(SensorError) -> Record? {
    var damage: (place: SensorError.Place, isShort: Bool)?
    // Zeros behind the last record fill the file up.
    var isFilling = true
    while try fill(1) {
      if let record = try record(afterDamage: damage != nil) {
        if let damage { context.statistics.count(.damagedBlock, at: damage.place) }
        position += Self.frame + record.payload.count
        return record
      }
      if damage == nil { damage = (place, try !fill(Self.frame + size)) }
      let skipped = position
      position += 1
      position = buffer[position...].firstIndex(of: Self.separator) ?? buffer.count
      isFilling = isFilling && buffer[skipped..<position].allSatisfy { $0 == 0 }
    }
    if let damage, !isFilling {
      context.statistics.count(damage.isShort ? .truncated : .damagedBlock, at: damage.place)
    }
    return nil
  }

  /// Bytes of the payload that a record at `position` would have; 0 where its beginning is not there.
  private var size: Int {
    Int(buffer[position...].short(6))
  }

  /// The record at `position` where it is whole. After damage it must be followed by another or by the end, because one
  /// in 256 checksums is right by chance.
  private func record(afterDamage isDoubtful: Bool) throws(SensorError) -> Record? {
    guard try fill(Self.frame), buffer[position] == Self.separator else { return nil }
    let (payload, whole) = (size, size + Self.frame)
    guard try fill(whole) else { return nil }
    guard buffer[position..<position + whole].reduce(0xFF, ^) == 0 else { return nil }
    if isDoubtful, try fill(whole + 1) {
      guard buffer[position + whole] == Self.separator else { return nil }
    }
    let bytes = buffer[position..<position + 8 + payload]
    return Record(
      type: bytes[position + 1], time: bytes.word(2), payload: bytes.dropFirst(8), place: place)
  }

  /// Whether so many bytes are there from `position` on; reads on where they are not.
  private func fill(_ count: Int) throws(SensorError) -> Bool {
    while buffer.count - position < count {
      guard !hasEnded else { return false }
      if position > 0 {
        buffer.removeFirst(position)
        bufferOffset += position
        position = 0
      }
      do throws(SensorError) {
        hasEnded = try source.read(Self.bufferSize - buffer.count, into: &buffer) == 0
      } catch {
        try context.endOfBytes(error)
        hasEnded = true
      }
    }
    return true
  }
}

extension ArraySlice<UInt8> {
  /// Little-endian, `offset` bytes from the beginning; 0 beyond the end.
  func short(_ offset: Int) -> UInt16 { offset >= 0 && offset + 2 <= count ? span.littleEndian(at: offset) : 0 }

  /// The same of four bytes.
  func word(_ offset: Int) -> UInt32 { offset >= 0 && offset + 4 <= count ? span.littleEndian(at: offset) : 0 }

  /// A number of ActiGraph's own layout: a fraction of 24 bits · 2⁻²³ and above it an exponent of 8 bits, both in two's
  /// complement. Source: actigraph/GT3X-File-Format, LogRecords/Parameters.md.
  func actiGraphNumber(_ offset: Int) -> Double {
    let bits = Int32(bitPattern: word(offset))
    let fraction = Double((bits &<< 8) &>> 8) / 8_388_608
    return scalbn(fraction, Int32(bits &>> 24))
  }
}
