// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionSensing
import MotionServices
import Testing

@testable import MotionHistory
@testable import MotionHost

/// Ten seconds of an accelerometer in 3000 bytes.
@Suite struct AccelerationBatchTests {
  private func batch(
    _ times: [Double], range: Double? = nil, force: (Int) -> Vector3<Device> = { _ in Vector3(x: 0, y: 0, z: 9.81) }
  ) -> [AccelerationBatch] {
    var batcher = AccelerationBatcher(range: range)
    var batches = times.enumerated().compactMap { index, time in
      batcher.append(AccelerometerSample(time: instant(time), specificForce: force(index)))
    }
    if let rest = batcher.finish() { batches.append(rest) }
    return batches
  }

  @Test func aBatchHoldsFiveHundredSamplesAndThreeThousandBytes() throws {
    let batches = batch((0..<1200).map { Double($0) * 0.02 })
    #expect(batches.map(\.count) == [500, 500, 200] && batches[0].data.count == 3000 && batches[0].spacing == nil)
    #expect(batches[1].start == 10_000_000 && batches[1].end == 19_980_000)
  }

  @Test(arguments: [1e-3, 0.5, 9.81, 100, -156.9]) func aValueKeepsHalfAMilligravity(_ value: Double) throws {
    let batch = try #require(batch([0], force: { _ in Vector3(x: value, y: -value, z: 0) }).first)
    let sample = try #require(batch.samples.first)
    #expect(abs(sample.specificForce.x - value) <= 0.0005 * 9.80665 / 2)
    #expect(sample.specificForce.y == -sample.specificForce.x && batch.clipped == 0)
  }

  @Test func whatLiesOutsideTheRangeIsCutAndCounted() throws {
    let values = [200.0, -1e9, .infinity, -.infinity, .nan]
    let batch = try #require(
      batch(values.indices.map(Double.init).map { $0 * 0.02 }, force: { Vector3(x: values[$0], y: 0, z: 0) }).first)
    let read = batch.samples.map(\.specificForce.x)
    #expect(abs(read[0] - 16 * 9.80665) < 1e-9 && abs(read[1] + 16 * 9.80665) < 1e-9)
    #expect(batch.clipped == 5)
  }

  @Test func aSensorOfALargerRangeIsNotCut() throws {
    let batch = try #require(batch([0], range: 64 * 9.80665, force: { _ in Vector3(x: 600, y: 0, z: 0) }).first)
    let sample = try #require(batch.samples.first)
    #expect(batch.clipped == 0 && abs(sample.specificForce.x - 600) < 0.01)
  }

  @Test func evenSamplesGetTheirTimesBack() throws {
    let times = (0..<500).map { Double($0) * 0.02 }
    let batch = try #require(batch(times).first)
    #expect(batch.samples.map(\.time) == times.map { instant($0).microseconds })
  }

  @Test func unevenSamplesKeepTheirTimesToFiveMicroseconds() throws {
    var random = SystemRandomNumberGenerator()
    var time = 100.0
    let times = (0..<500).map { _ in
      time += Double.random(in: 0.010...0.025, using: &random)
      return time
    }
    let batches = batch(times)
    let read = batches.flatMap(\.samples).map(\.time)
    #expect(batches.first?.spacing != nil && read.count == 500)
    for (read, time) in zip(read, times) { #expect(abs(read - instant(time).microseconds) <= 5) }
    // Without a gap batches end with the time, not with the count only.
    #expect(batches.allSatisfy { $0.end - $0.start < 10_000_000 })
  }

  @Test func aPauseAndAStepBackEndABatch() throws {
    let batches = batch([0, 0.02, 0.04, 1.0, 1.02, 0.5, 0.52])
    #expect(batches.map(\.count) == [3, 2, 2])
  }

  @Test func bytesThatAreNoBatchGiveNoSamples() throws {
    var batch = try #require(batch([0, 0.02]).first)
    batch.data.removeLast()
    #expect(batch.samples.isEmpty)
    batch.count = -1
    #expect(batch.samples.isEmpty)
  }
}

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

/// Clocks that are set, computers that sleep and start again (D38).
@Suite struct TimeLineTests {
  private func hours(_ store: KeptHistory, from start: Date) throws -> [Int] {
    try (0..<24).map { try store.steps(from: start + Double($0) * 3600, to: start + Double($0 + 1) * 3600).steps }
  }

  @Test(arguments: HistoryKind.allCases) func aClockThatIsSetBackAnHourLosesAndDoublesNothing(_ kind: HistoryKind)
    throws
  {
    let store = try KeptHistory(kind)
    try store.write(rows(steps: [(36_000, 36_002, 4)], batches: batches(from: 36_000, seconds: 10)), line: line)
    let before = Array(try store.accelerometer(from: .distantPast, to: .distantFuture))
    // The wall clock goes from 11:00 to 10:00; the sensors' clock goes on.
    var back = line
    back.origin -= 3_600_000_000
    try store.write(rows(steps: [(39_602, 39_604, 6)], batches: batches(from: 39_602, seconds: 10)), line: back)
    let all = Array(try store.accelerometer(from: .distantPast, to: .distantFuture))
    #expect(all.count == 1000 && Set(all.map(\.date)).count == 1000)
    // What was recorded before is dated by the clock as it is now, so that "until now" has it.
    #expect(all.prefix(500).map(\.date) == before.map { $0.date - 3600 })
    #expect(try store.steps(from: day, to: day + 36_004).steps == 10)
    #expect(try hours(store, from: day).reduce(0, +) == 10)
  }

  @Test(arguments: HistoryKind.allCases) func asleepTheWallClockGoesOnAndTheSensorsClockDoesNot(_ kind: HistoryKind)
    throws
  {
    let store = try KeptHistory(kind)
    try store.write(rows(steps: [(10, 12, 4)]), line: line)
    var later = line
    (later.origin, later.asleep) = (line.origin + 7_200_000_000, 7_200_000_000)
    try store.write(rows(steps: [(14, 16, 6)]), line: later)
    // Samples from before the sleep that were read after it.
    try store.write(rows(steps: [(12, 13, 1)]), line: line)
    #expect(try store.steps(from: day, to: day + 60).steps == 5)
    #expect(try store.steps(from: day + 7200, to: day + 7260).steps == 6)
    #expect(try hours(store, from: day)[..<3] == [5, 0, 6])
  }

  @Test(arguments: HistoryKind.allCases) func asleepAndSetAtOnce(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    try store.write(rows(steps: [(10, 12, 4)]), line: line)
    // Two hours asleep, and the clock was an hour fast.
    var later = line
    (later.origin, later.asleep) = (line.origin + 3_600_000_000, 7_200_000_000)
    try store.write(rows(steps: [(14, 16, 6)]), line: later)
    #expect(try store.steps(from: day - 3600, to: day - 3500).steps == 4)
    #expect(try store.steps(from: day + 3600, to: day + 3700).steps == 6)
  }

  @Test(arguments: HistoryKind.allCases) func anotherStartOfTheComputerCountsFromZeroAgain(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    try store.write(rows(steps: [(10, 12, 4)], batches: batches(from: 10, seconds: 10)), line: line)
    let next = TimeLine(clock: "boot-2", origin: line.origin + 3_600_000_000)
    try store.write(rows(steps: [(10, 12, 6)], batches: batches(from: 10, seconds: 10)), line: next)
    #expect(try hours(store, from: day)[..<2] == [4, 6])
    let all = Array(try store.accelerometer(from: .distantPast, to: .distantFuture))
    #expect(all.map(\.date) == all.map(\.date).sorted() && all.count == 1000)
    // A clock of one start says nothing about another one.
    var wrong = next
    wrong.origin += 86_400_000_000
    try store.write(rows(), line: wrong)
    #expect(try store.steps(from: day, to: day + 60).steps == 4)
  }

  @Test(arguments: HistoryKind.allCases) func aRecordingThatIsPlayedAgainIsKnown(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    let replay = TimeLine(clock: "1970 replay:walk.csv", origin: 0)
    #expect(try store.history.lastInstant(ofClock: replay.clock) == nil)
    try store.write(rows(steps: [(10, 12, 4)], batches: batches(from: 10, seconds: 10)), line: replay)
    #expect(try store.history.lastInstant(ofClock: replay.clock) == instant(19.98))
    try store.write(rows(steps: [(10, 12, 4)]), line: replay)
    #expect(try store.steps(from: .distantPast, to: .distantFuture).steps == 4)
  }
}
