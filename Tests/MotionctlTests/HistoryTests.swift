// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHistory
import MotionHost
import MotionSensing
import MotionServices
import Testing

/// `motionctl history`.
@Suite struct HistoryTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private var store: String { folder.url.path + "/history.sqlite" }
  private var home: [String: String] {
    ["HOME": folder.url.path, "XDG_STATE_HOME": "", "XDG_CONFIG_HOME": "", "TZ": "UTC"]
  }

  private struct Report: Decodable {
    struct Row: Decodable {
      var start, end: Date
      var steps: Int
      var distance: Double
      var floorsAscended: Int?
      var minutes: [String: Double]
      var accelerometer: Double
    }
    var file: String
    var size: Int
    var isRecording: Bool
    var sources: [String]
    var rows: [Row]
    var total: Row
  }

  private func report(_ arguments: String...) throws -> Report {
    let result = try MotionctlProcess(
      ["history", "--store", store, "--json"] + arguments, environment: home
    ).finish()
    try #require(result.code == 0, "\(result.errors)")
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(Report.self, from: result.output)
  }

  /// Ten minutes of a walk with known steps, at once.
  private func recordWalk() throws -> MotionctlProcess.Result {
    try MotionctlProcess.run(
      "history", "record", "simulate:walk?duration=600&speed=max", "--store", store, environment: home)
  }

  @Test func aWalkIsRecordedAndShown() throws {
    let run = try recordWalk()
    #expect(run.code == 0 && run.errors.contains("60,000 samples at 100 Hz, no gaps, none dropped"))
    let report = try report()
    // Two steps a second, less the first and the last.
    #expect((1190...1200).contains(report.total.steps) && report.total.distance > 600)
    #expect(report.rows.reduce(0) { $0 + $1.steps } == report.total.steps && report.total.floorsAscended == 0)
    #expect(abs(report.total.accelerometer - 10) < 0.01 && (report.total.minutes["walking"] ?? 0) > 9.5)
    #expect(report.sources == ["simulate:walk?duration=600"] && !report.isRecording && report.size > 100_000)
    let hours = try self.report("--by", "hour")
    #expect(hours.rows.reduce(0) { $0 + $1.steps } == report.total.steps)
    let csv = try MotionctlProcess.run("history", "--store", store, "--csv", environment: home)
    #expect(csv.cells.count == report.rows.count + 1 && csv.cells.allSatisfy { $0.count == 14 })
    #expect(csv.cells.first?.prefix(3) == ["start", "end", "steps"])
    let table = try MotionctlProcess.run("history", "--store", store, environment: home)
    #expect(table.text.contains("together") && table.text.contains("No recorder runs."))
    #expect(try MotionctlProcess.run("history", "--store", store, "--from", "now", "--to", "yesterday").code == 1)
  }

  @Test func aSimulationIsNeverWrittenIntoThePersonsHistory() throws {
    for extra in [[], ["--store", folder.url.path + "/.local/state/opencoremotion/history.sqlite"]] {
      let result = try MotionctlProcess(
        ["history", "record", "simulate:walk?duration=5&speed=max"] + extra, environment: home
      ).finish()
      #expect(result.code == 1 && result.errors.contains("is a simulation: it is never written into your own history"))
    }
    #expect(!FileManager.default.fileExists(atPath: folder.url.path + "/.local/state"))
    // Nor into a file that holds a person's history.
    let holder = WriterLock.Holder(source: "iio:", recordsAccelerometer: true, since: Date())
    var real: MotionStore? = try MotionStore.open(writing: store, as: holder).store
    var rows = HistoryRows()
    rows.activities = [.init(start: SensorInstant(microseconds: 1), activity: .walking, confidence: .high)]
    try real?.write(rows, source: "iio:", line: TimeLine(clock: "boot", origin: 0), durably: true)
    let busy = try recordWalk()
    #expect(busy.code == 1 && busy.errors.contains("Process \(getpid()) writes this history already (from iio:)"))
    real = nil
    let result = try recordWalk()
    #expect(result.code == 1 && result.errors.contains("holds the history of iio:"))
  }

  @Test func aSignalWritesWhatIsLeft() throws {
    let process = try MotionctlProcess(
      ["history", "record", "simulate:walk", "--store", store], environment: home)
    // Steps are written at once: there are seconds of samples, in a batch that only its end or the recorder's writes.
    #expect(
      try waitUntil {
        try MotionStore.open(reading: store)?.steps(from: .distantPast, to: .distantFuture).steps ?? 0 > 0
      })
    let status = try MotionctlProcess.run("history", "--store", store, environment: home)
    #expect(status.code == 0 && status.text.contains("A recorder runs (process"))
    let refused = try MotionctlProcess.run("history", "delete", "--all", "--store", store, environment: home)
    #expect(refused.code == 1 && refused.errors.contains("writes this history already"))
    process.send(SIGTERM)
    #expect(try process.finish().code == 128 + SIGTERM)
    let contents = try #require(try MotionStore.open(reading: store)).contents()
    #expect(contents.batches >= 1 && (contents.accelerometer.first?.samples ?? 0) > 75)
    let ended = try MotionctlProcess.run("history", "--store", store, environment: home)
    #expect(ended.code == 0 && ended.text.contains("No recorder runs."))
  }

  @Test func stepsWithoutTheAccelerometer() throws {
    let run = try MotionctlProcess.run(
      "history", "record", "simulate:walk?duration=60&speed=max", "--store", store, "--no-accelerometer",
      environment: home)
    #expect(run.code == 0)
    let report = try report()
    #expect(report.total.steps > 100 && report.total.accelerometer == 0)
  }

  @Test func whatIsErasedIsSaid() throws {
    #expect(try recordWalk().code == 0)
    let before = try report()
    let middle = before.rows[0].start + 300
    let some = try MotionctlProcess.run(
      "history", "delete", "--before", middle.formatted(.iso8601), "--store", store, environment: home)
    #expect(some.code == 0 && some.errors.hasPrefix("Erased "))
    #expect((550...650).contains(try report().total.steps))
    #expect(try MotionctlProcess.run("history", "delete", "--all", "--store", store, environment: home).code == 0)
    #expect(try report().total.steps == 0 && report().sources.isEmpty)
    let again = try MotionctlProcess.run("history", "delete", "--all", "--store", store, environment: home)
    #expect(again.errors == "Nothing was there to erase.\n")
    #expect(try MotionctlProcess.run("history", "delete", "--store", store).code == 64)
  }

  @Test func withoutAHistoryThatIsSaid() throws {
    let result = try MotionctlProcess.run("history", environment: home)
    #expect(result.code == 1 && result.errors.contains("There is no history at \(folder.url.path)/.local/state"))
    #expect(try MotionctlProcess.run("history", "delete", "--all", environment: home).code == 0)
  }

  private var all: Set<String> {
    get throws { Set(try FileManager.default.subpathsOfDirectory(atPath: folder.url.path)) }
  }

  @Test func whatIsNoHistoryIsRefusedByEveryCommandAndStaysAsItIs() throws {
    let (diary, bytes) = (folder.url.path + "/diary.txt", Data("dear diary\n".utf8))
    try bytes.write(to: URL(fileURLWithPath: diary))
    let before = try all
    for command in [
      ["history", "record", "simulate:walk?duration=5&speed=max"], ["history"], ["history", "--csv"],
      ["history", "delete", "--all"],
    ] {
      let result = try MotionctlProcess(command + ["--store", diary], environment: home).finish()
      #expect(result.code == 1 && result.errors.hasPrefix("Error: \(diary): This is a text file, and no history"))
      #expect(result.output.isEmpty)
    }
    #expect(try all == before && Data(contentsOf: URL(fileURLWithPath: diary)) == bytes)
  }
}
