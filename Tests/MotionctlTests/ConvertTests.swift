// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
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

  @Test func eventsPassFromMCAPUntouchedAndOtherDevicesAreCounted() throws {
    let description = RecordingDescription(
      info: SensorInfo(name: "test", origin: .hardware, pacing: .live, channels: [.init(kind: .gyroscope)]))
    let sink = MemoryByteSink()
    let writer = try MCAPWriter(sink, description)
    let bodies = [
      ("/left/sensor/gyroscope", #"{"timestamp_ns":5,"x":0.1,"y":0.2,"z":0.3}"#),
      ("/right/sensor/gyroscope", #"{"timestamp_ns":6,"x":1.0,"y":2.0,"z":3.0}"#),
      ("/event/connection", #"{"timestamp_ns":7,"device":"left","connected":true}"#),
      ("/event/gap", #"{"timestamp_ns":8,"service":"gyroscope","duration_ns":5}"#),
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
        #"{"topic":"/event/connection","timestamp_ns":7,"device":"left","connected":true}"#,
        #"{"topic":"/event/gap","timestamp_ns":8,"service":"gyroscope","duration_ns":5}"#,
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

/// `motionctl convert` into files for other programs, and what it says of that which has no place there.
@Suite struct ConvertViewTests {
  private static let count = 200
  private let folder: TemporaryFolder

  /// Two seconds face up, SI, each sample received a millisecond late; and a report of the connection and a
  /// pause beside them.
  init() throws {
    folder = try TemporaryFolder()
    let kinds: [SensorKinds] = [.accelerometer, .gyroscope, .magnetometer, .airPressure, .temperature]
    var description = RecordingDescription(
      info: SensorInfo(name: "test", origin: .hardware, pacing: .live, channels: kinds.map { .init(kind: $0) }))
    description.clock = .monotonic
    description.wallOffset = .seconds(1_700_000_000)
    let sink = MemoryByteSink()
    let writer = try MCAPWriter(sink, description)
    for number in 0..<Self.count {
      let time = SensorInstant(nanoseconds: 5_000_000_000 + Int64(number) * 10_000_000)
      let received = time + .milliseconds(1)
      func write(_ sample: SensorSample) throws { try writer.write(.sample(sample, receivedAt: received)) }
      try write(.accelerometer(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: 9.8))))
      try write(.gyroscope(GyroscopeSample(time: time, angularVelocity: Vector3(x: 0, y: 0, z: Double(number) / 1000))))
      guard number % 10 == 0 else { continue }
      try write(.magnetometer(MagnetometerSample(time: time, magneticField: Vector3(x: 0, y: 2e-5, z: -4e-5))))
      try write(.pressure(PressureSample(time: time, pressure: 101_325 + Double(number), medium: .air)))
      try write(.temperature(TemperatureSample(time: time, temperature: 20)))
      if number == 100 {
        try writer.write(.event(.connection(time, device: "left", isConnected: true), receivedAt: received))
        try writer.write(.event(.gap(time, service: "gyroscope", duration: .milliseconds(5), lost: nil)))
      }
    }
    try writer.finish()
    try Data(sink.bytes).write(to: folder.url.appendingPathComponent("walk.mcap"))
  }

  private func convert(_ arguments: String...) throws -> MotionctlProcess.Result {
    let result = try MotionctlProcess(["convert"] + arguments).finish()
    #expect(result.code == 0, "\(result.errors)")
    return result
  }

  private func otherTopics(_ name: String) throws -> [String: Int] {
    try InfoOutput(of: folder.path(name))["otherTopics"] as? [String: Int] ?? [:]
  }

  @Test func viewsStandBesideTheMessagesWhichStayAsTheyAre() throws {
    let result = try convert(folder.path("walk.mcap"), folder.path("both.mcap"), "--with", "ros2", "--with", "foxglove")
    #expect(result.errors.contains("motion: computed from the raw sensors"))
    let others = try otherTopics("both.mcap")
    #expect(others["/imu/data"] == Self.count && others["/tf"] == Self.count)
    #expect(others["/imu/mag"] != nil && others["/imu/pressure"] != nil && others["/imu/temperature"] != nil)
    // Without the views and the motion it is the recording again, events and times of receipt with it.
    _ = try convert(folder.path("walk.mcap"), folder.path("before.ndjson"))
    _ = try convert(folder.path("both.mcap"), folder.path("after.ndjson"))
    let before = String(decoding: try folder.read("before.ndjson"), as: UTF8.self).split(separator: "\n")
    let after = String(decoding: try folder.read("after.ndjson"), as: UTF8.self).split(separator: "\n")
    #expect(after.filter { !$0.contains("\"topic\":\"/motion/device\"") } == before)
    #expect(before.contains { $0.contains("/event/connection") })
  }

  @Test func computedMotionTakesThePlaceOfRecordedMotion() throws {
    _ = try convert(folder.path("walk.mcap"), folder.path("first.mcap"), "--with", "motion")
    let again = try convert(folder.path("first.mcap"), folder.path("second.mcap"), "--with", "motion")
    #expect(again.errors.contains("of recorded motion, for which the computed stands"))
    #expect(try folder.read("first.mcap") == folder.read("second.mcap"))
    // What is there already need not be computed to be shown.
    let shown = try convert(folder.path("first.mcap"), folder.path("shown.mcap"), "--with", "foxglove")
    #expect(!shown.errors.contains("computed"))
    #expect(try otherTopics("shown.mcap")["/tf"] == Self.count)
  }

  @Test func theProfileOfROS2HoldsItsMessagesAlone() throws {
    let result = try convert(folder.path("walk.mcap"), folder.path("bag.mcap"), "--profile", "ros2")
    #expect(result.errors.contains("/event/connection"))
    let report = try InfoOutput(of: folder.path("bag.mcap"))
    #expect(report.samples["accelerometer"] == Self.count && report.samples["gyroscope"] == Self.count)
    #expect(report["events"] == nil && report["otherTopics"] == nil)
    #expect(try folder.read("bag.mcap").prefix(64).range(of: Data("ros2".utf8)) != nil)
    // It is read as any bag: the same rates come back.
    let fused = try MotionctlProcess.run("fuse", folder.path("bag.mcap"))
    #expect(fused.code == 0 && fused.cells.count - 1 == Self.count)
  }

  @Test func whatATableHasNoPlaceForIsCounted() throws {
    let result = try convert(folder.path("walk.mcap"), folder.path("out.csv"))
    #expect(result.errors.contains("not written: ") && result.errors.contains("of /event/connection"))
    _ = try convert(folder.path("walk.mcap"), folder.path("walk.ndjson"))
    let text = try convert(folder.path("walk.ndjson"), folder.path("again.csv"))
    #expect(text.errors.contains("of /event/connection"))
    let canonical = try convert(folder.path("walk.ndjson"), folder.path("again.mcap"))
    #expect(canonical.code == 0 && !canonical.errors.contains("not written"))
  }

  @Test(arguments: [
    ["out.ndjson", "--with", "ros2"], ["out.csv", "--profile", "ros2"],
    ["out.mcap", "--profile", "ros2", "--with", "foxglove"], ["out.mcap", "--with", "rerun"],
  ])
  func viewsAreForMCAP(arguments: [String]) throws {
    let result = try MotionctlProcess(
      ["convert", folder.path("walk.mcap"), folder.path(arguments[0])] + arguments.dropFirst()
    ).finish()
    #expect(result.code == 64 && result.errors.contains("Error: "))
    #expect(try folder.names == ["walk.mcap"])
  }
}
