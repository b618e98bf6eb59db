// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CZlib
import MotionSensing

/// Bytes in order, from a file or out of a decompressor.
protocol ByteSource: AnyObject {
  /// Appends at most `most` bytes and returns how many came; 0 = the end.
  func read(_ most: Int, into bytes: inout [UInt8]) throws(SensorError) -> Int
}

/// The bytes of a regular file, or of a part of it.
final class FileBytes: ByteSource {
  /// Bytes in the whole file when it was opened.
  let fileSize: Int64
  private let descriptor: Int32
  private let name: String
  private var offset: Int64
  private let end: Int64

  /// `range` in bytes of the file; nil = all of it. Fails on anything but a regular file: a pipe would block for ever.
  init(path: String, range: Range<Int64>? = nil) throws(SensorError) {
    let descriptor = MotionSensing.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw SensorError(opening: path, errno: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw SensorError(.unsupported, "This is not a regular file; give a file or a folder.", at: .init(file: path))
    }
    self.descriptor = descriptor
    name = path
    fileSize = Int64(status.st_size)
    offset = range?.lowerBound ?? 0
    end = range?.upperBound ?? Int64.max
  }

  deinit { close(descriptor) }

  /// The bytes from a place on; fewer at the end of the file.
  func bytes(at place: UInt64, count: Int) throws(SensorError) -> [UInt8] {
    offset = Int64(place)
    var result: [UInt8] = []
    result.reserveCapacity(count)
    while result.count < count, try read(count - result.count, into: &result) > 0 {}
    return result
  }

  func read(_ most: Int, into bytes: inout [UInt8]) throws(SensorError) -> Int {
    let wanted = Int(min(Int64(most), end - offset))
    guard wanted > 0 else { return 0 }
    while true {
      let count = bytes.append(most: wanted) { pread(descriptor, $0.baseAddress, $0.count, off_t(offset)) }
      if count >= 0 {
        offset += Int64(count)
        return count
      }
      guard errno == EINTR else {
        throw SensorError(.system, "Reading the file failed.", at: .init(file: name, byte: Int(offset)), errno: errno)
      }
    }
  }
}

extension ByteSource {
  /// Up to `limit` bytes. Bytes that came before a failure are returned; the next read meets the failure again.
  func bytes(limit: Int) throws(SensorError) -> [UInt8] {
    var result: [UInt8] = []
    while result.count < limit {
      do throws(SensorError) {
        if try read(min(64 << 10, limit - result.count), into: &result) == 0 { break }
      } catch {
        if result.isEmpty { throw error }
        break
      }
    }
    return result
  }
}

extension [UInt8] {
  /// Appends what a function of C writes into `most` bytes of room; it returns how many it wrote, or a negative number
  /// when it failed, which is passed on.
  ///
  /// Unsafe: the function gets an address for the time of its call, and the room is as long as it is told.
  mutating func append(most: Int, _ fill: (UnsafeMutableRawBufferPointer) -> Int) -> Int {
    var count = 0
    append(addingCapacity: most) { output in
      output.withUnsafeMutableBufferPointer { room, filled in
        count = fill(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: room[filled..<filled + most])))
        filled += Swift.max(0, Swift.min(count, most))
      }
    }
    return count
  }

  /// The same of a function that reads `bytes` at that.
  ///
  /// Unsafe: for the time of the call, with its length.
  mutating func append(
    most: Int, from bytes: Span<UInt8>, _ fill: (UnsafeMutableRawBufferPointer, UnsafeRawBufferPointer) -> Int
  ) -> Int {
    bytes.withUnsafeBytes { bytes in append(most: most) { fill($0, bytes) } }
  }
}

extension ArraySlice<UInt8> {
  /// The number whose lowest byte lies `place` bytes from the beginning; all its bytes must be there.
  func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, as: Number.Type = Number.self) -> Number
  {
    span.littleEndian(at: place)
  }
}

extension Span<UInt8> {
  /// The number whose lowest byte lies at `place`; the bytes must be there.
  func littleEndian<Number: FixedWidthInteger & BitwiseCopyable>(at place: Int, as: Number.Type = Number.self) -> Number
  {
    // unsafe: by its name only; bounds are checked, and any bytes are a whole number.
    Number(littleEndian: bytes.unsafeLoadUnaligned(fromByteOffset: place, as: Number.self))
  }
}

extension SensorError {
  /// What a failed `open` of a file or folder means to a person.
  init(opening path: String, errno: Int32) {
    let place = Place(file: path)
    switch errno {
    case ENOENT, ENOTDIR:
      self.init(.notFound, "There is no such file or folder.", at: place, errno: errno)
    case EACCES, EPERM:
      self.init(.notPermitted, "Reading it is not permitted; check its owner and mode.", at: place, errno: errno)
    default:
      self.init(.system, "The file could not be opened.", at: place, errno: errno)
    }
  }
}

/// The content of a gzip file (RFC 1952) or of a deflated zip entry (RFC 1951), inflated piece by piece.
///
/// Memory is constant. The ratio and the total are capped, so that a bomb ends as an error; a gzip file may consist of
/// several members, one after the other.
final class InflatedBytes: ByteSource {
  private let source: any ByteSource
  private let name: String
  /// Bytes that come out of a zip entry, as the zip's directory says; nil = a gzip file.
  private let declaredSize: Int64?
  // unsafe: zlib compares the address with the one it was started with, so it must stay the same.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Bytes of the source, and how many of them have been used.
  private var (input, used): ([UInt8], Int) = ([], 0)
  /// Bytes of the source that have been used.
  private var consumed: Int64 = 0
  private var produced: Int64 = 0
  private var hasEnded = false
  /// Where a further gzip member begins; and where bytes that belong to none do.
  private var (memberStart, trailing): (Int64?, Int64?) = (nil, nil)

  /// `zipEntrySize`: what a zip's directory says comes out of an entry; nil = a gzip file.
  init(_ source: any ByteSource, zipEntrySize: Int64? = nil, name: String) throws(SensorError) {
    (self.source, self.name, declaredSize) = (source, name, zipEntrySize)
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    // Window bits as zlib.h defines them: 15 + 16 = gzip only, −15 = deflate without a wrapper.
    let status = inflateInit2_(
      stream, declaredSize == nil ? 31 : -15, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      throw SensorError(.system, "zlib could not be started (status \(status)).", at: .init(file: name))
    }
  }

  deinit {
    inflateEnd(stream)
    stream.deallocate()
  }

  func read(_ most: Int, into bytes: inout [UInt8]) throws(SensorError) -> Int {
    while !hasEnded {
      if used == input.count, try refill() == 0 {
        // Where a zip's directory has said where an entry ends, nothing can be missing but by damage.
        guard declaredSize == nil else { throw damaged("It ends in the middle of its compressed data") }
        throw SensorError(
          .cutOff, "The file ends in the middle of its compressed data: it is truncated.", at: .init(file: name))
      }
      let (count, status) = inflate(most, into: &bytes)
      produced += Int64(count)
      try checkLimits()
      switch status {
      case Z_STREAM_END: try endMember()
      case Z_OK, Z_BUF_ERROR: break
      default:
        // What came out before the damage is used first; the next call meets the damage again.
        if count == 0 {
          // What begins as a further member does and is none.
          guard memberStart == nil || stream.pointee.total_out > 0 else {
            (hasEnded, trailing) = (true, memberStart)
            break
          }
          throw damaged("Its compressed data is damaged")
        }
      }
      if count > 0 { return count }
    }
    if let trailing {
      throw SensorError(
        .trailing, "Bytes that belong to nothing stand behind the compressed data.",
        at: .init(file: name, byte: Int(trailing)))
    }
    return 0
  }

  /// Inflates what the present input gives, at most `most` bytes; returns how many, and what zlib says.
  private func inflate(_ most: Int, into bytes: inout [UInt8]) -> (count: Int, status: Int32) {
    var status = Z_OK
    let count = bytes.append(most: min(most, Int(UInt32.max))) { room in
      // unsafe: zlib reads the input during the call.
      input.withUnsafeMutableBufferPointer { input in
        stream.pointee.next_in = input.baseAddress.map { $0 + used }
        stream.pointee.avail_in = UInt32(input.count - used)
        stream.pointee.next_out = room.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room.count)
        status = CZlib.inflate(stream, Z_NO_FLUSH)
      }
      return room.count - Int(stream.pointee.avail_out)
    }
    consumed += Int64(input.count - used) - Int64(stream.pointee.avail_in)
    used = input.count - Int(stream.pointee.avail_in)
    return (count, status)
  }

  private func refill() throws(SensorError) -> Int {
    (input, used) = ([], 0)
    return try source.read(64 << 10, into: &input)
  }

  /// Goes on with the next member of a gzip file when there is one; zeros behind the last are ignored, as gzip does,
  /// and other bytes are an error of the end, once all has been read.
  private func endMember() throws(SensorError) {
    hasEnded = true
    if let declaredSize {
      if produced != declaredSize { throw damaged("It has fewer bytes than its directory declares") }
      return
    }
    if used == input.count { _ = try refill() }
    guard used < input.count, input[used] == 0x1F else {
      trailing = try findTrailing()
      return
    }
    memberStart = consumed
    hasEnded = inflateReset(stream) != Z_OK
  }

  /// The first byte behind the last member that is not zero; nil where there is none.
  private func findTrailing() throws(SensorError) -> Int64? {
    var place = consumed
    while used < input.count {
      if let index = input[used...].firstIndex(where: { $0 != 0 }) { return place + Int64(index - used) }
      place += Int64(input.count - used)
      _ = try refill()
    }
    return nil
  }

  private func checkLimits() throws(SensorError) {
    if produced > min(declaredSize ?? .max, InputLimits.inflatedBytes) {
      let limit = declaredSize.map { "the \($0) bytes that its directory declares" }
      throw SensorError(
        .limitExceeded,
        "It decompresses to more than \(limit ?? "\(InputLimits.inflatedBytes >> 30) GiB, the limit").",
        at: .init(file: name))
    }
    if produced > InputLimits.freeInflatedBytes, produced / InputLimits.inflationRatio > consumed {
      throw SensorError(
        .limitExceeded,
        "It decompresses to more than \(InputLimits.inflationRatio) times its size, the limit.",
        at: .init(file: name))
    }
  }

  private func damaged(_ what: String) -> SensorError {
    .damaged(what, at: .init(file: name))
  }
}

/// The bytes of another source, whose checksum is compared at the end: for content without one of its own.
final class CheckedBytes: ByteSource {
  private let source: any ByteSource
  private let expected: UInt32
  private let name: String
  private var sum: UInt32 = 0

  /// `expected`: the CRC-32 that a zip's directory states.
  init(_ source: any ByteSource, expected: UInt32, name: String) {
    (self.source, self.expected, self.name) = (source, expected, name)
  }

  func read(_ most: Int, into bytes: inout [UInt8]) throws(SensorError) -> Int {
    let count = try source.read(most, into: &bytes)
    guard count > 0 else {
      guard sum == expected else {
        throw .damaged("Its content is not the one whose checksum the zip states", at: .init(file: name))
      }
      return 0
    }
    sum = checksum(bytes.suffix(count), continuing: sum)
    return count
  }
}
