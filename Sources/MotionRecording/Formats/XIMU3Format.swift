// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The CSVs of an x-IMU3, one for each kind of message, and the one-file form of the sample data of the Fusion library: g upwards at
/// rest, **degrees** per second, microseconds of the device or seconds.
///
/// The x-IMU3's magnetometer has no unit but the Earth's field where it was calibrated: one unit is taken as 50 µT, so
/// its direction is usable and its strength is not. `Quaternion` is sensor → Earth, z up. Source:
/// Documentation/Formats.md 4.5; x-IMU3 user manual.
enum XIMU3Format {
  static let reader = FormatReader(
    format: .xIMU3, title: "x-IMU3 or Fusion",
    summary: "Inertial.csv of an x-IMU3, its folder, or a CSV whose header names Gyroscope X (deg/s)", plan: plan)

  /// Tesla that stand for one arbitrary unit.
  private static let arbitraryField = 50e-6
  /// Nanoseconds by which the inertial row of a quaternion may be older: 20 ms allow for a few lost rows.
  private static let joinedAge: Int64 = 20_000_000

  static func isHeader(_ header: String) -> Bool { header.contains("Timestamp (us)") || isSample(header) }

  /// The one-file form, which begins as a phyphox table does; there the letter of the axis is a small one.
  static func isSample(_ header: String) -> Bool { header.contains("Gyroscope X (") }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var tables: [(file: TableFile, columns: WideTable)] = []
    var notes: [String] = []
    var quaternion: TableFile?
    var companion: TableFile?
    for member in files.members where files.kind == .file || member.plainName.hasSuffix(".csv") {
      guard isHeader(String(decoding: try files.firstLine(of: member), as: UTF8.self)) else { continue }
      let header = try files.header(of: member)
      let time = try timeColumn(header)
      if member.plainName == "Quaternion.csv", let found = try header.columns(["W", "X", "Y", "Z"]) {
        quaternion = TableFile(files: files, member: member, layout: header.layout(.numbers(found) + [time]))
        continue
      }
      var table = WideTable()
      table.accelerometerUnit = .gravity
      try table.add(columns, from: header)
      if member.plainName == "Magnetometer.csv", !table.has(.magnetometer) {
        try table.add([arbitraryMagnetometer], from: header)
        if table.has(.magnetometer) {
          table.magnetometerUnit = .tesla
          notes.append("magnetometer in arbitrary units; one unit is taken as 50 µT")
        }
      }
      guard !table.quantities.isEmpty else { continue }
      if companion == nil, table.has(.gyroscope), table.has(.accelerometer) {
        var motion = WideTable()
        try motion.add(inertial(.rotationRate, .userAcceleration), from: header)
        companion = TableFile(files: files, member: member, layout: header.layout(motion.columns + [time]))
      }
      table.add(time)
      tables.append((TableFile(files: files, member: member, layout: header.layout(table.columns)), table))
    }
    guard !tables.isEmpty else {
      throw files.error(
        .unsupported, "None of these files is a supported sensor: Inertial.csv, Magnetometer.csv (\(files.listing)).")
    }
    var computed = options
    computed.motion = .computed
    var plan = try RecordingPlan(tables, in: files, computed, needs: "")
    plan.deviceClass = .module
    plan.notes += notes
    if let quaternion, let companion {
      // The quaternion's rows with the inertial row of the time: gravity follows from the attitude.
      plan.witness = SampleStreamPlan(
        quaternion, joining: [Companion(table: companion, maximumAge: joinedAge)],
        .fusedMotion(
          FusedForm(origin: .attitudeAndRawSensors, reference: .xArbitrary, accelerationUnit: .gravity)))
    }
    plan.listUnread(of: files)
    guard options.motion == .recorded else { return plan }
    plan.unread.removeAll { $0 == RecordingPlan.unplayedMotion }
    guard let recorded = plan.witness else {
      throw .noRecordedMotion(in: files, needs: "Quaternion.csv next to Inertial.csv")
    }
    plan.streams.append(recorded)
    plan.usesRecordedMotion = true
    plan.notes.append("gravity from the recorded attitude, rotation rate raw")
    return plan
  }

  private static func timeColumn(_ header: TableHeader) throws(SensorError) -> TableLayout.Column {
    if header.names.contains(where: { $0.hasPrefix("Timestamp (") }) {
      return try header.time("Timestamp ", units: ["us"], decimals: 3)
    }
    return try header.time("Time ", units: ["s"], decimals: 9)
  }

  private static let axes = ["X ", "Y ", "Z "]
  private static let columns =
    inertial(.gyroscope, .accelerometer) + [
      ColumnPreset(.magnetometer, axes: "Magnetometer ", axes, units: ["uT", "µT"])
    ]
  private static let arbitraryMagnetometer = ColumnPreset(
    .magnetometer, axes: "", axes, units: ["a.u."], scale: arbitraryField)

  /// The columns of rates and accelerations, for the raw sensors or for the slots of recorded motion.
  private static func inertial(_ rate: WideTable.Quantity, _ acceleration: WideTable.Quantity) -> [ColumnPreset] {
    [
      ColumnPreset(rate, axes: "Gyroscope ", axes, units: ["deg/s"], scale: Angle(degrees: 1).radians),
      ColumnPreset(acceleration, axes: "Accelerometer ", axes, units: ["g"]),
    ]
  }
}
