// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@Suite struct SensorInstantTests {
  /// Up to 2⁵³ ns, 104 days, a time in nanoseconds survives the way through seconds.
  @Test(arguments: [0, 1, -1, 999_999_999, 1_234_567_891, 9_007_199_254_740_991, -9_007_199_254_740_991] as [Int64])
  func secondsAndBackIsTheSameInstant(nanoseconds: Int64) {
    let instant = SensorInstant(nanoseconds: nanoseconds)
    #expect(SensorInstant(seconds: instant.seconds) == instant)
    let duration = SensorDuration(nanoseconds: nanoseconds)
    #expect(SensorDuration(seconds: duration.seconds) == duration)
  }

  @Test func everyNanosecondOfAStretchSurvives() {
    for nanoseconds in Int64(86_400_000_000_000)..<86_400_000_010_000 {
      let instant = SensorInstant(nanoseconds: nanoseconds)
      #expect(SensorInstant(seconds: instant.seconds) == instant)
    }
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, 1e10, -1e10])
  func aTimeThatDoesNotFitIsNil(seconds: Double) {
    #expect(SensorInstant(seconds: seconds) == nil)
    #expect(SensorDuration(seconds: seconds) == nil)
  }

  @Test func secondsAreRoundedToTheNearestNanosecond() {
    #expect(SensorInstant(seconds: 1.5e-9)?.nanoseconds == 2)
    #expect(SensorInstant(seconds: 1.4e-9)?.nanoseconds == 1)
    #expect(SensorInstant(seconds: 0.1)?.nanoseconds == 100_000_000)
  }

  @Test func differencesAndSumsAreInverse() {
    let a = SensorInstant(nanoseconds: 5_000_000_001)
    let b = SensorInstant(nanoseconds: -3)
    #expect(b + (a - b) == a)
    #expect(a - (a - b) == b)
    #expect((a - b) + (b - a) == .zero)
    #expect((a - b) - (a - b) == .zero)
    #expect(b < a && SensorDuration.zero < a - b)
  }

  @Test func theSumOfAMillionPeriodsIsExact() {
    var time = SensorInstant(nanoseconds: 0)
    for _ in 0..<1_000_000 { time = time + .milliseconds(10) }
    #expect(time.seconds == 10_000)
  }

  @Test func thePeriodOfARateIsItsInverse() {
    #expect(SensorDuration(rate: 100) == .milliseconds(10))
    #expect(SensorDuration(rate: 0.5) == .seconds(2))
    for rate in [0, -1, Double.nan, .infinity] { #expect(SensorDuration(rate: rate) == nil) }
  }

  @Test func aDistanceForWhichThereIsNoNumberIsTheLongest() {
    let (first, last) = (SensorInstant(nanoseconds: .min), SensorInstant(nanoseconds: .max))
    #expect(last - first == SensorDuration(nanoseconds: .max) && first - last == SensorDuration(nanoseconds: .min))
    #expect(last + .seconds(1) == last && first - .seconds(1) == first)
    #expect(SensorDuration.seconds(.max) == SensorDuration(nanoseconds: .max))
    #expect(SensorDuration.milliseconds(.min) == SensorDuration(nanoseconds: .min))
  }

  @Test func theNextInstantOfAGridIsBehindTheTime() {
    let grid = SensorInstant(nanoseconds: 100)
    for (time, next) in [(100, 110), (109, 110), (110, 120), (1000, 1010)] as [(Int64, Int64)] {
      #expect(
        grid.next(after: SensorInstant(nanoseconds: time), every: SensorDuration(nanoseconds: 10)).nanoseconds == next)
    }
    #expect(
      grid.next(after: SensorInstant(nanoseconds: .max), every: SensorDuration(nanoseconds: 1)).nanoseconds == .max)
    #expect(grid.next(after: grid, every: .zero) == grid)
  }
}
