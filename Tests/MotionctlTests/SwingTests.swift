// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl swing`.
@Suite struct SwingTests {
  /// A watch at rest that is hit once a second, at 800 Hz, written down as its batches come.
  private static func recording(seconds: Int) -> String {
    var lines: [String] = []
    for index in 0..<seconds * 800 {
      if index % 800 == 0 { lines.append("") }
      let phase = index % 800
      let shock = (400..<404).contains(phase) ? [9.0, 25, -20, 8][phase - 400] : 0
      lines.append("\(1000 + Double(index) / 800),\(shock),0,-1")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func simulatedStrokesArePrintedWithTheirTimeToContact() throws {
    let result = try MotionctlProcess.run("swing", "simulate:swing?speed=max", "--for", "9")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.lines.first?.contains("time to contact (s)") == true)
    #expect(result.lines.count == 3)
    for line in result.lines.dropFirst() {
      let cells = line.split(separator: " ").compactMap { Double($0) }
      try #require(cells.count == 6)
      #expect((0.09...0.36).contains(cells[4]) && abs(cells[1] - cells[3] - cells[4]) < 0.0011)
    }
    #expect(result.errors.contains("a simulation, no sensor is read"))
    #expect(result.errors.contains("2 impacts, 2 times to contact from "))
  }

  @Test func anAccelerometerAloneGivesImpactsAndTheSentence() throws {
    let folder = try TemporaryFolder()
    try Self.recording(seconds: 3).write(toFile: folder.path("hits.csv"), atomically: true, encoding: .utf8)
    let result = try MotionctlProcess.run("swing", folder.path("hits.csv"))
    #expect(result.code == 0, "\(result.errors)")
    let sentence = "Time to contact needs 200 Hz device motion from the same recording."
    #expect(result.lines.count == 4 && result.lines.dropFirst().allSatisfy { $0.hasSuffix(sentence) })
    #expect(result.lines.last?.contains("2.501      25.0") == true, "\(result.text)")
    #expect(result.errors.contains("3 impacts") && !result.errors.contains("times to contact"))
    let harder = try MotionctlProcess.run("swing", folder.path("hits.csv"), "--threshold", "60")
    #expect(harder.code == 0 && harder.lines.count == 1 && harder.errors.contains("no impact above 60 g"))
  }

  @Test func anEmptyFileIsSaidToBeEmpty() throws {
    let folder = try TemporaryFolder()
    try "".write(toFile: folder.path("nothing.csv"), atomically: true, encoding: .utf8)
    let result = try MotionctlProcess.run("swing", folder.path("nothing.csv"))
    #expect(result.code == 1 && result.errors.contains("The file is empty") && result.text.isEmpty)
  }

  @Test func jsonIsAnObjectPerStroke() throws {
    let result = try MotionctlProcess.run("swing", "simulate:swing?speed=max&seed=3", "--for", "5", "--json")
    #expect(result.code == 0 && result.lines.count == 1)
    let line = try #require(result.lines.first)
    let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(
      Set(object.keys) == [
        "stroke", "timestamp", "impact", "peak", "shock", "backswing", "start", "timeToContact", "fastest",
        "fastestRate",
      ])
    let folder = try TemporaryFolder()
    try Self.recording(seconds: 1).write(toFile: folder.path("hits.csv"), atomically: true, encoding: .utf8)
    let alone = try MotionctlProcess.run("swing", folder.path("hits.csv"), "--json")
    #expect(alone.text.contains("\"unknown\":\"Time to contact needs") && !alone.text.contains("timeToContact"))
  }

  @Test func aStrokeIsDrawnWithItsPhases() throws {
    let folder = try TemporaryFolder()
    let result = try MotionctlProcess.run(
      "swing", "simulate:swing?speed=max", "--for", "9", "--stroke", "2", "-o", folder.path("x.svg"))
    #expect(result.code == 0, "\(result.errors)")
    let picture = String(decoding: try folder.read("x.svg"), as: UTF8.self)
    for words in [
      "Acceleration with gravity (g)", "Rotation about gravity (°/s)", "backswing", "forward swing", "impact",
      "stroke 2: impact at ",
    ] { #expect(picture.contains(words), "\(words)") }
    let png = try MotionctlProcess.run("swing", "simulate:swing?speed=max", "--for", "5", "-o", folder.path("x.png"))
    #expect(png.code == 0)
    #expect(try folder.names == ["x.png", "x.svg"])
  }

  @Test func anImpactWithoutMotionIsDrawnAlone() throws {
    let folder = try TemporaryFolder()
    try Self.recording(seconds: 2).write(toFile: folder.path("hits.csv"), atomically: true, encoding: .utf8)
    let result = try MotionctlProcess.run("swing", folder.path("hits.csv"), "-o", folder.path("x.svg"))
    #expect(result.code == 0, "\(result.errors)")
    let picture = String(decoding: try folder.read("x.svg"), as: UTF8.self)
    #expect(picture.contains("Acceleration with gravity") && !picture.contains("Rotation about gravity"))
    #expect(picture.contains("Time to contact needs 200 Hz device motion"))
  }

  @Test(arguments: [
    (["swing", "simulate:walk", "--for", "1"], 1, "It takes at least 400 Hz."),
    (["swing", "simulate:dive?rate=800&gyroscope=no", "--for", "1", "-o", "x.png"], 1, "There is no stroke 1 to draw"),
    (["swing", "simulate:swing", "-o", "x.png"], 1, "never ends"),
    (["swing", "simulate:swing", "--for", "1", "-o", "x.gif"], 64, "end it with .png or .svg."),
    (["swing", "simulate:swing", "--threshold", "0"], 64, "--threshold"),
    (["swing", "simulate:swing", "--stroke", "0"], 64, "--stroke"),
  ])
  func mistakesAreOneSentence(arguments: [String], code: Int, words: String) throws {
    let result = try MotionctlProcess(arguments, environment: [:]).finish()
    #expect(Int(result.code) == code && result.errors.contains(words), "\(result.errors)")
  }
}
