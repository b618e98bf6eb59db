// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
import Testing

@testable import MotionHost

/// Dates of samples: recordings, and this computer's clock that sleeps and is set (D38).
@Suite struct SampleDatesTests {
  private static let second: Int64 = 1_000_000_000
  /// 2026-11-22 00:00 UTC.
  private static let midnight: Int64 = 1_795_305_600 * second

  private let clocks = Lock(SampleDates.Reading(monotonic: 100 * second, boot: 100 * second, wall: midnight))

  private func dates(isLive: Bool) -> SampleDates {
    let clocks = clocks
    return SampleDates(isLive: isLive) { clocks.withLock { $0 } }
  }

  private func time(_ seconds: Int64) -> SensorInstant { SensorInstant(nanoseconds: seconds * Self.second) }
  private func after(_ seconds: Double) -> Date { Date(timeIntervalSince1970: 1_795_305_600 + seconds) }

  /// Awake and asleep, and steps of the wall clock, in seconds.
  private func pass(_ awake: Int64, asleep: Int64 = 0, set: Int64 = 0) {
    clocks.withLock {
      $0.monotonic += awake * Self.second
      $0.boot += (awake + asleep) * Self.second
      $0.wall += (awake + asleep + set) * Self.second
    }
  }

  @Test func aTimeLineFrom1970SaysItsDatesItself() {
    var dates = dates(isLive: true)
    #expect(dates.date(of: time(1_700_000_000)) == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(dates.line(of: time(1_700_000_001), source: "replay:a") == TimeLine(clock: "1970 replay:a", origin: 0))
  }

  @Test func aRecordingIsTiedToTheWallClockOnce() {
    var dates = dates(isLive: false)
    #expect(dates.date(of: time(5)) == after(0))
    pass(50, asleep: 1000, set: -3600)
    #expect(dates.date(of: time(7)) == after(2))
  }

  @Test func aSourceThatOnlyCallsItselfLiveIsTiedToo() {
    // A test's device on a virtual clock: its times are not those of this computer.
    var dates = dates(isLive: true)
    #expect(dates.date(of: time(100_000)) == after(0))
    #expect(!dates.followsSystemClock)
  }

  @Test func aSleepMovesTheSamplesAfterIt() {
    var dates = dates(isLive: true)
    #expect(dates.date(of: time(100)) == after(0) && dates.followsSystemClock)
    pass(1)
    let before = dates.line(of: time(101), source: "iio:")
    pass(1, asleep: 3600)
    #expect(dates.date(of: time(102)) == after(3602))
    // What was measured before the sleep and is read after it.
    #expect(dates.date(of: time(100)) == after(0))
    let later = dates.line(of: time(102), source: "iio:")
    #expect(later.clock == before.clock && later.asleep - before.asleep == 3_600_000_000)
    #expect(later.origin - before.origin == 3_600_000_000)
  }

  @Test func aClockThatIsSetMovesAllDates() {
    var dates = dates(isLive: true)
    let before = dates.line(of: time(100), source: "iio:")
    pass(1, set: -3600)
    #expect(dates.date(of: time(101)) == after(-3599) && dates.date(of: time(100)) == after(-3600))
    let later = dates.line(of: time(101), source: "iio:")
    #expect(later.clock == before.clock && later.asleep == before.asleep && later.origin < before.origin)
  }

  @Test func readingTheClocksOneAfterTheOtherIsNoStep() {
    var dates = dates(isLive: true)
    let line = dates.line(of: time(100), source: "iio:")
    clocks.withLock { ($0.boot, $0.wall) = ($0.boot + 20_000_000, $0.wall - 20_000_000) }
    #expect(dates.line(of: time(100), source: "iio:") == line)
  }

  @Test func theSystemsClocksAreRead() {
    let reading = SampleDates.Reading.now
    #expect(reading.boot >= reading.monotonic - 1_000_000)
    #expect(abs(Double(reading.wall) / 1e9 - Date().timeIntervalSince1970) < 5)
  }
}
