// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import TestSupport
import Testing

@Suite struct ConvertTests {
  /// A SensorLog file of accelerometer, gyroscope and magnetometer at 100 Hz, lying still.
  private static func sensorLog(rows: Int, start: Double = 100) -> String {
    var lines = [
      "loggingTime(txt),accelerometerTimestamp_sinceReboot(s),accelerometerAccelerationX(G),accelerometerAccelerationY(G),accelerometerAccelerationZ(G),gyroTimestamp_sinceReboot(s),gyroRotationX(rad/s),gyroRotationY(rad/s),gyroRotationZ(rad/s)"
    ]
    for row in 0..<rows {
      let time = String(format: "%.2f", start + Double(row) / 100)
      lines.append(
        "2026-11-21T12:00:00.000+00:00,\(time),0.01,\(Double(row % 7) / 1000),-0.99,\(time),0.001,0,\(Double(row % 3) / 500)"
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(Self.sensorLog(rows: 300), to: "walk.csv")
  }

  private func convert(_ arguments: String...) throws -> MotionctlProcess.Result {
    try MotionctlProcess(["convert"] + arguments).finish()
  }

  @Test(arguments: [
    ("mcap", ["out.mcap"]), ("ndjson", ["out.ndjson"]),
    ("csv", ["out.columns.csv", "out.motion.accelerometer.csv", "out.motion.gyro.csv"]),
  ])
  func theFormatFollowsTheName(ending: String, names: [String]) throws {
    let result = try convert(folder.path("walk.csv"), folder.path("out.\(ending)"))
    #expect(result.code == 0, "\(result.errors)")
    #expect(try folder.names == names + ["walk.csv"])
    #expect(try folder.read(names[names.count - 1]).count > 1000)
    #expect(result.output.isEmpty)
  }

  @Test func theTimeOfDayAndWhatIsLeftAsideAreNotLost() throws {
    let text = try #require(String(bytes: folder.read("walk.csv"), encoding: .utf8))
      .replacing("loggingTime(txt)", with: "loggingTime(txt),batteryLevel(R)")
      .replacing("12:00:00.000+00:00", with: "12:00:00.000+00:00,0.75")
    try folder.write(text, to: "full.csv")
    let result = try convert(folder.path("full.csv"), folder.path("full.mcap"))
    #expect(result.errors.contains("not used: battery"))
    let recording = try Recording.open(path: folder.path("full.mcap"))
    let description = try #require(recording.recordedDescription)
    #expect(description.source == "replay:full.csv" && description.sourceFormat == "sensorlog")
    let wall = recording.start + (try #require(description.wallOffset))
    #expect(abs(wall.seconds - 1_795_262_400) < 3)
  }

  /// Reports of the connection are in a recording of headphones; they go through text and back.
  @Test func whatIsNoSampleGoesThroughTextAndBack() throws {
    let head = folder.path("head.mcap")
    _ = try MotionctlProcess.run("record", "simulate:headphones?speed=max&switchAt=1", "--for", "2", "-o", head)
    for (input, output) in [("head.mcap", "a.ndjson"), ("a.ndjson", "b.mcap"), ("b.mcap", "c.ndjson")] {
      let result = try convert(folder.path(input), folder.path(output))
      #expect(result.code == 0 && !result.errors.contains("not written"), "\(result.errors)")
    }
    #expect(try folder.read("a.ndjson") == folder.read("c.ndjson"))
    #expect(try String(decoding: folder.read("a.ndjson"), as: UTF8.self).contains("/event/connection"))
  }

  @Test(arguments: ["walk.csv", "walk.mcap", "walk.ndjson"])
  func aPartThatTheAddressNamesIsConverted(input: String) throws {
    if input != "walk.csv" { _ = try convert(folder.path("walk.csv"), folder.path(input)) }
    for output in ["part.ndjson", "part.mcap"] {
      let result = try convert(folder.path(input) + "?from=1&to=2", folder.path(output))
      #expect(result.code == 0, "\(result.errors)")
      let info = try MotionctlProcess.run("info", folder.path(output))
      #expect(info.text.contains("gyroscope: 100 samples") && info.text.contains("accelerometer: 100 samples"))
    }
  }

  @Test func theCanonicalRecordingPassesThroughEachFormatUnchanged() throws {
    _ = try convert(folder.path("walk.csv"), folder.path("walk.mcap"))
    _ = try convert(folder.path("walk.csv"), folder.path("walk.ndjson"))
    for ending in ["mcap", "ndjson"] {
      let result = try convert(folder.path("walk.mcap"), folder.path("again.\(ending)"))
      #expect(result.code == 0, "\(result.errors)")
    }
    #expect(try folder.read("again.mcap") == folder.read("walk.mcap"))
    #expect(try folder.read("again.ndjson") == folder.read("walk.ndjson"))
  }

  @Test func eventsAndResultsOfServicesPassFromMCAPUntouchedAndOtherDevicesAreCounted() throws {
    let description = RecordingDescription(
      info: SensorInfo(name: "test", origin: .hardware, pacing: .live, channels: [.init(kind: .gyroscope)]))
    let sink = MemoryByteSink()
    let writer = try MCAPWriter(sink, description)
    let bodies = [
      ("/left/sensor/gyroscope", #"{"timestamp_ns":5,"x":0.1,"y":0.2,"z":0.3}"#),
      ("/right/sensor/gyroscope", #"{"timestamp_ns":6,"x":1.0,"y":2.0,"z":3.0}"#),
      ("/event/annotation", #"{"timestamp_ns":7,"text":"turn"}"#),
      ("/motion/altitude", #"{"timestamp":0.5,"relativeAltitude":1.25,"pressure":101.3}"#),
    ]
    for (index, (name, body)) in bodies.enumerated() {
      try writer.write(
        TopicMessage(
          topic: #require(Topic(name: name)), time: SensorInstant(nanoseconds: Int64(5 + index)), body: Array(body.utf8)
        ))
    }
    try writer.finish()
    try Data(sink.bytes).write(to: folder.url.appendingPathComponent("two.mcap"))
    let result = try MotionctlProcess(
      ["convert", folder.path("two.mcap?device=left"), "-", "--to", "ndjson"]
    ).finish()
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      result.lines.map(String.init) == [
        #"{"topic":"/sensor/gyroscope","device":"left","timestamp_ns":5,"x":0.1,"y":0.2,"z":0.3}"#,
        #"{"topic":"/event/annotation","timestamp_ns":7,"text":"turn"}"#,
        #"{"topic":"/motion/altitude","timestamp":0.5,"relativeAltitude":1.25,"pressure":101.3}"#,
      ])
    #expect(result.errors.contains("not written: 1 message of other devices"))
  }

  @Test func whatIsThereStaysUnlessForced() throws {
    try folder.write("old", to: "out.ndjson")
    let refused = try convert(folder.path("walk.csv"), folder.path("out.ndjson"))
    #expect(refused.code == 1 && refused.errors.contains("--force"))
    #expect(try folder.read("out.ndjson") == Data("old".utf8))
    let forced = try convert(folder.path("walk.csv"), folder.path("out.ndjson"), "--force")
    #expect(forced.code == 0)
    #expect(try folder.read("out.ndjson").count > 1000)
  }

  @Test func theRecordingItselfIsNeverWrittenOver() throws {
    let before = try folder.read("walk.csv")
    let result = try convert(folder.path("walk.csv"), folder.path("walk.csv"), "--to", "ndjson", "--force")
    #expect(result.code == 1)
    #expect(try folder.read("walk.csv") == before)
  }

  @Test func damageLeavesNoFileAndSkippingCountsIt() throws {
    var lines = Self.sensorLog(rows: 50).split(separator: "\n", omittingEmptySubsequences: false)
    lines[30] = "what,is,this"
    try folder.write(lines.joined(separator: "\n"), to: "bad.csv")
    let strict = try convert(folder.path("bad.csv"), folder.path("out.ndjson"))
    #expect(strict.code == 1)
    #expect(try folder.names == ["bad.csv", "walk.csv"])
    let lenient = try convert(folder.path("bad.csv"), folder.path("out.ndjson"), "--skip-errors")
    #expect(lenient.code == 0)
    #expect(lenient.errors.contains("left out of the recording: 1 malformed"))
  }

  @Test func tidyIsATableATopicWithComputedMotionIfAsked() throws {
    let result = try convert(folder.path("walk.csv"), folder.path("tidy.csv"), "--with", "motion")
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      try folder.names == [
        "tidy.columns.csv", "tidy.motion.accelerometer.csv", "tidy.motion.device.csv", "tidy.motion.gyro.csv",
        "walk.csv",
      ])
    // What tidy has for device motion is what fuse writes.
    let fused = try MotionctlProcess.run("fuse", folder.path("walk.csv"))
    #expect(try folder.read("tidy.motion.device.csv") == fused.output)
  }

  @Test func aMappedTableBecomesEveryFormatThatHoldsItsSensors() throws {
    let rows = (0..<100).map { "\($0 * 10);0,01;-0,02;1;0;0,5;0\n" }.joined()
    try folder.write("Time;AccX;AccY;AccZ;GyrX;GyrY;GyrZ\n" + rows, to: "log.csv")
    let map = "t=Time[ms] ax=AccX[g] ay=AccY az=AccZ gx=GyrX[deg/s] gy=GyrY gz=GyrZ"
    for ending in ["mcap", "ndjson", "csv"] {
      let result = try convert(
        folder.path("log.csv"), folder.path("out.\(ending)"), "--map", map, "--sign", "reaction", "--axes", "-y,x,z")
      #expect(result.code == 0 && result.errors.contains("mapped CSV → "), "\(result.errors)")
    }
    let lines = try convert(folder.path("out.mcap"), "-", "--to", "ndjson")
    #expect(lines.text.contains("\"y\":0.0980665") && lines.text.contains("\"x\":0.196133"))
  }

  @Test func standardInputIsReadWhenItIsAFileAndRefusedInASentenceWhenItIsAPipe() throws {
    let result = try convert("-", "-", "--to", "ndjson")
    #expect(result.code == 1 && result.errors.contains("cannot come through a pipe"))
  }

  @Test(arguments: [
    ["walk.csv", "out.xyz"], ["walk.csv"], ["walk.csv", "out.sto"], ["walk.csv", "out.csv", "out.ndjson"],
    ["walk.csv", "-", "--to", "tidy"], ["nowhere.csv", "out.ndjson"], ["simulate:rest", "out.ndjson"],
  ])
  func whatMakesNoSenseIsRefusedInASentence(arguments: [String]) throws {
    let result = try MotionctlProcess(
      ["convert"] + arguments.map { $0 == "walk.csv" || $0.hasPrefix("out.") ? folder.path($0) : $0 }
    ).finish()
    #expect(result.code != 0)
    #expect(result.errors.contains("Error: "))
    #expect(try folder.names == ["walk.csv"])
  }

  @Test func aReaderThatGoesAwayEndsItQuietly() throws {
    let process = try MotionctlProcess(["convert", folder.path("walk.csv"), "-", "--to", "ndjson"])
    try process.closeOutput()
    #expect(try process.finish(readsOutput: false).code == 0)
  }
}
