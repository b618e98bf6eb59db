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
    let files = tables.files
    let devices = try PhoneDevice.all(in: files, options)
    let wanted = options.device.flatMap { PhoneDevice(rawValue: $0) }
    if wanted == .watch || wanted == .headphones { return try bodyPlan(tables, devices, wanted, options) }
    var plan = RecordingPlan(streams: [])
    try addPhone(tables, to: &plan)
    // A phone's barometer alone gives way to a watch's motion.
    let isInertial = plan.streams.contains { stream in
      stream.channels.contains { !$0.kind.isDisjoint(with: .inertial) }
    }
    let hasBodyMotion = tables.member(.wrist) != nil || tables.member(.headphones) != nil
    guard isInertial || (!plan.streams.isEmpty && (!hasBodyMotion || wanted == .phone)) else {
      if wanted == .phone { throw nothingUsable(files) }
      return try bodyPlan(tables, devices, nil, options)
    }
    plan.witness = try? phoneMotion(tables)
    if tables.units.platform == .android { plan.witnessTolerance = SelfCheck.otherEventTolerance }
    if options.motion == .recorded {
      plan.streams.append(try phoneMotion(tables))
      plan.usesRecordedMotion = true
    }
    plan.notes += PhoneDevice.phone.notes(among: devices)
    return plan
  }

  /// A watch's sensors, or else headphones' motion; `wanted` = one of them only.
  private static func bodyPlan(
    _ tables: SensorLoggerTables, _ devices: [PhoneDevice], _ wanted: PhoneDevice?,
    _ options: RecordingOptions
  ) throws(SensorError) -> RecordingPlan {
    var plan = RecordingPlan(streams: [])
    var device = PhoneDevice.watch
    if wanted != .headphones { try addWatch(tables, options, to: &plan) }
    if wanted != .watch, plan.streams.isEmpty,
      let (table, form) = try tables.bodyMotion(.headphones)
    {
      let motion = SampleStreamPlan(table, .motion(form))
      plan = RecordingPlan(streams: [motion], usesRecordedMotion: true, deviceClass: .headphones)
      // Only gravity and attitude can reveal a wrong unit or sign here.
      plan.witness = motion
      device = .headphones
    }
    if plan.streams.isEmpty { throw nothingUsable(tables.files) }
    if tables.units.isWatchAmbiguous {
      plan.notes.append("units and sign detected from its numbers, as the app's version is not known")
    }
    plan.notes += device.notes(among: devices)
    return plan
  }

  private static func addPhone(_ tables: SensorLoggerTables, to plan: inout RecordingPlan) throws(SensorError) {
    for way in PhoneSensor.accelerometers {
      guard let first = try tables.vectors(way[0]) else { continue }
      if way.count == 1 {
        plan.streams.append(SampleStreamPlan(first.table, .accelerometer(unit: first.unit)))
      } else if let gravity = try tables.vectors(way[1], slot: 3) {
        plan.streams.append(
          SampleStreamPlan(first.table, joining: [Companion(table: gravity.table)], .accelerometerSum(unit: first.unit))
        )
        plan.notes.append("accelerometer rebuilt from gravity + user acceleration")
      }
      break
    }
    for sensor in PhoneSensor.gyroscopes {
      guard let rate = try tables.vectors(sensor) else { continue }
      plan.streams.append(SampleStreamPlan(rate.table, .gyroscope))
      if sensor == .correctedGyroscope { plan.notes.append("the gyroscope's bias was already removed") }
      break
    }
    // Beside an accelerometer of SI's sign a magnetometer is in SI; Android's is in any case.
    let isOfSensorFamily = plan.accelerometerSign.map { $0 == "reaction" } ?? (tables.units.platform == .android)
    for sensor in PhoneSensor.magnetometers {
      guard let field = try tables.vectors(sensor) else { continue }
      plan.streams.append(
        SampleStreamPlan(
          field.table, .magnetometer(unit: .microtesla, inTesla: isOfSensorFamily),
          isCalibrated: sensor == .correctedMagnetometer))
      break
    }
    if let table = try tables.numbers(.barometer, [("pressure", 0)]) {
      let unit = SensorLogger.pressureUnit(of: .barometer)
      plan.streams.append(SampleStreamPlan(table, .pressure(PressureForm(unit: unit))))
    }
  }

  /// What the phone itself computed, from four files joined on `time`.
  private static func phoneMotion(_ tables: SensorLoggerTables) throws(SensorError) -> SampleStreamPlan {
    typealias Slot = FusedForm.Slot
    guard
      let attitude = try tables.numbers(
        .attitude, ["qw", "qx", "qy", "qz"].enumerated().map { ($1, Slot.attitude + $0) }),
      let rate = try tables.vectors(.correctedGyroscope, slot: Slot.angularVelocity),
      let gravity = try tables.vectors(.gravity, slot: Slot.gravity),
      let linear = try tables.vectors(.linearAcceleration, slot: Slot.acceleration)
    else {
      throw .noRecordedMotion(
        in: tables.files, needs: "Orientation.csv, Gyroscope.csv, Gravity.csv and Accelerometer.csv")
    }
    let isAndroid = tables.units.platform == .android
    // iOS takes all four from one event with one time; Android's sensors tick on their own.
    let maximumAge: Int64 = isAndroid ? 100_000_000 : 0
    return SampleStreamPlan(
      attitude, joining: [rate, gravity, linear].map { Companion(table: $0.table, maximumAge: maximumAge) },
      .motion(
        FusedForm(
          reference: isAndroid ? .xMagneticNorth : .xTrueNorth, accelerationUnit: linear.unit,
          gravityScale: gravity.unit.scale / linear.unit.scale, isEastNorthUp: tables.units.isEastNorthUp)))
  }

  private static func addWatch(
    _ tables: SensorLoggerTables, _ options: RecordingOptions, to plan: inout RecordingPlan
  ) throws(SensorError) {
    if let raw = try tables.vectors(.watchAccelerometer) {
      plan.streams.append(SampleStreamPlan(raw.table, .accelerometer(unit: raw.unit)))
    }
    if let table = try tables.numbers(.watchBarometer, [("pressure", 0)]) {
      let unit = SensorLogger.pressureUnit(of: .watchBarometer, isConverted: tables.units.isWatchConverted)
      plan.streams.append(SampleStreamPlan(table, .pressure(PressureForm(unit: unit))))
    }
    if let (table, form) = try tables.bodyMotion(.wrist) {
      let motion = SampleStreamPlan(table, .motion(form))
      plan.witness = motion
      addRaw(of: table, form, to: &plan)
      if options.motion == .recorded {
        plan.streams.append(motion)
        plan.usesRecordedMotion = true
      }
    }
    plan.deviceClass = .watch
  }

  /// Core Motion only splits the accelerometer's reading, so the sum is the raw sensor; the rotation rate stands in for
  /// the gyroscope.
  private static func addRaw(of table: TableFile, _ form: FusedForm, to plan: inout RecordingPlan) {
    typealias Slot = FusedForm.Slot
    var readings: [RowReading] = []
    if !plan.streams.contains(where: { $0.channels.contains { $0.kind == .accelerometer } }) {
      readings.append(
        RowReading(
          form: .accelerometerSum(unit: form.accelerationUnit, linear: Slot.acceleration, gravity: Slot.gravity)))
      plan.notes.append("accelerometer rebuilt from gravity + user acceleration")
    }
    readings.append(RowReading(form: .gyroscope, firstSlot: Slot.angularVelocity))
    plan.notes.append("gyroscope from the rotation rate, its bias already removed")
    plan.streams.append(SampleStreamPlan(table, slotCount: Slot.count, readings))
  }

  private static func nothingUsable(_ files: RecordingFiles) -> SensorError {
    let names = files.members.map(\.plainName)
    let message =
      if names.contains("Accelerometer.csv") {
        "Accelerometer.csv contains acceleration without gravity; it can be read together with Gravity.csv. Give the folder or the zip."
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
