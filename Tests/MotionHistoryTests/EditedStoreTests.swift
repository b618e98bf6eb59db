// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import Testing

@testable import MotionHistory

/// An edited store: any value of any type in any column of any table. Every question, and every write,
/// is answered or is an error in a sentence; a trap would end the process, and with it this test.
@Suite struct EditedStoreTests {
  private static let rounds = 60
  private static let end = ProcessInfo.processInfo.environment["OPENCOREMOTION_FUZZ_SECONDS"].flatMap { Double($0) }

  private static let columns: [(table: String, columns: [String])] = [
    ("meta", ["schema_version"]), ("boot", ["id", "uuid", "wall_at_boot", "asleep"]), ("source", ["id", "address"]),
    ("batch", ["id", "boot", "source", "t0", "t1", "n", "scale", "clipped", "spacing", "data"]),
    (
      "step_epoch", ["boot", "t1", "span", "steps", "mm", "floors_up", "floors_down", "active", "source"]
    ),
    ("step_hour", ["boot", "hour", "epochs", "steps", "mm", "floors_up", "floors_down", "active"]),
    ("activity", ["boot", "t", "flags", "confidence", "source"]), ("step_length", ["modelled", "measured"]),
    ("sqlite_sequence", ["seq"]),
  ]
  private static let values = [
    "9223372036854775807", "-9223372036854775808", "-9223372036854775807", "10000000000000000", "-10000000000000000",
    "9999999999999999", "1000000000", "1000000001", "-1", "0", "1", "255", "256", "1e300", "-1e300", "9.3e18", "9e999",
    "-9e999", "0.5", "1e-320", "NULL", "'many'", "''", "'9223372036854775807'", "x''", "x'00ff'", "zeroblob(3000)",
    "randomblob(6000)", "c + 1", "c - 1", "-c", "c * 1000", "c || ''",
  ]
  private static let dates: [Date] = [
    .distantPast, day - 86_400, day, day + 0.5, day + 11, day + 3600, day + 86_400, .distantFuture,
    Date(timeIntervalSince1970: 1e300), Date(timeIntervalSince1970: -.infinity), Date(timeIntervalSince1970: .nan),
  ]

  @Test func everyQuestionIsAnswered() throws {
    let folder = StoreFolder()
    do {
      let store = try folder.writer()
      let rows = rows(
        steps: [(0, 2, 3), (10, 12, 3), (3590, 3601, 9), (9000, 9002, 3)],
        activities: [(0, 4), (100, 8), (200, 4), (9000, 1)], batches: batches(from: 0, seconds: 30))
      try store.write(rows, line: line)
      try store.write(rows, line: TimeLine(clock: "boot-2", origin: line.origin + 20_000_000_000, asleep: 5_000_000))
      try store.database.withLock {
        try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        $0.close()
      }
    }
    let sound = try Data(contentsOf: URL(filePath: folder.file))
    let start = ContinuousClock.now
    var random = SeededRandom(seed: 2026)
    var (round, answers, refusals, damaged) = (0, 0, 0, 0)
    while Self.end.map({ ContinuousClock.now < start + .seconds($0) }) ?? (round < Self.rounds) {
      round += 1
      let copy = folder.path + "/edited.sqlite"
      for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
      try sound.write(to: URL(filePath: copy))
      edit(copy, &random)
      do {
        guard let store = try MotionStore.open(reading: copy) else { continue }
        question(store, &random, &answers, &refusals)
        damaged += store.damagedRows
      } catch { refusals += said(error) }
      do {
        let store = try MotionStore.open(writing: copy, as: folder.holder()).store
        answers += try store.prune(at: Self.dates[3]).batches
        try store.endOpenActivity(source: "iio:")
        try store.write(rows(steps: [(30, 32, 4)], activities: [(40, 2)]), line: line)
        question(store, &random, &answers, &refusals)
      } catch { refusals += said(error) }
      for suffix in [".damaged", ".damaged-2"] { try? FileManager.default.removeItem(atPath: copy + suffix) }
    }
    #expect(answers > 10 * round && damaged > 0 && refusals > 0)
  }

  /// One to four values of the file.
  private func edit(_ path: String, _ random: inout SeededRandom) {
    guard let database = try? Database(path) else { return }
    for _ in 0...random.below(4) {
      let (table, columns) = Self.columns[random.below(Self.columns.count)]
      let column = columns[random.below(columns.count)]
      let value = Self.values[random.below(Self.values.count)].replacing("c ", with: "\(column) ")
        .replacing("-c", with: "-\(column)")
      // One row, some or all; what SQLite does not let through (a key that is there already) is no damage.
      let rows = ["", "WHERE rowid = 2", "WHERE \(column) > 1"][random.below(3)]
      try? database.execute("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
      try? database.execute("UPDATE OR IGNORE \(table) SET \(column) = \(value) \(rows)")
    }
    try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func question(_ store: MotionStore, _ random: inout SeededRandom, _ answers: inout Int, _ refusals: inout Int)
  {
    let (start, end) = (Self.dates[random.below(Self.dates.count)], Self.dates[random.below(Self.dates.count)])
    let questions: [() throws -> Void] = [
      { _ = try store.contents() }, { _ = try store.sources() },
      { _ = try store.lastIdentifier() }, { _ = try store.lastInstant(ofClock: "boot-1") },
      { try count(store, start, end) },
      { try count(store, .distantPast, .distantFuture) },
      { try count(store, day, day + 11) },
      { _ = try store.activities(from: start, to: end) },
      { _ = try store.activities(from: .distantPast, to: .distantFuture) },
      { for sample in try store.accelerometer(from: start, to: end) { #expect(!sample.specificForce.x.isNaN) } },
      { for sample in try store.accelerometer(from: .distantPast, to: .distantFuture) { _ = sample.date } },
    ]
    for question in questions {
      do {
        try question()
        answers += 1
      } catch { refusals += said(error) }
    }
  }

  private func count(_ store: MotionStore, _ start: Date, _ end: Date) throws {
    let totals = try store.steps(from: start, to: end)
    #expect(totals.steps >= 0 && totals.distance >= 0 && totals.activeTime >= 0)
  }

  /// An error is a sentence.
  private func said(_ error: any Error) -> Int {
    #expect((error as? SensorError)?.message.hasSuffix(".") == true, "\(error)")
    return 1
  }
}
