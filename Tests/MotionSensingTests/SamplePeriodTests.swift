// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@Suite struct SamplePeriodTests {
  private func pauses(_ milliseconds: [Int64]) -> [Bool] {
    var period = SamplePeriod()
    return milliseconds.map { period.update(.milliseconds($0)) }
  }

  @Test func moreThanTwoAndAHalfPeriodsArAPause() {
    #expect(pauses([10, 10, 25, 10, 26, 10]) == [false, false, false, false, false, false])
    #expect(pauses([10, 10, 10, 26, 10]) == [false, false, false, true, false])
  }

  @Test func aLastingChangeOfRateIsOnePauseOrTwo() {
    // 10 ms, then 40 ms for good: the period doubles, and 40 is not more than two and a half times 20.
    #expect(pauses(Array(repeating: 10, count: 20) + Array(repeating: 40, count: 50)).count(where: \.self) == 1)
    #expect(pauses(Array(repeating: 10, count: 20) + Array(repeating: 1, count: 200)).count(where: \.self) == 0)
  }

  @Test func whatIsMissingIsCountedToTheNearest() {
    var period = SamplePeriod()
    #expect(period.samplesMissing(in: .seconds(1)) == 0)
    period.update(.milliseconds(10))
    for (interval, missing) in [(10, 0), (14, 0), (15, 1), (24, 1), (26, 2), (100, 9), (1000, 99)] as [(Int64, Int)] {
      #expect(period.samplesMissing(in: .milliseconds(interval)) == missing)
    }
  }

  /// A clock that was set is no rate, and the ends of time are far.
  @Test func intervalsOfAnyLengthAreTaken() {
    var period = SamplePeriod()
    for interval in [.max, 1, .max, .max, 10_000_000, .max, .max] as [Int64] {
      period.update(SensorDuration(nanoseconds: interval))
      #expect((1...3_600_000_000_000).contains(period.nanoseconds))
      #expect(period.samplesMissing(in: SensorDuration(nanoseconds: .max)) >= 0)
    }
  }
}
