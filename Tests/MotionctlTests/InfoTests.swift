// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import MotionTools

/// `motionctl info`, on small recordings made here.
@Suite struct InfoTests {
  private static func makeRecording(_ times: [Int], damage: [Int: String] = [:], in folder: TemporaryFolder) throws {
    var (accelerometer, gyroscope) = ("", "")
    for (index, milliseconds) in times.enumerated() {
      let time = 1_000_000_000_000 + milliseconds * 1_000_000
      accelerometer += (damage[index] ?? "\(time),0.0,0.0,9.80665") + "\n"
      gyroscope += "\(time),0.0,0.0,0.001\n"
    }
    try folder.writeRecording(accelerometer: accelerometer, gyroscope: gyroscope)
  }

  /// One definition of rest, and no advice to move a recording.
  @Test func infoAndFuseAgreeOnRestAndNameWhatIsThere() throws {
    let folder = try TemporaryFolder()
    _ = try MotionctlProcess.run(
      "record", "simulate:handheld?speed=max", "-o", folder.path("a.mcap"), "--for", "12")
    let info = try MotionctlProcess.run("info", folder.path("a.mcap"))
    let share = try #require(info.lines.first { $0.contains("at rest") }?.split(separator: " ").dropFirst(2).first)
    let fuse = try MotionctlProcess.run(
      "fuse", folder.path("a.mcap"), "-o", folder.path("a.csv"), "--frame", "magnetic")
    #expect(fuse.errors.contains("at rest \(share) % of the time"), "\(info.text)\(fuse.errors)")
    #expect(!fuse.errors.contains("figure of eight"), "\(fuse.errors)")
    // A dive computer tells the water's temperature with each pressure.
    try folder.write("t_s,abs_pressure_Pa,temperature_C\n0,150000,21\n1,150100,21\n2,150200,22\n", to: "dive.csv")
    let map = "t=t_s[s] pw=abs_pressure_Pa[Pa] temp=temperature_C[C]"
    let dive = try MotionctlProcess.run("info", folder.path("dive.csv"), "--map", map)
    #expect(dive.text.contains("water pressure and temperature: 3 samples"), "\(dive.text)\(dive.errors)")
  }

  @Test func aCleanRecordingIsGoodAndItsFiguresAreExact() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording((0..<1000).map { $0 * 10 }, in: folder)
    let report = try InfoOutput(of: folder.url.path)
    #expect(report.grade == "good" && report.reasons.isEmpty)
    #expect(report["duration"] as? Double == 9.99)
    #expect(report["restShare"] as? Double == 1)
    let gyroscope = try #require(report.streams.last)
    #expect(gyroscope["kind"] as? String == "gyroscope")
    #expect(gyroscope["rate"] as? Double == 100)
    #expect(gyroscope["interval"] as? [Double] == [0.01, 0.01, 0.01])
    let text = try MotionctlProcess.run("info", folder.url.path)
    #expect(text.code == 0)
    #expect(text.text.contains("gyroscope: 1,000 samples, 100 Hz, every 10 ms, no gaps"))
    #expect(text.text.contains("at rest      100 % of the time, where gravity reads 9.807 m/s²"))
    #expect(text.text.contains("quality      good: no gaps"))
  }

  @Test func gapsAndDamageAreFoundAndNotFatal() throws {
    let folder = try TemporaryFolder()
    let times = (0..<500).map { $0 * 10 } + (0..<500).map { 7000 + $0 * 10 }
    try Self.makeRecording(times, damage: [20: "oops"], in: folder)
    let report = try InfoOutput(of: folder.url.path)
    #expect(report.grade == "poor")
    let gyroscope = try #require(report.streams.last)
    #expect(gyroscope["gaps"] as? Int == 1)
    let longest = try #require(gyroscope["longestGap"] as? [String: Double])
    #expect(longest == ["at": 4.99, "duration": 2.01])
    #expect(report["omitted"] as? [String: Int] == ["malformed": 1])
    #expect(report.reasons.contains("the gyroscope pauses once, 2.01 s in total"))
  }

  @Test func aGyroscopeThatClipsIsNamedWithWhatToDo() throws {
    let folder = try TemporaryFolder()
    var (accelerometer, gyroscope) = ("", "")
    for index in 0..<1000 {
      let time = 1_000_000_000_000 + index * 10_000_000
      accelerometer += "\(time),0.0,0.0,9.80665\n"
      // 4.3633 rad/s is 250 °/s; the first swing stays below.
      let rate = max(-4.3633, min(4.3633, 8 * sin(Double(index) * 0.03) * min(1, Double(index) / 400)))
      gyroscope += "\(time),0.0,\(rate),0.0\n"
    }
    try folder.writeRecording(accelerometer: accelerometer, gyroscope: gyroscope)
    let stream = try #require(try InfoOutput(of: folder.url.path).streams.last)
    let clipping = try #require((stream["clipping"] as? [[String: Any]])?.first)
    #expect(clipping["axis"] as? String == "y" && clipping["limit"] as? Double == 4.3633)
    #expect((clipping["at"] as? Double).map { $0 > 1.5 && $0 < 4 } == true)
    let text = try MotionctlProcess.run("info", folder.url.path).text
    #expect(
      text.contains(
        "CLIPS: its y axis stops at 250 °/s in \(clipping["samples"] as? Int ?? 0) samples, the first after "))
    #expect(text.contains("record with a larger range"))
  }

  @Test func aWrongUnitIsSaidAndSpoilsTheGrade() throws {
    let folder = try TemporaryFolder()
    // m/s² in a column that promises g.
    var lines = [
      "loggingTime(txt),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G)"
    ]
    for row in 0..<300 {
      lines.append("2026-11-21T12:00:00.000+00:00,\(String(format: "%.2f", 100 + Double(row) / 100)),0.0,0.0,-9.81")
    }
    try folder.write(lines.joined(separator: "\n") + "\n", to: "odd.csv")
    _ = try MotionctlProcess.run("convert", folder.path("odd.csv"), folder.path("odd.mcap"))
    for name in ["odd.csv", "odd.mcap"] {
      let report = try InfoOutput(of: folder.path(name))
      #expect((report["warnings"] as? [String])?.count == 1, "\(name)")
      #expect(report.grade != "good", "\(name)")
      #expect(try MotionctlProcess.run("info", folder.path(name)).text.contains("  warning: "), "\(name)")
    }
  }

  @Test func oneThatCannotBeReadDoesNotStopTheOthers() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording((0..<200).map { $0 * 10 }, in: folder)
    let result = try MotionctlProcess.run("info", "/nowhere/a.mcap", folder.url.path, "--json")
    #expect(result.code == 1)
    #expect(result.errors.contains("/nowhere/a.mcap"))
    #expect(result.lines.count == 1)
  }

  @Test(arguments: [
    ("90", 90.0), ("2.5s", 2.5), ("10m", 600), ("1h30m", 5400), ("1m30s", 90), ("250ms", 0.25), ("2min", 120),
  ])
  func lengthsOfTimeAreReadAsPeopleWriteThem(text: String, seconds: Double) throws {
    #expect(try #require(Seconds(argument: text)).value == seconds)
  }

  @Test(arguments: ["", "x", "10x", "s", "1s1m", "1m1m", "-5", "nan", "inf", "1e30", "1..5s"])
  func whatIsNoLengthOfTimeIsRefused(text: String) { #expect(Seconds(argument: text) == nil) }
}

extension TemporaryFolder {
  /// A recording as tidy CSVs, a row of "nanoseconds,x,y,z" for each sample: m/s² upwards at rest, rad/s, tesla.
  func writeRecording(accelerometer: String, gyroscope: String, magnetometer: String? = nil, to folder: String = ".")
    throws
  {
    let sensors = [("accelerometer", accelerometer), ("gyroscope", gyroscope), ("magnetometer", magnetometer ?? "")]
    for (name, rows) in sensors where name != "magnetometer" || magnetometer != nil {
      try write("timestamp_ns,x,y,z\n" + rows, to: "\(folder)/walk.sensor.\(name).csv")
    }
  }
}

/// The commands on recordings: small folders of tidy CSVs, made here.
@Suite struct RecordingTests {
  /// A device that lies face up and turns about z: `count` samples at 100 Hz.
  private static func makeRecording(
    count: Int = 200, damage: [Int: String] = [:], in folder: TemporaryFolder
  ) throws {
    var accelerometer = ""
    var gyroscope = ""
    for index in 0..<count {
      let time = 1_000_000_000_000 + index * 10_000_000
      accelerometer += damage[index] ?? "\(time),-0.0980665,0.0,9.80665"
      accelerometer += "\n"
      gyroscope += "\(time),0.0,0.0,0.5\n"
    }
    try folder.writeRecording(accelerometer: accelerometer, gyroscope: gyroscope)
  }

  @Test func aFolderGivesARowForEveryGyroscopeSample() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording(in: folder)
    let result = try MotionctlProcess.run("fuse", folder.url.path)
    #expect(result.code == 0)
    #expect(result.lines.first.map(String.init) == deviceMotionHeader)
    #expect(result.lines.count == 201)
    #expect(result.errors.contains("(a recording)"))
    #expect(result.errors.contains("computed from the raw sensors"))
    #expect(result.cells.dropFirst().first?.first == "1000.0")
    // S3: gravity + userAcceleration is the accelerometer's reading.
    for row in result.cells.dropFirst() {
      let (gravity, user) = (row[8...10].compactMap { Double($0) }, row[11...13].compactMap { Double($0) })
      let sum = zip(gravity, user).map { $0 + $1 }
      for (total, raw) in zip(sum, [0.01, 0, -1]) { #expect(abs(total - raw) < 1e-12) }
    }
  }

  @Test func aPathAloneMeansReplay() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording(in: folder)
    let plain = try MotionctlProcess.run("fuse", folder.url.path)
    let address = try MotionctlProcess.run("fuse", "replay:\(folder.url.path)")
    #expect(plain.output == address.output)
    let streamed = try MotionctlProcess.run(
      "stream", "\(folder.url.path)?speed=max", "--rate", "max", "--format", "csv")
    #expect(streamed.code == 0)
    #expect(streamed.output == plain.output)
  }

  @Test func aMalformedLineIsNamedAndLeavesNoFile() throws {
    let folder = try TemporaryFolder()
    let output = try TemporaryFolder()
    try Self.makeRecording(damage: [99: "oops"], in: folder)
    let result = try MotionctlProcess.run("fuse", folder.url.path, "-o", output.path("out.csv"))
    #expect(result.code == 1)
    let sentence = try #require(result.errorLines.last)
    #expect(sentence.hasPrefix("Error: ") && sentence.contains("accelerometer.csv") && sentence.contains("line 101"))
    #expect(try output.names.isEmpty)
  }

  @Test func skipErrorsUsesTheRestAndCountsTheDamage() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording(damage: [99: "oops", 120: "1001200000000,inf,0,0"], in: folder)
    let result = try MotionctlProcess.run("fuse", folder.url.path, "--skip-errors")
    #expect(result.code == 0)
    #expect(result.lines.count == 201)
    #expect(result.errors.contains("left out of the recording: 1 malformed"))
    #expect(result.errors.contains("1 not finite"))
  }

  @Test func whatThePhoneComputedPassesOnlyWhenAskedFor() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording(count: 50, in: folder)
    let axes = ["rotationRate", "gravity", "userAcceleration"].flatMap { name in
      ["x", "y", "z"].map { "\(name)_\($0)" }
    }
    let header =
      "timestamp,attitude_x,attitude_y,attitude_z,attitude_w,\(axes.joined(separator: ",")),attitudeReferenceFrame\n"
    let rows = (0..<50).map { "\(1000 + Double($0) / 100),0.0,0.0,0.6,0.8,0.0,0.0,0.25,0.0,0.0,-1.0,0.01,0.0,0.0,4\n" }
    try folder.write(header + rows.joined(), to: "walk.motion.device.csv")
    let computed = try MotionctlProcess.run("fuse", folder.url.path)
    #expect(computed.cells.last?[3] != "0.6")
    let recorded = try MotionctlProcess.run(
      "fuse", folder.url.path, "--motion", "recorded", "--frame", "arbitrary")
    #expect(recorded.code == 0)
    #expect(recorded.errors.contains("the recording's own numbers, passed on unchanged"))
    #expect(recorded.errors.contains("--frame had no effect"))
    let row = try #require(recorded.cells.last)
    #expect(row[1...4].map(String.init) == ["0.0", "0.0", "0.6", "0.8"])
    #expect(row[7] == "0.25")
    // xMagneticNorthZVertical.
    #expect(row[21] == "4")
  }

  @Test func aFrameThatNeedsAMagnetometerIsRefused() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording(in: folder)
    for command in [["fuse", folder.url.path], ["stream", folder.url.path]] {
      let result = try MotionctlProcess(command + ["--frame", "magnetic"]).finish()
      #expect(result.code == 1)
      #expect(result.errorLines.count == 1)
      #expect(result.errors.contains("xMagneticNorthZVertical needs a magnetometer"))
    }
  }

  @Test func aServiceWithoutItsSensorIsRefused() throws {
    let folder = try TemporaryFolder()
    try Self.makeRecording(in: folder)
    let result = try MotionctlProcess.run("stream", folder.url.path, "--service", "magnetometer")
    #expect(result.code == 1)
    #expect(result.errorLines.last?.hasSuffix("has no magnetometer.") == true)
  }

  @Test func aFolderWithoutSensorsAndAMissingPathAreSentences() throws {
    let folder = try TemporaryFolder()
    try folder.write("hello", to: "notes.txt")
    for path in [folder.url.path, "replay:/nowhere/walk.csv"] {
      let result = try MotionctlProcess.run("fuse", path)
      #expect(result.code == 1)
      #expect((1...3).contains(result.errorLines.count))
      #expect(result.errors.hasPrefix("Error: "))
      #expect(result.output.isEmpty)
    }
  }

  @Test func aPlotNamesTheRecording() throws {
    let folder = try TemporaryFolder()
    let output = try TemporaryFolder()
    try Self.makeRecording(in: folder)
    let result = try MotionctlProcess.run("plot", folder.url.path, "-o", output.path("x.svg"))
    #expect(result.code == 0)
    let text = String(decoding: try output.read("x.svg"), as: UTF8.self)
    #expect(text.contains("recording, motion computed from its raw sensors"))
  }
}
