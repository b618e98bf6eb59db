// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionRecording
import MotionSensing
import Testing

@Suite struct PhyphoxTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static func set(_ columns: [String], comma: Bool = false, _ rows: [[String]]) -> String {
    let separator = comma ? ";" : ","
    let lines = [columns.map { "\"\($0)\"" }] + rows.map { $0.map { comma ? $0.replacing(".", with: ",") : $0 } }
    return lines.map { $0.joined(separator: separator) + "\n" }.joined()
  }

  private static let acceleration = [
    "Time (s)", "Acceleration x (m/s^2)", "Acceleration y (m/s^2)", "Acceleration z (m/s^2)",
  ]
  private static let rows = [
    ["1.000000000E-2", "0.000000000E0", "9.810000000E-1", "9.810000000E0"],
    ["2.000000000E-2", "0.000000000E0", "9.810000000E-1", "9.810000000E0"],
    ["5.000000000E0", "0.000000000E0", "9.810000000E-1", "9.810000000E0"],
  ]
  private static let times =
    "\"event\",\"experiment time\",\"system time\",\"system time text\"\n\"START\",0.000000000000000E0,1.600000000123456E9,\"x\"\n"
    + "\"PAUSE\",2.000000000000000E0,1.600000002123456E9,\"x\"\n\"START\",2.000000000000000E0,1.600000100000000E9,\"x\"\n"

  private static func files(_ brand: String = "Apple") -> [String: String] {
    [
      "Accelerometer.csv": set(acceleration, rows),
      "Gyroscope.csv": set(
        ["Time (s)", "Gyroscope x (rad/s)", "Gyroscope y (rad/s)", "Gyroscope z (rad/s)"], [["1.0E-2", "1", "2", "3"]]),
      "Magnetometer.csv": set(["Time (s)", "X (µT)", "Y (µT)", "Z (µT)"], [["1.0E-2", "10", "20", "30"]]),
      "Pressure.csv": set(["Time (s)", "Pressure (hPa)"], [["1.0E-2", "1.013250000E3"]]),
      "meta/device.csv": "\"property\",\"value\"\n\"deviceBrand\",\"\(brand)\"\n", "meta/time.csv": times,
    ]
  }

  private func zip(_ files: [String: String], in folderName: String = "") throws -> String {
    var zip = ZipBuilder()
    for (name, text) in files.sorted(by: { $0.key < $1.key }) { zip.add(folderName + name, Array(text.utf8)) }
    return try folder.write("experiment.zip", zip.finish())
  }

  @Test func anIPhonesAccelerationsAreDividedByTheConstantTheAppUsed() throws {
    let result = try read(zip(Self.files()))
    #expect(result.recording.format == .phyphox)
    let force = try #require(result.accelerometer.first).specificForce
    #expect((force.z - 9.80665).magnitude < 1e-12 && (force.y - 0.980665).magnitude < 1e-12)
    #expect(
      result.gyroscope.count == 1 && result.magnetometer[0].unit == .tesla && result.pressure[0].pressure == 101_325)
    #expect(result.recording.info.name.contains("bias was already removed"))
    #expect(try read(zip(Self.files("samsung"))).accelerometer[0].unit == .metresPerSecondSquared)
  }

  @Test func aPauseIsAGapOnTheWallClock() throws {
    let times = try read(zip(Self.files())).accelerometer.map(\.time.nanoseconds)
    #expect(times == [1_600_000_000_133_456_000, 1_600_000_000_143_456_000, 1_600_000_103_000_000_000])
  }

  @Test func folderZipAndSingleSetReadAlike() throws {
    let expected = try read(zip(Self.files())).samples
    #expect(try read(zip(Self.files(), in: "walk/")).samples == expected)
    let place = try folder.makeFolder("unpacked")
    _ = try folder.makeFolder("unpacked/meta")
    for (name, text) in Self.files() { try folder.write("unpacked/" + name, text) }
    #expect(try read(place).samples == expected)
    let single = try read(place + "/Accelerometer.csv")
    #expect(single.accelerometer.count == 3 && single.accelerometer[0].unit == .metresPerSecondSquared)
    #expect(single.accelerometer[0].time.nanoseconds == 10_000_000)
    #expect(single.recording.info.name.contains("without meta/device.csv"))
  }

  @Test func decimalCommasWithSemicolonsAndLostQuotesAreRead() throws {
    let expected = try read(zip(Self.files())).samples
    var files = Self.files()
    files["Accelerometer.csv"] = Self.set(Self.acceleration, comma: true, Self.rows).replacing("\"", with: "")
    #expect(try read(zip(files)).samples == expected)
    files["Accelerometer.csv"] = Self.set(Self.acceleration, comma: true, Self.rows).replacing(";", with: "\t")
    #expect(try read(zip(files)).samples == expected)
  }

  @Test func shortColumnsEndInEmptyCells() throws {
    var files = Self.files()
    files["Accelerometer.csv"] = Self.set(Self.acceleration, Self.rows + [["\"\"", "\"\"", "\"\"", "\"\""]])
    let result = try read(zip(files))
    #expect(result.accelerometer.count == 3 && result.statistics.omitted == 0)
  }

  @Test func linearAccelerationAndGravityTogetherAreTheAccelerometer() throws {
    let files = [
      "Linear Accelerometer.csv": Self.set(
        ["Time (s)", "X (m/s^2)", "Y (m/s^2)", "Z (m/s^2)"], [["0.01", "0.25", "0", "0"]]),
      "Gravity.csv": Self.set(["Time (s)", "X (m/s^2)", "Y (m/s^2)", "Z (m/s^2)"], [["0.01", "0", "0", "9.5"]]),
      "meta/device.csv": "\"property\",\"value\"\n\"deviceBrand\",\"google\"\n",
    ]
    let result = try read(zip(files))
    #expect(result.accelerometer.map(\.specificForce.z) == [9.5] && result.accelerometer[0].specificForce.x == 0.25)
    #expect(result.recording.info.name.contains("rebuilt"))
    let error = failure(try zip(files.filter { $0.key != "Gravity.csv" }))
    #expect(error?.code == .unsupported && error?.message.contains("None of its data sets") == true)
  }

  @Test func workbooksAndSeveralExperimentsAreRefusedInASentence() throws {
    let xls = try folder.write("experiment.xls", [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1])
    #expect(failure(xls)?.message.contains("apps such as phyphox export CSV themselves") == true)
    var zip = ZipBuilder()
    for name in ["a/", "b/"] {
      for (file, text) in Self.files() { zip.add(name + file, Array(text.utf8)) }
    }
    #expect(failure(try folder.write("two.zip", zip.finish()))?.message.contains("several experiments") == true)
  }
}
