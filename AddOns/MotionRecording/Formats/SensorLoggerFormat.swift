// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// An export of the app Sensor Logger: a CSV for each sensor, in a zip, in a folder, or a single one.
///
/// Columns are found by name (they stand z, y, x), times are Unix nanoseconds. One device takes part: the phone when it
/// recorded anything raw, else the watch, else the headphones; the option `device` chooses another. A watch's motion
/// gives its raw accelerometer back, gravity + user acceleration; headphones fuse by themselves and come as recorded
/// motion. Source: Documentation/Formats.md 4.2.
enum SensorLoggerFormat {
  static let reader = FormatReader(
    format: .sensorLogger, title: "Sensor Logger",
    summary: "its zip, the folder of its CSVs, or one CSV that starts time,seconds_elapsed", hasDevices: true,
    plan: plan)

  static let headers = ["time,seconds_elapsed"]

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let tables = SensorLoggerTables(files: files, units: try SensorLoggerUnits(files, options))
    var plan = try devicePlan(tables, options)
    let familyBySystem = tables.units.platform.map {
      $0 == .android || tables.units.isStandardised ? "reaction" : "apple"
    }
    let hasAccelerometer = plan.streams.contains { $0.channels.contains { $0.kind == .accelerometer } }
    plan.facts = .unixTime(sign: hasAccelerometer ? plan.accelerometerSign : familyBySystem)
    plan.listUnread(of: files, metadata: ["Metadata.csv"])
    return plan
  }

  /// One device's part.
  private static func devicePlan(
    _ tables: SensorLoggerTables, _ options: RecordingOptions
  ) throws(SensorError) -> RecordingPlan {
    let devices = try PhoneDevice.all(in: tables.files, options)
    let wanted = options.device.flatMap { PhoneDevice(rawValue: $0) }
    if wanted == .watch || wanted == .headphones { return try bodyPlan(tables, devices, wanted, options) }
    let sensors = try tables.phone()
    // A phone's barometer alone gives way to a watch's motion.
    let isInertial = sensors.contains {
      !$0.columns.quantities.isDisjoint(with: [.accelerometer, .userAcceleration, .gyroscope, .rotationRate])
    }
    let hasBodyMotion = tables.member(.wrist) != nil || tables.member(.headphones) != nil
    guard isInertial || (!sensors.isEmpty && (!hasBodyMotion || wanted == .phone)) else {
      if wanted == .phone { throw nothingUsable(tables.files) }
      return try bodyPlan(tables, devices, nil, options)
    }
    let isAndroid = tables.units.platform == .android
    // iOS takes all of a motion from one event with one time; Android's sensors tick on their own.
    var plan = try RecordingPlan(
      sensors + tables.phoneMotion(beside: sensors, isWanted: options.motion == .recorded), in: tables.files, options,
      needs: "Orientation.csv, Gyroscope.csv, Gravity.csv and Accelerometer.csv",
      maximumAge: isAndroid ? 100_000_000 : 0)
    plan.deviceClass = .phone
    if isAndroid { plan.witnessTolerance = SelfCheck.otherEventTolerance }
    plan.notes = plan.notes.map { $0.hasPrefix("gyroscope") ? "the gyroscope's bias was already removed" : $0 }
    plan.notes += PhoneDevice.phone.notes(among: devices)
    if !sensors.contains(where: { $0.columns.has(.accelerometer) || $0.columns.has(.gravity) }) {
      plan.notes.append(withoutGravity)
    }
    return plan
  }

  /// A watch's sensors, or else headphones' motion; `wanted` = one of them only.
  private static func bodyPlan(
    _ tables: SensorLoggerTables, _ devices: [PhoneDevice], _ wanted: PhoneDevice?,
    _ options: RecordingOptions
  ) throws(SensorError) -> RecordingPlan {
    var sensors: [TableFile] = []
    if wanted != .headphones { sensors = try tables.all([.watchAccelerometer, .watchBarometer, .wrist]) }
    let device = sensors.isEmpty && wanted != .watch ? PhoneDevice.headphones : .watch
    if device == .headphones { sensors = try tables.all([.headphones]) }
    guard !sensors.isEmpty else { throw nothingUsable(tables.files) }
    var plan = try RecordingPlan(sensors, in: tables.files, options, needs: "WristMotion.csv")
    if device == .watch { plan.deviceClass = .watch }
    if tables.units.isWatchAmbiguous {
      plan.notes.append("units and sign detected from its numbers, as the app's version is not known")
    }
    plan.notes += device.notes(among: devices)
    return plan
  }

  /// What has to be logged.
  private static var withoutGravity: String {
    "no file of it can give gravity back: in the app log Gravity, or the uncalibrated accelerometer, with the others"
  }

  private static func nothingUsable(_ files: RecordingFiles) -> SensorError {
    let names = files.members.map(\.plainName)
    let message =
      if names.contains("Accelerometer.csv") {
        "Accelerometer.csv contains acceleration without gravity; it can be read together with Gravity.csv. Give the folder or the zip; where that has none, \(withoutGravity)."
      } else {
        "None of its files is a supported motion sensor (\(files.listing)); the file name must contain the sensor, for example AccelerometerUncalibrated.csv or Gyroscope.csv."
      }
    return files.error(.unsupported, message)
  }
}

/// The devices that one Sensor Logger export can hold: a phone, and what reported to it.
extension PhoneDevice {
  /// Files that are no sensor of the phone.
  private static let others = ["Metadata", "Annotation"]

  /// The device whose sensor a file holds; nil = none's.
  init?(file name: String) {
    guard name.hasSuffix(".csv") else { return nil }
    let sensor = name.dropLast(".csv".count)
    if sensor.hasPrefix("Watch") || sensor.hasPrefix("Wrist") {
      self = .watch
    } else if sensor == "Headphone" {
      self = .headphones
    } else if !Self.others.contains(String(sensor)) {
      self = .phone
    } else {
      return nil
    }
  }

  /// Those that have a file; an error when the option `device` names none of them.
  static func all(in files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> [PhoneDevice] {
    let found = Set(files.members.compactMap { PhoneDevice(file: $0.plainName) })
    let devices = allCases.filter(found.contains)
    if let wanted = options.device, !devices.contains(where: { $0.rawValue == wanted }) {
      let names = devices.map(\.rawValue).joined(separator: ", ")
      throw files.error(
        .invalidRequest,
        "The recording has no device \(wanted.debugDescription)\(names.isEmpty ? "; remove the option device" : "; there is \(names)")."
      )
    }
    return devices
  }

  /// What to say when this one plays and others are there.
  func notes(among devices: [PhoneDevice]) -> [String] {
    let others = devices.filter { $0 != self }.map { "device=\($0.rawValue)" }
    guard !others.isEmpty else { return [] }
    return [
      "the \(rawValue)'\(self == .headphones ? "" : "s") sensors only, others with \(others.joined(separator: " or "))"
    ]
  }
}
