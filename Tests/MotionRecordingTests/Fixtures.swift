// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
@_exported import TestSupport

/// Small recordings of each format, as text by file name.
enum Fixture {
  /// A set of tidy CSVs, ten rows at 100 Hz; the recorded motion ticks 5 ms after the raw sensors.
  static func walk(rows: Int = 10) -> [String: String] {
    func sensor(_ start: Int, _ row: (Int) -> String) -> String {
      "timestamp_ns,x,y,z\n" + (0..<rows).map { "\(start + $0 * 10_000_000),\(row($0))\n" }.joined()
    }
    let raw = 2_713_980_000_000
    let motion = (0..<rows).map { row -> String in
      let milliseconds = 2_713_985 + row * 10
      return "\(milliseconds / 1000).\(String(1000 + milliseconds % 1000).dropFirst()),"
        + "0.1,0.2,0.\(30 + row),0.9,0.1\(row),0.2,0.3,0.5,-0.25,-0.9\(row),0.125,0.25,0.\(500 + row),2\(row).5,-4.5,-47.75,27\(row).5\n"
    }
    return [
      accelerometer: sensor(raw) { "0.01,-0.02,9.\(700 + $0)" }, gyroscope: sensor(raw) { "0.00\($0),0.02,0.03" },
      "walk.sensor.magnetometer.csv": sensor(raw + 1) { "1\($0).5e-6,-38e-6,42.125e-6" },
      "walk.motion.device.csv": """
      timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,gravity_x,\
      gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,magneticField_x,magneticField_y,\
      magneticField_z,heading

      """ + motion.joined(),
    ]
  }

  static let accelerometer = "walk.sensor.accelerometer.csv"
  static let gyroscope = "walk.sensor.gyroscope.csv"

  /// SensorLog's columns that are read, with two that are not between them.
  static let sensorLogHeader = [
    "loggingTime(txt)", "locationTrueHeading(°)", "accelerometerTimestamp_sinceReboot(s)",
    "accelerometerAccelerationX(G)", "accelerometerAccelerationY(G)", "accelerometerAccelerationZ(G)",
    "gyroTimestamp_sinceReboot(s)", "gyroRotationX(rad/s)", "gyroRotationY(rad/s)", "gyroRotationZ(rad/s)",
    "magnetometerTimestamp_sinceReboot(s)", "magnetometerX(µT)", "magnetometerY(µT)", "magnetometerZ(µT)",
    "motionTimestamp_sinceReboot(s)", "motionYaw(rad)", "motionRotationRateX(rad/s)", "motionRotationRateY(rad/s)",
    "motionRotationRateZ(rad/s)", "motionUserAccelerationX(G)", "motionUserAccelerationY(G)",
    "motionUserAccelerationZ(G)", "motionAttitudeReferenceFrame(txt)", "motionQuaternionX(R)", "motionQuaternionY(R)",
    "motionQuaternionZ(R)", "motionQuaternionW(R)", "motionGravityX(G)", "motionGravityY(G)", "motionGravityZ(G)",
    "motionMagneticFieldX(µT)", "motionMagneticFieldY(µT)", "motionMagneticFieldZ(µT)", "motionHeading(°)",
    "motionMagneticFieldCalibrationAccuracy(Z)", "altimeterTimestamp_sinceReboot(s)", "altimeterPressure(kPa)",
  ]

  /// One row; nil leaves the cells of a group empty.
  static func sensorLogRow(_ index: Int) -> [String] {
    let time = { (offset: Int) in "1138457.\(699_000_000 + index * 10_000_000 + offset)" }
    return [
      "2024-05-01T10:00:00.000+0200", "12.5", time(0), "0.\(100 + index)", "-0.25", "-0.9870452880859375",
      time(1000), "0.0\(10 + index)", "0.02", "0.03", time(2000), "2\(index).5", "-4.5", "-47.75",
      time(3000), "1.5", "0.1", "0.2", "0.\(300 + index)", "0.0625", "0.125", "0.\(250 + index)",
      "XArbitraryCorrectedZVertical", "0.1", "0.2", "0.3", "-0.9", "0.5", "-0.25", "-0.8125", "20.5", "-4.25", "-40.5",
      "-1", "2", index < 5 ? "1138457.5" : "1138457.744", "101.325",
    ]
  }

  static func sensorLog(rows: Int = 10, without: [String] = [], separator: String = ",") -> String {
    let kept = sensorLogHeader.indices.filter { index in !without.contains { sensorLogHeader[index].hasPrefix($0) } }
    let lines = [kept.map { sensorLogHeader[$0] }] + (0..<rows).map { row in kept.map { sensorLogRow(row)[$0] } }
    return lines.map { $0.joined(separator: separator) + "\n" }.joined()
  }

  static func sensorLoggerMetadata(platform: String = "ios", standardised: Bool? = nil, version: String = "1.40")
    -> String
  {
    let extra = standardised.map { (",standardisation", ",\($0)") } ?? ("", "")
    return
      "version,device name,platform,appVersion,sensors\(extra.0)\n3,\"a, phone\",\(platform),\(version),A|B\(extra.1)\n"
  }

  static func sensorLoggerTable(_ header: String, rows: Int = 10, _ row: (Int) -> String) -> String {
    "time,seconds_elapsed,\(header)\n"
      + (0..<rows).map { "\(1_698_501_144_401_773_123 + $0 * 10_000_000),0.\($0),\(row($0))\n" }.joined()
  }

  static func sensorLogger(metadata: String = sensorLoggerMetadata()) -> [String: String] {
    [
      "Metadata.csv": metadata,
      "AccelerometerUncalibrated.csv": sensorLoggerTable("z,y,x") { "-0.98\($0),0.02,0.0103827476501464844" },
      "GyroscopeUncalibrated.csv": sensorLoggerTable("z,y,x") { "0.3,0.2,0.1\($0)" },
      "MagnetometerUncalibrated.csv": sensorLoggerTable("z,y,x") { "-40.5,-4.25,20.\($0)" },
      "Accelerometer.csv": sensorLoggerTable("z,y,x") { "0.25,0.125,0.0625\($0)" },
      "Gravity.csv": sensorLoggerTable("z,y,x") { "-9.5,-0.5,0.75\($0)" },
      "Gyroscope.csv": sensorLoggerTable("z,y,x") { "0.33,0.22,0.1\($0)" },
      "Orientation.csv": sensorLoggerTable("yaw,qx,qz,roll,qw,qy,pitch") { "1,0.1,0.3,1,0.9\($0),0.2,1" },
      "Barometer.csv": sensorLoggerTable("relativeAltitude,pressure", rows: 2) { "0,1013.25\($0)" },
    ]
  }
}

/// What reading a recording to its end gave.
struct ReadResult {
  var recording: Recording
  var samples: [SensorSample]
  var statistics: RecordingStatistics

  func only(_ kind: SensorKinds) -> [SensorSample] { samples.filter { $0.kinds == kind } }

  var accelerometer: [AccelerometerSample] {
    samples.compactMap { if case .accelerometer(let s) = $0 { s } else { nil } }
  }
  var gyroscope: [GyroscopeSample] { samples.compactMap { if case .gyroscope(let s) = $0 { s } else { nil } } }
  var magnetometer: [MagnetometerSample] { samples.compactMap { if case .magnetometer(let s) = $0 { s } else { nil } } }
  var pressure: [PressureSample] { samples.compactMap { if case .pressure(let s) = $0 { s } else { nil } } }
  var fused: [MotionRow] { samples.compactMap { if case .motion(let s) = $0 { s } else { nil } } }
}

extension TemporaryFolder {
  @discardableResult
  func write(_ files: [String: String]) throws -> String {
    for (name, text) in files { try write(name, text) }
    return path
  }
}

extension RecordingOptions {
  static let recorded: RecordingOptions = {
    var options = RecordingOptions()
    options.motion = .recorded
    return options
  }()

  static let skipping: RecordingOptions = {
    var options = RecordingOptions()
    options.damage = .skip
    return options
  }()
}

func read(_ path: String, _ options: RecordingOptions = RecordingOptions()) throws(SensorError) -> ReadResult {
  let recording = try Recording.open(path: path, options: options)
  let reader = try recording.makeReader()
  var samples: [SensorSample] = []
  while let sample = try reader.next() { samples.append(sample) }
  return ReadResult(recording: recording, samples: samples, statistics: reader.statistics)
}

/// The error of opening or reading, nil when all went well.
func failure(_ path: String, _ options: RecordingOptions = RecordingOptions()) -> SensorError? {
  do throws(SensorError) {
    _ = try read(path, options)
    return nil
  } catch { return error }
}

/// Processor time of this thread while `body` runs; other than real time it does not depend on what else the machine
/// does.
func processorTime(_ body: () throws -> Void) rethrows -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let start = now()
  try body()
  return now() - start
}

/// A deflate and gzip writer for fixtures, independent of zlib: RFC 1951 with the fixed code, runs of one byte as
/// matches of distance 1.
enum Compressor {
  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    bits.put(0b011, 3)  // last block, fixed code
    var position = 0
    while position < bytes.count {
      var run = 0
      if position > 0 {
        while run < 258, position + run < bytes.count, bytes[position + run] == bytes[position - 1] { run += 1 }
      }
      if run == 258 {
        bits.putCode(285 - 280 + 0b1100_0000, 8)  // length 258, no extra bits
        bits.putCode(0, 5)  // distance 1
        position += run
      } else {
        let byte = Int(bytes[position])
        if byte < 144 { bits.putCode(0x30 + byte, 8) } else { bits.putCode(0x190 + byte - 144, 9) }
        position += 1
      }
    }
    bits.putCode(0, 7)  // end of block
    return bits.finish()
  }

  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflate(bytes)
    result.append(number: Int(crc32(bytes)), count: 4)
    result.append(number: bytes.count, count: 4)
    return result
  }

  /// A gzip of line ends, one and then 258 for each 2 bits: about 1000 : 1.
  ///
  /// A block with a code of its own: match of length 258 = `0`, line end = `10`, end of block = `11`, distance 1 = `0`.
  static func bomb(matches: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.put(0b101, 3)  // last block, dynamic code
    bits.put(286 - 257, 5)
    bits.put(1 - 1, 5)
    bits.put(18 - 4, 4)
    // Lengths of the code for lengths, in the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: four symbols of 2
    // bits.
    for index in 0..<18 { bits.put([1, 2, 15, 17].contains(index) ? 2 : 0, 3) }
    let (one, two, zerosShort, zerosLong) = (0, 1, 2, 3)
    bits.putCode(zerosShort, 2)
    bits.put(10 - 3, 3)
    bits.putCode(two, 2)  // 10, the line end
    bits.putCode(zerosLong, 2)
    bits.put(138 - 11, 7)
    bits.putCode(zerosLong, 2)
    bits.put(107 - 11, 7)
    bits.putCode(two, 2)  // 256, the end of the block
    bits.putCode(zerosLong, 2)
    bits.put(28 - 11, 7)
    bits.putCode(one, 2)  // 285, length 258
    bits.putCode(one, 2)  // distance 1
    bits.putCode(0b10, 2)
    for _ in 0..<matches { bits.put(0b00, 2) }
    bits.putCode(0b11, 2)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bits.finish()
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~crc
  }

  private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var count = 0

    mutating func put(_ value: Int, _ width: Int) {
      pending |= UInt32(value) << UInt32(count)
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }

    /// Huffman codes go most significant bit first.
    mutating func putCode(_ code: Int, _ width: Int) {
      var reversed = 0
      for bit in 0..<width where code >> bit & 1 == 1 { reversed |= 1 << (width - 1 - bit) }
      put(reversed, width)
    }

    mutating func finish() -> [UInt8] {
      if count > 0 { put(0, 8 - count) }
      return bytes
    }
  }
}

extension [UInt8] {
  /// A little-endian number of `count` bytes.
  mutating func append(number: Int, count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> (index * 8))) }
  }

  /// Little-endian numbers, each given as (value, bytes).
  mutating func append(_ numbers: (Int, Int)...) {
    for (number, count) in numbers { append(number: number, count: count) }
  }
}

/// Builds a zip in memory (APPNOTE.TXT 6.3): entries stored or deflated, with or without data descriptors and ZIP64.
struct ZipBuilder {
  var usesZip64 = false
  /// Sizes stand behind the data instead of in the local header.
  var usesDataDescriptors = false
  private var local: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0
  private static let elsewhere = 0xFFFF_FFFF

  mutating func add(
    _ name: String, _ content: [UInt8], isDeflated: Bool = true, flags: Int = 0, method: Int? = nil,
    declaredSize: Int? = nil
  ) {
    let data = isDeflated ? Compressor.deflate(content) : content
    let flags = flags | (usesDataDescriptors ? 8 : 0)
    let method = method ?? (isDeflated ? 8 : 0)
    let offset = local.count
    let size = declaredSize ?? content.count
    let crc = Int(Compressor.crc32(content))
    let isHidden = usesDataDescriptors
    local.append((0x0403_4B50, 4), (20, 2), (flags, 2), (method, 2), (0, 4))
    local.append((isHidden ? 0 : crc, 4), (isHidden ? 0 : data.count, 4), (isHidden ? 0 : size, 4))
    local.append((name.utf8.count, 2), (0, 2))
    local += Array(name.utf8) + data
    if isHidden { local.append((0x0807_4B50, 4), (crc, 4), (data.count, 4), (size, 4)) }
    var extra: [UInt8] = []
    if usesZip64 { extra.append((1, 2), (24, 2), (size, 8), (data.count, 8), (offset, 8)) }
    directory.append((0x0201_4B50, 4), (20, 2), (20, 2), (flags, 2), (method, 2), (0, 4), (crc, 4))
    directory.append((usesZip64 ? Self.elsewhere : data.count, 4), (usesZip64 ? Self.elsewhere : size, 4))
    directory.append((name.utf8.count, 2), (extra.count, 2), (0, 2), (0, 2), (0, 2), (0, 4))
    directory.append((usesZip64 ? Self.elsewhere : offset, 4))
    directory += Array(name.utf8) + extra
    count += 1
  }

  func finish(declaredEntries: Int? = nil) -> [UInt8] {
    let entries = declaredEntries ?? count
    var result = local + directory
    if usesZip64 {
      let record = result.count
      result.append((0x0606_4B50, 4), (44, 8), (45, 2), (45, 2), (0, 4), (0, 4), (entries, 8), (entries, 8))
      result.append((directory.count, 8), (local.count, 8))
      result.append((0x0706_4B50, 4), (0, 4), (record, 8), (1, 4))
    }
    let short = usesZip64 ? 0xFFFF : entries
    result.append((0x0605_4B50, 4), (0, 4), (short, 2), (short, 2))
    result.append((usesZip64 ? Self.elsewhere : directory.count, 4), (usesZip64 ? Self.elsewhere : local.count, 4))
    result.append((0, 2))
    return result
  }
}
