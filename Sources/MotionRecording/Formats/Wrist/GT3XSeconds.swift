// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Accelerations of an ActiGraph as counts: how they become g.
struct GT3XScale {
  /// Counts per g.
  var countsPerG: Double
  /// Firmware 1.6.0 of a wGT3X-BT turned the axes about z: x = its y, y = −its x.
  var isTurned = false

  /// Writes the accelerations of 12-bit numbers in the order y, x, z: two samples are nine bytes, the first half of each
  /// byte its high one.
  func packed(_ bytes: ArraySlice<UInt8>, count: Int, into vectors: inout [Vector3<Device>]) {
    func number(_ nibble: Int) -> Double {
      let place = nibble >> 1
      guard place + 1 < bytes.count else { return 0 }
      let pair = Int32(bytes.span[place]) << 8 | Int32(bytes.span[place + 1])
      let bits = nibble & 1 == 0 ? pair >> 4 : pair & 0xFFF
      return Double((bits << 20) >> 20) / countsPerG
    }
    for index in 0..<min(count, vectors.count) {
      vectors[index] = device(x: number(9 * index + 3), y: number(9 * index), z: number(9 * index + 6))
    }
  }

  /// The same of 16-bit numbers in the order x, y, z.
  func whole(_ bytes: ArraySlice<UInt8>, count: Int, into vectors: inout [Vector3<Device>]) {
    func number(_ index: Int) -> Double { Double(Int16(bitPattern: bytes.short(2 * index))) / countsPerG }
    for index in 0..<min(count, vectors.count) {
      vectors[index] = device(x: number(3 * index), y: number(3 * index + 1), z: number(3 * index + 2))
    }
  }

  private func device(x: Double, y: Double, z: Double) -> Vector3<Device> {
    isTurned ? Vector3(x: y, y: -x, z: z) : Vector3(x: x, y: y, z: z)
  }

  /// Samples of three packed numbers of 12 bits in so many bytes; nil where they are not whole samples, behind which half
  /// a byte may be unused.
  static func packedCount(_ bytes: Int) -> Int? { 2 * bytes % 9 < 2 ? 2 * bytes / 9 : nil }
}

/// The seconds of a `log.bin`: a record holds the accelerations, or another one the readings of the inertial chip, of
/// one second. Seconds without a record are a gap; a record of one byte is an event of the cradle and holds nothing.
final class GT3XSeconds: SampleBlockSource {
  private let log: GT3XLog
  private let context: ReadingContext
  private let clock: BlockClock
  private let scale: GT3XScale
  private let isInertial: Bool
  private let kinds: SensorKinds
  private var schemas: [UInt16: GT3XSchema] = [:]
  private var order = TimeOrder()

  /// `isInertial`: the readings of the inertial chip of a Link instead of the accelerometer's.
  init(
    _ log: GT3XLog, clock: BlockClock, scale: GT3XScale, isInertial: Bool, _ kinds: SensorKinds,
    _ context: ReadingContext
  ) {
    (self.log, self.clock, self.scale, self.context) = (log, clock, scale, context)
    (self.isInertial, self.kinds) = (isInertial, kinds)
  }

  func next(_ block: inout SampleBlock) throws(SensorError) -> Bool {
    while let record = try log.next() {
      guard let isGood = isInertial ? inertial(record, &block) : activity(record, &block) else { continue }
      let time = Int64(record.time) * 1_000_000_000
      guard isGood, time <= InputLimits.nanoseconds else {
        context.statistics.count(.damagedBlock, at: record.place)
        continue
      }
      // A second that holds more samples than the rate says is divided by what it holds, and so is one of the inertial
      // chip, whose rate is not stated.
      let interval = BlockClock(rate: Double(block.count), grain: 0)?.interval ?? clock.interval
      let anchor = BlockClock.Anchor(time: time, sample: 0)
      let step = isInertial ? interval : min(interval, clock.interval)
      BlockClock.fill(&block.times, count: block.count, anchor, before: step, after: step)
      try context.place(&block, in: &order, at: record.place)
      if block.count > 0 { return true }
    }
    return false
  }

  /// Nil for a record without samples, false for one whose form is wrong.
  private func activity(_ record: GT3XLog.Record, _ block: inout SampleBlock) -> Bool? {
    let bytes = record.payload
    guard record.type == GT3XLog.Kind.activity || record.type == GT3XLog.Kind.activity2, bytes.count > 1 else {
      return nil
    }
    let isPacked = record.type == GT3XLog.Kind.activity
    let whole = bytes.count % 6 == 0 ? bytes.count / 6 : nil
    guard let count = isPacked ? GT3XScale.packedCount(bytes.count) : whole else { return false }
    guard count > 0 else { return nil }
    block.reserve(count, .accelerometer)
    block.unit = .gravity
    if isPacked {
      scale.packed(bytes, count: count, into: &block.accelerations)
    } else {
      scale.whole(bytes, count: count, into: &block.accelerations)
    }
    return true
  }

  private func inertial(_ record: GT3XLog.Record, _ block: inout SampleBlock) -> Bool? {
    if record.type == GT3XLog.Kind.sensorSchema, let schema = GT3XSchema(record.payload), schemas.count < 64 {
      schemas[schema.identifier] = schema
    }
    guard record.type == GT3XLog.Kind.sensorData else { return nil }
    guard let schema = schemas[record.payload.short(0)] else { return false }
    let present = schema.kinds.intersection(kinds)
    guard !present.isEmpty else { return nil }
    block.unit = .gravity
    return schema.decode(record.payload, present, into: &block)
  }
}

/// The columns of a Link's inertial chip, as a record of the log declares them. Source: actigraph/GT3X-File-Format,
/// LogRecords/SensorSchema.md and SensorData.md.
struct GT3XSchema {
  private struct Column {
    var isBigEndian: Bool
    var isSigned: Bool
    /// 1 or 2.
    var bytes: Int
    var offset: Int
    /// Counts per unit; 0 = 1.
    var scale: Double
    var label: String
  }

  let identifier: UInt16
  private(set) var kinds: SensorKinds = []
  /// Samples of a record.
  private let rows: Int
  private let rowBytes: Int
  /// For accelerometer, gyroscope and magnetometer: where their axes lie.
  private var axes: [[Column]] = []

  init?(_ payload: ArraySlice<UInt8>) {
    let columnBytes = 23
    let count = Int(payload.short(2))
    (identifier, rows) = (payload.short(0), Int(payload.short(4)))
    guard payload.count >= 6 + columnBytes * count, (1...64).contains(count), rows > 0 else { return nil }
    var columns: [Column] = []
    var offset = 0
    for index in 0..<count {
      let start = 6 + columnBytes * index
      let bits = payload.span[start + 2]
      guard bits == 8 || bits == 16 else { return nil }
      let label = payload.dropFirst(start + 7).prefix(columnBytes - 7).filter { (0x20...0x7E).contains($0) }
      columns.append(
        Column(
          isBigEndian: payload.span[start] & 1 != 0, isSigned: payload.span[start] & 2 != 0, bytes: Int(bits) / 8,
          offset: offset, scale: payload.actiGraphNumber(start + 3),
          label: String(decoding: label, as: UTF8.self).lowercased()))
      offset += Int(bits) / 8
    }
    rowBytes = offset
    for (kind, name) in [
      (SensorKinds.accelerometer, "accelerometer"), (.gyroscope, "gyroscope"), (.magnetometer, "magnetometer"),
    ] {
      let found = ["x", "y", "z"].compactMap { axis in
        columns.first { $0.label.hasPrefix(name) && $0.label.split(separator: " ").last == axis[...] }
      }
      axes.append(found.count == 3 ? found : [])
      if found.count == 3 { kinds.formUnion(kind) }
    }
  }

  /// False where the record has not the bytes that the schema says.
  func decode(_ payload: ArraySlice<UInt8>, _ present: SensorKinds, into block: inout SampleBlock) -> Bool {
    guard payload.count == 2 + rows * rowBytes else { return false }
    block.reserve(rows, present)
    fill(&block.accelerations, axes[0], payload, 1)
    fill(&block.angularVelocities, axes[1], payload, Angle(degrees: 1).radians)
    fill(&block.fields, axes[2], payload, 1)
    return true
  }

  private func fill(
    _ vectors: inout [Vector3<Device>], _ columns: [Column], _ payload: ArraySlice<UInt8>, _ unit: Double
  ) {
    guard columns.count == 3 else { return }
    for row in 0..<min(rows, vectors.count) {
      func number(_ column: Column) -> Double {
        let place = 2 + row * rowBytes + column.offset
        let value: Double
        if column.bytes == 1 {
          value = column.isSigned ? Double(Int8(bitPattern: payload.span[place])) : Double(payload.span[place])
        } else {
          let bits = column.isBigEndian ? payload.short(place).byteSwapped : payload.short(place)
          value = column.isSigned ? Double(Int16(bitPattern: bits)) : Double(bits)
        }
        return value / (column.scale.magnitude > 1e-9 ? column.scale : 1) * unit
      }
      vectors[row] = Vector3(x: number(columns[0]), y: number(columns[1]), z: number(columns[2]))
    }
  }
}

/// The samples of an old `activity.bin`: 12-bit numbers one after the other from the start on, at the set rate. Source:
/// actigraph/NHANES-GT3X-File-Format, fileformats/activity.bin.md.
final class GT3XOldActivity: SampleBlockSource {
  /// Samples of a block: an even number, so that it is whole bytes.
  private static let blockSize = 1000

  private let source: any ByteSource
  private let name: String
  private let start: Int64
  /// Thousandths of a hertz.
  private let rate: Int64
  private let scale: GT3XScale
  private let context: ReadingContext
  private var taken: Int64 = 0
  private var order = TimeOrder()
  private var hasEnded = false

  init(
    _ source: any ByteSource, name: String, start: Int64, rate: Double, scale: GT3XScale, _ context: ReadingContext
  ) {
    (self.source, self.name, self.start, self.scale, self.context) = (source, name, start, scale, context)
    self.rate = max(1, Int64(exactly: (rate * 1000).rounded()) ?? 1)
  }

  /// The time of a sample, without rounding that adds up.
  private func time(_ sample: Int64) -> Int64 {
    let (seconds, rest) = (sample * 1000).quotientAndRemainder(dividingBy: rate)
    return start.clamped(plus: seconds.clamped(times: 1_000_000_000)).clamped(plus: rest * 1_000_000_000 / rate)
  }

  func next(_ block: inout SampleBlock) throws(SensorError) -> Bool {
    guard !hasEnded else { return false }
    var bytes: [UInt8] = []
    do throws(SensorError) {
      bytes = try source.bytes(limit: Self.blockSize * 9 / 2)
      // What is wrong with the end shows when it is read again.
      if bytes.count < Self.blockSize * 9 / 2 { bytes += try source.bytes(limit: 1) }
    } catch { try context.endOfBytes(error) }
    hasEnded = bytes.count < Self.blockSize * 9 / 2
    let place = SensorError.Place(file: name, byte: Int(clamping: taken * 9 / 2))
    // Half a byte behind the last sample is unused; the file is filled up with zeros to whole sectors.
    if 2 * bytes.count % 9 > 1, bytes.last != 0 { context.statistics.count(.truncated, at: place) }
    let count = 2 * bytes.count / 9
    guard count > 0 else { return false }
    block.reserve(count, .accelerometer)
    block.unit = .gravity
    scale.packed(bytes[...], count: count, into: &block.accelerations)
    for index in 0..<count { block.times[index] = time(taken + Int64(index)) }
    taken += Int64(count)
    try context.place(&block, in: &order, at: place)
    return block.count > 0
  }
}
