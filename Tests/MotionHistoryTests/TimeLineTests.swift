// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import Testing

@testable import MotionHistory

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
