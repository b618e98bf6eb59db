// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import TestSupport
import Testing

/// A hand that turns a device for ten seconds at 50 Hz, and where up was.
enum TurningHand {
  struct Row: Sendable {
    var index: Int
    /// s.
    var time: Double
    var up: Vector3<Device>
    /// m/s², upwards at rest; rad/s.
    var force: [Double], rate: [Double]

    var g: [Double] { force.map { $0 / standardGravity } }
    var degrees: [Double] { rate.map { $0 * 180 / .pi } }
    var si: [Double] { force + rate }
    var usual: [Double] { g + degrees }
    var linear: [Double] { zip(force, [up.x, up.y, up.z]).map { $0 - $1 * standardGravity } }
  }

  static let rows: [Row] = {
    var random = SeededRandom(seed: 51)
    func noise(_ size: Double) -> Double { Double.random(in: -size...size, using: &random) }
    func rate(_ time: Double) -> Vector3<Device> {
      Vector3(x: 1.2 * sin(1.1 * time), y: 1.2 * sin(0.7 * time + 1), z: 1.2 * sin(0.9 * time + 2))
    }
    var attitude = Rotation<Device, NorthWestUp>.identity
    return (0..<500).map { index in
      let time = Double(index) / 50
      let up = attitude.inverse * Vector3<NorthWestUp>(x: 0, y: 0, z: 1)
      let turn = rate(time + 0.01) * 0.02
      attitude = attitude * Rotation<Device, Device>(rotationVector: turn)
      let (force, now) = (up * standardGravity, rate(time))
      return Row(
        index: index, time: time, up: up, force: [force.x, force.y, force.z].map { $0 + noise(0.05) },
        rate: [now.x, now.y, now.z].map { $0 + noise(0.005) })
    }
  }()
}

/// The recording of ``TurningHand`` as a program or a logger writes it, and what is to become of it.
struct WrittenTable: Sendable, CustomTestStringConvertible {
  enum Answer: Sendable {
    /// Read at once, with these options.
    case read([String] = [])
    /// Refused, with commands of which one is right.
    case offered
    /// Refused; a sentence says why no command helps.
    case hopeless(String)
  }

  var testDescription: String
  /// What motionctl is given; "" the folder.
  var path: String
  var files: [String: [UInt8]]
  var answer = Answer.read()
  var hasGyroscope = true

  init(
    _ name: String, _ files: [String: String], _ answer: Answer = .read(), hasGyroscope: Bool = true
  ) {
    (testDescription, self.answer, self.hasGyroscope) = (name, answer, hasGyroscope)
    self.files = files.mapValues { Array($0.utf8) }
    path = files.count == 1 ? files.keys.first ?? "" : ""
  }

  /// One table.
  init(
    _ name: String, _ header: String?, _ answer: Answer = .read(), by separator: String = ",", ends: String = "\n",
    hasGyroscope: Bool = true, _ row: (TurningHand.Row) -> [Any]
  ) {
    let text = Self.text(header, by: separator, ends: ends, row)
    self.init(name, ["log.csv": text], answer, hasGyroscope: hasGyroscope)
  }

  static func text(
    _ header: String?, by separator: String = ",", ends: String = "\n", _ row: (TurningHand.Row) -> [Any]
  ) -> String {
    let rows = TurningHand.rows.map { values in
      row(values).map { ($0 as? Double).map { String(format: "%.7g", $0) } ?? "\($0)" }
        .joined(separator: separator)
    }
    return ((header.map { [$0] } ?? []) + rows).joined(separator: ends) + ends
  }
}

extension WrittenTable {
  private static let six = "ax,ay,az,gx,gy,gz"
  private static func e(_ number: Double, _ digits: Int = 18) -> String { String(format: "%.\(digits)e", number) }
  private static func clock(_ row: TurningHand.Row, _ digits: Int = 3) -> String {
    String(format: "10:00:%0\(digits > 0 ? digits + 3 : 2).\(digits)f", digits > 0 ? row.time : row.time.rounded(.down))
  }
  private static func doubled(_ first: String, _ second: String) -> String {
    (Array(repeating: first, count: 3) + Array(repeating: second, count: 3)).joined(separator: ",")
  }
  private static func axes(_ words: String...) -> String {
    words.flatMap { word in ["x", "y", "z"].map { word.replacing("#", with: $0) } }.joined(separator: ",")
  }
  /// A stamp of R, which drops the zeros of round numbers.
  private static func r(_ number: Double) -> String {
    number == 0 || number.truncatingRemainder(dividingBy: 1e4) != 0 ? "\(number)" : String(format: "%.0e", number)
  }

  static let all = python + others + names + loggers + several + questions

  private static let python: [WrittenTable] = [
    .init("np.savetxt", "# t," + six) { row in ([row.time] + row.si).map { e($0) } },
    .init("np.savetxt, by blanks, without header", nil, by: " ") { row in ([row.time] + row.si).map { e($0) }
    },
    .init("pandas, a named index", "t," + axes("acc_#", "gyr_#")) { [$0.time] + $0.si },
    .init("pandas, a range as index", ",time," + axes("acc_#", "gyr_#")) { [$0.index, $0.time] + $0.si },
    .init("pandas, dates as index", "," + axes("acc_#", "gyr_#")) {
      ["2024-05-01 " + clock($0, $0.index % 50 == 0 ? 0 : 6)] + $0.si
    },
    .init("pandas, spans of time", "," + axes("acc_#", "gyr_#")) { ["0 days " + clock($0, 6)] + $0.si },
    .init("pandas, two levels of names", ",\(doubled("acc", "gyr"))\n,x,y,z,x,y,z\nt,,,,,,") { [$0.time] + $0.si },
  ]

  private static let others: [WrittenTable] = [
    .init("R, write.csv", #""","time","ax","ay","az","gx","gy","gz""#) {
      ["\"\($0.index + 1)\"", r(($0.time * 1000).rounded())] + $0.si
    },
    .init("R, write.table", #""time" "ax" "ay" "az" "gx" "gy" "gz""#, by: " ") {
      ["\"\($0.index + 1)\"", r(($0.time * 1000).rounded())] + $0.si
    },
    .init("R, write.csv2", #""";"time";"ax";"ay";"az";"gx";"gy";"gz""#, by: ";") { row in
      ["\"\(row.index + 1)\""] + ([row.time] + row.si).map { "\($0)".replacing(".", with: ",") }
    },
    .init(
      "MATLAB, variables of three columns",
      "Time,Acceleration_1,Acceleration_2,Acceleration_3,AngularVelocity_1,AngularVelocity_2,AngularVelocity_3"
    ) { [$0.time] + $0.si },
    .init("MATLAB, datetime", "Timestamp,Acceleration_1,Acceleration_2,Acceleration_3,Gyro_1,Gyro_2,Gyro_3") {
      ["01-May-2024 " + clock($0)] + $0.force + $0.degrees
    },
    .init("Java, doubles of milliseconds", "timestamp," + axes("acc#", "gyr#")) {
      [e(1.6294033514e12 + $0.time * 1000, 16).replacing("e+", with: "E")] + $0.si
    },
    .init(
      "Excel, line ends that were written again", "Time;" + axes("Acc #", "Gyro #").replacing(",", with: ";"), by: ";",
      ends: "\r\r\n"
    ) { row in ([row.time] + row.usual).map { "\($0)".replacing(".", with: ",") }
    },
    .init("Excel, rounded stamps", "Time (ms)," + axes("Acc # (g)", "Gyro # (deg/s)"), .offered) {
      [e(1.7e12 + $0.time * 1000, 5)] + $0.usual
    },
    .init("Excel, minutes and tenths", "Time," + axes("Acc #", "Gyro #"), .offered) {
      [String(format: "00:%04.1f", $0.time)] + $0.usual
    },
  ]

  private static let names: [WrittenTable] = [
    .init("GPS time, p, q, r", "GPST,Ax,Ay,Az,p,q,r") { [String(format: "%.3f", 1.3e9 + $0.time)] + $0.si },
    .init("a time by its growth, rates of angles", "TOW,Ax,Ay,Az,RollRate,PitchRate,YawRate") {
      [String(format: "%.3f", 345_600 + $0.time)] + $0.force + $0.degrees
    },
    .init(
      "units written out in names", "timestamp_seconds," + axes("raw_acceleration_#_gs", "raw_angular_rate_#_deg_per_s")
    ) { [$0.time] + $0.usual },
    .init(
      "units written out in parentheses",
      "Time (seconds)," + axes("Acceleration # (meters per second squared)", "Angular velocity # (degrees per second)")
    ) { [$0.time] + $0.force + $0.degrees },
    .init("names, then units", "time,\(axes("Acc#", "Gyr#"))\n(s),\(doubled("(m/s²)", "(°/s)"))") {
      [$0.time] + $0.force + $0.degrees
    },
    .init("names, then what is no unit", "time,\(axes("Acc#", "Gyr#"))\nms,\(doubled("counts", "dps"))") { row in
      [row.time * 1000] + row.g.map { ($0 * 4096).rounded() } + row.degrees
    },
  ]

  private static let loggers: [WrittenTable] = [
    .init(
      "x-IMU 1",
      "Packet number," + axes("Gyroscope # (deg/s)", "Accelerometer # (g)", "Magnetometer # (G)"), .offered
    ) { [$0.index + 3] + $0.degrees + $0.g + [0.2, 0.0, -0.4] },
    .init(
      "PX4's log as a CSV",
      "timestamp,gyro_rad[0],gyro_rad[1],gyro_rad[2],gyro_integral_dt,accelerometer_m_s2[0],accelerometer_m_s2[1],"
        + "accelerometer_m_s2[2],accelerometer_clipping", .read(["--axes", "x,-y,-z"])
    ) { row in
      func down(_ v: [Double]) -> [Double] { [v[0], -v[1], -v[2]] }
      return [Int((row.time * 1e6).rounded()) + 9_000_000] + down(row.rate) + [20000] + down(row.force) + [0]
    },
    .init("ActiLife", actiLife + axes("Accelerometer #").replacing(" x", with: " X"), hasGyroscope: false) { $0.g },
    .init("ActiLife with times", actiLife + "Timestamp," + axes("Accelerometer #"), hasGyroscope: false) {
      ["1/13/2024 " + clock($0)] + $0.g
    },
    .init("OMGUI", "Time,Accel-X (g), Accel-Y (g), Accel-Z (g), Gyro-X (d/s), Gyro-Y (d/s), Gyro-Z (d/s)") {
      ["2024-05-01 " + clock($0)] + $0.usual
    },
    .init("OMGUI without header", nil, hasGyroscope: false) { ["2024-05-01 " + clock($0)] + $0.g },
    .init(
      "Empatica",
      [
        "HR.csv": "1550687055.00\n1.00\n70.00\n71.00\n", "IBI.csv": "1550687045.0, IBI\n12.0,0.9\n13.1,0.92\n",
        "ACC.csv": text("1550687045.0, 1550687045.0, 1550687045.0\n50.0, 50.0, 50.0") { row in
          row.g.map { Int(($0 * 64).rounded()) }
        },
      ], hasGyroscope: false),
    .init(
      "GnssLogger",
      [
        "gnss.txt": text("# \n# Header Description:\n# \n# Raw,utcTimeMillis,TimeNanos\n# UncalAccel,utcTimeMillis") {
          row in
          let stamp = "\(Int(1.7e12) + Int(row.time * 1000)),\(Int(5e12) + Int(row.time * 1e9))"
          func line(_ name: String, _ v: [Double]) -> String { "\(name),\(stamp),\(v[0]),\(v[1]),\(v[2]),0,0,0,3" }
          return [line("UncalAccel", row.force) + "\n" + line("UncalGyro", row.rate) + "\nRaw,1,2,3"]
        }
      ], .offered),
    wav,
  ]

  private static let actiLife =
    "------------ Data File Created By ActiGraph GT3X+ ActiLife v6.13.3 Firmware v2.5.0 date format M/d/yyyy at 50 Hz  "
    + "Filter Normal -----------\nSerial Number: NEO1\nStart Time 12:00:00\nStart Date 1/1/2020\nEpoch Period (hh:mm:ss) "
    + "00:00:00\nCurrent Battery Voltage: 4.20     Mode = 12\n--------------------------------------------------\n"

  /// An AX3's: 16 bits of 8 g in four channels.
  private static var wav: WrittenTable {
    func bytes(_ number: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    let samples = TurningHand.rows.flatMap { row in
      (row.g.map { Int(($0 * 4096).rounded()) } + [0]).flatMap { bytes($0, 2) }
    }
    let form = bytes(1, 2) + bytes(4, 2) + bytes(50, 4) + bytes(400, 4) + bytes(8, 2) + bytes(16, 2)
    var table = WrittenTable("AX3's WAV", ["walk.wav": ""], .offered, hasGyroscope: false)
    table.files["walk.wav"] =
      Array("RIFF".utf8) + bytes(36 + samples.count, 4) + Array("WAVEfmt ".utf8) + bytes(16, 4) + form
      + Array("data".utf8) + bytes(samples.count, 4) + samples
    return table
  }

  private static func loggerFile(_ values: @escaping (TurningHand.Row) -> [Double]) -> String {
    text("time,seconds_elapsed,z,y,x") {
      ["\(1_700_000_000_000_000_000 + Int($0.time * 1e9))", $0.time] + values($0).reversed()
    }
  }

  private static let several: [WrittenTable] = [
    .init(
      "a table for each sensor",
      [
        "acc.csv": text("timestamp,x,y,z") { [$0.time] + $0.force },
        "gyr.csv": text("timestamp,x,y,z") { [$0.time] + $0.degrees },
      ]),
    .init(
      "a text for each sensor, without header",
      [
        "Accelerometer.txt": text(nil, by: " ") { [Int(5e9 + $0.time * 1e9)] + $0.force },
        "Gyroscope.txt": text(nil, by: " ") { [Int(5e9 + $0.time * 1e9)] + $0.rate },
      ]),
    .init(
      "several recordings",
      Dictionary(
        uniqueKeysWithValues: [1, 2].map { number in
          ("walk\(number).csv", text("t," + six) { [$0.time] + $0.si })
        }), .offered),
    .init(
      "Sensor Logger without gravity",
      ["Accelerometer.csv": loggerFile(\.linear), "Gyroscope.csv": loggerFile(\.rate)],
      .hopeless("in the app log Gravity, or the uncalibrated accelerometer")),
    .init(
      "Sensor Logger without its description",
      ["TotalAcceleration.csv": loggerFile(\.force), "Gyroscope.csv": loggerFile(\.rate)], .offered),
  ]

  private static let questions: [WrittenTable] = [
    .init("phyphox in g", "\"Time (s)\"," + axes("\"Acceleration # (g)\""), .offered, hasGyroscope: false) { row in
      ([row.time] + row.g).map { e($0, 9) }
    },
    .init(
      "phyphox, of a device that was turned", "\"Time (s)\"," + axes("\"Acceleration # (m/s^2)\""),
      .read(["--axes", "x,-y,-z", "--sign", "apple", "--rate", "50"]), hasGyroscope: false
    ) { row in [row.time * 7, -row.force[0], row.force[1], row.force[2]].map { e($0, 9) } },
    .init("two places", "t," + axes("hip_acc_#", "hip_gyr_#", "ankle_acc_#", "ankle_gyr_#"), .offered) {
      [$0.time] + $0.si + $0.si
    },
    .init("times in whole seconds", "time," + six, .offered) { ["2024-05-01 " + clock($0, 0)] + $0.si },
    .init("no times and no gyroscope", "ax,ay,az", .hopeless("which nothing here shows")) { $0.force },
    .init("no gravity", "t," + axes("lin_acc_#", "gyr_#"), .hopeless("gravity has been removed")) {
      [$0.time] + $0.linear + $0.rate
    },
  ]
}
