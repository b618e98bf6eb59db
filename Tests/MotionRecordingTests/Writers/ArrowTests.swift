// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

@Suite struct ArrowTests {
  private static let columns = [
    ArrowColumn("device_id", .text), ArrowColumn("timestamp_ns", .integer, unit: "ns"),
    ArrowColumn("ax", .number, unit: "m/s^2"),
  ]

  private func write(_ columns: [ArrowColumn], _ batches: [ArrowBatch]) throws -> [UInt8] {
    let sink = MemoryByteSink()
    let writer = try ArrowStreamWriter(sink, columns: columns, metadata: [("sign", "reaction")])
    for batch in batches { try writer.write(batch) }
    try writer.finish()
    return sink.bytes
  }

  private func read(_ bytes: [UInt8]) throws -> (columns: [ArrowColumn], batches: [ArrowBatch]) {
    let reader = try ArrowStreamReader(MemoryBytes(bytes), name: "test")
    var batches: [ArrowBatch] = []
    while let batch = try reader.next() { batches.append(batch) }
    return (reader.columns, batches)
  }

  @Test func whatWasWrittenReadsBack() throws {
    let batches = [
      ArrowBatch(
        rowCount: 3,
        columns: [
          .texts(["a", "", "äöü"]), .integers([.max, -1, 1_700_000_000_123_456_789]),
          .numbers([0.1, -0.0, .leastNonzeroMagnitude]),
        ]),
      ArrowBatch(rowCount: 1, columns: [.texts(["b"]), .integers([0]), .numbers([.infinity])]),
    ]
    let result = try read(write(Self.columns, batches))
    #expect(result.columns == Self.columns)
    #expect(result.batches == batches)
  }

  @Test func theBytesAreThoseOfTheFormat() throws {
    let bytes = try write([ArrowColumn("t", .integer)], [ArrowBatch(rowCount: 1, columns: [.integers([258])])])
    // Each message: the mark, the length of its metadata (a multiple of 8), metadata, body; at last the end mark.
    #expect(bytes[0..<4] == [0xFF, 0xFF, 0xFF, 0xFF])
    let length = Int(bytes[4]) + Int(bytes[5]) << 8
    #expect(length % 8 == 0)
    let second = 8 + length
    #expect(bytes[second..<second + 4] == [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(bytes.suffix(16) == [2, 1, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
    #expect(bytes.count % 8 == 0)
  }

  @Test func aStreamOfPyarrowIsReadWithItsNullsAndTypes() throws {
    let (columns, batches) = try read(ArrowFixture.bytes(ArrowFixture.types))
    #expect(columns.map(\.name) == ["device_id", "timestamp_ns", "ax", "ay", "n", "name"])
    let batch = try #require(batches.first)
    #expect(batches.count == 1 && batch.rowCount == 3)
    #expect(batch.columns[0] == .texts(["a", "b", nil]))
    // Microseconds become nanoseconds.
    #expect(batch.columns[1] == .integers([1_000_000, 2_000_000, .min]))
    guard case .numbers(let ax) = batch.columns[2] else {
      Issue.record("ax is no number")
      return
    }
    #expect(ax[0] == 0.5 && ax[1].isNaN && ax[2].isNaN)
    #expect(batch.columns[3] == .numbers([1.5, 2.5, 3.5]))
    #expect(batch.columns[4] == .integers([-1, 2, .min]))
    #expect(batch.columns[5] == .texts(["x", "", "äöü"]))
  }

  @Test(arguments: [
    (ArrowFixture.dictionary, "device_id"), (ArrowFixture.compressed, "ax"), (ArrowFixture.boolean, "flags"),
  ])
  func whatIsNotReadIsRefusedByTheNameOfItsColumn(fixture: String, column: String) throws {
    let bytes = try ArrowFixture.bytes(fixture)
    let error = #expect(throws: SensorError.self) { try read(bytes) }
    #expect(error?.code == .unsupported)
    #expect(error?.place?.column == column)
  }

  @Test func aRecordingInArrowReadsBackInSI() throws {
    let sink = MemoryByteSink()
    let samples: [SensorSample] = [
      WriterKit.accelerometer(10, 0.1, 0.2, 9.8, unit: .metresPerSecondSquared), WriterKit.gyroscope(10, 0.5, -0.5, 1),
      WriterKit.gyroscope(20, 1, 2, 3),
      .magnetometer(
        MagnetometerSample(time: SensorInstant(nanoseconds: 25), magneticField: Vector3(x: 2e-5, y: 1e-6, z: -4e-5))),
      WriterKit.accelerometer(30, 0, 0, 9.7, unit: .metresPerSecondSquared), WriterKit.gyroscope(30, 7, 8, 9),
    ]
    let writer = try ArrowWriter(sink, description: WriterKit.description())
    try WriterKit.write(samples, with: writer)
    #expect(writer.counts.rows == 4)
    let folder = try TemporaryFolder()
    let result = try MotionRecordingTests.read(folder.write("walk.arrow", sink.bytes))
    #expect(result.recording.format == .arrow)
    #expect(result.samples == samples)
  }

  @Test func aBatchHoldsSoManyRowsAndTheRestFollows() throws {
    let sink = MemoryByteSink()
    let writer = try ArrowWriter(sink, description: WriterKit.description([.gyroscope], device: "left"))
    let count = FuseTableRows.rowsPerBatch + 1
    try WriterKit.write((1...count).map { WriterKit.gyroscope(Int64($0), 0, 0, 1) }, with: writer)
    let (columns, batches) = try read(sink.bytes)
    #expect(columns.map(\.name).prefix(2) == ["device_id", "timestamp_ns"])
    #expect(batches.map(\.rowCount) == [FuseTableRows.rowsPerBatch, 1])
    #expect(batches[1].columns[0] == .texts(["left"]))
  }

  @Test func motionAloneBecomesEastNorthUpAndSI() throws {
    let sink = MemoryByteSink()
    // Pointing north in north-west-up is a quarter turn to the left of east.
    let motion = WriterKit.motion(5, w: 1, x: 0, y: 0, z: 0)
    try WriterKit.write(
      [.motion(motion)], with: ArrowWriter(sink, description: WriterKit.description([.motion])))
    let (columns, batches) = try read(sink.bytes)
    func cell(_ name: String) throws -> Double {
      let index = try #require(columns.firstIndex { $0.name == name })
      guard case .numbers(let values) = try #require(batches.first).columns[index] else { return .nan }
      return values[0]
    }
    let half = 0.5.squareRoot()
    #expect(try cell("attitude_w") == half)
    #expect(try cell("attitude_z") == half)
    #expect(try cell("gravity_z") == 9.80665)
    #expect(try abs(cell("heading") - 271.25 * .pi / 180) < 1e-12)
    #expect(try cell("rest").isNaN)
    #expect(try abs(cell("inclination_deviation") - 0.75 * .pi / 180) < 1e-12)
    #expect(try abs(cell("heading_deviation") - 1.75 * .pi / 180) < 1e-12)
  }

  @Test func anArrowFileIsReadAsItsStream() throws {
    let stream = try write([ArrowColumn("t", .integer)], [ArrowBatch(rowCount: 1, columns: [.integers([258])])])
    let result = try read(Array("ARROW1\0\0".utf8) + stream + Array("footer".utf8))
    #expect(result.batches.first?.columns == [.integers([258])])
  }
}

/// Bytes in memory as a source.
final class MemoryBytes: ByteSource {
  private var rest: ArraySlice<UInt8>
  init(_ bytes: [UInt8]) { rest = bytes[...] }

  func read(_ most: Int, into bytes: inout [UInt8]) throws(SensorError) -> Int {
    // In small pieces, as a pipe gives them.
    let count = min(most, rest.count, 1000)
    bytes += rest.prefix(count)
    rest = rest.dropFirst(count)
    return count
  }
}
