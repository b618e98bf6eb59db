// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
import MotionSensing

/// Bytes of an open descriptor: a pipe, a socket, standard input.
final class DescriptorBytes: ByteSource {
  private let descriptor: Int32
  private let name: String

  init(_ descriptor: Int32, name: String) {
    self.descriptor = descriptor
    self.name = name
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&state, 1, -1)
      default: throw SensorError(.system, "Reading failed.", at: .init(file: name), errno: errno)
      }
    }
  }
}

/// The messages of an Arrow stream, one after the other.
final class ArrowBytes {
  /// What stands in front of a body.
  struct Message {
    var type: UInt8
    var header: FlatBufferReader.Table?
    var bodyLength: Int64
  }

  private static let piece = 1 << 20
  private let source: any ByteSource
  private let name: String
  private var offset = 0
  /// Bytes that were looked at and belong to what follows.
  private var ahead: [UInt8] = []

  init(_ source: any ByteSource, name: String) {
    self.source = source
    self.name = name
  }

  func error(_ code: SensorError.Code, _ message: String, column: String? = nil) -> SensorError {
    SensorError(code, message, at: .init(file: name, byte: offset, column: column))
  }

  /// An Arrow file begins with `ARROW1` and two bytes of padding, then the stream follows.
  func skipFileHeader() throws(SensorError) {
    ahead = try take(8, orEnd: true) ?? []
    if ahead.starts(with: "ARROW1".utf8) { ahead = [] } else { offset -= ahead.count }
  }

  /// The next message's metadata; nil at the end mark and at the end of the bytes.
  func message() throws(SensorError) -> Message? {
    guard let head = try take(8, orEnd: true) else { return nil }
    guard head[0..<4].allSatisfy({ $0 == 0xFF }) else {
      throw error(
        .malformed, "A message should begin here with FF FF FF FF: this is no Arrow stream, or one from before 2019.")
    }
    let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(head[$1]) }
    if length == 0 { return nil }
    guard length <= InputLimits.arrowMetadataBytes else {
      throw error(
        .limitExceeded,
        "A message declares \(length) bytes of metadata, more than \(InputLimits.arrowMetadataBytes >> 20) MiB.")
    }
    guard let metadata = try take(length), let root = FlatBufferReader(bytes: metadata).root else {
      throw error(.malformed, "The metadata of a message cannot be read.")
    }
    let bodyLength: Int64 = root.number(3)
    guard bodyLength >= 0, bodyLength <= InputLimits.arrowBodyBytes else {
      throw error(
        .limitExceeded,
        "A batch declares \(bodyLength) bytes, more than \(InputLimits.arrowBodyBytes >> 20) MiB: write smaller batches."
      )
    }
    return Message(type: root.number(1), header: root.table(2), bodyLength: bodyLength)
  }

  /// The bytes behind the metadata.
  func body(_ length: Int64) throws(SensorError) -> ArrowBody { ArrowBody(bytes: try take(Int(length)) ?? []) }

  /// Exactly so many bytes. At the end of the source: nil with `orEnd` when there was none, else an error. Memory grows
  /// with the bytes that come, not with what was declared.
  private func take(_ count: Int, orEnd: Bool = false) throws(SensorError) -> [UInt8]? {
    var bytes = ahead
    ahead = []
    if bytes.count > count {
      ahead = Array(bytes[count...])
      bytes.removeLast(bytes.count - count)
    }
    offset += bytes.count
    while bytes.count < count {
      let start = bytes.count
      let wanted = min(Self.piece, count - start)
      bytes.append(contentsOf: repeatElement(0, count: wanted))
      var got = 0
      while got < wanted {
        let (from, upTo) = (start + got, start + wanted)
        let step = try Self.read(source, &bytes, from..<upTo)
        if step == 0 {
          bytes.removeLast(wanted - got)
          if orEnd, bytes.isEmpty { return nil }
          throw error(
            .malformed, "The Arrow stream breaks off here: \(count) bytes should follow, and \(bytes.count) do.")
        }
        got += step
        offset += step
      }
    }
    return bytes
  }

  private static func read(
    _ source: any ByteSource, _ bytes: inout [UInt8], _ range: Range<Int>
  ) throws(SensorError) -> Int {
    try bytes.withUnsafeMutableBufferPointer { (buffer) throws(SensorError) -> Int in
      try source.read(into: UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[range])))
    }
  }
}

/// The bytes of a batch.
struct ArrowBody {
  let bytes: [UInt8]

  /// One buffer; nil when it reaches beyond the batch.
  func part(_ offset: Int64, _ length: Int64) -> ArraySlice<UInt8>? {
    guard offset >= 0, length >= 0, offset <= Int64(bytes.count), length <= Int64(bytes.count) - offset else {
      return nil
    }
    return bytes[Int(offset)..<Int(offset + length)]
  }
}
