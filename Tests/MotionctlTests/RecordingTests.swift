// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

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
