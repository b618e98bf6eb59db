// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The CSVs of the MotionSense data set: a Core Motion device motion a row, or a raw accelerometer or gyroscope; g in Apple's sign,
/// rad/s, rad. The first column is the row's number, and there is no time: 50 Hz by definition of the set. A raw file says by the name of
/// its folder which sensor it is. Source: formats.md 4.4; Malekzadeh et al., "Mobile Sensor Data Anonymization", IoTDI 2019.
enum MotionSenseFormat: FormatReader {
  static let format = RecordingFormat.motionSense
  static let title = "MotionSense"
  static let summary = "sub_<N>.csv: an unnamed first column, then attitude.roll … or x,y,z"

  /// Hz.
  private static let rate = 50.0

  static func isHeader(_ header: String) -> Bool {
    let plain = header.filter { $0 != "\"" && $0 != " " && $0 != "\r" }
    guard plain.first == "," || plain.first == ";" || plain.first == "\t" else { return false }
    return plain.contains("attitude.roll") || ["x,y,z", "x;y;z", "x\ty\tz"].contains(String(plain.dropFirst()))
  }

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    var members: [RecordingFiles.Member] = []
    for member in files.members {
      let line = files.kind == .file ? "" : String(decoding: try files.firstLine(of: member), as: UTF8.self)
      if files.kind == .file || isHeader(line) { members.append(member) }
    }
    guard let member = members.first, members.count == 1 else {
      throw SensorError(
        .unsupported, "There are \(members.count) recordings here (\(files.listing)); give one of them.",
        at: .init(file: files.path))
    }
    let header = try TableHeader(files.firstLine(of: member), file: member.place)
    var table = WideTable()
    if let found = try header.columns(["attitude.roll", "attitude.pitch", "attitude.yaw"]) {
      table.add(.angles, found)
      if let found = try header.axes("gravity.") { table.add(.gravity, found) }
      if let found = try header.axes("rotationRate.") { table.add(.rotationRate, found) }
      if let found = try header.axes("userAcceleration.") { table.add(.userAcceleration, found) }
    } else if let found = try header.axes("") {
      let place = member.place.lowercased()
      if place.contains("accel") {
        table.add(.accelerometer, found)
      } else if place.contains("gyro") {
        table.add(.gyroscope, found)
      } else {
        throw SensorError(
          .unsupported,
          "Nothing says which sensor these columns are of: the name of the file or its folder should contain accelerometer or gyroscope.",
          at: .init(file: member.place, line: 1))
      }
    }
    var layout = header.layout(table.columns)
    layout.timeLine = .rowNumber(rate: rate)
    let file = TableFile(files: files, member: member, layout: layout)
    var plan = try RecordingPlan(
      [(file, table)], in: files, options, needs: "attitude, gravity, rotationRate and userAcceleration")
    plan.notes.append("no time in the file: row number at 50 Hz")
    return plan
  }
}
