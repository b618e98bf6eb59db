// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl steps`.
@Suite struct StepsTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private struct Steps: Decodable {
    var file: String
    var seconds: Double
    var start: Date?
    var steps: Int
    var truth: Int?
    var distance: Double
    var missing: Double?
    var floorsAscended: Int?
    var placement: String
    var isPlacementAssumed: Bool
  }

  private struct Activities: Decodable {
    struct Span: Decodable {
      var start, end: Double
      var activity, confidence: String
    }
    var activities: [Span]
    var shares: [String: Double]
  }

  private func decode<Value: Decodable>(_ type: Value.Type, _ line: some StringProtocol) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(type, from: Data(line.utf8))
  }

  /// A table with Unix times of a walker at 50 Hz: two steps a second between the given seconds, else rest; no rows in
  /// `pause`.
  private func walker(
    _ name: String, seconds: Int, walks: [Range<Int>], pause: Range<Int>? = nil, epoch: Int = 1_767_225_600
  ) throws -> String {
    var text = "timestamp,timeIntervalSince1970,x,y,z\n"
    for row in 0..<seconds * 50 {
      let second = row / 50
      if let pause, pause.contains(second) { continue }
      let phase = 4 * Double.pi * Double(row % 50) / 50
      let isWalking = walks.contains { $0.contains(second) }
      let bounce = isWalking ? 0.3 * sin(phase) + 0.15 * sin(2 * phase) + 0.1 * sin(3 * phase) : 0.0005 * sin(phase)
      let sway = isWalking ? 0.15 * sin(phase / 2) : 0
      text += "\"-\",\(epoch + second).\(String(format: "%02d", row % 50 * 2)),0.1,\(sway),\(-1 + bounce)\n"
    }
    let path = folder.path(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  // The truth of each simulation is exact: see GaitTests.
  @Test(arguments: [("walk", 120), ("run", 108), ("stairs", 54), ("bicycle", 0), ("car", 0), ("rest", 0)])
  func stepsOfASimulationAreCounted(name: String, expected: Int) throws {
    let seconds = ["run": "41", "walk": "61"][name] ?? "70"
    let result = try MotionctlProcess.run("steps", "simulate:\(name)", "--for", seconds, "--json")
    #expect(result.code == 0)
    let steps = try decode(Steps.self, #require(result.lines.first))
    #expect(steps.truth == expected && steps.file == "simulate:\(name)")
    // Three flights of 3 m.
    #expect(name != "stairs" || steps.floorsAscended == 3)
    // The first turns of the pedals are steps until they are known as pedals; afterwards there are none.
    #expect(abs(steps.steps - expected) <= (name == "bicycle" ? 12 : 1), "\(steps.steps)")
    #expect(result.errors.contains("a simulation: it has taken \(expected) step"))
  }

  @Test func theDistanceFollowsThePersonsHeight() throws {
    let walk = try walker("Accelerometer.csv", seconds: 620, walks: [10..<610])
    func metres(_ arguments: String..., environment: [String: String] = [:]) throws -> Double {
      let result = try MotionctlProcess(["steps", walk, "--json"] + arguments, environment: environment).finish()
      #expect(result.code == 0, "\(result.errors)")
      return try decode(Steps.self, #require(result.lines.first)).distance
    }
    let short = try metres(environment: ["MOTION_PERSON_HEIGHT": "1.5"])
    #expect(try abs(metres("--height", "1.5") - short) < 0.01)
    #expect(try abs(metres("--height", "2.0") / short - 4.0 / 3) < 0.01)
    let refused = try MotionctlProcess.run("steps", walk, environment: ["MOTION_PERSON_HEIGHT": "170"])
    #expect(refused.code != 0 && refused.errors.contains("MOTION_PERSON_HEIGHT=170 is not understood"))
  }

  @Test func severalRecordingsAreALineEachAndAFailureDoesNotStopTheOthers() throws {
    let walk = try walker("Accelerometer.csv", seconds: 40, walks: [5..<35])
    let result = try MotionctlProcess.run("steps", walk, folder.path("none.csv"), walk)
    #expect(result.code == 1 && result.errors.contains("There is no file or folder"))
    #expect(result.lines.count == 5 && result.lines[0].contains("steps/min"))
    #expect(result.lines[1] == result.lines[3] && result.lines[1].hasSuffix(walk))
    #expect(result.lines[2] == result.lines[4] && result.lines[2].contains("walking "))
    let count = try #require(Int(result.lines[1].split(separator: " ")[0]))
    #expect(abs(count - 60) <= 1)
  }

  @Test func activitiesAreATableAndJSONAndAPicture() throws {
    let walk = try walker("Accelerometer.csv", seconds: 90, walks: [30..<60])
    let table = try MotionctlProcess.run("steps", walk, "-o", folder.path("day.svg"), environment: ["TZ": "UTC"])
    #expect(table.code == 0 && table.lines.dropFirst(2).first == "  2026-01-01")
    #expect(table.text.contains("confidence  activity") && table.text.contains("00:00:00"))
    #expect(table.lines.last?.contains("stationary ") == true && table.lines.last?.contains("walking ") == true)
    let picture = String(decoding: try folder.read("day.svg"), as: UTF8.self)
    #expect(picture.contains("Cadence (steps/min)") && picture.contains("Steps (count)"))
    #expect(picture.contains("stationary") && picture.contains("walking"))

    let json = try MotionctlProcess.run("steps", walk, "--json")
    let report = try decode(Activities.self, #require(json.lines.first))
    // They follow one another without holes and overlaps, from the first sample to the last.
    #expect(report.activities.first?.start == 0 && abs((report.activities.last?.end ?? 0) - 89.98) < 0.01)
    #expect(
      zip(report.activities, report.activities.dropFirst()).allSatisfy { $0.end == $1.start && $0.start < $0.end })
    let walking = try #require(report.activities.first { $0.activity == "walking" })
    #expect(abs(walking.start - 30) < 6 && abs(walking.end - 60) < 6)
    #expect(abs(report.shares.values.reduce(0, +) - 89.98) < 0.1)
  }

  @Test func thePlacementIsThePersonsElseTheRecordingsElseItIsSaidToBeAssumed() throws {
    for (name, option, placement, isAssumed) in [
      ("walk.csv", "", "body", true), ("walk.csv", "Apple Watch", "wrist", false),
      ("left_wrist.csv", "", "wrist", false), ("left_wrist.csv", "body", "body", false),
    ] {
      let walk = try walker(name, seconds: 20, walks: [])
      let result =
        try option.isEmpty
        ? MotionctlProcess.run("steps", walk, "--json")
        : MotionctlProcess.run("steps", walk, "--json", "--placement", option)
      let steps = try decode(Steps.self, #require(result.lines.first))
      #expect(steps.placement == placement && steps.isPlacementAssumed == isAssumed)
      #expect(result.errors.contains("assumed: placement: body (give --placement wrist for a watch") == isAssumed)
      #expect(result.errors.contains("placement: wrist, as the recording says") == (option == "" && !isAssumed))
    }
  }

  @Test func featuresAreARowForEachWindow() throws {
    let walk = try walker("Accelerometer.csv", seconds: 30, walks: [0..<30])
    let result = try MotionctlProcess.run("steps", walk, "--features")
    #expect(result.code == 0 && result.lines[0].hasPrefix("file,time,deviation,"))
    #expect(result.cells.count > 15 && result.cells.allSatisfy { $0.count == result.cells[0].count })
    #expect(result.cells.dropFirst().allSatisfy { row in row.dropFirst().allSatisfy { Double($0)?.isFinite == true } })
  }

  @Test func hoursWithoutSamplesAreSaid() throws {
    // 22:30 to 02:10 with nothing from 23:10 to 01:50: 40 + 20 minutes of samples.
    let walk = try walker(
      "Accelerometer.csv", seconds: 220 * 60, walks: [600..<900, 200 * 60 + 60..<200 * 60 + 360],
      pause: 40 * 60..<200 * 60,
      epoch: 1_767_306_600)
    let result = try MotionctlProcess.run("steps", walk, "--json")
    #expect(result.code == 0 && result.errors.contains("1 gap"))
    let steps = try decode(Steps.self, #require(result.lines.first))
    #expect(abs(steps.steps - 1200) <= 12 && abs((steps.missing ?? 0) - 9600) < 2)
  }

  @Test func whatIsDamagedIsAnErrorOrIsCounted() throws {
    let walk = try walker("Accelerometer.csv", seconds: 40, walks: [5..<35])
    let text = try String(contentsOfFile: walk, encoding: .utf8)
    try text.replacing(".00,0.1,", with: ".00,x,").write(toFile: walk, atomically: true, encoding: .utf8)
    let strict = try MotionctlProcess.run("steps", walk)
    #expect(strict.code == 1 && strict.errors.contains("--skip-errors") && strict.output.isEmpty)
    let lenient = try MotionctlProcess.run("steps", walk, "--skip-errors")
    #expect(lenient.code == 0 && lenient.errors.contains("left out of the recording: 39 malformed"))
  }

  @Test(arguments: [
    (["steps", "simulate:walk"], 1, "never ends"), (["steps", "simulate:dive", "--for", "1"], 0, ""),
    (["steps", "FOLDER"], 1, "It is empty"),
    (["steps", "simulate:walk", "--for", "9", "--height", "9"], 64, "0.5 to 2.5"),
    (["steps", "a", "b", "-o", "x.svg"], 64, "A picture shows one recording"),
    (["steps", "a", "-o", "x.gif"], 64, "end it with .svg"),
    (["steps", "a", "--features", "--json"], 64, "--features is CSV"),
    (["steps", "simulate:walk", "--for", "9", "--placement", "ear"], 64, "placement"), (["steps"], 1, "No source"),
    (["steps", "dive.csv"], 1, "has no accelerometer, and steps are counted with one: it has water pressure."),
  ])
  func aMistakeIsASentence(arguments: [String], code: Int32, sentence: String) throws {
    let dive = "t_s,abs_pressure_Pa\n" + (0..<20).map { "\($0),\(120_000 + $0)\n" }.joined()
    try dive.write(toFile: folder.path("dive.csv"), atomically: true, encoding: .utf8)
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: true)
    let named = ["FOLDER": folder.path("empty"), "dive.csv": folder.path("dive.csv")]
    let result = try MotionctlProcess(arguments.map { named[$0] ?? $0 }).finish()
    #expect(result.code == code && (sentence.isEmpty || result.errors.contains(sentence)), "\(result.errors)")
  }
}
