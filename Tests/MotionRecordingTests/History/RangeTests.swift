// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
import MotionServices
import Testing

@testable import MotionHistory

/// Questions about ranges of time (S66, S70, S74, D41).
@Suite struct RangeTests {
  @Test(arguments: HistoryKind.allCases) func anEpochCountsEvenlyOverItsSpan(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    try store.write(rows(steps: [(10, 12.5, 5)]), line: line)
    #expect(try store.steps(from: day + 10, to: day + 11).steps == 2)
    #expect(try store.steps(from: day + 11, to: day + 12.5).steps == 3)
    #expect(try store.steps(from: day, to: day + 100).steps == 5)
    #expect(try store.steps(from: day + 12.5, to: day + 100) == StepTotals())
    #expect(try store.steps(from: day + 100, to: day) == StepTotals())
  }

  @Test(arguments: HistoryKind.allCases) func floorsAreUnknownOnlyWhereNoEpochKnowsThem(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    var both = rows(steps: [(0, 2, 4), (2, 4, 4)])
    (both.steps[1].floorsAscended, both.steps[1].floorsDescended) = (2, 1)
    try store.write(both, line: line)
    #expect(try store.steps(from: day, to: day + 2).floorsAscended == nil)
    let all = try store.steps(from: day, to: day + 4)
    #expect(all.floorsAscended == 2 && all.floorsDescended == 1 && all.distance == 5.6 && all.activeTime == 4)
  }

  /// 24 hourly sums are the day's sum, to the step and the millimetre, whatever the history. The histories are days
  /// that follow one another on one line, with pauses and epochs across every kind of edge.
  @Test(arguments: 1...4, HistoryKind.allCases)
  func twentyFourHoursAddUpToTheirDay(_ seed: Int, _ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    var random = SeededRandom(seed: UInt64(seed))
    let days = 100
    var history = HistoryRows()
    var time = 0.0
    while time < Double(days) * 86_400 {
      time += [0, 0.5, 700, 20_000].randomElement(using: &random)! * Double.random(in: 0...1, using: &random)
      let end = time + Double.random(in: 0.5...4000, using: &random)
      history.steps.append(
        .init(
          start: instant(time), end: instant(end), steps: Int.random(in: 0...9, using: &random),
          distance: Double.random(in: 0...7, using: &random),
          floorsAscended: Bool.random(using: &random) ? Int.random(in: 0...2, using: &random) : nil,
          floorsDescended: nil, activeTime: end - time))
      time = end
    }
    try store.write(history, line: line)
    for number in 0..<days {
      let start = day + Double(number) * 86_400
      var sum = StepTotals()
      var millimetres = 0, floors = 0
      for hour in 0..<24 {
        let part = try store.steps(from: start + Double(hour) * 3600, to: start + Double(hour + 1) * 3600)
        sum.steps += part.steps
        millimetres += Int((part.distance * 1000).rounded())
        floors += part.floorsAscended ?? 0
      }
      let whole = try store.steps(from: start, to: start + 86_400)
      #expect(sum.steps == whole.steps && millimetres == Int((whole.distance * 1000).rounded()))
      #expect(floors == whole.floorsAscended ?? 0)
    }
    let all = try store.steps(from: day - 1, to: day + Double(days + 1) * 86_400)
    #expect(all.steps == history.steps.reduce(0) { $0 + $1.steps })
  }

  @Test(arguments: HistoryKind.allCases) func bothEndsOfARangeOfTheAccelerometerAreIncluded(_ kind: HistoryKind) throws
  {
    let store = try KeptHistory(kind)
    try store.write(rows(batches: batches(from: 100, seconds: 25)), line: line)
    let all = Array(try store.accelerometer(from: day, to: day + 1000))
    #expect(all.count == 1250 && all.map(\.instant) == all.map(\.instant).sorted())
    // On the exact times of samples, in different batches, also as the samples themselves give them.
    let some = Array(try store.accelerometer(from: all[499].date, to: all[1001].date))
    #expect(some == Array(all[499...1001]))
    #expect(Array(try store.accelerometer(from: day + 100.02, to: day + 100.02)).map(\.date) == [day + 100.02])
    #expect(Array(try store.accelerometer(from: day + 100.021, to: day + 100.039)).isEmpty)
    #expect(Array(try store.accelerometer(from: day + 1000, to: day + 2000)).isEmpty)
    #expect(Set(all.map(\.identifier)).count == 3 && all.map(\.identifier) == all.map(\.identifier).sorted())
  }

  @Test(arguments: HistoryKind.allCases) func theFirstActivityMayHaveBegunBefore(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    try store.write(rows(activities: [(0, 1), (100, 4), (200, 2), (300, 4)]), line: line)
    let some = try store.activities(from: day + 150, to: day + 250)
    #expect(some.map(\.change.activity.rawValue) == [4, 2] && some.map(\.startDate) == [day + 100, day + 200])
    #expect(try store.activities(from: day + 5000, to: day + 6000).map(\.change.activity.rawValue) == [4])
    #expect(try store.activities(from: day - 6000, to: day - 5000).isEmpty)
  }

  @Test(arguments: HistoryKind.allCases) func shortActivitiesBelongToTheOneBefore(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    // Five seconds of running within a walk, and a stop of nine seconds before another.
    try store.write(rows(activities: [(0, 4), (100, 8), (105, 4), (200, 2), (209, 4), (300, 8)]), line: line)
    #expect(try store.activities(from: day, to: day + 1000).map(\.startDate) == [day, day + 300])
    // The last one goes on: nothing is known of its length.
    #expect(try store.activities(from: day, to: day + 301).map(\.change.activity.rawValue) == [4, 8])
  }

  /// An activity is told again when it is known better, often twice within ten seconds.
  @Test(arguments: HistoryKind.allCases) func whatIsToldAgainWithinSecondsIsNotShort(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    try store.write(rows(activities: [(0, 2), (100, 4), (104, 4), (109, 4), (200, 2), (206, 2)]), line: line)
    let told = try store.activities(from: day, to: day + 1000)
    #expect(told.map(\.startDate) == [day, day + 100, day + 200])
  }

  @Test(arguments: HistoryKind.allCases) func aDateThatIsNoNumberIsRefused(_ kind: HistoryKind) throws {
    let store = try KeptHistory(kind)
    let broken = Date(timeIntervalSince1970: .nan)
    #expect(throws: SensorError.self) { try store.steps(from: broken, to: day) }
    #expect(try store.steps(from: .distantPast, to: .distantFuture).steps == 0)
    #expect(try store.steps(from: day, to: Date(timeIntervalSince1970: .infinity)).steps == 0)
  }
}
