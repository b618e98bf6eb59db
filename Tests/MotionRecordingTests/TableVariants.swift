// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import Testing

/// One recording, four seconds at 100 Hz: a second of rest, then the device swings about its x axis.
struct SwingingDevice: Sendable {
  struct Row: Sendable {
    /// s.
    var time: Double
    /// m/s², upwards at rest.
    var force: [Double]
    /// rad/s.
    var rate: [Double]
    /// µT.
    var field: [Double]

    var g: [Double] { force.map { $0 / standardGravity } }
    var degrees: [Double] { rate.map { $0 * 180 / .pi } }
    var milliseconds: Int { Int((time * 1000).rounded()) }
  }

  static let rows: [Row] = {
    var random = SeededRandom(seed: 34)
    return (0..<400).map { index in
      let time = Double(index) / 100
      let swing = max(0, time - 1)
      let (angle, rate) = (0.6 * Foundation.sin(2 * swing), swing > 0 ? 1.2 * Foundation.cos(2 * swing) : 0)
      let (sine, cosine) = (Foundation.sin(angle), Foundation.cos(angle))
      func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &random) }
      return Row(
        time: time,
        force: [noise(0.02), standardGravity * sine + noise(0.02), standardGravity * cosine + noise(0.02)],
        rate: [rate + noise(0.002), noise(0.002), noise(0.002)],
        field: [20 + noise(0.1), -5 * cosine - 40 * sine + noise(0.1), 5 * sine - 40 * cosine + noise(0.1)])
    }
  }()
}

/// The same recording in one of the ways that people write tables.
struct TableVariant: Sendable, CustomTestStringConvertible {
  var name: String
  var text: String
  var hasGyroscope = true
  var hasMagnetometer = false
  var file = "log.csv"
  /// As bytes, where it is not UTF-8.
  var isLatin1 = false
  var isReversed = false
  /// What is said of it.
  var says: [String] = []
  /// s: what is lost of the times.
  var timeError = 1e-6
  /// Of a reading: what is lost of it.
  var error = 1e-4

  var testDescription: String { name }

  init(
    _ name: String, _ header: String?, separator: String = ",", comma: Bool = false, preamble: String = "",
    lineEnd: String = "\n", behind: String = "", _ row: (SwingingDevice.Row, Int) -> [Any]
  ) {
    self.name = name
    let lines = SwingingDevice.rows.enumerated().map { index, values in
      row(values, index).map { cell -> String in
        guard let number = cell as? Double else { return "\(cell)" }
        let text = String(format: "%.7f", number)
        return comma ? text.replacingOccurrences(of: ".", with: ",") : text
      }.joined(separator: separator)
    }
    text = preamble + (header.map { $0 + lineEnd } ?? "") + lines.map { $0 + lineEnd }.joined() + behind
  }

  func with(_ change: (inout Self) -> Void) -> Self {
    var variant = self
    change(&variant)
    return variant
  }
}

extension TableVariant {
  private static let six = "AccX,AccY,AccZ,GyrX,GyrY,GyrZ"
  private static func iso(_ row: SwingingDevice.Row, _ separator: String = "T", _ mark: String = ".") -> String {
    String(format: "2024-05-01%@10:00:%02d%@%03d", separator, row.milliseconds / 1000, mark, row.milliseconds % 1000)
  }

  static let all: [TableVariant] = names + separators + units + times + heads + makers + others

  private static let names: [TableVariant] = [
    .init("the targets of a map", "t,ax,ay,az,gx,gy,gz") { row, _ in [row.time] + row.force + row.rate },
    .init("the targets with a field", "t,ax,ay,az,gx,gy,gz,mx,my,mz") { row, _ in
      [row.time] + row.force + row.rate + row.field
    }.with { $0.hasMagnetometer = true },
    .init("an accelerometer alone", "t,ax,ay,az") { row, _ in [row.time] + row.force }.with {
      $0.hasGyroscope = false
    },
    .init(
      "words with units in parentheses",
      "Timestamp (ms),Accel X (g),Accel Y (g),Accel Z (g),Gyro X (deg/s),Gyro Y (deg/s),Gyro Z (deg/s)"
    ) { row, _ in [row.milliseconds] + row.g + row.degrees },
    .init("units at the end", "time_s,acc_x_mps2,acc_y_mps2,acc_z_mps2,gyr_x_rad_s,gyr_y_rad_s,gyr_z_rad_s") { row, _ in
      [row.time] + row.force + row.rate
    },
    .init("units in the middle", "t_ms,acc_g_x,acc_g_y,acc_g_z,gyro_dps_x,gyro_dps_y,gyro_dps_z") { row, _ in
      [row.milliseconds] + row.g + row.degrees
    },
    .init("brackets", "time [s],acc_x[m/s^2],acc_y[m/s^2],acc_z[m/s^2],gyro_x[rad/s],gyro_y[rad/s],gyro_z[rad/s]") {
      row, _ in [row.time] + row.force + row.rate
    },
    .init(
      "German words", "Zeit;Beschleunigung X;Beschleunigung Y;Beschleunigung Z;Drehrate X;Drehrate Y;Drehrate Z",
      separator: ";", comma: true
    ) { row, _ in [row.time] + row.force + row.degrees },
    .init("axes in front", "timestamp,xacc,yacc,zacc,xgyro,ygyro,zgyro") { row, _ in
      [row.milliseconds * 1000] + row.g.map { ($0 * 1000).rounded() } + row.rate
    }.with { $0.error = 0.006 },
    .init("words of Physics Toolbox", "time,gFx,gFy,gFz,wx,wy,wz") { row, _ in [row.time] + row.g + row.rate },
    .init(
      "words of ROS",
      "%time,field.angular_velocity.x,field.angular_velocity.y,field.angular_velocity.z,field.linear_acceleration.x,field.linear_acceleration.y,field.linear_acceleration.z"
    ) { row, _ in [1_700_000_000_000_000_000 + row.milliseconds * 1_000_000] + row.rate + row.force },
    .init(
      "Core Motion's words",
      "time,acceleration.x,acceleration.y,acceleration.z,rotationRate.x,rotationRate.y,rotationRate.z"
    ) { row, _ in [row.time] + row.g.map { -$0 } + row.rate }.with {
      $0.isReversed = true; $0.says = ["Core Motion"]
    },
    .init("x, y, z alone", "t,x,y,z") { row, _ in [row.time] + row.g }.with { $0.hasGyroscope = false },
    .init("another order, and columns that are not read", "label,gyr_z,gyr_y,gyr_x,heart_rate,acc_z,acc_y,acc_x,time") {
      row, index in
      ["walk"] + row.rate.reversed() + [70 + index % 3] + row.force.reversed() + [row.time]
    },
    .init(
      "a quaternion and angles beside",
      "time,quat_w,quat_x,quat_y,quat_z,acc_x,acc_y,acc_z,gyr_x,gyr_y,gyr_z,roll,pitch,yaw"
    ) { row, _ in [row.time, 1.0, 0.0, 0.0, 0.0] + row.force + row.rate + [0.0, 0.0, 0.0] },
    .init("capitals", "TIME,ACC_X,ACC_Y,ACC_Z,GYRO_X,GYRO_Y,GYRO_Z") { row, _ in [row.time] + row.force + row.rate },
  ]

  private static let separators: [TableVariant] = [
    .init("semicolons", "t;" + six.replacing(",", with: ";"), separator: ";") { row, _ in
      [row.time] + row.force + row.rate
    },
    .init("semicolons and decimal commas", "t;" + six.replacing(",", with: ";"), separator: ";", comma: true) {
      row, _ in [row.time] + row.force + row.rate
    },
    .init("tabs", "t\t" + six.replacing(",", with: "\t"), separator: "\t") { row, _ in [row.time] + row.force + row.rate
    },
    .init("tabs and decimal commas", "t\t" + six.replacing(",", with: "\t"), separator: "\t", comma: true) { row, _ in
      [row.time] + row.force + row.rate
    },
    .init("blanks", "t " + six.replacing(",", with: " "), separator: " ") { row, _ in [row.time] + row.force + row.rate
    },
    .init("several blanks and decimal commas", "t   " + six.replacing(",", with: "  "), separator: "   ", comma: true) {
      row, _ in [row.time] + row.force + row.rate
    },
    .init("bars", "t|" + six.replacing(",", with: "|"), separator: "|") { row, _ in [row.time] + row.force + row.rate },
    .init("commas and blanks", "t, " + six.replacing(",", with: ", "), separator: ", ") { row, _ in
      [row.time] + row.force + row.rate
    },
    .init("CRLF", "t," + six, lineEnd: "\r\n") { row, _ in [row.time] + row.force + row.rate },
    .init("a comma at the end of each line", "t," + six + ",") { row, _ in [row.time] + row.force + row.rate + [""] },
    .init("without header", nil) { row, _ in [row.time] + row.force + row.degrees }.with {
      $0.says = ["without header"]
    },
    .init("without header, by blanks", nil, separator: " ") { row, _ in [row.milliseconds] + row.g + row.rate },
    .init("without header, gyroscope first", nil, separator: "\t") { row, _ in [row.time] + row.degrees + row.force },
    .init("without header, nine columns", nil) { row, _ in [row.time] + row.force + row.rate + row.field }.with {
      $0.hasMagnetometer = true
    },
    .init(
      "Latin-1",
      "Zeit [s];Beschleunigung x [m/s²];Beschleunigung y [m/s²];Beschleunigung z [m/s²];Drehrate x [°/s];Drehrate y [°/s];Drehrate z [°/s]",
      separator: ";", comma: true
    ) { row, _ in [row.time] + row.force + row.degrees }.with { $0.isLatin1 = true },
  ]

  private static let units: [TableVariant] = [
    .init("g and °/s by their numbers", "t," + six) { row, _ in [row.time] + row.g + row.degrees }.with {
      $0.says = ["g by the length of gravity", "deg/s by the turning of gravity"]
    },
    .init("mg", "t," + six) { row, _ in [row.time] + row.g.map { $0 * 1000 } + row.rate },
    .init("mm/s²", "t," + six) { row, _ in [row.time] + row.force.map { $0 * 1000 } + row.rate },
    .init("counts of 1/16384 g", "t,ax,ay,az") { row, _ in
      [row.time] + row.g.map { Int(($0 * 16384).rounded()) } as [Any]
    }.with {
      $0.hasGyroscope = false; $0.says = ["g/16384"]; $0.error = 1e-3
    },
    .init("counts of 1/256 g", "t,ax,ay,az") { row, _ in [row.time] + row.g.map { Int(($0 * 256).rounded()) } as [Any] }
      .with {
        $0.hasGyroscope = false; $0.says = ["g/256"]; $0.error = 0.03
      },
    .init("m°/s", "t," + six) { row, _ in [row.time] + row.force + row.degrees.map { $0 * 1000 } },
    .init("milligauss", "t," + six + ",MagX,MagY,MagZ") { row, _ in
      [row.time] + row.force + row.rate + row.field.map { $0 * 10 }
    }.with {
      $0.hasMagnetometer = true; $0.says = ["mG by the length"]
    },
    .init("nanotesla in a name", "t," + six + ",MagX_nT,MagY_nT,MagZ_nT") { row, _ in
      [row.time] + row.force + row.rate + row.field.map { $0 * 1000 }
    }.with { $0.hasMagnetometer = true },
    .init("units in a line of their own", "t," + six + "\ns,g,g,g,dps,dps,dps") { row, _ in
      [row.time] + row.g + row.degrees
    },
  ]

  private static let times: [TableVariant] = [
    .init("milliseconds by their interval", "time," + six) { row, _ in [row.milliseconds] + row.force + row.rate },
    .init("microseconds by their interval", "time," + six) { row, _ in
      [row.milliseconds * 1000 + 5_000_000] + row.force + row.rate
    },
    .init("nanoseconds since 1970", "timestamp," + six) { row, _ in
      [1_700_000_000_000_000_000 + row.milliseconds * 1_000_000] + row.force + row.rate
    },
    .init("seconds since 1970", "timestamp," + six) { row, _ in [1_700_000_000 + row.time] + row.force + row.rate },
    .init("milliseconds since 1970", "unix," + six) { row, _ in
      [1_700_000_000_000 + row.milliseconds] + row.force + row.rate
    },
    .init("ISO 8601 with a zone", "time," + six) { row, _ in [iso(row) + "+02:00"] + row.force + row.rate },
    .init("ISO 8601 without a zone", "Zeit;" + six.replacing(",", with: ";"), separator: ";", comma: true) { row, _ in
      [iso(row, " ", ",")] + row.force + row.rate
    },
    .init("days first", "time;" + six.replacing(",", with: ";"), separator: ";") { row, _ in
      [iso(row, " ").replacing("2024-05-01", with: "01.05.2024")] + row.force + row.rate
    },
    .init("months first, AM", "time," + six) { row, _ in
      [iso(row, " ").replacing("2024-05-01", with: "5/21/2024") + " AM"] + row.force + row.rate
    },
    .init("a date and a time of day", "Date,Time," + six) { row, _ in
      ["2024-05-01", iso(row).dropFirst(11)] + row.force + row.rate
    },
    .init("a time of day past midnight", "Time," + six) { row, _ in
      let (second, rest) = (row.milliseconds / 1000, iso(row).suffix(4))
      return [second < 2 ? "23:59:5\(8 + second)\(rest)" : "00:00:0\(second - 2)\(rest)"] + row.force + row.rate
    },
    .init("days of a spreadsheet", "Time," + six) { row, _ in
      [String(format: "%.11f", 45413.25 + row.time / 86_400)] + row.force + row.rate
    }.with { $0.timeError = 2e-6 },
    .init("a counter of 32 bits that is full", "micros," + six) { row, _ in
      [(4_293_967_296 + row.milliseconds * 1000) % 4_294_967_296] + row.force + row.rate
    },
    .init("a rate in the preamble", "n," + six, preamble: "Logger 7\nSample rate: 100\n") { row, index in
      [index] + row.force + row.rate
    }.with { $0.says = ["--rate 100", "stands above"] },
    .init("two clocks", "timestamp,seconds," + six) { row, _ in
      [1_700_000_000_000 + row.milliseconds / 1000 * 1000, row.time] + row.force + row.rate
    },
  ]

  private static let heads: [TableVariant] = [
    .init("a preamble of comments", "t," + six, preamble: "# Device: A7\n# Subject: 3, left, 80 kg\n#\n") { row, _ in
      [row.time] + row.force + row.rate
    }.with { $0.says = ["line 5"] },
    .init("a header behind a comment sign", "# t," + six) { row, _ in [row.time] + row.force + row.rate },
    .init(
      "a preamble of name and value, and a blank line", "t," + six,
      preamble: "Version,3\nRange,16 g,ODR,100\nSerial,0042\n\n"
    ) { row, _ in [row.time] + row.force + row.rate },
    .init("a byte-order mark", "t," + six, preamble: "\u{FEFF}") { row, _ in [row.time] + row.force + row.rate },
    .init("sep=;", "t;" + six.replacing(",", with: ";"), separator: ";", preamble: "sep=;\n") { row, _ in
      [row.time] + row.force + row.rate
    },
  ]

  private static let makers: [TableVariant] = [
    .init(
      "MT Manager",
      "PacketCounter\tSampleTimeFine\tAcc_X\tAcc_Y\tAcc_Z\tGyr_X\tGyr_Y\tGyr_Z\tMag_X\tMag_Y\tMag_Z\tQuat_q0\tQuat_q1\tQuat_q2\tQuat_q3",
      separator: "\t",
      preamble:
        "// Start Time: Unknown\r\n// Update Rate: 100.0Hz\r\n// Filter Profile: human (46.1)\r\n// Firmware Version: 4.0.2\r\n",
      lineEnd: "\r\n"
    ) { row, index in
      [index + 7, 12345 + row.milliseconds * 10] + row.force + row.rate + row.field.map { $0 / 49 } + [
        1.0, 0.0, 0.0, 0.0,
      ]
    }
    .with { $0.says = ["ticks of 100 µs", "magnetometer is not read"] },
    .init(
      "Xsens DOT", "PacketCounter,SampleTimeFine,Euler_X,Euler_Y,Euler_Z,Acc_X,Acc_Y,Acc_Z,Gyr_X,Gyr_Y,Gyr_Z",
      preamble:
        "sep=,\nDeviceTag:,Xsens DOT 1\nFirmwareVersion:,1.6.0\nOutputRate:,100Hz\nMeasurement Mode:,Sensor fusion Mode - Custom Mode 5\nStartTime:,2021-03-01_10-00-00\n\n"
    ) { row, index in [index, 912_345 + row.milliseconds * 1000, 0.0, 0.0, 0.0] + row.force + row.degrees },
    .init(
      "Shimmer",
      "S_4DC3_Timestamp_Unix_CAL\t"
        + ["Accel_LN", "Accel_WR", "Gyro", "Mag"].flatMap { name in ["X", "Y", "Z"].map { "S_4DC3_\(name)_\($0)_CAL" } }
        .joined(separator: "\t") + "\tS_4DC3_Battery_CAL\n" + Array(repeating: "CAL", count: 14).joined(separator: "\t")
        + "\nms\t" + Array(repeating: "m/(s^2)", count: 6).joined(separator: "\t")
        + "\tdeg/s\tdeg/s\tdeg/s\tlocal_flux\tlocal_flux\tlocal_flux\tmV", separator: "\t", preamble: "\"sep=\t\"\n"
    ) { row, _ in
      [1_600_000_000_000 + row.milliseconds] + row.force + row.force.map { $0 * 1.01 } + row.degrees
        + row.field.map { $0 / 49 } + [3900.5]
    }
    .with { $0.says = ["Accel_LN"] },
    .init(
      "Vicon", "Frame,Sub Frame,AccX,AccY,AccZ,GyroX,GyroY,GyroZ\n,,mm/s^2,mm/s^2,mm/s^2,deg/s,deg/s,deg/s",
      preamble: "Devices\n100\n,,Trident - Accel,,,Trident - Gyro,,\n",
      behind: "\nTrajectories\n100\n,,A:M1,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n1,0,1,2,3\n"
    ) { row, index in [index + 1, 0] + row.force.map { $0 * 1000 } + row.degrees }.with {
      $0.says = ["first empty line"]
    },
  ]

  private static let others: [TableVariant] = [
    TableVariant(long: "accelerometer", "gyroscope", header: "timestamp_ns,sensor,x,y,z"),
    TableVariant(long: "Accelerometer Raw", "Gyro", header: "time,name,v0,v1,v2"),
  ].map { variant in variant.with { $0.says = ["sensor="] } }

  /// Long form: a row for each reading, and rows of a sensor that is not one of motion.
  private init(long accelerometer: String, _ gyroscope: String, header: String) {
    self.init("long form, \(accelerometer)", header) { row, _ in
      let time = 1_700_000_000_000_000_000 + row.milliseconds * 1_000_000
      func line(_ name: String, _ values: [Double]) -> String {
        "\(time),\(name)," + values.map { String(format: "%.7f", $0) }.joined(separator: ",")
      }
      return [
        [line(accelerometer, row.force), line(gyroscope, row.rate), "\(time),heart rate,71,,"].joined(separator: "\n")
      ]
    }
  }
}
