// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Glibc
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
