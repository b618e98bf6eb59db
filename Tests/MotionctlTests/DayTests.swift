// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// `motionctl day`: rows of days.
@Suite struct DayTests {
  private let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A table of 20 Hz with Unix times: two steps a second between the given seconds, else near rest; no rows in `pause`.
  private func wearer(from epoch: Int, seconds: Int, walk: Range<Int>, pause: Range<Int> = 0..<0) throws -> String {
    var text = "timestamp,timeIntervalSince1970,x,y,z\n"
    for row in 0..<seconds * 20 where !pause.contains(row / 20) {
      let phase = 4 * Double.pi * Double(row % 20) / 20
      let isWalking = walk.contains(row / 20)
      let bounce = isWalking ? 0.3 * sin(phase) + 0.15 * sin(2 * phase) : 0.002 * sin(phase / 2)
      text += "\"-\",\(epoch + row / 20).\(String(format: "%02d", row % 20 * 5)),0.1,\(bounce / 2),\(-1 + bounce)\n"
    }
    let path = folder.path("Accelerometer.csv")
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Twenty minutes around midnight of 2026-01-01, 00:00 UTC.
  private func midnight() throws -> String { try wearer(from: 1_767_225_000, seconds: 1200, walk: 720..<960) }

  private func object(_ data: some Sequence<UInt8>) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(data)) as? [String: Any])
  }

  private func days(_ result: MotionctlProcess.Result) throws -> [[String: Any]] {
    let line = try #require(result.lines.first)
    return try #require(object(line.utf8)["days"] as? [[String: Any]])
  }

  private func rows(_ path: String, _ arguments: String...) throws -> [[String: Any]] {
    let result = try MotionctlProcess(["day", path, "--json"] + arguments, environment: ["TZ": "UTC"]).finish()
    #expect(result.code == 0, "\(result.errors)")
    return try days(result)
  }

  @Test("A recording over midnight has two rows; their steps and times are those of the whole") func overMidnight()
    throws
  {
    let path = try midnight()
    let rows = try rows(path)
    #expect(rows.map { $0["day"] as? String } == ["2025-12-31", "2026-01-01"])
    #expect(rows.map { $0["start"] as? String } == ["2025-12-31T23:50:00.000", "2026-01-01T00:00:00.000"])
    #expect(rows.compactMap { $0["covered"] as? Double }.map { $0.rounded() } == [600, 600])
    let steps = rows.compactMap { $0["steps"] as? Double }
    #expect(steps[0] == 0 && abs(steps[1] - 480) <= 10)
    // The truth is within the interval.
    #expect(try #require(rows[1]["steps_low"] as? Double) <= 480 && #require(rows[1]["steps_high"] as? Double) >= 480)
    // Walking at 120 steps a minute for four minutes: three whole ones at least.
    #expect(try #require(rows[1]["cadence_120"] as? Double) + #require(rows[1]["cadence_100_119"] as? Double) >= 3)
    #expect(try abs(#require(rows[1]["walking_minutes"] as? Double) - 4) < 0.3)
    #expect(try #require(rows[1]["enmo_mg"] as? Double) > 5 * #require(rows[0]["enmo_mg"] as? Double))
    #expect(rows[0]["m5_mg"] is NSNull && rows[0]["calibration"] as? String == "too few directions")
    // In another zone it is one day.
    let there = try MotionctlProcess(["day", path, "--json"], environment: ["TZ": "Asia/Tokyo"]).finish()
    #expect(try days(there).count == 1)
  }

  @Test("CSV, JSON, NDJSON and Parquet hold the same rows") func formats() throws {
    let path = try midnight()
    let expected = try rows(path)
    func write(_ name: String) throws -> String {
      let result = try MotionctlProcess(
        ["day", path, "-o", folder.path(name)], environment: ["TZ": "UTC", "MOTION_PYTHON": Python.name]
      ).finish()
      #expect(result.code == 0, "\(result.errors)")
      return folder.path(name)
    }
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: write("days.json"))))
    #expect(json as? NSArray == expected as NSArray)
    let lines = try String(contentsOfFile: write("days.ndjson"), encoding: .utf8).split(separator: "\n")
    #expect(try lines.map { try object($0.utf8) } as NSArray == expected as NSArray)
    let table = try String(contentsOfFile: write("days.csv"), encoding: .utf8).split(separator: "\n")
      .map { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
    #expect(table.count == expected.count + 1 && table[0].count == expected[0].count)
    for (cells, row) in zip(table.dropFirst(), expected) {
      for (name, cell) in zip(table[0], cells) {
        switch row[name] {
        case let number as NSNumber: #expect(Double(cell) == number.doubleValue, "\(name)")
        case let text as String: #expect(cell == text, "\(name)")
        default: #expect(cell.isEmpty, "\(name)")
        }
      }
    }
    guard Python.hasPyArrow else { return }
    let script = """
      import json, math, sys, pyarrow.parquet as pq
      rows = pq.read_table(sys.argv[1]).to_pylist()
      rows = [{k: None if isinstance(v, float) and math.isnan(v) else v for k, v in row.items()} for row in rows]
      assert rows == json.load(open(sys.argv[2])), rows
      """
    #expect(try Python.run(["-c", script, try write("days.parquet"), folder.path("days.json")]))
  }

  @Test("A hole is a gap, its time is missing, and it is said") func holes() throws {
    let path = try wearer(from: 1_767_261_600, seconds: 600, walk: 0..<0, pause: 200..<300)
    let day = try #require(rows(path).first)
    #expect(day["gaps"] as? Int == 1)
    #expect(try abs(#require(day["covered"] as? Double) - 500) < 1)
  }

  @Test("A name that is no file of rows or no choice is an error of one sentence")
  func refusals() throws {
    let path = try midnight()
    for (arguments, words) in [
      ([path, "-o", folder.path("days.txt")], "names no kind of file"),
      ([path, "--calibration", "perhaps"], "calibration"),
    ] {
      let result = try MotionctlProcess(["day"] + arguments).finish()
      #expect(result.code != 0 && result.errors.contains(words), "\(result.errors)")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("days.txt")))
  }
}
