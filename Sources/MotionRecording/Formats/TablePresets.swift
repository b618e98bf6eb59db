// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The formats that are rows.
extension TablePreset {
  /// `data.csv` of the RIDI data set, from an Android Tango phone: nanoseconds, m/s² with gravity in, upwards at rest, rad/s, µT.
  ///
  /// `rv` is Android's rotation vector, which leads to east-north-up; `ori` and `pos` are the truth of a visual tracker and are
  /// not read. Source: Documentation/Formats.md 4.4; Yan, Shan, Furukawa, "RIDI: Robust IMU Double Integration", ECCV 2018.
  static let ridi = TablePreset(
    format: .ridi, title: "RIDI", summary: "data.csv with the columns time, gyro_x … acce_x … rv_w …",
    isHeader: { $0.contains("gyro_x") && $0.contains("acce_x") && $0.contains("linacce_x") },
    selection: .named("data.csv"),
    columns: [
      .init(.gyroscope, axes: "gyro_"), .init(.accelerometer, axes: "acce_"),
      .init(.userAcceleration, axes: "linacce_"),
      .init(.gravity, axes: "grav_"), .init(.magnetometer, axes: "magnet_"),
      .init(.quaternion, axes: "rv_", ["w", "x", "y", "z"]),
    ],
    time: .column("time", decimals: 0),
    template: WideTable(
      accelerometerUnit: .metresPerSecondSquared,
      motion: FusedForm(
        reference: .xMagneticNorth, accelerationUnit: .metresPerSecondSquared, isEastNorthUp: true)),
    needs: "the columns rv_, grav_ and linacce_", witnessTolerance: SelfCheck.otherEventTolerance)

  /// The CSVs of the MotionSense data set: a Core Motion device motion a row, or a raw accelerometer or gyroscope; g in Apple's
  /// sign, rad/s, rad. The first column is the row's number, and there is no time: 50 Hz by definition of the set. A raw file
  /// says by the name of its folder which sensor it is. Source: Documentation/Formats.md 4.4; Malekzadeh et al., "Mobile Sensor Data
  /// Anonymization", IoTDI 2019.
  static let motionSense = TablePreset(
    format: .motionSense, title: "MotionSense",
    summary: "sub_<N>.csv: an unnamed first column, then attitude.roll … or x,y,z",
    isHeader: { header in
      let plain = header.filter { $0 != "\"" && $0 != " " && $0 != "\r" }
      guard plain.first == "," || plain.first == ";" || plain.first == "\t" else { return false }
      return plain.contains("attitude.roll") || ["x,y,z", "x;y;z", "x\ty\tz"].contains(String(plain.dropFirst()))
    },
    columns: ColumnPreset.coreMotion, time: .rowNumber(rate: 50),
    sensors: [("accel", .accelerometer), ("gyro", .gyroscope)], searchesPath: true,
    needs: "attitude, gravity, rotationRate and userAcceleration",
    notes: [(nil, "no time in the file: row number at 50 Hz")])

  /// The CSVs of the SensingKit library for iOS, one for each sensor: seconds since 1970, g in Apple's sign, rad/s, µT.
  ///
  /// Device motion and altimeter are known by their columns, the three raw sensors, whose columns are alike, by the name of the
  /// file. The library truncates pressures to whole kilopascals: they are read and said to be coarse. Activities and steps are
  /// not read. Source: Documentation/Formats.md 4.4.
  static let sensingKit = TablePreset(
    format: .sensingKit, title: "SensingKit",
    summary: "a CSV with the column timeIntervalSince1970, or a folder of them",
    isHeader: { $0.contains("imeIntervalSince1970") },
    selection: .each(
      noneFound: "This SensingKit log holds no motion sensor (FILES); activities and steps are not read."),
    columns: ColumnPreset.coreMotion + [
      .init(.field, axes: "magneticField."), .init(.fieldAccuracy, ["magneticField.accuracy"]),
      .init(.pressure, ["pressure"]),
    ],
    time: .column("timeIntervalSince1970", decimals: 9),
    sensors: [("accel", .accelerometer), ("gyro", .gyroscope), ("magnet", .magnetometer)],
    // kPa.
    template: WideTable(pressure: PressureForm(medium: .air, unit: 1000)), needs: "the device motion file",
    notes: [(.pressure, "pressure coarse, truncated to whole kilopascals")], isUnixTime: true)

  /// Data sets with counted steps. Source: Documentation/Formats.md 4.10.
  static let stepData = [mobilised, adeptRun, mhealthtools]

  /// The lower-back sensor of Mobilise-D: seconds, g upwards at rest, °/s, µT, hPa; 100 Hz.
  private static let mobilised = TablePreset(
    format: .mobilised, title: "Mobilise-D", summary: "a CSV with the columns t_s, acc_x_g … gyr_x_dps … bar_hPa",
    isHeader: { header in ["t_s", "acc_x_g", "gyr_x_dps", "bar_hPa"].allSatisfy(header.contains) },
    columns: [
      .init(.accelerometer, ["acc_x_g", "acc_y_g", "acc_z_g"]),
      .init(.gyroscope, ["gyr_x_dps", "gyr_y_dps", "gyr_z_dps"], scale: Angle(degrees: 1).radians),
      .init(.magnetometer, ["mag_x_uT", "mag_y_uT", "mag_z_uT"]), .init(.pressure, ["bar_hPa"]),
    ],
    time: .column("t_s", decimals: 9),
    template: WideTable(accelerometerUnit: .gravity, pressure: PressureForm(medium: .air, unit: 100)))

  /// The 25-minute run of the ADEPT data, two accelerometers in g at 100 Hz. The hip is read; a map reads the ankle.
  private static let adeptRun = TablePreset(
    format: .adeptRun, title: "ADEPT run", summary: "a CSV with the columns t_s, hip_x_g … ankle_x_g …",
    isHeader: { header in ["t_s", "hip_x_g", "ankle_x_g"].allSatisfy(header.contains) },
    columns: [.init(.accelerometer, ["hip_x_g", "hip_y_g", "hip_z_g"])], time: .column("t_s", decimals: 9),
    template: WideTable(accelerometerUnit: .gravity),
    needs: "another kind of recording, as this one contains accelerometers only",
    notes: [(nil, "the hip; for the ankle give a map of its columns")])

  /// Core Motion's device motion as mhealthtools published it: seconds, quaternion, rad/s, g in Apple's sign, µT; x arbitrary.
  private static let mhealthtools = TablePreset(
    format: .mhealthtools, title: "mhealthtools",
    summary: "a CSV with the columns t_s, qx … rx … ux … gx … mag_accuracy",
    isHeader: { header in ["t_s", "qx", "rx", "ux", "gx", "mag_accuracy"].allSatisfy(header.contains) },
    columns: [
      .init(.quaternion, ["qw", "qx", "qy", "qz"]), .init(.rotationRate, axes: "r"),
      .init(.userAcceleration, axes: "u"), .init(.gravity, axes: "g"), .init(.field, axes: "m"),
      .init(.fieldAccuracy, ["mag_accuracy"]),
    ],
    time: .column("t_s", decimals: 9), needs: "attitude, gravity, rotation rate and user acceleration")
}
