// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The form of a recording, by name. The names are those of the `format` option.
public struct RecordingFormat: RawRepresentable, Sendable, Hashable {
  /// As in the `format` option: "sensorlog".
  public let rawValue: String
  /// A format by name; ``readable`` lists those that are read.
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
  /// CSVs of an x-IMU3, or the Fusion library's sample data.
  public static let xIMU3 = RecordingFormat(rawValue: "ximu3")
  /// Tidy CSVs of this package.
  public static let tidy = RecordingFormat(rawValue: "tidy")
  /// Any CSV, with ``RecordingOptions/map``.
  public static let mapped = RecordingFormat(rawValue: "mapped")

  /// A CSV of a dive computer's pressures.
  public static let diveLog = RecordingFormat(rawValue: "divelog")
  /// A log of a Seabear dive computer.
  public static let seabear = RecordingFormat(rawValue: "seabear")
  /// A download of a ReefNet Sensus.
  public static let sensus = RecordingFormat(rawValue: "sensus")
  /// A CSV of air pressures.
  public static let barometerLog = RecordingFormat(rawValue: "barometer")

  /// An accelerometer at 800 Hz, written down batch by batch.
  public static let batchedAccelerometer = RecordingFormat(rawValue: "batches")

  /// An MCAP file: our own recording, or one with ROS 2 messages.
  public static let mcap = RecordingFormat(rawValue: "mcap")
  /// Our own topics as lines of JSON.
  public static let ndjson = RecordingFormat(rawValue: "ndjson")

  /// The formats that can be read.
  public static var readable: [RecordingFormat] { FormatRegistry.readers.map { $0.format } }

  /// As people call it: "SensorLog".
  public var title: String { FormatRegistry.reader(self)?.title ?? rawValue }
}

/// How one format is read. To add a format: conform a type, add it to ``FormatRegistry/readers`` and a rule to
/// ``DetectionRule/all``.
protocol FormatReader {
  static var format: RecordingFormat { get }
  static var title: String { get }
  /// How a person recognises it, for the list of what can be read.
  static var summary: String { get }
  /// Whether its recordings may hold several devices, so that ``RecordingOptions/device`` names one; else that option is refused.
  static var hasDevices: Bool { get }
  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan
}

extension FormatReader {
  static var hasDevices: Bool { false }
}

/// What a format makes of a set of files.
struct RecordingPlan: Sendable {
  var streams: [any SampleStreamPlan]
  var usesRecordedMotion = false
  var deviceClass = SensorInfo.DeviceClass.phone
  /// What a reader of the recording's name should know: how a sensor was rebuilt.
  var notes: [String] = []
  /// What the recording says of its own attitude or gravity, as recorded motion, where the streams do not deliver it: for the
  /// check of its beginning. Attitude or acceleration may be NaN.
  var witness: (any SampleStreamPlan)?
  /// Radians by which a recorded attitude and gravity may differ.
  var witnessTolerance = SelfCheck.sameEventTolerance
  /// What a dive log says of the water.
  var water: SensorInfo.Water?
  /// How far samples of different sensors are out of order, as the recording states it; the order of the stream counts.
  var reordering: SensorDuration = .zero
  /// What the recording says of itself, where it does.
  var description: RecordingDescription?
  /// What a recording of another program tells instead; nil = nothing.
  var facts: RecordedFacts?
  /// What is there and is not played, in words: for people.
  var unread: [String] = []
  /// What is odd about its form: sentences.
  var warnings: [String] = []

  /// What fused motion that is left aside is called.
  static let motionAside = "motion as the device computed it"
}

enum FormatRegistry {
  static var readers: [any FormatReader.Type] {
    [
      PyojinKimFormat.self, TyrexFormat.self, SensorLogFormat.self, SensorLoggerFormat.self, DiveLogFormat.self,
      SeabearFormat.self, SensusFormat.self, BarometerLogFormat.self, BatchedAccelerometerFormat.self,
      PhyphoxFormat.self, OxIODFormat.self, MotionSenseFormat.self, SensingKitFormat.self, RIDIFormat.self,
      ADVIOFormat.self, IOSLoggerFormat.self, XIMU3Format.self, TidyFormat.self, MappedFormat.self,
      MCAPFormat.self, NDJSONFormat.self, ArrowFormat.self,
    ]
  }

  static func reader(_ format: RecordingFormat) -> (any FormatReader.Type)? { readers.first { $0.format == format } }

  /// "PyojinKim logger (a folder with acce.txt …), …"
  static var summary: String { readers.map { "\($0.title) (\($0.summary))" }.joined(separator: ", ") }
}
