// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The format of a recording, by name. The names are those of the `format` option.
public struct RecordingFormat: RawRepresentable, Sendable, Hashable {
  /// As in the `format` option: "sensorlog".
  public let rawValue: String
  /// A format by name; ``readable`` lists the supported ones.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A folder of the PyojinKim logger: `acce.txt`, `gyro_uncalib.txt` …
  public static let pyojinKim = RecordingFormat(rawValue: "pyojinkim")
  /// A trial of the tyrex attitude benchmark: a folder with `accelerometer.txt`, `gyroscope.txt`, `magnetometer.txt`.
  public static let tyrex = RecordingFormat(rawValue: "tyrex")
  /// A CSV of the app SensorLog.
  public static let sensorLog = RecordingFormat(rawValue: "sensorlog")
  /// An export of the app Sensor Logger: zip, folder or one of its CSVs.
  public static let sensorLogger = RecordingFormat(rawValue: "sensorlogger")

  /// An export of the app phyphox: zip, folder or one of its CSVs.
  public static let phyphox = RecordingFormat(rawValue: "phyphox")
  /// A CSV of the OxIOD data set, or one with its columns named in a header.
  public static let oxIOD = RecordingFormat(rawValue: "oxiod")
  /// A CSV of the MotionSense data set.
  public static let motionSense = RecordingFormat(rawValue: "motionsense")
  /// CSVs of the SensingKit library.
  public static let sensingKit = RecordingFormat(rawValue: "sensingkit")
  /// A CSV of the RIDI data set.
  public static let ridi = RecordingFormat(rawValue: "ridi")
  /// A folder of the ADVIO data set.
  public static let advio = RecordingFormat(rawValue: "advio")
  /// A folder of ios_logger.
  public static let iosLogger = RecordingFormat(rawValue: "ioslogger")
  /// A CSV of the Oxford step counter data set.
  public static let oxfordSteps = RecordingFormat(rawValue: "oxfordsteps")
  /// A CSV of the WISDM data set, written as time differences.
  public static let wisdm = RecordingFormat(rawValue: "wisdm")
  /// A CSV of the lower-back sensor of Mobilise-D.
  public static let mobilised = RecordingFormat(rawValue: "mobilised")
  /// A CSV of the run of the ADEPT data: hip and ankle.
  public static let adeptRun = RecordingFormat(rawValue: "adeptrun")
  /// A CSV of the device motion of mhealthtools.
  public static let mhealthtools = RecordingFormat(rawValue: "mhealthtools")

  /// CSVs of an x-IMU3, or the Fusion library's sample data.
  public static let xIMU3 = RecordingFormat(rawValue: "ximu3")

  /// Tidy CSVs of this package.
  public static let tidy = RecordingFormat(rawValue: "tidy")
  /// Any CSV, with ``RecordingOptions/map``.
  public static let mapped = RecordingFormat(rawValue: "mapped")

  /// Any table of sensors, understood from its names and numbers; ``Recording/assumptions`` say how.
  public static let table = RecordingFormat(rawValue: "table")

  /// A CSV of a dive computer's pressures.
  public static let diveLog = RecordingFormat(rawValue: "divelog")
  /// A log of a Seabear dive computer.
  public static let seabear = RecordingFormat(rawValue: "seabear")
  /// A download of a ReefNet Sensus.
  public static let sensus = RecordingFormat(rawValue: "sensus")
  /// A CSV of air pressures.
  public static let barometerLog = RecordingFormat(rawValue: "barometer")

  /// An accelerometer at 800 Hz, written batch by batch.
  public static let batchedAccelerometer = RecordingFormat(rawValue: "batches")

  /// An MCAP file: our own recording, or one with ROS 2 messages.
  public static let mcap = RecordingFormat(rawValue: "mcap")
  /// A bag of ROS 2: its folder.
  public static let rosbag2 = RecordingFormat(rawValue: "rosbag2")
  /// OpenCoreMotion's own topics as lines of JSON.
  public static let ndjson = RecordingFormat(rawValue: "ndjson")

  /// The formats that can be read.
  public static var readable: [RecordingFormat] { FormatReader.all.map(\.format) }

  /// What is recognised and not read, and the way to convert it, with FILE for its path.
  package static var convertible: [(what: String, way: String)] {
    DetectionRule.all.compactMap { rule in
      guard case .known(let what, let way) = rule.outcome, !way.isEmpty else { return nil }
      return (what, way)
    }
  }

  /// How a recording of it is recognised, in words.
  package var summary: String { FormatReader.reader(self)?.summary ?? "" }

  /// The usual name: "SensorLog".
  public var title: String { FormatReader.reader(self)?.title ?? rawValue }
}
