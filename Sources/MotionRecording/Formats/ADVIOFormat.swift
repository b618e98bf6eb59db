// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The iPhone folder of the ADVIO data set: a CSV for each sensor without a header, seconds since boot, g in Apple's sign, rad/s, µT
/// uncalibrated, kPa. ARKit's poses and the platform's location are not read.
///
/// The barometer's unit stands nowhere in the file, so a first pressure that is no air pressure in kPa is refused.
/// Source: formats.md 4.4; Cortés et al., "ADVIO: An Authentic Dataset for Visual-Inertial Odometry", ECCV 2018.
enum ADVIOFormat: FormatReader {
  static let format = RecordingFormat.advio
  static let title = "ADVIO"
  static let summary = "a folder with accelerometer.csv and gyro.csv without headers"

  static let names = ["accelerometer.csv", "gyro.csv", "gyroscope.csv", "magnetometer.csv", "barometer.csv"]

  static func plan(_ files: RecordingFiles, _ options: RecordingOptions) throws(SensorError) -> RecordingPlan {
    guard options.motion != .recorded else {
      throw .noRecordedMotion(in: files, needs: "another kind of recording, as this one holds raw sensors only")
    }
    let sensors = HeaderlessSensors(files: files)
    var plan = RecordingPlan(streams: [])
    func add(_ table: TableFile?, _ form: SampleForm) {
      if let table { plan.streams.append(TableStreamPlan(table: table, form: form)) }
    }
    add(try sensors.vector(["accelerometer.csv"]), .accelerometer(unit: .reversedGravity))
    add(try sensors.vector(["gyro.csv", "gyroscope.csv"]), .gyroscope)
    add(try sensors.vector(["magnetometer.csv"]), .magnetometer(unit: .microtesla))
    if let table = try sensors.table(["barometer.csv"], ["pressure"], slots: [0]) {
      try requireKilopascals(table)
      add(table, .airPressure(unit: 1000))
    }
    return plan
  }

  private static func requireKilopascals(_ table: TableFile) throws(SensorError) {
    guard let line = try table.files.firstLines(of: table.member, count: 1).first else { return }
    let fields = line.split(separator: ",")
    guard fields.count > 1, let pressure = Double(fields[1].filter { $0 != " " }) else { return }
    guard (30.0...120.0).contains(pressure) else {
      throw SensorError(
        .unsupported, "The pressure \(fields[1]) is no air pressure in kilopascals, the unit of this format.",
        at: .init(file: table.member.place, line: 1, column: "pressure"))
    }
  }
}
