// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// `data.csv` of the RIDI data set, from an Android Tango phone: nanoseconds, m/s² with gravity in, upwards at rest, rad/s, µT.
///
/// `rv` is Android's rotation vector, which leads to east-north-up; `ori` and `pos` are the truth of a visual tracker and are not read.
/// Source: formats.md 4.4; Yan, Shan, Furukawa, "RIDI: Robust IMU Double Integration", ECCV 2018.
enum RIDIFormat: FormatReader {
  static let format = RecordingFormat.ridi
  static let title = "RIDI"
  static let summary = "data.csv with the columns time, gyro_x … acce_x … rv_w …"

  static func isHeader(_ header: String) -> Bool {
    header.contains("gyro_x") && header.contains("acce_x") && header.contains("linacce_x")
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    let member: RecordingFiles.Member
    if let data = files.member("data.csv") { member = data } else { member = try files.only() }
    let header = try TableHeader(files.firstLine(of: member), file: member.place)
    var table = WideTable()
    table.accelerometerUnit = .metresPerSecondSquared
    table.motion.accelerationUnit = .metresPerSecondSquared
    table.motion.reference = .xMagneticNorth
    table.motion.isEastNorthUp = true
    if let found = try header.axes("gyro_") { table.add(.gyroscope, found) }
    if let found = try header.axes("acce_") { table.add(.accelerometer, found) }
    if let found = try header.axes("linacce_") { table.add(.userAcceleration, found) }
    if let found = try header.axes("grav_") { table.add(.gravity, found) }
    if let found = try header.axes("magnet_") { table.add(.magnetometer, found) }
    if let found = try header.axes("rv_", ["w", "x", "y", "z"]) { table.add(.quaternion, found) }
    table.add(try header.time("time", decimals: 0))
    let file = TableFile(files: files, member: member, layout: header.layout(table.columns))
    var plan = try RecordingPlan([(file, table)], in: files, options, needs: "the columns rv_, grav_ and linacce_")
    plan.witnessTolerance = SelfCheck.otherEventTolerance
    return plan
  }
}
