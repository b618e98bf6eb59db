// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// An export of the app Sensor Logger: a CSV for each sensor, in a zip, in a folder, or a single one.
///
/// Columns are found by name (they stand z, y, x), times are Unix nanoseconds. One device takes part: the phone when it
/// recorded anything raw, else the watch, else the headphones; the option `device` chooses another. A watch's motion gives its raw accelerometer back, gravity + user
/// acceleration; headphones fuse by themselves and come as recorded motion. Source: Documentation/Formats.md 4.2.
enum SensorLoggerFormat {
  static let reader = FormatReader(
    format: .sensorLogger, title: "Sensor Logger",
    summary: "its zip, the folder of its CSVs, or one CSV that starts time,seconds_elapsed", hasDevices: true,
    plan: plan)

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let files = try SensorLoggerJSON.expand(files)
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
    let devices = try SensorLoggerDevice.all(in: files, options)
    let wanted = options.device.flatMap { SensorLoggerDevice(rawValue: $0) }
    if wanted == .watch || wanted == .headphones { return try bodyPlan(tables, devices, wanted, options) }
    var plan = RecordingPlan(streams: [])
    try addPhone(tables, to: &plan)
    // A phone's barometer alone gives way to a watch's motion.
    let isInertial = plan.streams.contains { stream in
      stream.channels.contains { !$0.kind.isDisjoint(with: .inertial) }
    }
    let hasBodyMotion = files.member("WristMotion.csv") != nil || files.member("Headphone.csv") != nil
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
    plan.notes += SensorLoggerDevice.phone.notes(among: devices)
    return plan
  }

  /// A watch's sensors, or else headphones' motion; `wanted` = one of them only.
  private static func bodyPlan(
    _ tables: SensorLoggerTables, _ devices: [SensorLoggerDevice], _ wanted: SensorLoggerDevice?,
    _ options: RecordingOptions
  ) throws(SensorError) -> RecordingPlan {
    var plan = RecordingPlan(streams: [])
    var device = SensorLoggerDevice.watch
    if wanted != .headphones { try addWatch(tables, options, to: &plan) }
    if wanted != .watch, plan.streams.isEmpty,
      let motion = try tables.bodyMotion("Headphone", reference: .xArbitrary)
    {
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
    if let raw = try tables.vectors("AccelerometerUncalibrated", .rawAcceleration) {
      plan.streams.append(TableStreamPlan(table: raw.table, form: .accelerometer(unit: raw.unit)))
    } else if let total = try tables.vectors("TotalAcceleration", .acceleration) {
      plan.streams.append(TableStreamPlan(table: total.table, form: .accelerometer(unit: total.unit)))
    } else if let linear = try tables.vectors("Accelerometer", .acceleration),
      let gravity = try tables.vectors("Gravity", .acceleration, slot: 3)
    {
      plan.streams.append(
        JoinedStreamPlan(
          first: linear.table, companions: [.init(table: gravity.table)], form: .accelerometerSum(unit: linear.unit)))
      plan.notes.append("accelerometer rebuilt from gravity + user acceleration")
    }
    if let raw = try tables.vectors("GyroscopeUncalibrated", .angularVelocity) {
      plan.streams.append(TableStreamPlan(table: raw.table, form: .gyroscope))
    } else if let rate = try tables.vectors("Gyroscope", .angularVelocity) {
      plan.streams.append(TableStreamPlan(table: rate.table, form: .gyroscope))
      plan.notes.append("the gyroscope's bias was already removed")
    }
    // Beside an accelerometer of SI's sign a magnetometer is in SI; Android's is in any case.
    let isOfSensorFamily = plan.accelerometerSign.map { $0 == "reaction" } ?? (tables.units.platform == .android)
    if let raw = try tables.vectors("MagnetometerUncalibrated", .magneticField) {
      plan.streams.append(
        TableStreamPlan(table: raw.table, form: .magnetometer(unit: .microtesla, inTesla: isOfSensorFamily)))
    } else if let calibrated = try tables.vectors("Magnetometer", .magneticField) {
      plan.streams.append(
        TableStreamPlan(
          table: calibrated.table, form: .magnetometer(unit: .microtesla, inTesla: isOfSensorFamily),
          isCalibrated: true))
    }
    // mbar on both systems.
    if let table = try tables.numbers("Barometer", [("pressure", 0)]) {
      plan.streams.append(TableStreamPlan(table: table, form: .airPressure(unit: 100)))
    }
  }

  /// What the phone itself computed, from four files joined on `time`.
  private static func phoneMotion(_ tables: SensorLoggerTables) throws(SensorError) -> JoinedStreamPlan {
    typealias Slot = FusedForm.Slot
    guard
      let attitude = try tables.numbers(
        "Orientation", ["qw", "qx", "qy", "qz"].enumerated().map { ($1, Slot.attitude + $0) }),
      let rate = try tables.vectors("Gyroscope", .angularVelocity, slot: Slot.angularVelocity),
      let gravity = try tables.vectors("Gravity", .acceleration, slot: Slot.gravity),
      let linear = try tables.vectors("Accelerometer", .acceleration, slot: Slot.acceleration)
    else {
      throw .noRecordedMotion(
        in: tables.files, needs: "Orientation.csv, Gyroscope.csv, Gravity.csv and Accelerometer.csv")
    }
    let isAndroid = tables.units.platform == .android
    // iOS takes all four from one event with one time; Android's sensors tick on their own.
    let maximumAge: Int64 = isAndroid ? 100_000_000 : 0
    return JoinedStreamPlan(
      first: attitude,
      companions: [rate, gravity, linear].map { .init(table: $0.table, maximumAge: maximumAge) },
      form: .fusedMotion(
        FusedForm(
          reference: isAndroid ? .xMagneticNorth : .xTrueNorth, accelerationUnit: linear.unit,
          gravityScale: gravity.unit.scale / linear.unit.scale, isEastNorthUp: tables.units.isEastNorthUp)))
  }

  private static func addWatch(
    _ tables: SensorLoggerTables, _ options: RecordingOptions, to plan: inout RecordingPlan
  ) throws(SensorError) {
    if let raw = try tables.vectors("WatchAccelerometerUncalibrated", .watchAcceleration) {
      plan.streams.append(TableStreamPlan(table: raw.table, form: .accelerometer(unit: raw.unit)))
    }
    if let table = try tables.numbers("WatchBarometer", [("pressure", 0)]) {
      let unit: Double = tables.units.isWatchConverted ? 100 : 1000
      plan.streams.append(TableStreamPlan(table: table, form: .airPressure(unit: unit)))
    }
    if let motion = try tables.bodyMotion("WristMotion", reference: .xArbitrary) {
      plan.witness = motion
      addRaw(of: motion, to: &plan)
      if options.motion == .recorded {
        plan.streams.append(motion)
        plan.usesRecordedMotion = true
      }
    }
    plan.deviceClass = .watch
  }

  /// Core Motion only splits the accelerometer's reading, so the sum is the raw sensor; the rotation rate stands in for the gyroscope.
  private static func addRaw(of motion: TableStreamPlan, to plan: inout RecordingPlan) {
    typealias Slot = FusedForm.Slot
    guard case .fusedMotion(let form) = motion.form else { return }
    var readings: [RowStreamPlan.Reading] = []
    if plan.streams.isEmpty || !plan.streams.contains(where: { $0.channels.contains { $0.kind == .accelerometer } }) {
      readings.append(
        .init(
          form: .accelerometerSum(unit: form.accelerationUnit, linear: Slot.acceleration, gravity: Slot.gravity),
          firstSlot: 0, required: []))
      plan.notes.append("accelerometer rebuilt from gravity + user acceleration")
    }
    readings.append(.init(form: .gyroscope, firstSlot: Slot.angularVelocity, required: []))
    plan.notes.append("gyroscope from the rotation rate, its bias already removed")
    plan.streams.append(RowStreamPlan(table: motion.table, slotCount: Slot.count, readings: readings))
  }

  private static func nothingUsable(_ files: RecordingFiles) -> SensorError {
    let names = files.members.map(\.plainName)
    let message =
      if names.contains("Accelerometer.csv") {
        "Accelerometer.csv contains acceleration without gravity; it can be read together with Gravity.csv. Give the folder or the zip."
      } else {
        "None of its files is a supported motion sensor (\(files.listing)); the file name must contain the sensor, for example AccelerometerUncalibrated.csv or Gyroscope.csv."
      }
    return SensorError(.unsupported, message, at: .init(file: files.path))
  }
}

/// The devices that one Sensor Logger export can hold: a phone, and what reported to it.
enum SensorLoggerDevice: String, CaseIterable {
  case phone, watch, headphones

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
  static func all(in files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> [SensorLoggerDevice] {
    let found = Set(files.members.compactMap { SensorLoggerDevice(file: $0.plainName) })
    let devices = allCases.filter(found.contains)
    if let wanted = options.device, !devices.contains(where: { $0.rawValue == wanted }) {
      let names = devices.map(\.rawValue).joined(separator: ", ")
      throw SensorError(
        .invalidRequest,
        "The recording has no device \(wanted.debugDescription)\(names.isEmpty ? "; remove the option device" : "; there is \(names)").",
        at: .init(file: files.path))
    }
    return devices
  }

  /// What to say when this one plays and others are there.
  func notes(among devices: [SensorLoggerDevice]) -> [String] {
    let others = devices.filter { $0 != self }.map { "device=\($0.rawValue)" }
    guard !others.isEmpty else { return [] }
    return [
      "the \(rawValue)'\(self == .headphones ? "" : "s") sensors only, others with \(others.joined(separator: " or "))"
    ]
  }
}
