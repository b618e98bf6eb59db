// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A second or so of a GoPro's sensors: nested entries of a key of four letters, a type, the bytes of one element, how
/// many there are, and the elements, big endian and padded to four bytes. Type 0 = further entries.
///
/// A `STRM` is one sensor: what describes it (`SCAL`, by which its integers are divided, `ORIN`, its axes) stands before
/// its data. Source: https://github.com/gopro/gpmf-parser, README (public specification).
struct GPMFPayload {
  /// The readings of one sensor, in SI and on the axes of the camera.
  struct Readings {
    var sensor: Sensor
    var values: [Vector3<Device>]
    /// The time of the first by the camera's clock, ns (`STMP`); newer cameras write it.
    var stamp: Int64?
  }

  enum Sensor: String, CaseIterable {
    case accelerometer = "ACCL"
    case gyroscope = "GYRO"
    case magnetometer = "MAGN"

    var kind: SensorKinds {
      switch self {
      case .accelerometer: .accelerometer
      case .gyroscope: .gyroscope
      case .magnetometer: .magnetometer
      }
    }

    func sample(_ time: SensorInstant, _ value: Vector3<Device>) -> SensorSample {
      switch self {
      case .accelerometer: .accelerometer(AccelerometerSample(time: time, specificForce: value))
      case .gyroscope: .gyroscope(GyroscopeSample(time: time, angularVelocity: value))
      // Microtesla.
      case .magnetometer: .magnetometer(MagnetometerSample(time: time, magneticField: value * 1e-6))
      }
    }
  }

  private(set) var readings: [Readings] = []
  /// The keys of data that is not read: positions, exposure, faces.
  private(set) var others: Set<String> = []
  private let place: SensorError.Place

  /// Reads a payload. What is whole before damage is kept, and `damage` says what is wrong.
  init(_ bytes: [UInt8], at place: SensorError.Place, damage: inout SensorError?) {
    self.place = place
    do throws(SensorError) {
      try forEachEntry(bytes[...]) { (device) throws(SensorError) in
        guard device.key == "DEVC", device.type == 0 else { throw damaged("It does not begin with DEVC") }
        try forEachEntry(device.data) { (stream) throws(SensorError) in
          if stream.key == "STRM", stream.type == 0 { try readStream(stream.data) }
        }
      }
    } catch {
      damage = error
    }
  }

  private struct Entry {
    var key: String
    var type: UInt8
    var elementSize: Int
    var count: Int
    var data: ArraySlice<UInt8>

    /// The numbers of its elements; nil for a type that is not of numbers.
    var numbers: [Double]? {
      let size: Int
      switch type {
      case UInt8(ascii: "b"), UInt8(ascii: "B"): size = 1
      case UInt8(ascii: "s"), UInt8(ascii: "S"): size = 2
      case UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "f"): size = 4
      case UInt8(ascii: "d"), UInt8(ascii: "J"): size = 8
      default: return nil
      }
      return stride(from: data.startIndex, to: data.endIndex - data.count % size, by: size).map { start in
        let bits = data[start..<start + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return switch type {
        case UInt8(ascii: "b"): Double(Int8(truncatingIfNeeded: bits))
        case UInt8(ascii: "s"): Double(Int16(truncatingIfNeeded: bits))
        case UInt8(ascii: "l"): Double(Int32(truncatingIfNeeded: bits))
        case UInt8(ascii: "f"): Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))
        case UInt8(ascii: "d"): Double(bitPattern: bits)
        default: Double(bits)
        }
      }
    }
  }

  private func damaged(_ what: String) -> SensorError {
    .damaged("A block of the GoPro's telemetry is damaged: \(what)", at: place)
  }

  private func forEachEntry(
    _ bytes: ArraySlice<UInt8>, _ body: (Entry) throws(SensorError) -> Void
  ) throws(SensorError) {
    var rest = bytes
    while rest.count >= 8, rest.first != 0 {
      let head = Array(rest.prefix(8))
      let (size, count) = (Int(head[5]), Int(head[6]) << 8 | Int(head[7]))
      let length = size * count
      rest = rest.dropFirst(8)
      // Of what is cut off, entries that are whole are read.
      guard length <= rest.count || head[4] == 0 else { throw damaged("an entry is longer than what holds it") }
      try body(
        Entry(
          key: String(decoding: head[..<4], as: UTF8.self), type: head[4], elementSize: size, count: count,
          data: rest.prefix(length)))
      guard length <= rest.count else { throw damaged("an entry is longer than what holds it") }
      rest = rest.dropFirst((length + 3) / 4 * 4)
    }
  }

  /// Keys that describe a stream.
  private static let descriptions: Set = [
    "STMP", "TSMP", "STNM", "RMRK", "SCAL", "SIUN", "UNIT", "TYPE", "TIMO", "EMPT", "MTRX", "ORIN", "ORIO", "TMPC",
  ]

  private mutating func readStream(_ bytes: ArraySlice<UInt8>) throws(SensorError) {
    var scales: [Double] = []
    var axes: [UInt8]?
    var found: Readings?
    var stamp: Int64?
    var last: String?
    try forEachEntry(bytes) { (entry) throws(SensorError) in
      switch entry.key {
      case "SCAL": scales = entry.numbers ?? []
      case "STMP":
        stamp = entry.numbers?.first.flatMap { Int64(exactly: $0)?.multipliedReportingOverflow(by: 1000).partialValue }
      case "ORIN":
        if Set(entry.data.prefix(3).map { $0 & 0xDF }) == Set("XYZ".utf8) { axes = Array(entry.data.prefix(3)) }
      case let key where Self.descriptions.contains(key): break
      default:
        last = entry.key
        // The axes of a HERO5, which does not name them; those of its magnetometer are not published.
        guard let sensor = Sensor(rawValue: entry.key),
          let axes = axes ?? (sensor == .magnetometer ? nil : Array("ZXY".utf8))
        else { return }
        guard let numbers = entry.numbers, numbers.count == 3 * entry.count else {
          throw damaged("\(entry.key) does not hold three numbers a reading")
        }
        let scale = scales.isEmpty ? [1] : scales
        guard scale.allSatisfy({ $0 != 0 && $0.isFinite }) else { throw damaged("its scale is no number") }
        let values = (0..<entry.count).map { row in
          var value = Vector3<Device>(x: 0, y: 0, z: 0)
          for column in 0..<3 {
            let number = numbers[3 * row + column] / scale[column % scale.count]
            // A small letter: the other direction.
            let signed = axes[column] & 0x20 == 0 ? number : -number
            switch axes[column] & 0xDF {
            case UInt8(ascii: "X"): value.x = signed
            case UInt8(ascii: "Y"): value.y = signed
            default: value.z = signed
            }
          }
          return value
        }
        found = Readings(sensor: sensor, values: values, stamp: stamp)
      }
    }
    guard let found else {
      // The data of a stream is its last entry.
      if others.count < 64, let last { others.insert(last) }
      return
    }
    // Of two devices in one recording the first is read.
    if readings.contains(where: { $0.sensor == found.sensor }) {
      others.insert("a second \(found.sensor.rawValue)")
    } else {
      readings.append(found)
    }
  }
}
