// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import MotionRecording

/// Arrow streams from unknown writers.
@Suite struct DamagedArrowTests {
  private func read(_ bytes: [UInt8]) throws(SensorError) -> Int {
    let reader = try ArrowStreamReader(MemoryBytes(bytes), name: "test")
    while try reader.next() != nil {}
    return reader.rowCount
  }

  private func stream(rows: Int = 3) throws -> [UInt8] {
    let sink = MemoryByteSink()
    let writer = try ArrowStreamWriter(
      sink, columns: [ArrowColumn("device_id", .text)] + FuseTable.rawColumns(hasMagnetometer: true))
    for _ in 0..<2 {
      try writer.write(
        ArrowBatch(
          rowCount: rows,
          columns: [.texts(Array(repeating: "abc", count: rows)), .integers(Array(repeating: 7, count: rows))]
            + Array(repeating: .numbers(Array(repeating: 1.5, count: rows)), count: 9)))
    }
    try writer.finish()
    return sink.bytes
  }

  /// The stream's schema message, and a batch message made by hand.
  private func message(_ header: UInt8, bodyLength: Int64 = 0, metadataLength: Int32? = nil) -> [UInt8] {
    var (writer, root) = FlatBufferWriter.beginning()
    _ = writer.table([.short(4), .byte(header), .absent, .long(bodyLength)], in: root)
    writer.align(to: 8)
    var bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
    withUnsafeBytes(of: (metadataLength ?? Int32(writer.bytes.count)).littleEndian) { bytes.append(contentsOf: $0) }
    return bytes + writer.bytes
  }

  @Test func everyTruncationGivesTheWholeBatchesBeforeItOrASentence() throws {
    let bytes = try stream()
    #expect(try read(bytes) == 6)
    for end in 0..<bytes.count {
      do throws(SensorError) {
        // Without the end mark the stream is still whole.
        let rows = try read(Array(bytes[..<end]))
        #expect(rows == 0 || rows == 3 || rows == 6)
      } catch {
        #expect(error.message.hasSuffix(".") && [.malformed, .limitExceeded].contains(error.code), "\(end): \(error)")
      }
    }
  }

  @Test func metadataLargerThanItsCapIsRefusedBeforeItIsRead() {
    let error = #expect(throws: SensorError.self) { try read(message(1, metadataLength: (16 << 20) + 8)) }
    #expect(error?.code == .limitExceeded && error?.message.contains("16 MiB") == true)
    #expect(throws: SensorError.self) { try read(message(1, metadataLength: -8)) }
  }

  @Test func aBatchThatDeclaresMoreBytesThanAllowedIsRefused() throws {
    let schema = try stream(rows: 0).dropLast(8)
    for length in [InputLimits.arrowBodyBytes + 1, -1, .max] {
      let error = #expect(throws: SensorError.self) { try read(schema + message(3, bodyLength: length)) }
      #expect(error?.code == .limitExceeded)
    }
  }

  @Test func moreRowsThanAllowedAreRefused() throws {
    let schema = try stream(rows: 0).dropLast(8)
    for rows in [InputLimits.arrowRows + 1, -1, .max] {
      var (writer, root) = FlatBufferWriter.beginning()
      let header = writer.table([.short(4), .byte(3), .reference, .long(0)], in: root)
      _ = writer.table([.long(rows)], in: header[0])
      writer.align(to: 8)
      var bytes: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
      withUnsafeBytes(of: Int32(writer.bytes.count).littleEndian) { bytes.append(contentsOf: $0) }
      let error = #expect(throws: SensorError.self) { try read(schema + bytes + writer.bytes) }
      #expect(error?.code == .limitExceeded && error?.message.contains("rows") == true)
    }
  }

  @Test func moreColumnsThanAllowedAreRefused() throws {
    let sink = MemoryByteSink()
    let columns = (0...InputLimits.columns).map { ArrowColumn("c\($0)", .number) }
    try ArrowStreamWriter(sink, columns: columns).finish()
    let error = #expect(throws: SensorError.self) { try read(sink.bytes) }
    #expect(error?.code == .limitExceeded && error?.message.contains("4097 columns") == true)
  }

  @Test func aNameLongerThanAllowedIsRefused() throws {
    let sink = MemoryByteSink()
    let name = String(repeating: "n", count: InputLimits.nameBytes + 1)
    try ArrowStreamWriter(sink, columns: [ArrowColumn(name, .number)]).finish()
    #expect(throws: SensorError.self) { try read(sink.bytes) }
  }

  @Test func damagedCopiesAreReadOrRefused() throws {
    let original = try stream()
    var random = SplitMix64(seed: 99)
    var refused = 0
    for _ in 0..<3000 {
      var bytes = original
      for _ in 0...Int.random(in: 0..<3, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 1: bytes[position] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
        default: bytes.removeSubrange(position..<min(bytes.count, position + Int.random(in: 1..<32, using: &random)))
        }
      }
      do throws(SensorError) { _ = try read(bytes) } catch {
        refused += 1
        #expect(error.message.hasSuffix("."), "\(error)")
      }
    }
    #expect(refused > 300 && refused < 3000)
  }

  @Test(arguments: ["ax", "gz", "timestamp_ns"])
  func aTableWithoutANeededColumnIsRefusedByName(missing: String) {
    let columns = FuseTable.rawColumns(hasMagnetometer: false).filter { $0.name != missing }
    let error = #expect(throws: SensorError.self) { try FuseTable.Places(columns, place: "test") }
    #expect(error?.place?.column == missing)
  }

  @Test func aColumnInAnotherUnitIsRefusedByName() {
    var columns = FuseTable.rawColumns(hasMagnetometer: true)
    columns[9].unit = "uT"
    let error = #expect(throws: SensorError.self) { try FuseTable.Places(columns, place: "test") }
    #expect(error?.code == .unsupported && error?.place?.column == "mz")
  }

  @Test func severalDevicesInOneRecordingAreRefused() throws {
    let sink = MemoryByteSink()
    let writer = try ArrowStreamWriter(
      sink, columns: [ArrowColumn("device_id", .text)] + FuseTable.rawColumns(hasMagnetometer: false))
    try writer.write(
      ArrowBatch(
        rowCount: 2,
        columns: [.texts(["a", "b"]), .integers([1, 2])] + Array(repeating: .numbers([1, 1]), count: 6)))
    try writer.finish()
    let folder = try TemporaryFolder()
    let path = try folder.write("two.arrow", sink.bytes)
    let error = #expect(throws: SensorError.self) { try MotionRecordingTests.read(path) }
    #expect(error?.message.contains("--key") == true)
  }
}
