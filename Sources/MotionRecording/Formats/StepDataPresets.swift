// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Data sets with counted steps that are names of columns and units only. Source: Documentation/Formats.md 4.10.
extension TablePreset {
  static let stepData = [mobilised, adeptRun, mhealthtools]

  /// The lower-back sensor of Mobilise-D: seconds, g upwards at rest, °/s, µT, hPa; 100 Hz.
  private static let mobilised = TablePreset(
    format: .mobilised, title: "Mobilise-D", summary: "a CSV with the columns t_s, acc_x_g … gyr_x_dps … bar_hPa",
    isHeader: { header in ["t_s", "acc_x_g", "gyr_x_dps", "bar_hPa"].allSatisfy(header.contains) },
    selection: .single,
    columns: [
      .init(.accelerometer, ["acc_x_g", "acc_y_g", "acc_z_g"]),
      .init(.gyroscope, ["gyr_x_dps", "gyr_y_dps", "gyr_z_dps"], scale: Angle(degrees: 1).radians),
      .init(.magnetometer, ["mag_x_uT", "mag_y_uT", "mag_z_uT"]), .init(.pressure, ["bar_hPa"]),
    ],
    time: .column("t_s", decimals: 9),
    template: WideTable(accelerometerUnit: .gravity, pressure: PressureForm(medium: .air, unit: 100)),
    needs: "another kind of recording, as this one contains raw sensors only")

  /// The 25-minute run of the ADEPT data, two accelerometers in g at 100 Hz. The hip is read; a map reads the ankle.
  private static let adeptRun = TablePreset(
    format: .adeptRun, title: "ADEPT run", summary: "a CSV with the columns t_s, hip_x_g … ankle_x_g …",
    isHeader: { header in ["t_s", "hip_x_g", "ankle_x_g"].allSatisfy(header.contains) }, selection: .single,
    columns: [.init(.accelerometer, ["hip_x_g", "hip_y_g", "hip_z_g"])], time: .column("t_s", decimals: 9),
    template: WideTable(accelerometerUnit: .gravity),
    needs: "another kind of recording, as this one contains accelerometers only",
    notes: [(nil, "the hip; for the ankle give a map of its columns")])

  /// Core Motion's device motion as mhealthtools published it: seconds, quaternion, rad/s, g in Apple's sign, µT; x arbitrary.
  private static let mhealthtools = TablePreset(
    format: .mhealthtools, title: "mhealthtools",
    summary: "a CSV with the columns t_s, qx … rx … ux … gx … mag_accuracy",
    isHeader: { header in ["t_s", "qx", "rx", "ux", "gx", "mag_accuracy"].allSatisfy(header.contains) },
    selection: .single,
    columns: [
      .init(.quaternion, ["qw", "qx", "qy", "qz"]), .init(.rotationRate, axes: "r"),
      .init(.userAcceleration, axes: "u"), .init(.gravity, axes: "g"), .init(.field, axes: "m"),
      .init(.fieldAccuracy, ["mag_accuracy"]),
    ],
    time: .column("t_s", decimals: 9), needs: "attitude, gravity, rotation rate and user acceleration")
}

/// The two tables without a header of the Oxford step counter data set; phones on Android: ns since boot, m/s², upwards at rest.
///
/// `user…csv` has seven columns: time, acceleration, and three counts of steps, which are not read. `opt_….accelerometer.csv`
/// has five: time, a status from 0 to 3, acceleration; rows of the set may be incomplete, and such a row is skipped and counted.
/// Source: Documentation/Formats.md 4.10; Salvi et al., "An optimised algorithm for accurate steps counting from smart-phone
/// accelerometry", EMBC 2018.
enum OxfordStepsFormat {
  static let reader = FormatReader(
    format: .oxfordSteps, title: "Oxford steps",
    summary: "a CSV without a header: ns, x, y, z in m/s² and three counts; or ns, status, x, y, z", plan: plan)

  /// Where x, y, z go, column by column behind the time; −1 = not used.
  private static let slots = [7: [0, 1, 2, -1, -1, -1], 5: [-1, 0, 1, 2]]

  /// The slots of the first line that is whole; nil where the lines are something else.
  private static func slots(of lines: some Sequence<Substring>) -> [Int]? {
    for line in lines.prefix(5) {
      let fields = line.split(separator: ",", omittingEmptySubsequences: false)
      // Nanoseconds: a whole number of ten digits at least, so a second after the phone was switched on.
      guard fields[0].utf8.count >= 10, fields[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      guard let slots = slots[fields.count], fields.allSatisfy({ Double($0)?.isFinite == true }) else { continue }
      let counts = zip(fields.dropFirst(), slots).filter { $0.1 < 0 }.map { UInt($0.0) }
      return counts.contains(nil) || (counts.count == 1 && counts[0] ?? 0 > 3) ? nil : slots
    }
    return nil
  }

  static func isBeginning(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(2000), as: UTF8.self).drop { $0 == "\u{FEFF}" }
    return slots(of: text.split(whereSeparator: \.isNewline)) != nil
  }

  private static func plan(
    _ files: RecordingFiles, _ options: RecordingOptions
  ) throws(SensorError) -> RecordingPlan {
    try options.refuseRecordedMotion(
      files, needs: "another kind of recording, as this one contains an accelerometer only")
    let member = try files.only()
    guard let slots = slots(of: try files.firstLines(of: member, count: 5)) else {
      throw SensorError(
        .malformed, "Expected lines of seven columns (ns, x, y, z, three counts) or five (ns, status, x, y, z).",
        at: .init(file: member.place, line: 1))
    }
    var layout = TableLayout.headerless(
      .byte(0x2C), time: 0, names: slots.map { $0 < 0 ? "count" : ["x", "y", "z"][$0] }, slots: slots)
    layout.acceptsIncompleteRows = true
    let table = TableFile(files: files, member: member, layout: layout)
    return RecordingPlan(
      streams: [TableStreamPlan(table: table, form: .accelerometer(unit: .metresPerSecondSquared))])
  }
}
