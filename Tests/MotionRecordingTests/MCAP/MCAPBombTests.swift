// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// Small files that ask for much memory, time or output: what a reader keeps and does is bounded by the file's own
/// size.
@Suite struct MCAPBombTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A finished file of chunks and other records, with the summary that the test wants.
  private struct File {
    var bytes = MCAPBytes()
    var summary = MCAPSummary()
    var messages: UInt64 = 0

    init() {
      bytes.append(raw: MCAPRecord.magic)
      bytes.append(record: .header) {
        $0.append("")
        $0.append("test")
      }
      let schema = MCAPSchema(id: 1, name: "s", encoding: "jsonschema", data: [])
      let channel = MCAPChannel(
        id: 1, schema: 1, topic: "/sensor/gyroscope", messageEncoding: "json", metadata: [])
      (summary.schemas, summary.channels) = ([schema], [channel])
      schema.write(&bytes)
      channel.write(&bytes)
    }

    /// A chunk with a message at each of these times.
    mutating func addChunk(_ times: [UInt64]) {
      var records = MCAPBytes()
      for time in times {
        records.append(record: .message) {
          $0.append(UInt16(1))
          $0.append(UInt32(0))
          $0.append(time)
          $0.append(time)
          $0.append(raw: Array(#"{"timestamp_ns":\#(time),"x":1,"y":2,"z":3}"#.utf8))
        }
        messages += 1
      }
      addChunk(records.bytes, size: records.count, compression: "", from: times.min() ?? 0, to: times.max() ?? 0)
    }

    mutating func addChunk(_ stored: [UInt8], size: Int, compression: String, from start: UInt64, to end: UInt64) {
      let offset = UInt64(bytes.count)
      bytes.append(record: .chunk) {
        $0.append(start)
        $0.append(end)
        $0.append(UInt64(size))
        $0.append(UInt32(0))
        $0.append(compression)
        $0.append(UInt64(stored.count))
        $0.append(raw: stored)
      }
      summary.chunks.append(
        MCAPChunkIndex(
          start: start, end: end, offset: offset, length: UInt64(bytes.count) - offset, compression: compression,
          storedSize: UInt64(stored.count), size: UInt64(size)))
    }

    /// A record; returns where it lies.
    mutating func add(_ code: MCAPRecord.Code, _ body: (inout MCAPBytes) -> Void) -> (offset: UInt64, length: UInt64) {
      let offset = UInt64(bytes.count)
      bytes.append(record: code, body)
      return (offset, UInt64(bytes.count) - offset)
    }

    mutating func addMetadata(pairs: Int) -> (offset: UInt64, length: UInt64) {
      add(.metadata) {
        $0.append("m")
        $0.append(UInt32(8 * pairs))
        $0.append(raw: [UInt8](repeating: 0, count: 8 * pairs))
      }
    }

    func finished() -> [UInt8] {
      var bytes = bytes
      bytes.append(record: .dataEnd) { $0.append(UInt32(0)) }
      let begin = UInt64(bytes.count)
      var end = MCAPBytes()
      summary.write(&end, at: begin, messages: messages)
      bytes.append(raw: end.bytes)
      bytes.append(raw: MCAPRecord.magic)
      return bytes.bytes
    }
  }

  private func reader(_ file: File) throws -> MCAPReader {
    try MCAPReader(path: folder.write("bomb.mcap", file.finished()))
  }

  private func refusal(_ file: File) throws -> SensorError? {
    let path = try folder.write("bomb.mcap", file.finished())
    do throws(SensorError) {
      let reader = try MCAPReader(path: path)
      while try reader.next() != nil {}
      return nil
    } catch { return error }
  }

  /// 440 kB became 8.8 GB of memory, and `cut` copied 1 MB 4096 times.
  @Test func whatTheSummaryNamesManyTimesIsReadOnce() throws {
    var file = File()
    file.addChunk([1000, 2000])
    let metadata = file.addMetadata(pairs: 60_000)
    let content = [UInt8](repeating: 7, count: 100_000)
    let attachment = file.add(.attachment) {
      $0.append(UInt64(0))
      $0.append(UInt64(0))
      $0.append("a")
      $0.append("b")
      $0.append(UInt64(content.count))
      $0.append(raw: content)
      $0.append(UInt32(0))
    }
    for _ in 0..<5000 {
      file.summary.metadata.append(.init(offset: metadata.offset, length: metadata.length, name: "m"))
      file.summary.attachments.append(
        MCAPAttachment(
          offset: attachment.offset, length: attachment.length, logTime: 0, createTime: 0,
          size: UInt64(content.count), name: "a", mediaType: "b"))
    }
    let reader = try reader(file)
    #expect(reader.index.metadata.map(\.values.count) == [60_000])
    #expect(try reader.index.attachments.map { try reader.data(of: $0) } == [content])
    #expect(reader.index.isFinished && reader.index.chunkCount == 1)
  }

  @Test func whatAFileDeclaresTakesABoundedAmountOfMemory() throws {
    var file = File()
    for _ in 0..<24 {
      let (offset, length) = file.addMetadata(pairs: 65_536)
      file.summary.metadata.append(.init(offset: offset, length: length, name: "m"))
    }
    // An empty entry takes eight bytes of the file and forty of memory.
    let path = try folder.write("bomb.mcap", file.finished())
    let error = #expect(throws: SensorError.self) {
      try MCAPReader(path: path, budget: Budget(input: 0))
    }
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("What the file declares") == true)
  }

  /// All messages in the order of their times, those of the same time in the order of the file, however the chunks
  /// overlap.
  @Test func chunksThatAllOverlapAreReadInOrder() throws {
    var file = File()
    var expected: [UInt64] = []
    for chunk in 0..<300 as Range<UInt64> {
      let times = (0..<20 as Range<UInt64>).map { 1000 + ($0 * 300 + (chunk * 7) % 300) / 2 }
      expected += times
      file.addChunk(times)
    }
    let reader = try reader(file)
    var found: [UInt64] = []
    while let message = try reader.next() { found.append(message.logTime) }
    #expect(found == expected.sorted())
  }

  @Test func manySmallChunksMayNotBecomeMoreThanALargeOne() throws {
    guard let codec = try? MCAPCompression.zstd.makeCodec() else { return }
    var records = MCAPBytes()
    records.append(record: .message) { $0.append(raw: [UInt8](repeating: 0, count: 900_000)) }
    let stored = try codec.compress(records.bytes.span)
    var file = File()
    for _ in 0..<60 {
      file.addChunk(stored, size: records.count, compression: "zstd", from: 0, to: 0)
      // One more of the first bytes: not a message of channel 0.
      file.messages += 1
    }
    #expect(stored.count < 1000)
    let reader = try MCAPReader(path: folder.write("bomb.mcap", file.finished()), damage: .skip)
    while try reader.next() != nil {}
    #expect(reader.statistics[.malformed] == 60)
    #expect(try refusal(file) != nil)
  }

  @Test func aSmallFileHoldsNoLargeChunk() throws {
    var file = File()
    file.addChunk([UInt8](repeating: 1, count: 400_000), size: 65 << 20, compression: "zstd", from: 0, to: 0)
    let error = try refusal(file)
    #expect(error?.code == .limitExceeded)
    #expect(error?.message.contains("the limit for an input of") == true)
  }

  /// Twice the largest lag of a stream was computed before it was capped: the process ended.
  @Test func timesAtBothEndsOfTheClockAreRead() throws {
    let end = SensorInstant(nanoseconds: InputLimits.nanoseconds)
    let begin = SensorInstant(nanoseconds: -InputLimits.nanoseconds)
    var description = MCAPFixture.description()
    description.wallOffset = nil
    let items: [RecordedItem] = [
      .sample(.gyroscope(GyroscopeSample(time: end, angularVelocity: Vector3(x: 1, y: 2, z: 3))), receivedAt: end),
      .sample(
        .accelerometer(AccelerometerSample(time: begin, specificForce: Vector3(x: 1, y: 2, z: 3))), receivedAt: end),
    ]
    let path = try folder.write("ends.mcap", MCAPFixture.file(items, description))
    #expect(try read(path).samples.count == 2)
  }
}
