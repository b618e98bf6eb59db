// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

@testable import MotionRecording

/// Bytes in the making, in either order.
struct TestBytes {
  var bytes: [UInt8] = []

  init(_ text: String = "") { bytes = Array(text.utf8) }

  mutating func little(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.littleEndian) { bytes += $0 } }
  mutating func big(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value.bigEndian) { bytes += $0 } }
  mutating func text(_ value: String) { bytes += Array(value.utf8) }
}

/// A walk of made-up readings that each container can hold exactly.
enum ContainerFixture {
  static let start: Int64 = 1_700_000_000_000_000_000

  static func force(_ index: Int) -> Vector3<Device> { Vector3(x: Double(index) / 64, y: -0.5, z: 9.75) }
  static func rate(_ index: Int) -> Vector3<Device> { Vector3(x: 0.125, y: Double(index) / 128, z: -0.25) }
  static func time(_ index: Int) -> SensorInstant { SensorInstant(nanoseconds: start + Int64(index) * 10_000_000) }

  static func imu(_ index: Int) -> ROS2Message {
    .imu(
      ROS2Header(stamp: ROS2Time(time(index)) ?? ROS2Time(seconds: 0, nanoseconds: 0), frameID: "imu"), attitude: nil,
      angularVelocity: rate(index),
      specificForce: force(index))
  }
}

extension ROS2Message {
  /// The message as ROS 1 writes it.
  func encodedROS1(counter: UInt32 = 7) -> [UInt8] {
    var bytes = TestBytes()
    bytes.little(counter)
    bytes.little(UInt32(bitPattern: header.stamp.seconds))
    bytes.little(header.stamp.nanoseconds)
    bytes.little(UInt32(header.frameID.utf8.count))
    bytes.text(header.frameID)
    for number in numbers { bytes.little(number.bitPattern) }
    return bytes.bytes
  }
}

/// Writes a bag of ROS 1 by the format's description.
struct ROSBagBuilder {
  struct Message {
    var connection: UInt32
    var time: Int64
    var body: [UInt8]
  }

  var connections: [(id: UInt32, topic: String, type: String)] = [(3, "/imu", "sensor_msgs/Imu")]
  var messages: [Message] = []
  var messagesPerChunk = 10
  var compression = "none"
  var isFinished = true

  /// Hundredths of a second of an inertial unit.
  static func walk(_ count: Int) -> ROSBagBuilder {
    var bag = ROSBagBuilder()
    bag.messages = (0..<count).map {
      Message(connection: 3, time: ContainerFixture.time($0).nanoseconds, body: ContainerFixture.imu($0).encodedROS1())
    }
    return bag
  }

  private static func fields(_ fields: [(String, [UInt8])]) -> [UInt8] {
    var bytes = TestBytes()
    for (name, value) in fields {
      bytes.little(UInt32(name.utf8.count + 1 + value.count))
      bytes.text(name + "=")
      bytes.bytes += value
    }
    return bytes.bytes
  }

  private static func record(_ header: [(String, [UInt8])], _ data: [UInt8]) -> [UInt8] {
    let header = fields(header)
    var bytes = TestBytes()
    bytes.little(UInt32(header.count))
    bytes.bytes += header
    bytes.little(UInt32(data.count))
    return bytes.bytes + data
  }

  private static func number(_ value: some FixedWidthInteger) -> [UInt8] {
    var bytes = TestBytes()
    bytes.little(value)
    return bytes.bytes
  }

  private static func stamp(_ time: Int64) -> [UInt8] {
    number(UInt32(time / 1_000_000_000)) + number(UInt32(time % 1_000_000_000))
  }

  private func connection(_ id: UInt32, _ topic: String, _ type: String) -> [UInt8] {
    Self.record(
      [("op", [7]), ("conn", Self.number(id)), ("topic", Array(topic.utf8))],
      Self.fields([("topic", Array(topic.utf8)), ("type", Array(type.utf8)), ("message_definition", Array("…".utf8))]))
  }

  func finish() -> [UInt8] { finish { $0 } }

  func finish(compress: ([UInt8]) throws -> [UInt8]) rethrows -> [UInt8] {
    var bytes = TestBytes("#ROSBAG V2.0\n")
    var chunks: [Int] = []
    var body: [UInt8] = []
    let bagHeader = 4096
    var known: Set<UInt32> = []
    for first in stride(from: 0, to: messages.count, by: messagesPerChunk) {
      var content: [UInt8] = []
      for message in messages[first..<min(first + messagesPerChunk, messages.count)] {
        if known.insert(message.connection).inserted {
          for (id, topic, type) in connections where id == message.connection { content += connection(id, topic, type) }
        }
        content += Self.record(
          [("op", [2]), ("conn", Self.number(message.connection)), ("time", Self.stamp(message.time))], message.body)
      }
      chunks.append(13 + bagHeader + body.count)
      body += Self.record(
        [("op", [5]), ("compression", Array(compression.utf8)), ("size", Self.number(UInt32(content.count)))],
        try compress(content))
      body += Self.record([("op", [4]), ("ver", Self.number(UInt32(1))), ("conn", Self.number(UInt32(3)))], [])
    }
    let index = isFinished ? UInt64(13 + bagHeader + body.count) : 0
    var head = Self.record(
      [
        ("op", [3]), ("index_pos", Self.number(index)), ("conn_count", Self.number(UInt32(connections.count))),
        ("chunk_count", Self.number(UInt32(chunks.count))),
      ], [])
    // Padded by its data, as the description says.
    let padding = bagHeader - head.count
    head.replaceSubrange((head.count - 4)..., with: Self.number(UInt32(padding)))
    bytes.bytes += head + [UInt8](repeating: 0x20, count: padding) + body
    guard isFinished else { return bytes.bytes }
    for (id, topic, type) in connections { bytes.bytes += connection(id, topic, type) }
    for place in chunks {
      bytes.bytes += Self.record(
        [("op", [6]), ("ver", Self.number(UInt32(1))), ("chunk_pos", Self.number(UInt64(place)))], [])
    }
    return bytes.bytes
  }
}

/// Writes a FIT file by the protocol's description.
struct FITBuilder {
  private var records = TestBytes()
  var isBigEndian = false

  private mutating func put(_ value: some FixedWidthInteger) {
    if isBigEndian { records.big(value) } else { records.little(value) }
  }

  /// Fields: their number, bytes and base type; `developer`: bytes of a developer's field behind them.
  mutating func define(_ local: UInt8, _ kind: UInt16, _ fields: [(UInt8, Int, UInt8)], developer: Int = 0) {
    records.bytes += [0x40 | local | (developer > 0 ? 0x20 : 0), 0, isBigEndian ? 1 : 0]
    put(kind)
    records.bytes.append(UInt8(fields.count))
    for (number, size, type) in fields { records.bytes += [number, UInt8(size), type] }
    if developer > 0 { records.bytes += [1, 0, UInt8(developer), 0] }
  }

  mutating func begin(_ header: UInt8) { records.bytes.append(header) }
  mutating func values(_ values: [UInt16]) { for value in values { put(value) } }
  mutating func values(_ values: [UInt32]) { for value in values { put(value) } }
  mutating func values(_ values: [Int32]) { for value in values { put(value) } }
  mutating func values(_ values: [Float]) { for value in values { put(value.bitPattern) } }
  mutating func bytes(_ values: [UInt8]) { records.bytes += values }

  func finish() -> [UInt8] {
    var file = TestBytes()
    file.bytes = [14, 0x20]
    file.little(UInt16(2171))
    file.little(UInt32(records.bytes.count))
    file.text(".FIT")
    file.little(UInt16(0))
    file.bytes += records.bytes
    file.little(Self.sum(file.bytes))
    return file.bytes
  }

  /// CRC-16/ARC, bit by bit.
  static func sum(_ bytes: [UInt8]) -> UInt16 {
    var sum: UInt16 = 0
    for byte in bytes {
      for bit in 0..<8 {
        let isSet = (UInt16(byte) >> bit ^ sum) & 1 == 1
        sum = sum >> 1 ^ (isSet ? 0xA001 : 0)
      }
    }
    return sum
  }

  /// Calibrated accelerometer (g) and gyroscope (deg/s) at 100 Hz, ten samples a message.
  static func walk(_ messages: Int, isBigEndian: Bool = false) -> [UInt8] {
    var file = FITBuilder(isBigEndian: isBigEndian)
    for (local, kind) in [(UInt8(0), UInt16(165)), (1, 164)] {
      file.define(
        local, kind,
        [(253, 4, 0x86), (0, 2, 0x84), (1, 20, 0x84), (5, 40, 0x88), (6, 40, 0x88), (7, 40, 0x88)], developer: 3)
    }
    for message in 0..<messages {
      for local in [UInt8(0), 1] {
        file.begin(local)
        file.values([UInt32(1_000_000_000) + UInt32(message / 10)])
        file.values([UInt16(message % 10 * 100)])
        file.values((0..<10).map { UInt16($0 * 10) })
        file.values((0..<10).map { Float(message * 10 + $0) / 64 })
        file.values([Float](repeating: -0.25, count: 10))
        file.values([Float](repeating: local == 0 ? 1 : 45, count: 10))
        file.bytes([1, 2, 3])
      }
    }
    return file.finish()
  }
}

/// Writes a GoPro's telemetry by its description, raw or in an MP4.
struct GPMFBuilder {
  static func entry(_ key: String, _ type: Character?, _ size: Int, _ count: Int, _ data: [UInt8]) -> [UInt8] {
    var bytes = TestBytes(key)
    bytes.bytes += [type?.asciiValue ?? 0, UInt8(size)]
    bytes.big(UInt16(count))
    return bytes.bytes + data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
  }

  static func nested(_ key: String, _ parts: [[UInt8]]) -> [UInt8] {
    let data = parts.flatMap { $0 }
    return entry(key, nil, 4, data.count / 4, data)
  }

  static func vectors(_ key: String, scale: Int16, axes: String?, _ rows: [[Int16]]) -> [UInt8] {
    var (divisor, data) = (TestBytes(), TestBytes())
    divisor.big(scale)
    for number in rows.flatMap({ $0 }) { data.big(number) }
    var parts = [entry("STNM", "c", 1, 5, Array("A row".utf8)), entry("SCAL", "s", 2, 1, divisor.bytes)]
    if let axes { parts.append(entry("ORIN", "c", 1, 3, Array(axes.utf8))) }
    return nested("STRM", parts + [entry(key, "s", 6, rows.count, data.bytes)])
  }

  /// A second: 20 readings of the accelerometer, 40 of the gyroscope.
  static func payload(_ index: Int, axes: String? = nil) -> [UInt8] {
    nested(
      "DEVC",
      [
        entry("DVNM", "c", 1, 6, Array("Camera".utf8)),
        vectors("ACCL", scale: 100, axes: axes, (0..<20).map { [981, Int16(index), Int16($0)] }),
        vectors("GYRO", scale: 1000, axes: axes, (0..<40).map { [Int16($0), 100, -200] }),
        vectors("GPS5", scale: 1, axes: nil, [[1, 2, 3]]),
      ])
  }

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    var bytes = TestBytes()
    bytes.big(UInt32(8 + content.count))
    bytes.text(type)
    return bytes.bytes + content
  }

  private static func table(_ type: String, _ numbers: [UInt32]) -> [UInt8] {
    var bytes = TestBytes()
    for number in [0] + numbers { bytes.big(number) }
    return box(type, bytes.bytes)
  }

  /// A video with these payloads, each a second, two in a chunk.
  static func video(_ payloads: [[UInt8]], format: String = "gpmd") -> [UInt8] {
    let head = box("ftyp", Array("mp41".utf8)) + box("free", [])
    let media = box("mdat", payloads.flatMap { $0 })
    var place = UInt32(head.count + 8)
    var chunks: [UInt32] = []
    for (index, payload) in payloads.enumerated() {
      if index % 2 == 0 { chunks.append(place) }
      place += UInt32(payload.count)
    }
    var description = TestBytes()
    for number in [UInt32(0), 1, 16] { description.big(number) }
    description.text(format)
    description.bytes += [0, 0, 0, 0, 0, 0, 0, 1]
    let samples =
      box("stsd", description.bytes) + table("stts", [1, UInt32(payloads.count), 1001])
      + table("stsz", [0, UInt32(payloads.count)] + payloads.map { UInt32($0.count) })
      + table("stco", [UInt32(chunks.count)] + chunks) + table("stsc", [1, 1, 2, 1])
    let track = box("trak", box("mdia", table("mdhd", [0, 0, 1000, 0, 0]) + box("minf", box("stbl", samples))))
    let other = box("trak", box("mdia", table("mdhd", [0, 0, 90000, 0, 0])))
    return head + media + box("moov", other + track)
  }
}
