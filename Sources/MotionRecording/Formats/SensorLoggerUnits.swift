// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What `Metadata.csv` says of a Sensor Logger export, or the options where it is missing, and the units that follow.
///
/// The same column names mean different units and signs by platform and by the app's "standardisation" switch
/// (formats.md 4.2), so an accelerometer without that knowledge is an error and never a guess.
struct SensorLoggerUnits: Sendable {
  /// nil = unknown.
  var platform: RecordingOptions.Platform?
  var isStandardised = false
  /// The app's version; (0, 0) = unknown, treated as old.
  var version = (major: 0, minor: 0)
  /// The person says that the units are standardised, or that they are not; nil = only the file does, if at all.
  var askedStandardised: Bool?

  /// What a stream measures.
  enum Quantity {
    case acceleration, rawAcceleration, watchAcceleration, angularVelocity, magneticField

    /// For messages.
    var expectedUnits: String {
      switch self {
      case .acceleration, .rawAcceleration, .watchAcceleration: "m/s² or g"
      case .angularVelocity: "rad/s"
      case .magneticField: "µT"
      }
    }
  }

  /// Reads the metadata beside `files`; the options win where they say something.
  init(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) {
    if let member = files.member("Metadata.csv") ?? files.neighbour("Metadata.csv") {
      let lines = try files.open(member).bytes(limit: 64 << 10)
        .split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: true)
      if lines.count > 1 {
        let names = try TableHeader(lines[0], file: member.place)
        let row = TableHeader.fields(of: lines[1], separator: names.separator)
        func value(_ name: String) -> String? {
          names.names.firstIndex(of: name).flatMap { $0 < row.count ? row[$0].lowercased() : nil }
        }
        platform = value("platform").flatMap { RecordingOptions.Platform(rawValue: $0) }
        isStandardised = value("standardisation") == "true"
        let numbers = (value("appVersion") ?? "").split(separator: ".").map { Int($0) ?? 0 }
        version = (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : 0)
      }
    }
    platform = options.platform ?? platform
    askedStandardised = options.isStandardised
    isStandardised = askedStandardised ?? isStandardised
  }

  /// The unit of a column of accelerations, with its sign; `written` is the unit in the header, if any. Other quantities have one unit
  /// each, which is only checked: for them any result stands for that one.
  ///
  /// Nil when the unit is unknown; throws when the platform is needed and not known.
  func unit(
    _ quantity: Quantity, written: String?, file: String
  ) throws(SensorError) -> AccelerationUnit? {
    switch quantity {
    case .angularVelocity: return written == nil || written == "rad/s" ? .metresPerSecondSquared : nil
    case .magneticField: return written == nil || written == "µT" ? .metresPerSecondSquared : nil
    case .acceleration, .rawAcceleration, .watchAcceleration:
      let named: AccelerationUnit?
      switch written {
      case "m/s²", "m/s^2": named = .metresPerSecondSquared
      case "g", "G": named = .gravity
      case nil: named = nil
      default: return nil
      }
      let isWatch = quantity == .watchAcceleration
      guard let platform = isWatch ? .iOS : platform else { throw Self.unknownPlatform(file) }
      if platform == .android || (isWatch ? isWatchStandardised : isStandardised) {
        return named ?? .metresPerSecondSquared
      }
      return (named ?? (quantity == .acceleration ? .metresPerSecondSquared : .gravity)).reversed
    }
  }

  /// Watch and headphone streams follow the switch in full, pressures and attitudes too: since 1.63.
  var isWatchConverted: Bool {
    isStandardised && (isSince(1, 63) || (askedStandardised == true && version == (0, 0)))
  }

  /// Their accelerations are in m/s², upwards at rest: since 1.63, or because the person says so.
  var isWatchStandardised: Bool { isStandardised && (isSince(1, 63) || askedStandardised == true) }

  /// Before 1.63 the switch reached some of their streams and not others, and only the numbers tell which.
  var isWatchAmbiguous: Bool { isStandardised && !isWatchStandardised }

  /// The phone's quaternion leads to east-north-up: on Android, and on iOS with the switch since 1.51.
  var isEastNorthUp: Bool { platform == .android || (isStandardised && isSince(1, 51)) }

  private func isSince(_ major: Int, _ minor: Int) -> Bool { version >= (major, minor) }

  private static func unknownPlatform(_ file: String) -> SensorError {
    SensorError(
      .invalidRequest,
      "Without Metadata.csv nothing says whether this acceleration is in g or m/s² and which sign it has; add "
        + "\"?platform=ios\" or \"?platform=android\", and \"standardised=yes\" if the app was set so.",
      at: .init(file: file))
  }
}
