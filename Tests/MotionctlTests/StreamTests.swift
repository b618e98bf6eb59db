// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
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
      "stream", Self.rest, "--service", service, "--format", "ndjson", "--for", "0.02"
    ).lines
    #expect(lines.count == 2)
    let object = try Self.object(lines[0])
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
