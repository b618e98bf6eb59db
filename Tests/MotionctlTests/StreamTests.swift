// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import MotionServices
import MotionTools
import Testing

/// `motionctl stream`.
@Suite struct StreamTests {
  private static let rest = "simulate:rest?speed=max"

  @Test func csvHasTheColumnsOfTheFormatAndTheWantedRows() throws {
    let result = try MotionctlProcess.run("stream", Self.rest, "--format", "csv", "--for", "0.07")
    #expect(result.code == 0)
    #expect(result.lines.first.map(String.init) == deviceMotionHeader)
    #expect(result.lines.count == 8)
    #expect(result.cells.allSatisfy { $0.count == 24 })
  }

  @Test func faceUpAtRestReadsMinusOneGOnZ() throws {
    // S1: a device at rest, face up, reads (0, 0, −1) g.
    let result = try MotionctlProcess.run(
      "stream", Self.rest, "--service", "accelerometer", "--format", "csv", "--for", "0.03")
    #expect(result.lines.first == "timestamp,acceleration_x,acceleration_y,acceleration_z")
    let z = try #require(result.cells.last?.last.flatMap { Double($0) })
    #expect(abs(z + 1) < 1e-9)
  }

  @Test(arguments: [
    ("gyro", "rotationRate", "/motion/gyro"), ("magnetometer", "magneticField", "/motion/magnetometer"),
    ("accelerometer", "acceleration", "/motion/accelerometer"),
  ])
  func everyRawServiceHasItsPropertyAndTopic(service: String, property: String, topic: String) throws {
    let csv = try MotionctlProcess.run(
      "stream", Self.rest, "--service", service, "--format", "csv", "--for", "0.02")
    #expect(csv.lines.first.map(String.init) == "timestamp,\(property)_x,\(property)_y,\(property)_z")
    let lines = try MotionctlProcess.run(
      "stream", Self.rest, "--service", service, "--format", "ndjson", "--for", "0.05"
    ).lines
    let object = try Self.object(#require(lines.first))
    #expect(object["topic"] as? String == topic)
    #expect((object[property] as? [String: Double])?.keys.sorted() == ["x", "y", "z"])
  }

  @Test func ndjsonLeavesAbsentValuesOut() throws {
    let result = try MotionctlProcess.run("stream", Self.rest, "--format", "ndjson", "--for", "0.05")
    #expect(result.lines.count == 5)
    let object = try Self.object(result.lines[4])
    #expect(object["topic"] as? String == "/motion/device")
    #expect((object["attitude"] as? [String: Double])?.count == 4)
    #expect(object["attitudeReferenceFrame"] as? Int == 1)
    // S28: no heading in the frames without north.
    #expect(object["heading"] == nil && object["magneticField"] == nil)
    for key in ["inclinationDeviation", "headingDeviation"] {
      #expect((object[key] as? Double).map { $0 >= 0 } == true)
    }
    #expect(result.lines[4].hasPrefix("{\"topic\":\"/motion/device\",\"timestamp\":"))
  }

  @Test func onATerminalTheTableFitsAndTheStatusLineOverwritesItself() throws {
    let command = ["stream", "simulate:handheld", "--for", "1"]
    let screen = try MotionctlProcess.onTerminal(columns: 80, command)
    // Without the renditions and what a status line takes away.
    let lines = screen.split(separator: "\n").map { line in
      (line.split(separator: "\u{1B}[K").last ?? "").replacing(#/\u{1B}\[[0-9]*m/#, with: "")
    }
    let rows = lines.filter { $0.wholeMatch(of: #/ *[0-9.]+( +[-0-9.–]+)+/#) != nil }
    #expect(rows.count == 100 && rows.allSatisfy { $0.count <= 80 }, "\(screen)")
    #expect(lines.contains { $0.contains("attitude (°)") && $0.contains("heading (°)") && !$0.contains("gravity") })
    #expect(screen.contains("\u{1B}[1m") && screen.contains("\r\u{1B}[K\u{1B}[2m") && screen.contains("backlog"))
    let plain = try MotionctlProcess.onTerminal(
      columns: 200, command, environment: ["TERM": "xterm", "NO_COLOR": "1"])
    #expect(plain.contains("gravity (g)") && !plain.contains("\u{1B}[1m") && !plain.contains("\u{1B}[2m"))
    let narrow = try MotionctlProcess.onTerminal(columns: 40, command)
    #expect(narrow.contains("attitude (°)") && !narrow.contains("user acceleration"))
    // A pipe has all of it, and nothing but text.
    let pipe = try MotionctlProcess.run("stream", Self.rest, "--for", "0.02")
    #expect(pipe.lines[0].contains("gravity (g)") && !pipe.text.contains("\u{1B}"))
  }

  @Test func theTableNamesItsUnits() throws {
    let result = try MotionctlProcess.run("stream", Self.rest, "--for", "0.02")
    for unit in ["time (s)", "attitude (°)", "rotation rate (°/s)", "gravity (g)", "user acceleration (g)"] {
      #expect(result.lines[0].contains(unit))
    }
    #expect(result.lines.count == 4)
  }

  @Test func sampleTimeEndsAStreamAtFullSpeed() throws {
    let result = try MotionctlProcess.run("stream", Self.rest, "--for", "2", "--format", "csv")
    #expect(result.code == 0)
    #expect(result.lines.count == 201)
  }

  @Test func aLowerRateGivesFewerSamples() throws {
    let result = try MotionctlProcess.run("stream", Self.rest, "--for", "2", "--rate", "20", "--format", "csv")
    #expect(result.lines.count == 41)
  }

  @Test func sourceSimulationAndSummaryAreSaidOnStandardError() throws {
    let result = try MotionctlProcess.run("stream", Self.rest, "--for", "0.5", "--format", "csv")
    #expect(result.errors.contains("simulate:rest?speed=max: simulated device"))
    #expect(result.errors.contains("a simulation"))
    #expect(result.errors.contains("50 samples, mean rate 100 Hz over 0.49 s; handler backlog at most "))
    #expect(result.errors.contains("  gyroscope: "))
    #expect(!result.text.contains("simulat"))
  }

  @Test(arguments: [
    ("arbitrary", "1"), ("CORRECTED", "2"), ("magnetic", "4"), ("xarbitraryzvertical", "1"),
    ("xMagneticNorthZVertical", "4"),
  ])
  func aFrameMayBeGivenShortOrInFull(frame: String, rawValue: String) throws {
    let result = try MotionctlProcess.run(
      "stream", Self.rest, "--for", "0.03", "--format", "csv", "--frame", frame)
    let row = try #require(result.cells.last)
    #expect(row[21] == rawValue)
    // S28, D1: a heading in the north frames only.
    #expect(row[18].isEmpty == (rawValue != "4"))
  }

  @Test func trueNorthTakesItsPlaceFromTheCommandLineOrTheEnvironment() throws {
    let given = try MotionctlProcess.run(
      "stream", Self.rest, "--for", "0.03", "--format", "csv", "--frame", "true", "--location", "48.14,11.58")
    #expect(given.cells.last?[21] == "8")
    let known = try MotionctlProcess.run(
      "stream", Self.rest, "--for", "0.03", "--format", "csv", "--frame", "true",
      environment: ["MOTION_LOCATION": "48.14,11.58"])
    #expect(known.text == given.text)
  }

  @Test func theSourceMayComeFromTheEnvironment() throws {
    let result = try MotionctlProcess.run(
      "stream", "--for", "0.02", "--format", "csv", environment: ["MOTION_SOURCE": Self.rest])
    #expect(result.code == 0)
    #expect(result.lines.count == 3)
  }

  private static func object(_ line: Substring) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
  }
}

/// `motionctl stream --batched`.
@Suite struct BatchedStreamTests {
  private static let fast = "simulate:shake?rate=800&speed=max&duration=2.5"

  /// Every sample, the rest behind the last border included, and the loop ends with the source.
  @Test func everySampleIsPrintedToTheLast() throws {
    let result = try MotionctlProcess.run(
      "stream", Self.fast, "--service", "accelerometer", "--batched", "--format", "csv")
    #expect(result.code == 0 && result.lines.count == 2001)
    let times = result.cells.dropFirst().compactMap { $0.first.flatMap { Double($0) } }
    #expect(times == (0..<2000).map { Double($0) / 800 })
    #expect(result.errors.contains("by the second") && result.errors.contains("wake-ups a second"))
  }

  @Test func deviceMotionComesAtTwoHundredHertz() throws {
    let result = try MotionctlProcess.run("stream", Self.fast, "--batched", "--format", "csv")
    #expect(result.lines.first.map(String.init) == deviceMotionHeader && result.lines.count == 501)
  }

  @Test func theLimitEndsIt() throws {
    let result = try MotionctlProcess.run(
      "stream", "simulate:rest?speed=max", "--batched", "--for", "1.5", "--format", "csv")
    #expect(result.code == 0 && (151...152).contains(result.lines.count))
  }

  @Test(arguments: [["--service", "gyro"], ["--frame", "magnetic"]])
  func whatBatchesDoNotHaveIsRefused(_ options: [String]) throws {
    let result = try MotionctlProcess(["stream", Self.fast, "--batched"] + options).finish()
    #expect(result.code == 64 && result.text.isEmpty)
  }

  @Test func aSourceWithoutTheSensorIsRefused() throws {
    let result = try MotionctlProcess.run("stream", "simulate:rest?gyroscope=no", "--batched")
    #expect(result.code == 1)
  }
}

/// Names come from files and devices: whoever made these must not control the terminal of the person who looks at them.
@Suite struct TerminalEscapeTests {
  /// The window's title, a cleared screen, DEL, a control sequence of one character (C1), text that runs backwards, a
  /// forged line.
  private static let hostile = "\u{1B}]0;owned\u{7}\u{1B}[2J\u{7F}\u{9B}31m\u{202E}\u{2066}"
  private static let escaped = #"\u{1B}]0;owned\u{7}\u{1B}[2J\u{7F}\u{9B}31m\u{202E}\u{2066}"#

  /// Everything that a terminal would act on, but the line end.
  private static func controls(in text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      scalar != "\n" && (scalar.properties.generalCategory == .control || scalar.properties.isBidiControl)
    }
  }

  /// A recording with that name in its own name, in a topic and in a cell that is no number.
  private func recording(in folder: TemporaryFolder) throws -> String {
    let name = "walk" + Self.hostile + ".ndjson"
    func text(_ value: String) throws -> String { String(decoding: try JSONEncoder().encode(value), as: UTF8.self) }
    let topic = try text("/" + Self.hostile)
    let line = #"{"topic":"/sensor/gyroscope","timestamp_ns":10000000,"x":1,"y":2,"z":3}"#
    let damage = #"{"topic":"/sensor/gyroscope","timestamp_ns":20000000,"x":"# + (try text(Self.hostile)) + "}"
    try folder.write("\(line)\n{\"topic\":\(topic),\"timestamp_ns\":15000000}\n\(damage)\n", to: name)
    return folder.path(name)
  }

  @Test func namesFromAFileNeverActOnTheTerminal() throws {
    let folder = try TemporaryFolder()
    let path = try recording(in: folder)
    for arguments in [
      ["info", path], ["info", path, path], ["convert", path, folder.path("out.mcap")],
      ["convert", "--skip-errors", path, folder.path("out.mcap")], ["fuse", path], ["list"], ["doctor"],
      ["steps", path], ["cut", path, folder.path("cut.mcap")], ["stream", path + "?errors=skip"],
    ] {
      let result = try MotionctlProcess(arguments, environment: ["MOTION_SOURCE": "replay:" + path]).finish()
      let text = result.text + result.errors
      #expect(Self.controls(in: text).isEmpty, "\(arguments): \(text.debugDescription)")
      #expect(text.contains(Self.escaped) || arguments[0] == "steps", "\(arguments): \(text.debugDescription)")
    }
  }

  @Test func dataKeepsTheNamesAsTheyAre() throws {
    let folder = try TemporaryFolder()
    let path = try recording(in: folder)
    let result = try MotionctlProcess(["info", "--json", path]).finish()
    let report = try #require(try JSONSerialization.jsonObject(with: result.output) as? [String: Any])
    #expect(report["file"] as? String == path)
    #expect((report["name"] as? String)?.contains(Self.hostile) == true)
  }

  @Test func aWrongArgumentNeverActsOnTheTerminal() throws {
    for arguments in [[Self.hostile], ["info", "--" + Self.hostile], ["stream", "radar:" + Self.hostile]] {
      let result = try MotionctlProcess(arguments).finish()
      #expect(result.code != 0 && result.errors.contains("Error: "))
      #expect(Self.controls(in: result.errors).isEmpty, "\(result.errors.debugDescription)")
    }
  }
}

/// The loop of every command that reads a source.
@Suite struct SourceRunTests {
  private struct Refusal: Error {}

  private struct Sink: SampleSink, Sendable {
    var count = 0
    let body: @Sendable (Int) throws -> Bool

    mutating func take(_ sample: SensorSample) throws -> Bool {
      count += 1
      return try body(count)
    }
  }

  /// A second of a simulation; no signal of the test's own process is waited for.
  private func run(_ body: @escaping @Sendable (Int) throws -> Bool) throws -> (sink: Sink, report: RunReport) {
    let selection = try SourceSelection.open("simulate:rest?duration=1")
    return SourceRun(selection, [.accelerometer, .gyroscope], limit: nil, completion: Completion())(Sink(body: body))
  }

  @Test func aRunEndsWithItsSource() throws {
    let (sink, report) = try run { _ in true }
    guard case .done = report.outcome else { return #expect(Bool(false), "\(report.outcome)") }
    #expect(report.statistics?.accelerometer.delivered == 100 && report.statistics?.gyroscope.delivered == 100)
    #expect(sink.count == 200)
  }

  @Test func nothingIsTakenAfterEnough() throws {
    let (sink, report) = try run { $0 < 5 }
    guard case .done = report.outcome else { return #expect(Bool(false), "\(report.outcome)") }
    #expect(sink.count == 5)
  }

  @Test func anErrorOfTheWorkEndsTheRun() throws {
    let (_, report) = try run { _ in throw Refusal() }
    #expect(throws: Refusal.self) { try report.outcome.check() }
  }

  @Test func aSourceThatIsSilentEndsAtTheDeadline() throws {
    let outcome = Completion().run(every: .milliseconds(1), deadline: 0.005) {}
    guard case .silent = outcome else { return #expect(Bool(false), "\(outcome)") }
    try outcome.check()
  }
}
