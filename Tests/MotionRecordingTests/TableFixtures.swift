// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import Testing

/// A small table of one of the formats: a device that lies still and tilted, so that its gravity, attitude and
/// accelerometer agree.
struct TableFixture: Sendable, CustomTestStringConvertible {
  var format: RecordingFormat
  var file: String
  /// Nil: the table has none.
  var header: [String]?
  var rows: [[String]]
  var options = RecordingOptions()
  /// A column whose unit can be wrong, and how it then reads.
  var unknownUnit: (column: String, wrong: String)?
  /// Columns that stand in a fixed place (an index without a name).
  var fixedColumns = 0
  /// Samples of each raw sensor, in the order accelerometer, gyroscope, magnetometer, pressure.
  var counts: [Int]

  var testDescription: String { format.rawValue }

  func text(separator: String = ",", lineEnd: String = "\n", order: [Int]? = nil, rowCount: Int? = nil) -> String {
    let order = order ?? Array((header ?? rows[0]).indices)
    let lines = (header.map { [$0] } ?? []) + rows.prefix(rowCount ?? rows.count)
    return lines.map { row in order.map { row[$0] }.joined(separator: separator) + lineEnd }.joined()
  }
}

extension TableFixture {
  // A tilt of the device, and what follows from it by Core Motion's rules.
  static let roll = 0.1
  static let pitch = 0.2
  static let yaw = 0.3
  static let gravity = [
    Foundation.cos(pitch) * Foundation.sin(roll), -Foundation.sin(pitch), -Foundation.cos(pitch) * Foundation.cos(roll),
  ]
  static let userAcceleration = [0.001, -0.002, 0.003]
  static let rate = [0.01, 0.02, -0.03]
  static let field = [20.5, -4.25, -40.5]
  /// Device → reference: yaw about z, then pitch about x, then roll about y.
  static let attitude: Rotation<Device, NorthWestUp> = {
    func turn(_ angle: Double, _ x: Double, _ y: Double, _ z: Double) -> Rotation<Device, Device> {
      let s = Foundation.sin(angle / 2)
      return Rotation(w: Foundation.cos(angle / 2), x: x * s, y: y * s, z: z * s) ?? .identity
    }
    let q = turn(yaw, 0, 0, 1) * turn(pitch, 1, 0, 0) * turn(roll, 0, 1, 0)
    return Rotation(w: q.w, x: q.x, y: q.y, z: q.z) ?? .identity
  }()

  static func texts(_ numbers: [Double], scale: Double = 1) -> [String] { numbers.map { "\($0 * scale)" } }

  private static var motion: [String] {
    texts([roll, pitch, yaw]) + texts(gravity) + texts(rate) + texts(userAcceleration)
  }

  static var oxIOD: TableFixture {
    TableFixture(
      format: .oxIOD, file: "imu1.csv",
      rows: (0..<12).map { row in
        ["\(1500.25 + Double(row) / 100)"] + texts([roll, pitch, yaw]) + texts(rate) + texts(gravity)
          + texts(userAcceleration) + texts(field)
      }, counts: [12, 12, 12, 0])
  }

  static var namedOxIOD: TableFixture {
    TableFixture(
      format: .oxIOD, file: "walk.csv",
      header: [
        "timestamp(unix)", "latitude(degree)", "attitude_pitch(radians)", "attitude_roll(radians)",
        "attitude_yaw(radians)", "rotation_rate_x(radians/s)", "rotation_rate_y", "rotation_rate_z", "gravity_x(G)",
        "gravity_y(G)", "gravity_z(G)", "user_acc_x(G)", "user_acc_y(G)", "user_acc_z(G)",
      ],
      rows: (0..<12).map { row in
        ["1508927412.\(100 + row * 10)", "48.5"] + texts([pitch, roll, yaw]) + texts(rate) + texts(gravity)
          + texts(userAcceleration)
      }, unknownUnit: ("gravity_x(G)", "gravity_x(m/s^2)"), counts: [12, 12, 0, 0])
  }

  static var motionSense: TableFixture {
    TableFixture(
      format: .motionSense, file: "sub_1.csv",
      header: ["", "attitude.roll", "attitude.pitch", "attitude.yaw"]
        + ["gravity", "rotationRate", "userAcceleration"].flatMap { name in ["x", "y", "z"].map { "\(name).\($0)" } },
      rows: (0..<12).map { ["\($0)"] + motion }, fixedColumns: 1, counts: [12, 12, 0, 0])
  }

  static var sensingKit: TableFixture {
    TableFixture(
      format: .sensingKit, file: "DeviceMotion.csv",
      header: ["timestamp", "timeIntervalSince1970", "attitude.roll", "attitude.pitch", "attitude.yaw"]
        + ["gravity.x", "gravity.y", "gravity.z", "magneticField.x", "magneticField.y", "magneticField.z"]
        + ["magneticField.accuracy", "rotationRate.x", "rotationRate.y", "rotationRate.z", "userAcceleration.x"]
        + ["userAcceleration.y", "userAcceleration.z"],
      rows: (0..<12).map { row in
        ["\"2017-05-01 10:00:00.123 +0000\"", "1493632800.\(123_456 + row * 10_000)"] + texts([roll, pitch, yaw])
          + texts(gravity) + texts(field) + ["2"] + texts(rate) + texts(userAcceleration)
      }, counts: [12, 12, 12, 0])
  }

  static var ridi: TableFixture {
    let half = 0.5.squareRoot()
    let q = attitude
    // North-west-up to east-north-up, as Android has it.
    let android = [(q.w - q.z) * half, (q.x - q.y) * half, (q.y + q.x) * half, (q.z + q.w) * half]
    let names = ["gyro", "acce", "linacce", "grav", "magnet"].flatMap { name in ["x", "y", "z"].map { "\(name)_\($0)" }
    }
    let force = zip(gravity, userAcceleration).map { -9.80665 * ($0 + $1) }
    return TableFixture(
      format: .ridi, file: "data.csv", header: ["", "time"] + names + ["rv_w", "rv_x", "rv_y", "rv_z"],
      rows: (0..<12).map { row in
        ["\(row)", "\(54_321_000_000_123 + row * 5_000_000)"] + texts(rate) + texts(force)
          + texts(userAcceleration, scale: -9.80665) + texts(gravity, scale: -9.80665) + texts(field) + texts(android)
      }, fixedColumns: 1, counts: [12, 12, 12, 0])
  }

  static var xIMU3: TableFixture {
    TableFixture(
      format: .xIMU3, file: "Inertial.csv",
      header: ["Timestamp (us)"]
        + ["Gyroscope X (deg/s)", "Gyroscope Y (deg/s)", "Gyroscope Z (deg/s)", "Accelerometer X (g)"]
        + ["Accelerometer Y (g)", "Accelerometer Z (g)"],
      rows: (0..<12).map { row in
        ["\(1_000_000 + row * 2500)", "1.5", "-90", "0.25"] + texts(gravity, scale: -1)
      }, unknownUnit: ("Accelerometer Y (g)", "Accelerometer Y (m/s)"), counts: [12, 12, 0, 0])
  }

  static var fusionSample: TableFixture {
    TableFixture(
      format: .xIMU3, file: "sensor_data.csv",
      header: ["Time (s)"]
        + ["Gyroscope X (deg/s)", "Gyroscope Y (deg/s)", "Gyroscope Z (deg/s)", "Accelerometer X (g)"]
        + ["Accelerometer Y (g)", "Accelerometer Z (g)"]
        + ["Magnetometer X (uT)", "Magnetometer Y (uT)", "Magnetometer Z (uT)"],
      rows: (0..<12).map { row in
        ["\(Double(row) / 100)", "1.5", "-90", "0.25"] + texts(gravity, scale: -1) + texts(field)
      }, unknownUnit: ("Magnetometer X (uT)", "Magnetometer X (gauss)"), counts: [12, 12, 12, 0])
  }

  static var phyphox: TableFixture {
    TableFixture(
      format: .phyphox, file: "Raw Data.csv",
      header: [
        "\"Time (s)\"", "\"Acceleration x (m/s^2)\"", "\"Acceleration y (m/s^2)\"", "\"Acceleration z (m/s^2)\"",
        "\"Absolute acceleration (m/s^2)\"",
      ],
      rows: (0..<12).map { row in
        ["\(row).\(row)00000000E-2"] + texts(gravity, scale: -9.81) + ["9.810000000E0"]
      }, unknownUnit: ("Acceleration x (m/s^2)", "Acceleration x (g)"), counts: [12, 0, 0, 0])
  }

  static var tidy: TableFixture {
    let q = attitude
    return TableFixture(
      format: .tidy, file: "out.csv",
      header: ("timestamp,attitude_x,attitude_y,attitude_z,attitude_w,rotationRate_x,rotationRate_y,rotationRate_z,"
        + "gravity_x,gravity_y,gravity_z,userAcceleration_x,userAcceleration_y,userAcceleration_z,magneticField_x,"
        + "magneticField_y,magneticField_z,magneticField_accuracy,heading,headingAccuracy,sensorLocation,"
        + "attitudeReferenceFrame").split(separator: ",").map(String.init),
      rows: (0..<12).map { row in
        ["\(1_138_457.5 + Double(row) / 100)"] + texts([q.x, q.y, q.z, q.w]) + texts(rate) + texts(gravity)
          + texts(userAcceleration) + (row < 6 ? texts(field) + ["2", "123.5", "4.5"] : ["", "", "", "", "", ""])
          + ["0", "4"]
      }, fixedColumns: 2, counts: [12, 12, 6, 0])
  }

  static var mapped: TableFixture {
    var options = RecordingOptions()
    options.map = try? ColumnMap(
      "t=Time[ms] ax=Acc X[mg] ay=Acc Y az=Acc Z gx=Gx[deg/s] gy=Gy gz=Gz mx=Mx[mG] my=My mz=Mz p=Baro[psi] temp=T[degF]"
    )
    options.sign = .apple
    return TableFixture(
      format: .mapped, file: "log.csv",
      header: ["Time", "Acc X", "Acc Y", "Acc Z", "Gx", "Gy", "Gz", "Mx", "My", "Mz", "Baro", "T", "Note"],
      rows: (0..<12).map { row in
        ["\(row * 10)"] + texts(gravity, scale: 1000) + ["90", "-180", "45"] + texts(field, scale: 10)
          + ["14.5", "68", "text"]
      }, options: options, counts: [12, 12, 12, 12])
  }

  static var mobilised: TableFixture {
    TableFixture(
      format: .mobilised, file: "HA001_Test5.csv",
      header: ["t_s"] + ["acc_x_g", "acc_y_g", "acc_z_g", "gyr_x_dps", "gyr_y_dps", "gyr_z_dps"]
        + ["mag_x_uT", "mag_y_uT", "mag_z_uT", "bar_hPa"],
      rows: (0..<12).map { row in
        ["\(Double(row) / 100)"] + texts(gravity, scale: -1) + ["90", "-180", "45"] + texts(field) + ["1007.5"]
      }, counts: [12, 12, 12, 12])
  }

  static var mhealthtools: TableFixture {
    let q = attitude
    return TableFixture(
      format: .mhealthtools, file: "walk_data.csv",
      header: "t_s,qx,qy,qz,qw,rx,ry,rz,ux,uy,uz,gx,gy,gz,mx,my,mz,mag_accuracy".split(separator: ",").map(String.init),
      rows: (0..<12).map { row in
        ["\(Double(row) / 100)"] + texts([q.x, q.y, q.z, q.w]) + texts(rate) + texts(userAcceleration) + texts(gravity)
          + ["0", "0", "0", "-1"]
      }, counts: [12, 12, 0, 0])
  }

  static var all: [TableFixture] {
    [
      mobilised, mhealthtools, oxIOD, namedOxIOD, motionSense, sensingKit, ridi, xIMU3, fusionSample, phyphox, tidy,
      mapped,
    ]
  }

  /// Files of the formats that are folders.
  static var advio: [String: String] {
    func table(_ row: (Int) -> String) -> String {
      (0..<12).map { "\(100.5 + Double($0) / 100),\(row($0))\n" }.joined()
    }
    return [
      "accelerometer.csv": table { _ in texts(gravity).joined(separator: ",") },
      "gyro.csv": table { _ in texts(rate).joined(separator: ",") },
      "magnetometer.csv": table { _ in texts(field).joined(separator: ",") },
      "barometer.csv": table { "101.3\($0),0.\($0)" }, "arkit.csv": table { _ in "1,2,3,1,0,0,0" },
    ]
  }

  static var iosLogger: [String: String] {
    let q = attitude
    func table(_ numbers: [Double]) -> String {
      (0..<12).map { row in
        (["1600000000.\(100 + row * 10)"] + texts(numbers)).joined(separator: ",") + "\n"
      }.joined()
    }
    return [
      "Accel.txt": table(zip(gravity, userAcceleration).map { $0 + $1 }), "Gyro.txt": table([0.5, 0.25, 0.125]),
      "Motion.txt": table([q.w, q.x, q.y, q.z]), "MotARH.txt": table(rate + gravity + userAcceleration + [270.5]),
      "MotMagnFull.txt": table(field + [2]), "Magnet.txt": table([100.5, 200.5, 300.5]),
      "ARposes.txt": table([1, 2, 3, 1, 0, 0, 0]),
    ]
  }

  static let sensorLoggerJSON: String = {
    func object(_ sensor: String, _ row: Int, _ values: String) -> String {
      "{\"sensor\":\"\(sensor)\",\"time\":\"\(1_698_501_144_401_773_000 + row * 10_000_000)\","
        + "\"seconds_elapsed\":\"0.\(row)\",\(values)}"
    }
    let vector = { (numbers: [Double]) in
      "\"z\":\"\(numbers[2])\",\"y\":\"\(numbers[1])\",\"x\":\"\(numbers[0])\""
    }
    let objects =
      (0..<12).map { object("AccelerometerUncalibrated", $0, vector(gravity)) }
      + (0..<12).map { object("GyroscopeUncalibrated", $0, vector(rate)) }
      + (0..<12).map { object("Barometer", $0, "\"relativeAltitude\":\"0\",\"pressure\":\"1013.25\"") }
    return "[" + objects.joined(separator: ",") + "]"
  }()
}
