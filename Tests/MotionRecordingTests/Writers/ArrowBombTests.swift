// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import MotionRecording

/// References of an Arrow schema may lead to the same bytes many times: long texts are not decoded for each.
@Suite struct ArrowBombTests {
  /// A flatbuffer in the making, with tables whose references are set afterwards, to any place.
  private struct Buffer {
    private(set) var bytes: [UInt8] = [0, 0, 0, 0]

    mutating func put(_ number: some FixedWidthInteger) {
      withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func align() { while bytes.count % 8 != 0 { bytes.append(0) } }

    mutating func point(_ place: Int, to target: Int) {
      withUnsafeBytes(of: UInt32(target - place).littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
    }

    /// A table whose fields all have four bytes; returns where it lies.
    mutating func table(_ fields: [Int: UInt32], count: Int) -> Int {
      align()
      let places = bytes.count
      put(UInt16(4 + 2 * count))
      put(UInt16(4 + 4 * count))
      for field in 0..<count { put(UInt16(fields[field] == nil ? 0 : 4 + 4 * field)) }
      align()
      let start = bytes.count
      put(Int32(start - places))
      for field in 0..<count { put(fields[field] ?? 0) }
      return start
    }

    mutating func text(_ text: [UInt8]) -> Int {
      align()
      defer { bytes += text + [0] }
      let start = bytes.count
      put(UInt32(text.count))
      return start
    }

    mutating func vector(_ count: Int) -> Int {
      align()
      defer { bytes += [UInt8](repeating: 0, count: 4 * count) }
      let start = bytes.count
      put(UInt32(count))
      return start
    }
  }

  /// A schema of many columns of doubles that share one list of facts, all of whose entries are one long text.
  private static func stream(columns: Int, textBytes: Int) -> [UInt8] {
    var buffer = Buffer()
    let message = buffer.table([0: 4, 1: 1, 2: 0], count: 4)
    buffer.point(0, to: message)
    let schema = buffer.table([1: 0], count: 2)
    buffer.point(message + 12, to: schema)
    let fields = buffer.vector(columns)
    buffer.point(schema + 8, to: fields)
    // References count forwards only: what the fields share lies behind them.
    let tables = (0..<columns).map { column in
      let field = buffer.table([0: 0, 2: 3, 3: 0, 6: 0], count: 7)
      buffer.point(fields + 4 + 4 * column, to: field)
      return field
    }
    for (column, field) in tables.enumerated() { buffer.point(field + 4, to: buffer.text(Array("c\(column)".utf8))) }
    let type = buffer.table([0: 2], count: 1)
    let facts = buffer.vector(64)
    for field in tables {
      buffer.point(field + 16, to: type)
      buffer.point(field + 28, to: facts)
    }
    let fact = buffer.table([0: 0, 1: 0], count: 2)
    for entry in 0..<64 { buffer.point(facts + 4 + 4 * entry, to: fact) }
    let text = buffer.text([UInt8](repeating: 0x6B, count: textBytes))
    for place in [fact + 4, fact + 8] { buffer.point(place, to: text) }
    buffer.align()
    var stream = Buffer()
    stream.point(0, to: Int(UInt32.max))
    stream.put(UInt32(buffer.bytes.count))
    return stream.bytes + buffer.bytes + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]
  }

  /// 1 MB took 17 s, 16 MB more than a minute.
  @Test func aLongTextThatManyColumnsShareIsNotDecoded() throws {
    let bytes = Self.stream(columns: 256, textBytes: 4 << 20)
    let elapsed = try processorTime {
      let reader = try ArrowStreamReader(MemoryBytes(bytes), name: "test")
      #expect(reader.columns == (0..<256).map { ArrowColumn("c\($0)", .number) })
      #expect(try reader.next() == nil)
    }
    #expect(elapsed < .seconds(30), "\(elapsed)")
  }
}
