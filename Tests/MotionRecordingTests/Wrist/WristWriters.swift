// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath

/// Three counts of a sensor.
typealias Counts = (x: Int, y: Int, z: Int)

/// Writes CWA files with known samples, a block at a time. Source of the layout: Documentation/Formats.md 4.11.
struct CWAWriter {
  enum Packing { case words, numbers, inertial }

  var packing = Packing.words
  /// 0x4A: 100 Hz, 8 g.
  var rateCode = 0x4A
  var session = 7
  var sequence = 0
  /// Older files have none.
  var hasFraction = true
  /// The accelerometer's scale of 16-bit numbers is 1/2^(8 + this) g, the gyroscope's range 8000 °/s / 2^(the other).
  var scaleCode = 3, gyroscopeCode = 2
  private(set) var bytes: [UInt8]
  /// 2024-03-04 00:00:00.
  static let start = 1_709_510_400_000_000_000

  init(annotation: String = "_p=left+wrist", isAX6: Bool = false) {
    bytes = Array(repeating: 0xFF, count: 1024)
    bytes.replaceSubrange(0..<5, with: [0x4D, 0x44, 0xFC, 0x03, isAX6 ? 0x64 : 0x17])
    bytes[35] = isAX6 ? 2 : 0
    for (index, byte) in annotation.utf8.enumerated() { bytes[64 + index] = byte }
  }

  var capacity: Int { packing == .words ? 120 : packing == .numbers ? 80 : 40 }

  /// Adds a block whose sample `anchor` was taken so many ns after the start. `rates` are the gyroscope's counts.
  mutating func add(_ samples: [Counts], rates: [Counts] = [], anchor: Int, at time: Int) {
    var block: [UInt8] = [0x41, 0x58]
    let seconds = time / 1_000_000_000
    let fraction = hasFraction ? ((time % 1_000_000_000) << 15) / 1_000_000_000 : 0
    let hertz = 3200 >> (15 - (rateCode & 15))
    let axes = packing == .inertial ? 6 : 3
    block.append((508, 2), (hasFraction ? 0x8000 | fraction : 0, 2), (session, 4), (sequence, 4))
    block.append((Self.packed(seconds), 4))
    block.append((packing == .words ? 400 : 400 | gyroscopeCode << 10 | scaleCode << 13, 2), (270, 2), (0, 1), (200, 1))
    block.append((rateCode, 1), (axes << 4 | (packing == .words ? 0 : 2), 1))
    block.append(((anchor - ((fraction * hertz) >> 15)) & 0xFFFF, 2), (samples.count, 2))
    for (index, sample) in samples.enumerated() {
      if packing == .words {
        block.append((Self.word(sample), 4))
      } else {
        for count in packing == .inertial ? [rates[index], sample] : [sample] {
          block.append((count.x & 0xFFFF, 2), (count.y & 0xFFFF, 2), (count.z & 0xFFFF, 2))
        }
      }
    }
    block += Array(repeating: 0, count: 510 - block.count)
    let sum = stride(from: 0, to: 510, by: 2).reduce(0) { $0 + Int(block[$1]) + Int(block[$1 + 1]) << 8 }
    block.append((-sum & 0xFFFF, 2))
    bytes += block
    sequence += 1
  }

  /// Whole blocks of samples at a rate that need not be the set one, from a time after the start on.
  mutating func add(blocks: Int, rate: Double, from start: Int = 0, _ sample: (Int) -> Counts) {
    for block in 0..<blocks {
      let first = block * capacity
      let anchor = 5 + block * 7 % (capacity - 5)
      let samples = (0..<capacity).map { sample(first + $0) }
      add(
        samples, rates: packing == .inertial ? samples.map { ($0.z, -$0.x, $0.y) } : [], anchor: anchor,
        at: start + Int((Double(first + anchor) * 1e9 / rate).rounded()))
    }
  }

  /// Days from 2024-03-04 on.
  private static func packed(_ seconds: Int) -> Int {
    let parts = Calendar.utc.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: Date(timeIntervalSince1970: Double(start / 1_000_000_000 + seconds)))
    func part(_ value: Int?) -> Int { value ?? 0 }
    return (part(parts.year) - 2000) << 26 | part(parts.month) << 22 | part(parts.day) << 17 | part(parts.hour) << 12
      | part(parts.minute) << 6 | part(parts.second)
  }

  private static func word(_ sample: Counts) -> Int {
    var exponent = 0
    func fits(_ value: Int) -> Bool {
      (-512...511).contains(value >> exponent) && (value >> exponent) << exponent == value
    }
    while !(fits(sample.x) && fits(sample.y) && fits(sample.z)), exponent < 3 { exponent += 1 }
    return exponent << 30 | (sample.z >> exponent & 1023) << 20 | (sample.y >> exponent & 1023) << 10
      | sample.x >> exponent & 1023
  }
}

extension Calendar {
  fileprivate static let utc: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()
}

/// Writes GT3X files: records of a log, and the zip around them.
struct GT3XWriter {
  var info = [
    "Serial Number: MOS2A12345678", "Firmware: 1.9.2", "Sample Rate: 30", "Start Date: 638451072000000000",
    "Acceleration Scale: 256.0", "Limb: Wrist", "Side: Left",
  ]
  private(set) var log: [UInt8] = []
  /// 2024-03-04 00:00:00.
  static let start = 1_709_510_400

  mutating func add(type: Int, second: Int, _ payload: [UInt8]) {
    var record: [UInt8] = []
    record.append((0x1E, 1), (type, 1), (Self.start + second, 4), (payload.count, 2))
    record += payload
    record.append(record.reduce(0xFF, ^))
    log += record
  }

  /// 16-bit numbers, x y z.
  mutating func addWhole(second: Int, _ samples: [Counts]) {
    var payload: [UInt8] = []
    for sample in samples { payload.append((sample.x & 0xFFFF, 2), (sample.y & 0xFFFF, 2), (sample.z & 0xFFFF, 2)) }
    add(type: 26, second: second, payload)
  }

  /// 12-bit numbers, y x z.
  static func packed(_ samples: [Counts]) -> [UInt8] {
    var nibbles = samples.flatMap { sample in
      [sample.y, sample.x, sample.z].flatMap { value in [value >> 8 & 15, value >> 4 & 15, value & 15] }
    }
    if nibbles.count % 2 == 1 { nibbles.append(0) }
    return stride(from: 0, to: nibbles.count, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
  }

  /// ACCEL_SCALE: a power of two, 2^exponent / 2.
  mutating func addScale(exponent: Int) {
    var payload: [UInt8] = []
    payload.append((6 << 16, 4), (2, 4), (55 << 16, 4), (exponent << 24 | 0x400000, 4))
    add(type: 21, second: 0, payload)
  }

  func zip(_ file: String = "log.bin", _ content: [UInt8]? = nil, isDeflated: Bool = true) -> [UInt8] {
    var zip = ZipBuilder()
    zip.add(file, content ?? log, isDeflated: isDeflated)
    zip.add("info.txt", Array(info.joined(separator: "\r\n").utf8), isDeflated: isDeflated)
    return zip.finish()
  }
}

/// Writes GENEActiv files.
struct GENEActivWriter {
  private(set) var text: String
  static let gain = (25000, 25600, 24800), offset = (120, -300, 45)
  private var pages = 0

  init(place: String = "left wrist") {
    text = """
      Device Identity
      Device Unique Serial Code:012345
      Device Type:GENEActiv
      Accelerometer Range:-8 to 8
      Measurement Frequency:50 Hz
      Device Location Code:\(place)

      Calibration Data
      x gain:\(Self.gain.0)
      x offset:\(Self.offset.0)
      y gain:\(Self.gain.1)
      y offset:\(Self.offset.1)
      z gain:\(Self.gain.2)
      z offset:\(Self.offset.2)
      Volts:300
      Lux:800

      """ + "\n"
  }

  /// A page whose first sample was taken so many milliseconds after 2024-03-04 10:00:00.
  mutating func add(_ samples: [Counts], at milliseconds: Int) {
    let time = String(
      format: "%02d:%02d:%02d:%03d", 10 + milliseconds / 3_600_000, milliseconds / 60_000 % 60,
      milliseconds / 1000 % 60, milliseconds % 1000)
    text += "Recorded Data\nDevice Unique Serial Code:012345\nSequence Number:\(pages)\nPage Time:2024-03-04 \(time)\n"
    text += "Unassigned:\nTemperature:28.2\nBattery voltage:4.1\nDevice Status:Recording\nMeasurement Frequency:50.0\n"
    text += samples.map { String(format: "%03X%03X%03X%03X", $0.x & 0xFFF, $0.y & 0xFFF, $0.z & 0xFFF, 0x1A4) }.joined()
    text += "\n"
    pages += 1
  }

  static func force(_ sample: Counts) -> Vector3<Device> {
    Vector3(
      x: (Double(sample.x) * 100 - Double(offset.0)) / Double(gain.0),
      y: (Double(sample.y) * 100 - Double(offset.1)) / Double(gain.1),
      z: (Double(sample.z) * 100 - Double(offset.2)) / Double(gain.2))
  }
}

/// Arrays of an npz file as NumPy's `savez` writes it: a zip without compression of arrays of f8 and i8.
struct NPZ {
  private var arrays: [String: [Double]] = [:]

  init(_ path: String) throws {
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    func number(_ place: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }
    // The directory's place stands 6 bytes before the end.
    var place = number(bytes.count - 6, 4)
    for _ in 0..<number(bytes.count - 12, 2) {
      let (nameLength, extraLength) = (number(place + 28, 2), number(place + 30, 2))
      let name = String(decoding: bytes[place + 46..<place + 46 + nameLength], as: UTF8.self)
      let (size, local) = (number(place + 24, 4), number(place + 42, 4))
      let start = local + 30 + number(local + 26, 2) + number(local + 28, 2)
      let headerLength = number(start + 8, 2)
      let header = String(decoding: bytes[start + 10..<start + 10 + headerLength], as: UTF8.self)
      let content = Data(bytes[start + 10 + headerLength..<start + size])
      arrays[String(name.dropLast(4))] = content.withUnsafeBytes { raw in
        header.contains("<f8")
          ? (0..<raw.count / 8).map { raw.loadUnaligned(fromByteOffset: 8 * $0, as: Double.self) }
          : (0..<raw.count / 8).map { Double(raw.loadUnaligned(fromByteOffset: 8 * $0, as: Int64.self)) }
      }
      place += 46 + nameLength + extraLength + number(place + 32, 2)
    }
  }

  /// The numbers of an array, row after row; empty where it is not there.
  subscript(_ name: String) -> [Double] { arrays[name] ?? [] }
}
