// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import Testing

@testable import MotionHistory

/// A value of a wrong type or out of its range makes its row a damaged one: it is left out and counted, and the others
/// count.
@Suite struct DamagedRowTests {
  private let folder = StoreFolder()
  private let store: MotionStore

  init() throws {
    store = try folder.writer()
    try store.write(
      rows(
        steps: [(0, 2, 3), (10, 12, 3), (20, 22, 3)], activities: [(0, 4), (100, 8), (200, 4)],
        batches: batches(from: 0, seconds: 30)), line: line)
  }

  private func edit(_ sql: String) throws { try store.database.withLock { try $0.execute(sql) } }

  private func steps() throws -> StepTotals { try store.steps(from: day - 86_400, to: day + 86_400) }
  private func samples() throws -> Int { Array(try store.accelerometer(from: day - 86_400, to: day + 86_400)).count }
  private func activities() throws -> Int { try store.activities(from: .distantPast, to: .distantFuture).count }

  @Test(arguments: [
    "steps = 9223372036854775807", "steps = 'many'", "mm = -1", "active = 1e300", "floors_up = x'00'",
    "floors_down = -1",
    "span = -9223372036854775808", "span = 9223372036854775807",
  ]) func anEpoch(_ change: String) throws {
    try edit("UPDATE step_epoch SET \(change) WHERE t1 = 12000000")
    // The hour's sum is as it was; within the hour the epochs count.
    #expect(try steps().steps == 9)
    #expect(try store.steps(from: day, to: day + 100).steps == 6 && store.damagedRows > 0)
    #expect(try store.steps(from: day, to: day + 11).steps == 3)
    let contents = try store.contents()
    #expect(contents.damagedRows == 1 && contents.epochs == 2)
  }

  @Test(arguments: ["steps = 9223372036854775807", "mm = 'far'", "active = -1", "floors_up = 1e18"])
  func anHourIsMadeOfItsEpochsAgain(_ change: String) throws {
    try edit("UPDATE step_hour SET \(change)")
    #expect(try steps().steps == 9 && steps().distance == 6.3 && steps().activeTime == 6)
  }

  @Test(arguments: ["flags = 256", "flags = 'walking'", "confidence = 3", "confidence = -1", "t = 9223372036854775807"])
  func anActivity(_ change: String) throws {
    try edit("UPDATE activity SET \(change) WHERE t = 100000000")
    // The two walks around it are one.
    #expect(try activities() == 1)
    let contents = try store.contents()
    #expect(contents.damagedRows == 1 && contents.activities == 2)
  }

  @Test(arguments: [
    ("n = 9223372036854775807", true), ("n = -1", true), ("n = 'all'", true), ("t0 = t1 + 1", true),
    ("t0 = 'now'", true),
    ("data = x'00'", true), ("data = 'text'", true), ("clipped = -1", true), ("scale = 'large'", false),
    ("scale = 1e300", false), ("spacing = x'0102'", false), ("spacing = 7", false),
  ]) func aBatch(_ change: String, isSeenInItsHead: Bool) throws {
    try edit("UPDATE batch SET \(change) WHERE id = 2")
    #expect(try samples() == 1000)
    #expect(try store.contents().damagedRows == (isSeenInItsHead ? 1 : 0))
    #expect(store.damagedRows > 0)
  }

  @Test(arguments: ["wall_at_boot = 9223372036854775807", "wall_at_boot = 'noon'", "asleep = 1e300"])
  func aLine(_ change: String) throws {
    try edit("UPDATE boot SET \(change)")
    let isDated = change.hasPrefix("asleep")
    #expect(try steps().steps == (isDated ? 9 : 0) && samples() == (isDated ? 1500 : 0))
    #expect(try store.contents().damagedRows == (isDated ? 0 : 1))
    // What is written later has a line of its own.
    try store.write(rows(steps: [(30, 32, 4)]), line: line)
    #expect(try store.steps(from: day + 29, to: day + 100).steps == 4)
    try store.endOpenActivity(source: "iio:")
  }

  @Test func aNumberOfTheSequenceThatIsNoneCountsAsNone() throws {
    try edit("UPDATE sqlite_sequence SET seq = -5")
    #expect(try store.lastIdentifier() == 0)
    #expect(try store.lastInstant(ofClock: line.clock) == instant(200))
  }
}
