// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// The records of a `log.bin`: a separator, type, Unix time, size, payload, checksum. Source: actigraph/GT3X-File-Format.
///
/// A record whose checksum is wrong is lost alone and counted: the next begins at a separator behind which a record is
/// whole.
final class GT3XLog {
  /// A record; its payload is valid until the next is read.
  struct Record {
    var type: UInt8
    /// Seconds since 1970 on the wearer's clock, as if it were universal time.
    var time: UInt32
    var payload: UnsafeRawBufferPointer
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
  private let buffer = UnsafeMutableRawPointer.allocate(byteCount: GT3XLog.bufferSize, alignment: 16)
  private var position = 0
  private var filled = 0
  private var bufferOffset = 0
  private var hasEnded = false

  init(_ source: any ByteSource, name: String, _ context: ReadingContext) {
    (self.source, self.name, self.context) = (source, name, context)
  }

  deinit { buffer.deallocate() }

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
      let rest = filled - position
      let found = rest > 0 ? memchr(buffer + position, Int32(Self.separator), rest) : nil
      position = found.map { UnsafeRawPointer($0) - UnsafeRawPointer(buffer) } ?? filled
      isFilling =
        isFilling && UnsafeRawBufferPointer(start: buffer + skipped, count: position - skipped).allSatisfy { $0 == 0 }
    }
    if let damage, !isFilling {
      context.statistics.count(damage.isShort ? .truncated : .damagedBlock, at: damage.place)
    }
    return nil
  }

  /// Bytes of the payload that a record at `position` would have; 0 where its beginning is not there.
  private var size: Int {
    filled - position < 8 ? 0 : Int((buffer + position + 6).loadUnaligned(as: UInt16.self).littleEndian)
  }

  /// The record at `position` where it is whole. After damage it must be followed by another or by the end, because one
  /// in 256 checksums is right by chance.
  private func record(afterDamage isDoubtful: Bool) throws(SensorError) -> Record? {
    guard try fill(Self.frame), buffer.load(fromByteOffset: position, as: UInt8.self) == Self.separator else {
      return nil
    }
    let (payload, whole) = (size, size + Self.frame)
    guard try fill(whole) else { return nil }
    let start = UnsafeRawPointer(buffer + position)
    var sum: UInt8 = 0xFF
    for index in 0..<whole { sum ^= start.load(fromByteOffset: index, as: UInt8.self) }
    guard sum == 0 else { return nil }
    if isDoubtful, try fill(whole + 1) {
      guard buffer.load(fromByteOffset: position + whole, as: UInt8.self) == Self.separator else { return nil }
    }
    let bytes = UnsafeRawPointer(buffer + position)
    return Record(
      type: bytes.load(fromByteOffset: 1, as: UInt8.self),
      time: bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self).littleEndian,
      payload: UnsafeRawBufferPointer(start: bytes + 8, count: payload), place: place)
  }

  /// Whether so many bytes are there from `position` on; reads on where they are not.
  private func fill(_ count: Int) throws(SensorError) -> Bool {
    while filled - position < count {
      guard !hasEnded else { return false }
      if position > 0 {
        memmove(buffer, buffer + position, filled - position)
        bufferOffset += position
        (filled, position) = (filled - position, 0)
      }
      do throws(SensorError) {
        let room = UnsafeMutableRawBufferPointer(start: buffer + filled, count: Self.bufferSize - filled)
        let read = try source.read(into: room)
        if read == 0 { hasEnded = true }
        filled += read
      } catch {
        try context.endOfBytes(error)
        hasEnded = true
      }
    }
    return true
  }
}

extension UnsafeRawBufferPointer {
  /// Little-endian; 0 beyond the end.
  func short(_ offset: Int) -> UInt16 {
    offset >= 0 && offset + 2 <= count ? loadUnaligned(fromByteOffset: offset, as: UInt16.self).littleEndian : 0
  }

  /// Little-endian; 0 beyond the end.
  func word(_ offset: Int) -> UInt32 {
    offset >= 0 && offset + 4 <= count ? loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian : 0
  }

  /// A number of ActiGraph's own layout: a fraction of 24 bits · 2⁻²³ and above it an exponent of 8 bits, both in two's
  /// complement. Source: actigraph/GT3X-File-Format, LogRecords/Parameters.md.
  func actiGraphNumber(_ offset: Int) -> Double {
    let bits = Int32(bitPattern: word(offset))
    let fraction = Double((bits &<< 8) &>> 8) / 8_388_608
    return scalbn(fraction, Int32(bits &>> 24))
  }
}
