// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionServices
import Testing

/// D18: which samples a subscriber gets who wants fewer than there are.
@Suite struct DecimatorTests {
  /// The times that pass, in seconds.
  private func passed(_ times: [Double], wanting rate: Double) -> [Double] {
    var decimator = Decimator(interval: SensorDuration(rate: rate) ?? .zero)
    return times.filter { decimator.isDue(SensorInstant(nanoseconds: Int64(($0 * 1e9).rounded()))) }
  }

  private func steps(_ times: [Double]) -> [Double] { zip(times.dropFirst(), times).map { $0 - $1 } }

  /// A reproducible number in −1…1.
  private func noise(_ index: Int) -> Double {
    var state = UInt64(bitPattern: Int64(index)) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 31
    state = state &* 0xBF58_476D_1CE4_E5B9
    state ^= state >> 29
    return Double(state >> 11) / Double(1 << 52) - 1
  }

  static let rates: [(Double, Double)] = [
    (100, 100), (100, 50), (100, 60), (100, 33), (100, 30), (100, 25), (100, 10), (100, 7), (100, 1), (100, 200),
    (104, 100), (801.92, 100), (200.44, 100), (800, 60), (50, 40), (1000, 100), (25, 24), (119, 100), (416, 60),
  ]

  /// No double gap, no burst, and the right mean rate, with and without jitter of a fifth of a period.
  @Test(arguments: rates, [0, 0.02, 0.2])
  func stepsAreEvenAndTheRateIsRight(_ rates: (source: Double, wanted: Double), _ jitter: Double) {
    let period = 1 / rates.source
    let times = (0..<Int(rates.source * 30)).map { (Double($0) + jitter * noise($0)) * period + 1 }
    let passed = passed(times, wanting: rates.wanted)
    let steps = steps(passed)
    // Up to 1.1 times the wanted rate everything passes.
    let target = rates.source <= 1.1 * rates.wanted ? rates.source : rates.wanted
    let mean = Double(steps.count) / steps.reduce(0, +)
    #expect(abs(mean - target) < 0.03 * target, "mean \(mean) Hz")
    #expect(steps.max() ?? 9 < 1 / target + (1.01 + 2 * jitter) * period)
    #expect(steps.min() ?? 0 > 1 / target - (1.01 + 2 * jitter) * period)
    #expect(steps.min() ?? 0 > 0)
  }

  /// The schedule does not drift: the n-th sample is the first at or after n intervals.
  @Test(arguments: [60.0, 40, 30, 70]) func unevenRatesFollowAFixedSchedule(_ wanted: Double) {
    let passed = passed((0...6000).map { Double($0) / 100 }, wanting: wanted)
    for (index, time) in passed.enumerated() {
      let due = Double(index) / wanted
      #expect(time > due - 0.001 && time < due + 0.010_001, "sample \(index): \(time) for \(due)")
    }
  }

  /// D18: sixty of a hundred hertz.
  @Test func sixtyOfAHundredHasStepsOfOneAndTwo() {
    let steps = steps(passed((0...30).map { Double($0) / 100 }, wanting: 60)).map { Int(($0 * 100).rounded()) }
    #expect(Array(steps.prefix(9)) == [2, 2, 1, 2, 2, 1, 2, 2, 1])
  }

  @Test(arguments: [SensorDuration.zero, .milliseconds(-5), SensorDuration(nanoseconds: 1), .milliseconds(10)])
  func wantingNoLessPassesEverything(_ interval: SensorDuration) {
    var decimator = Decimator(interval: interval)
    #expect((0..<500).allSatisfy { decimator.isDue(.milliseconds($0 * 10)) })
  }

  /// A lost sample costs at most its own period: the next one passes for it, and the schedule goes on.
  @Test(arguments: [50.0, 25, 10, 1]) func lostSamplesDoNotDisturbTheRhythm(_ wanted: Double) {
    let times = (0..<6000).filter { $0 % 97 != 13 }.map { Double($0) / 100 }
    let steps = steps(passed(times, wanting: wanted))
    #expect(steps.max() ?? 9 < 1 / wanted + 0.0101)
    #expect(steps.min() ?? 0 > 1 / wanted - 0.0101)
  }

  /// A pause is one gap: the first sample after it passes when it is due, not before.
  @Test func aPauseDoesNotLetSamplesPassEarly() {
    let times = (0..<50).map { Double($0) / 100 } + (56..<300).map { Double($0) / 100 }
    #expect(passed(times, wanting: 1) == [0, 1, 2])
    let long = (0..<30).map { Double($0) / 100 } + (500..<700).map { Double($0) / 100 }
    #expect(passed(long, wanting: 1) == [0, 5, 6])
  }

  /// A source that changes its rate is followed.
  @Test func aNewSourceRateIsFollowed() {
    let times = (0..<1000).map { Double($0) / 100 } + (0..<8000).map { 10 + Double($0) / 800 }
    let late = passed(times, wanting: 50).filter { $0 > 11 }
    #expect(abs(Double(late.count) - 50 * 9) < 10, "\(late.count)")
  }

  /// D28: a new interval holds from the running step on.
  @Test func aNewIntervalHoldsAtOnce() {
    var decimator = Decimator(interval: .seconds(1))
    var passed: [Int64] = []
    for index in Int64(0)...300 {
      if index == 120 { decimator.change(to: .milliseconds(20)) }
      if index == 200 { decimator.change(to: .zero) }
      if index == 210 { decimator.change(to: .milliseconds(500)) }
      if decimator.isDue(.milliseconds(index * 10)) { passed.append(index) }
    }
    let early = passed.filter { $0 < 120 }
    #expect(early == [0, 100])
    #expect(passed.filter { (120..<200).contains($0) }.count >= 39)
    #expect(passed.filter { (200..<210).contains($0) }.count == 10)
    #expect(passed.filter { $0 >= 210 } == [259])
  }

  /// Times near the end of the scale and the longest intervals do not overflow.
  @Test func longIntervalsOnLateTimeLinesDoNotOverflow() {
    for interval in [Int64.max, 9_000_000_000_000_000_000] {
      var decimator = Decimator(interval: SensorDuration(nanoseconds: interval))
      let start: Int64 = 1_700_000_000_000_000_000
      let count = (Int64(0)..<500).filter {
        decimator.isDue(SensorInstant(nanoseconds: start + $0 * 10_000_000))
      }.count
      #expect(count == 1)
    }
  }
}
