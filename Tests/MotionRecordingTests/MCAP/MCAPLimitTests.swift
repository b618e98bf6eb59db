// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// One file for each cap on what an MCAP file may declare, with one more than that: refused in a sentence, and without
/// memory for what is only declared (Documentation/Formats.md 1.1).
@Suite struct MCAPLimitTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A file of some records, without an end.
  private func refusal(_ body: (inout MCAPBytes) -> Void) throws -> SensorError? {
    var bytes = MCAPBytes()
    bytes.append(raw: MCAPRecord.magic)
    bytes.append(record: .header) {
      $0.append("")
      $0.append("test")
    }
    body(&bytes)
    let path = try folder.write("a.mcap", bytes.bytes)
    do throws(SensorError) {
      let reader = try MCAPReader(path: path)
      for attachment in reader.index.attachments { _ = try reader.data(of: attachment) }
      while try reader.next() != nil {}
      return nil
    } catch { return error }
  }

  private static func channel(_ id: UInt16, topic: String = "/a", metadata: [(String, String)] = []) -> MCAPChannel {
    MCAPChannel(id: id, schema: 0, topic: topic, messageEncoding: "json", metadata: metadata)
  }

  private static func chunk(
    _ bytes: inout MCAPBytes, size: UInt64, compression: String, stored: [UInt8], declared: UInt64? = nil
  ) {
    bytes.append(record: .chunk) {
      $0.append(UInt64(0))
      $0.append(UInt64(0))
      $0.append(size)
      $0.append(UInt32(0))
      $0.append(compression)
      $0.append(declared ?? UInt64(stored.count))
      $0.append(raw: stored)
    }
  }

  @Test func schemas() throws {
    func file(_ count: Int) throws -> SensorError? {
      try refusal { bytes in
        for id in 1...count {
          MCAPSchema(id: UInt16(id), name: "s", encoding: "", data: []).write(&bytes)
        }
      }
    }
    #expect(try file(1024) == nil)
    #expect(try file(1025)?.code == .limitExceeded)
    func size(_ count: Int) throws -> SensorError? {
      try refusal {
        MCAPSchema(id: 1, name: "s", encoding: "", data: [UInt8](repeating: 0x20, count: count)).write(&$0)
      }
    }
    #expect(try size(1 << 20) == nil)
    #expect(try size(1 << 20 + 1)?.code == .limitExceeded)
  }

  @Test func channelsAndTheirNames() throws {
    func file(_ count: Int) throws -> SensorError? {
      try refusal { bytes in for id in 0..<count { Self.channel(UInt16(id)).write(&bytes) } }
    }
    #expect(try file(4096) == nil)
    #expect(try file(4097)?.code == .limitExceeded)
    func name(_ count: Int) throws -> SensorError? {
      try refusal { Self.channel(1, topic: String(repeating: "a", count: count)).write(&$0) }
    }
    #expect(try name(1024) == nil)
    #expect(try name(1025)?.code == .limitExceeded)
    func map(_ count: Int) throws -> SensorError? {
      try refusal { Self.channel(1, metadata: Array(repeating: ("", ""), count: count)).write(&$0) }
    }
    #expect(try map(65_536) == nil)
    #expect(try map(65_537)?.code == .limitExceeded)
  }

  @Test func metadataAndAttachments() throws {
    func metadata(_ count: Int) throws -> SensorError? {
      try refusal { bytes in
        for _ in 0..<count {
          bytes.append(record: .metadata) {
            $0.append("m")
            $0.append([("a", "b")])
          }
        }
      }
    }
    #expect(try metadata(4096) == nil)
    #expect(try metadata(4097)?.code == .limitExceeded)
    func attachments(_ count: Int, size: UInt64 = 0) throws -> SensorError? {
      try refusal { bytes in
        for _ in 0..<count {
          bytes.append(record: .attachment) {
            $0.append(UInt64(0))
            $0.append(UInt64(0))
            $0.append("a")
            $0.append("b")
            $0.append(size)
            $0.append(UInt32(0))
          }
        }
      }
    }
    #expect(try attachments(4096) == nil)
    #expect(try attachments(4097)?.code == .limitExceeded)
    #expect(try attachments(1, size: 64 << 20 + 1)?.code == .limitExceeded)
    let long = String(repeating: "a", count: 1 << 20 + 1)
    #expect(
      try refusal {
        $0.append(record: .metadata) {
          $0.append("m")
          $0.append([("a", long)])
        }
      }?.code == .limitExceeded)
  }

  @Test func chunksThatDeclareMoreThanTheyMay() throws {
    // Stored: more than 64 MiB; the file need not have them.
    #expect(
      try refusal {
        $0.append(MCAPRecord.Code.chunk.rawValue)
        $0.append(UInt64(64 << 20 + 1))
      }?.code == .limitExceeded)
    // A length that no file has.
    #expect(
      try refusal {
        $0.append(MCAPRecord.Code.message.rawValue)
        $0.append(UInt64.max)
      }?.code == .limitExceeded)
    // Decompressed: more than 256 MiB, or 200 times what is stored.
    #expect(
      try refusal {
        Self.chunk(&$0, size: 256 << 20 + 1, compression: "zstd", stored: [UInt8](repeating: 0, count: 4 << 20))
      }?.code == .limitExceeded)
    #expect(
      try refusal { Self.chunk(&$0, size: 2 << 20, compression: "zstd", stored: [1, 2, 3]) }?.code == .limitExceeded)
    // More records than bytes, and more bytes than the record has.
    #expect(try refusal { Self.chunk(&$0, size: 100, compression: "", stored: [1, 2, 3]) }?.code == .malformed)
    #expect(
      try refusal { Self.chunk(&$0, size: 3, compression: "", stored: [1, 2, 3], declared: 99) }?.code == .malformed)
    #expect(try refusal { Self.chunk(&$0, size: 3, compression: "br", stored: [1, 2, 3]) }?.code == .unsupported)
  }

  @Test(arguments: ["zstd", "lz4"]) func aChunkThatHoldsMoreThanItDeclares(_ name: String) throws {
    let compression = try #require(MCAPCompression(rawValue: name))
    guard let codec = try? compression.makeCodec() else { return }
    let zeros = [UInt8](repeating: 0, count: 900_000)
    let stored = try codec.compress(zeros.span)
    #expect(try refusal { Self.chunk(&$0, size: 800_000, compression: name, stored: stored) }?.code == .malformed)
    #expect(try refusal { Self.chunk(&$0, size: 1_000_000, compression: name, stored: stored) }?.code == .malformed)
  }

  @Test func recordsThatContradictThemselves() throws {
    // A string longer than its record, a schema with the number 0, a message of a channel that is not declared.
    #expect(
      try refusal {
        $0.append(record: .channel) {
          $0.append(UInt16(1))
          $0.append(UInt16(0))
          $0.append(UInt32(900))
        }
      }?.code == .malformed)
    #expect(try refusal { MCAPSchema(id: 0, name: "s", encoding: "", data: []).write(&$0) }?.code == .malformed)
    let message = { (bytes: inout MCAPBytes) in
      bytes.append(record: .message) {
        $0.append(UInt16(7))
        $0.append(UInt32(0))
        $0.append(UInt64(0))
        $0.append(UInt64(0))
      }
    }
    #expect(try refusal(message)?.message.contains("channel 7") == true)
    #expect(
      try refusal {
        Self.channel(1).write(&$0)
        Self.channel(1, topic: "/b").write(&$0)
      }?.message.contains("twice") == true)
    // Outside of chunks, as some programs write.
    #expect(
      try refusal {
        Self.channel(7).write(&$0)
        message(&$0)
      } == nil)
  }
}

/// The bytes of a small file, record by record (Documentation/Formats.md 6.1).
@Suite struct MCAPLayoutTests {
  @Test func aFileOfOneMessageHasTheseRecordsInThisOrder() throws {
    let time = SensorInstant(nanoseconds: 1000)
    let sample = GyroscopeSample(time: time, angularVelocity: Vector3(x: 1, y: 2, z: 3))
    let bytes = try MCAPFixture.file([.sample(.gyroscope(sample), receivedAt: time + .milliseconds(1))])
    #expect(bytes.starts(with: MCAPRecord.magic) && bytes.suffix(8).elementsEqual(MCAPRecord.magic))
    var records: [(code: UInt8, start: Int, length: Int)] = []
    var position = 8
    while position < bytes.count - 8 {
      let length = Int(number(bytes, position + 1, 8))
      records.append((bytes[position], position, length))
      position += 9 + length
    }
    #expect(position == bytes.count - 8)
    #expect(
      records.map(\.code) == [
        // Header, metadata, attachment, chunk with its index, end of data.
        0x01, 0x0C, 0x09, 0x06, 0x07, 0x0F,
        // Schema, channel, chunk index, attachment index, metadata index, statistics.
        0x03, 0x04, 0x08, 0x0A, 0x0D, 0x0B,
        0x0E, 0x0E, 0x0E, 0x0E, 0x0E, 0x0E, 0x02,
      ])
    let header = Array(bytes[8..<(8 + 9 + 22)])
    #expect(header == [1, 22, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0] + Array("opencoremotion".utf8))
    // The message: channel 0, sequence 0, log time 1 ms after the sample, on the Unix time line.
    let body = Array(#"{"timestamp_ns":1000,"x":1.0,"y":2.0,"z":3.0}"#.utf8)
    let place = try #require(bytes.firstRange(of: body)).lowerBound
    #expect(number(bytes, place - 30, 8) == UInt64(22 + body.count) && bytes[place - 31] == 0x05)
    #expect(number(bytes, place - 22, 2) == 0 && number(bytes, place - 20, 4) == 0)
    #expect(number(bytes, place - 16, 8) == 1_726_485_000_001_001_123)
    #expect(number(bytes, place - 8, 8) == 1_726_485_000_000_001_123)
    // The message index: channel 0, one entry of 16 bytes that leads to the message's record.
    let chunk = records[3]
    let first = chunk.start + 9 + 8 + 8 + 8 + 4 + 4 + 8
    let index = records[4].start + 9
    #expect(number(bytes, index, 2) == 0 && number(bytes, index + 2, 4) == 16)
    #expect(number(bytes, index + 6, 8) == 1_726_485_000_001_001_123)
    #expect(first + Int(number(bytes, index + 14, 8)) == place - 31)
    // The footer leads to the summary and to the offsets of its groups.
    let footer = try #require(records.last).start + 9
    #expect(Int(number(bytes, footer, 8)) == records[6].start && Int(number(bytes, footer + 8, 8)) == records[12].start)
    // Checksums of the chunk's records, the data section and the summary.
    let recordsOfChunk = Array(bytes[first..<(chunk.start + 9 + chunk.length)])
    #expect(UInt32(number(bytes, chunk.start + 9 + 24, 4)) == crc(recordsOfChunk))
    let dataEnd = records[5].start
    #expect(UInt32(number(bytes, dataEnd + 9, 4)) == crc(Array(bytes[..<dataEnd])))
    #expect(UInt32(number(bytes, footer + 16, 4)) == crc(Array(bytes[records[6].start..<(footer + 16)])))
  }

  @Test func theChecksumIsTheOneOfZip() {
    #expect(crc(Array("123456789".utf8)) == 0xCBF4_3926)
  }

  @Test func equalInputGivesEqualBytes() throws {
    let items = MCAPFixture.items(count: 30)
    #expect(try MCAPFixture.file(items) == MCAPFixture.file(items))
  }

  @Test func afterASinkHasFailedNothingMoreIsWritten() throws {
    let sink = FullSink(room: 5000)
    let writer = try MCAPWriter(sink, MCAPFixture.description())
    let error = #expect(throws: SensorError.self) {
      for item in MCAPFixture.items(count: 2000) { try writer.write(item) }
    }
    #expect(error?.errno == 28)
    #expect(throws: SensorError.self) { try writer.finish() }
    #expect(sink.refusals == 1)
  }

  /// What a sink holds back may be lost, or written by half, when it is handed to the kernel.
  @Test func afterAFlushHasFailedNothingMoreIsWritten() throws {
    let sink = LazySink()
    let writer = try MCAPWriter(sink, MCAPFixture.description())
    for item in MCAPFixture.items(count: 20) { try writer.write(item) }
    sink.fails = true
    #expect(throws: SensorError.self) { try writer.flush() }
    sink.fails = false
    let count = sink.count
    #expect(throws: SensorError.self) { try writer.finish() }
    #expect(sink.count == count)
  }

  /// The standard allows messages beside chunks that hold others; no summary tells where they lie.
  @Test func messagesOutsideOfChunksAreReadBesideThoseInThem() throws {
    let folder = try TemporaryFolder()
    var bytes = try MCAPFixture.file(MCAPFixture.items(count: 20))
    let whole = try MCAPFixture.messages(folder.write("a.mcap", bytes))
    let last = try #require(whole.last)
    var record = MCAPBytes()
    record.append(record: .message) {
      $0.append(last.channel)
      $0.append(last.sequence + 1)
      $0.append(last.logTime + 1)
      $0.append(last.publishTime + 1)
      $0.append(raw: Array(last.body))
    }
    let footer = bytes.count - 8 - 20
    let summary = number(bytes, footer, 8)
    // Before the end of the data, 13 bytes, which the summary follows.
    bytes.insert(contentsOf: record.bytes, at: Int(summary) - 13)
    func move(_ place: Int) {
      let moved = number(bytes, place, 8) + UInt64(record.count)
      for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: moved >> UInt64(8 * index)) }
    }
    move(footer + record.count)
    move(footer + record.count + 8)
    // No checksums: that of the data, that of the summary.
    for index in 0..<4 {
      bytes[bytes.count - 12 + index] = 0
      bytes[Int(summary) + record.count - 4 + index] = 0
    }
    let found = try MCAPFixture.messages(folder.write("b.mcap", bytes))
    #expect(found.count == whole.count + 1 && found.last?.logTime == last.logTime + 1)
    #expect(Array(found.dropLast()) == whole)
  }

  private func number(_ bytes: [UInt8], _ place: Int, _ size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[place + $1]) << UInt64(8 * $1) }
  }

  private func crc(_ bytes: [UInt8]) -> UInt32 { checksum(bytes[...]) }
}

/// A disk that becomes full.
private final class FullSink: ByteSink {
  private var room: Int
  private(set) var refusals = 0
  init(room: Int) { self.room = room }

  func write(_ bytes: Span<UInt8>) throws(SensorError) {
    room -= bytes.count
    guard room < 0 else { return }
    refusals += 1
    throw SensorError(.system, "There is no space left.", errno: 28)
  }
  func finish() throws(SensorError) {}
}

/// A disk that fails when it is asked to keep what it was given.
private final class LazySink: ByteSink {
  var fails = false
  private(set) var count = 0

  func write(_ bytes: Span<UInt8>) throws(SensorError) { count += bytes.count }
  func flush() throws(SensorError) {
    if fails { throw SensorError(.system, "There is no space left.", errno: 28) }
  }
  func finish() throws(SensorError) {}
}
