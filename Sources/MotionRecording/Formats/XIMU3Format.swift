// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The CSVs of an x-IMU3, one for each kind of message, and the one-file form of the sample data of the Fusion library: g upwards at
/// rest, **degrees** per second, microseconds of the device or seconds.
///
/// The x-IMU3's magnetometer has no unit but the Earth's field where it was calibrated: one is taken as 50 µT, so that its direction
/// serves and its strength means nothing. `Quaternion` is sensor → Earth, z up. Source: formats.md 4.5; x-IMU3 user manual.
enum XIMU3Format: FormatReader {
  static let format = RecordingFormat.xIMU3
  static let title = "x-IMU3 or Fusion"
  static let summary = "Inertial.csv of an x-IMU3, its folder, or a CSV whose header names Gyroscope X (deg/s)"

  private static let degree = Angle(degrees: 1).radians
  /// Tesla that stand for one arbitrary unit.
  private static let arbitraryField = 50e-6
  /// Nanoseconds by which the inertial row of a quaternion may be older: 20 ms forgive a few rows lost.
  private static let joinedAge: Int64 = 20_000_000

  static func isHeader(_ header: String) -> Bool { header.contains("Timestamp (us)") || isSample(header) }

  /// The one-file form, which begins as a phyphox table does; there the letter of the axis is a small one.
  static func isSample(_ header: String) -> Bool { header.contains("Gyroscope X (") }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var tables: [(file: TableFile, columns: WideTable)] = []
    var notes: [String] = []
    var quaternion: TableFile?
    for member in files.members where files.kind == .file || member.plainName.hasSuffix(".csv") {
      let line = try files.firstLine(of: member)
      guard isHeader(String(decoding: line, as: UTF8.self)) else { continue }
      let header = try TableHeader(line, file: member.place)
      let time = try timeColumn(header)
      if member.plainName == "Quaternion.csv", let found = try header.columns(["W", "X", "Y", "Z"]) {
        let columns = found.enumerated().map { slot, column in
          TableLayout.Column(index: column.index, name: column.name, content: .number(slot: slot))
        }
        quaternion = TableFile(files: files, member: member, layout: header.layout(columns + [time]))
        continue
      }
      var table = WideTable()
      table.accelerometerUnit = AccelerationUnit.gravity
      if try addSensors(header, member.plainName, to: &table) {
        notes.append("magnetometer in arbitrary units, of which one is taken as 50 µT")
      }
      guard !table.quantities.isEmpty else { continue }
      table.add(time)
      tables.append((TableFile(files: files, member: member, layout: header.layout(table.columns)), table))
    }
    guard !tables.isEmpty else {
      throw SensorError(
        .unsupported,
        "None of these files is one of the sensors that can be read: Inertial.csv, Magnetometer.csv (\(files.listing)).",
        at: .init(file: files.path))
    }
    var computed = options
    computed.motion = .computed
    var plan = try RecordingPlan(tables, in: files, computed, needs: "")
    plan.deviceClass = .module
    plan.notes += notes
    plan.witness = quaternion.flatMap { recordedMotion($0, tables) }
    plan.leaveAside(of: files)
    guard options.motion == .recorded else { return plan }
    plan.unread.removeAll { $0 == RecordingPlan.motionAside }
    guard let recorded = plan.witness else {
      throw .noRecordedMotion(in: files, needs: "Quaternion.csv beside Inertial.csv")
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

  /// True when the magnetometer is in arbitrary units.
  private static func addSensors(
    _ header: TableHeader, _ name: String, to table: inout WideTable
  ) throws(SensorError) -> Bool {
    let axes = ["X ", "Y ", "Z "]
    if let found = try header.axes("Gyroscope ", axes, units: ["deg/s"]) {
      table.add(.gyroscope, found, scales: [degree, degree, degree])
    }
    if let found = try header.axes("Accelerometer ", axes, units: ["g"]) { table.add(.accelerometer, found) }
    if let found = try header.axes("Magnetometer ", axes, units: ["uT", "µT"]) { table.add(.magnetometer, found) }
    guard name == "Magnetometer.csv", let found = try header.axes("", axes, units: ["a.u."]) else { return false }
    table.add(.magnetometer, found, scales: [arbitraryField, arbitraryField, arbitraryField])
    table.magnetometerUnit = .tesla
    return true
  }

  /// The quaternion's rows with the inertial row of the time: gravity follows from the attitude.
  private static func recordedMotion(
    _ quaternion: TableFile, _ tables: [(file: TableFile, columns: WideTable)]
  ) -> JoinedStreamPlan? {
    guard var inertial = tables.first(where: { $0.columns.has(.gyroscope) && $0.columns.has(.accelerometer) })?.file
    else { return nil }
    let moves = [
      WideTable.Quantity.gyroscope.slot: FusedForm.Slot.angularVelocity,
      WideTable.Quantity.accelerometer.slot: FusedForm.Slot.acceleration,
    ]
    inertial.layout.columns = inertial.layout.columns.compactMap { column in
      var column = column
      for (from, to) in moves {
        switch column.content {
        case .number(let slot) where (from..<from + 3).contains(slot):
          column.content = .number(slot: slot - from + to)
          return column
        case .scaled(let slot, let scale) where (from..<from + 3).contains(slot):
          column.content = .scaled(slot: slot - from + to, by: scale)
          return column
        default: continue
        }
      }
      if case .instant = column.content { return column }
      return nil
    }
    return JoinedStreamPlan(
      first: quaternion, companions: [.init(table: inertial, maximumAge: joinedAge)],
      form: .fusedMotion(
        FusedForm(
          origin: .attitudeAndRawSensors, reference: .xArbitrary,
          accelerationUnit: .gravity)))
  }
}
