// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl falls`.
@Suite struct FallsTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private struct Report: Decodable {
    struct Fall: Decodable {
      var time, probability: Double
      var outcome: String
    }
    var file, placement: String
    var seconds: Double
    var falls: [Fall]
  }

  /// Seconds and g without a header: a person stands, falls in the seventh second and lies. `range` cuts the readings.
  private func recording(_ name: String, falls: Bool = true, rate: Double = 50, range: Double = 16) throws -> String {
    var text = "\n"
    for row in 0..<Int(45 * rate) {
      let seconds = Double(row) / rate
      let part = falls ? max(0, min(1, (seconds - 6) / 0.6)) : 0
      let angle = Double.pi / 2 * part * part * (3 - 2 * part)
      var size = 1 + 0.004 * sin(97.3 * seconds)
      if falls {
        if (6..<6.5).contains(seconds) { size = 0.5 }
        if (6.5..<6.6).contains(seconds) { size = 1 + 4 * sin(.pi * (seconds - 6.5) / 0.1) }
        if seconds >= 6.6 { size += 0.03 * sin(2.5 * seconds) + 0.3 * exp(6 * (6.5 - seconds)) * sin(60 * seconds) }
      }
      // A shake that meets a narrow range.
      if !falls, (20..<30).contains(seconds) { size += 1.6 * sin(9 * seconds) }
      let reading = [0.01, size * sin(angle), size * cos(angle)].map { max(-range, min(range, $0)) }
      text += "\(seconds)," + reading.map { String(format: "%.5f", $0) }.joined(separator: ",") + "\n"
    }
    let path = folder.path(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  @Test func aFallIsFoundOnceWithItsTime() throws {
    let path = try recording("fall.csv")
    let result = try MotionctlProcess.run("falls", path, "--placement", "trunk", "--json")
    #expect(result.code == 0 && result.errors.isEmpty)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.text.utf8))
    #expect(report.file == path && report.placement == "trunk" && abs(report.seconds - 44.98) < 0.01)
    let fall = try #require(report.falls.first)
    #expect(report.falls.count == 1 && fall.outcome == "unresponsive" && fall.probability >= 0.5)
    #expect(abs(fall.time - 6.55) < 0.1)
  }

  @Test func theTextHasALineForEachFall() throws {
    let result = try MotionctlProcess.run(
      "falls", "--placement", "trunk", try recording("fall.csv"), try recording("quiet.csv", falls: false))
    #expect(result.code == 0)
    try #require(result.lines.count == 3)
    #expect(result.lines[0].contains(": 1 fall in "))
    #expect(result.lines[1].hasPrefix("  6.") && result.lines[1].contains("unresponsive"))
    #expect(result.lines[2].contains(": no fall in "))
  }

  /// What was judged, fall or not, for the training.
  @Test func contactsAreATable() throws {
    let result = try MotionctlProcess.run("falls", "--features", try recording("fall.csv"))
    #expect(result.code == 0)
    try #require(result.lines.count == 2)
    let (head, row) = (result.lines[0].split(separator: ","), result.lines[1].split(separator: ","))
    #expect(head.prefix(4) == ["file", "time", "probability", "peak"] && head.count == row.count)
    #expect(try MotionctlProcess.run("falls", "--features", "--json", "x.csv").code == 64)
    #expect(try MotionctlProcess.run("falls", "--placement", "ankle", "x.csv").code == 64)
  }

  /// A range of 2 g is refused also where no file states it, with the place; so is a slow sensor.
  @Test func whatCannotServeIsRefusedWithItsPlace() throws {
    let narrow = try recording("narrow.csv", falls: false, range: 2)
    let result = try MotionctlProcess.run("falls", narrow)
    #expect(result.code == 1 && result.text.isEmpty)
    #expect(result.errors.contains("\(narrow): the accelerometer ends at 2 g (z, first at 20."))
    let slow = try MotionctlProcess.run("falls", try recording("slow.csv", rate: 10))
    #expect(slow.code == 1 && slow.errors.contains("10.0 samples a second, and 20 are needed"))
    let missing = try MotionctlProcess.run("falls", folder.path("nothing.csv"))
    #expect(missing.code == 1 && missing.errors.contains("nothing.csv"))
    let endless = try MotionctlProcess.run("falls", "simulate:walk")
    #expect(endless.code == 1 && endless.errors.contains("never ends"))
  }

  /// One that fails does not stop the others.
  @Test func aWalkHasNoFall() throws {
    let result = try MotionctlProcess.run("falls", "simulate:walk", folder.path("nothing.csv"), "--for", "60")
    #expect(result.code == 1 && result.lines.count == 1 && result.lines[0].hasPrefix("simulate:walk: no fall in "))
  }
}
