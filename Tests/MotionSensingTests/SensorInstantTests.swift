// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import TestSupport
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

@Suite struct ClampingTests {
  @Test func aNumberWithinTheRangeIsItsWholePart() {
    for number in [0, -0.0, 0.9, -0.9, 1, 126.5, -127.5, 127] as [Double] {
      #expect(Int8(clamping: number) == Int8(number))
      #expect(Int64(clamping: number) == Int64(number))
    }
    #expect(Int64(clamping: -0x1p63) == .min)
  }

  @Test func anyOtherNumberIsTheNearestEndOrZero() {
    func check<Number: FixedWidthInteger>(_ type: Number.Type) {
      for number in [1e20, 1e300, .infinity] as [Double] {
        #expect(Number(clamping: number) == .max)
        #expect(Number(clamping: -number) == .min)
      }
      #expect(Number(clamping: Double.nan) == 0)
      #expect(Number(clamping: -Double.nan) == 0)
    }
    check(Int8.self)
    check(UInt8.self)
    check(Int64.self)
    check(UInt64.self)
    #expect(UInt8(clamping: -1.0) == 0)
    #expect(UInt8(clamping: 256.0) == 255)
    #expect(Int64(clamping: 0x1p63) == .max)
  }

  @Test func arithmeticEndsAtTheEndOfTheRange() {
    let numbers: [Int64] = [.min, .min + 1, -1 << 62, -3, -1, 0, 1, 3, 1 << 62, .max - 1, .max]
    for a in numbers {
      for b in numbers {
        // As real numbers of 128 bits, cut.
        func cut(_ exact: Int128) -> Int64 { Int64(clamping: exact) }
        #expect(a.clamped(plus: b) == cut(Int128(a) + Int128(b)))
        #expect(a.clamped(minus: b) == cut(Int128(a) - Int128(b)))
        #expect(a.clamped(times: b) == cut(Int128(a) * Int128(b)))
      }
    }
  }

  @Test func aClaimedCountCanBeAddedUp() {
    let claims: [any BinaryInteger] = [Int64.min, -1, 0, 7, UInt32.max, Int64.max, UInt64.max]
    let counts = claims.map { Int(claimed: $0) }
    #expect(counts == [0, 0, 0, 7, 4_294_967_295, 1 << 40, 1 << 40])
    #expect(Array(repeating: counts, count: 1000).joined().reduce(0, +) > 1 << 40)
  }
}

@Suite struct SamplePeriodTests {
  private func pauses(_ milliseconds: [Int64]) -> [Bool] {
    var period = SamplePeriod()
    return milliseconds.map { period.update(.milliseconds($0)) }
  }

  @Test func moreThanTwoAndAHalfPeriodsArAPause() {
    #expect(pauses([10, 10, 25, 10, 26, 10]) == [false, false, false, false, true, false])
    #expect(pauses([10, 10, 10, 26, 10]) == [false, false, false, true, false])
  }

  /// On a steady clock an interval that doubles is a sample that is missing, each time.
  @Test func aSingleMissingSampleOnASteadyClockIsAPauseAndJitterIsNone() {
    let steady = Array(repeating: 10 as Int64, count: 12)
    #expect(pauses(steady + [20] + steady + [20] + steady).count(where: \.self) == 2)
    var random = SeededRandom(seed: 7)
    var (period, last, found) = (SamplePeriod(), 0 as Int64, 0)
    for index in 1..<100_000 as Range<Int64> {
      // A fifth of the period either way, of each time.
      let time = index * 10_000_000 + Int64.random(in: -2_000_000...2_000_000, using: &random)
      found += period.update(SensorDuration(nanoseconds: time - last)) ? 1 : 0
      last = time
    }
    #expect(found == 0)
  }

  /// What the first intervals are shows when more is known: a pause before the period, a missing sample among the first.
  @Test func pausesAmongTheFirstSamplesAreFoundLater() {
    func early(_ milliseconds: [Int64]) -> [Double] {
      var period = SamplePeriod()
      for interval in milliseconds { period.update(.milliseconds(interval)) }
      return period.earlyPauses.map(\.seconds)
    }
    #expect(early([3000] + Array(repeating: 10, count: 50)) == [3])
    for place in 0..<8 {
      let steps = Array(repeating: 10 as Int64, count: place) + [20] + Array(repeating: 10, count: 50)
      #expect(early(steps) == [0.02])
    }
    #expect(early(Array(repeating: 10, count: 20) + Array(repeating: 1, count: 200)).isEmpty)
  }

  /// The more is missing, the more is found: what is missing moves neither the period nor the deviation.
  @Test func manyMissingSamplesDoNotHideEachOther() {
    let steps = Array(repeating: [20, 10, 10, 10, 10] as [Int64], count: 200).flatMap { $0 }
    #expect(pauses(steps).count(where: \.self) >= 195)
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
