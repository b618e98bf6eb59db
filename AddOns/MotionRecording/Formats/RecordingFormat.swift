// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The format of a recording, by name. The names are those of the `format` option.
public struct RecordingFormat: RawRepresentable, Sendable, Hashable {
  /// As in the `format` option: "sensorlog".
  public let rawValue: String
  /// A format by name; ``readable`` lists the supported ones.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A CSV of the app SensorLog.
  public static let sensorLog = RecordingFormat(rawValue: "sensorlog")
  /// An export of the app Sensor Logger: zip, folder or one of its CSVs.
  public static let sensorLogger = RecordingFormat(rawValue: "sensorlogger")

  /// An export of the app phyphox: zip, folder or one of its CSVs.
  public static let phyphox = RecordingFormat(rawValue: "phyphox")

  /// Tidy CSVs of this package.
  public static let tidy = RecordingFormat(rawValue: "tidy")
  /// Any CSV, with ``RecordingOptions/map``.
  public static let mapped = RecordingFormat(rawValue: "mapped")

  /// Any table of sensors, understood from its names and numbers; ``Recording/assumptions`` say how.
  public static let table = RecordingFormat(rawValue: "table")

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
