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
