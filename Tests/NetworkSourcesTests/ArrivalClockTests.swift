// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats
import Testing

@testable import NetworkSources

/// A phone's stamps on our clock: exact distances, whatever the network does.
struct ArrivalClockTests {
  /// Noon of some day, ns of UTC: where the stamps of phone apps begin.
  private static let noon: Int64 = 1_790_000_000_000_000_000

  /// Arrivals every 100 ms, each late by what `delay` says (ms, by the message's number), on a computer whose clock
  /// shows another time and runs faster by `ppm`; `body` sees the clock after each.
  private static func run(
    seconds: Int64, ppm: Int64 = 0, delay: (Int64) -> Int64, _ body: (inout ArrivalClock, Int64, SensorInstant) -> Void
  ) -> ArrivalClock {
    var clock = ArrivalClock()
    for number in 0..<seconds * 10 {
      let measured = number * 100_000_000
      let arrival = SensorInstant(
        nanoseconds: 5_000_000_000 + measured + measured / 1_000_000 * ppm + delay(number) * 1_000_000)
      clock.observe(newest: noon + measured, at: arrival)
      body(&clock, noon + measured, arrival)
    }
    return clock
  }

  @Test func distancesAreThePhonesUnderJitterOf300Milliseconds() {
    var random = SeededRandom(seed: 7)
    var offsets: Set<Int64> = []
    let clock = Self.run(seconds: 600, delay: { _ in Int64.random(in: 0...300, using: &random) }) { clock, stamp, _ in
      guard clock.isSettled else { return }
      for age: Int64 in [0, 12_345_678, 99_999_999] {
        offsets.insert(clock.instant(of: stamp - age).nanoseconds - (stamp - age))
      }
    }
    #expect(offsets.count == 1)
    #expect(clock.leaps == 0 && clock.slews == 0)
    // The least delay of five messages, at most a tolerance above the least of all.
    let error = (offsets.first ?? 0) - (5_000_000_000 - Self.noon)
    #expect(error >= 0 && error <= ArrivalClock.tolerance.nanoseconds)
  }

  @Test func nothingIsGivenBeforeTheOffsetIsKnown() {
    var settledAt: Int64?
    _ = Self.run(seconds: 2, delay: { $0 == 0 ? 250 : 10 }) { clock, stamp, _ in
      if clock.isSettled, settledAt == nil {
        settledAt = (stamp - Self.noon) / 1_000_000
        // The first message was late; the line is that of the others.
        #expect(clock.instant(of: Self.noon).nanoseconds == 5_010_000_000)
      }
    }
    #expect(settledAt == 800)
  }

  @Test(arguments: [-50, 50] as [Int64])
  func quartzClocksThatDifferStayWithinTheToleranceAndTheSlope(ppm: Int64) {
    var last: (stamp: Int64, time: Int64)?
    var worst: Int64 = 0
    var steepest: Int64 = 0
    let clock = Self.run(seconds: 7200, ppm: ppm, delay: { _ in 5 }) { clock, stamp, arrival in
      guard clock.isSettled else { return }
      let time = clock.instant(of: stamp).nanoseconds
      worst = max(worst, abs(time - (arrival.nanoseconds - 5_000_000)))
      if let last { steepest = max(steepest, abs(time - last.time - (stamp - last.stamp))) }
      last = (stamp, time)
    }
    // Over 100 ms the slope gives 20 µs.
    #expect(steepest <= 20_000)
    #expect(worst <= ArrivalClock.tolerance.nanoseconds + 10_000_000)
    #expect(clock.slews > 0 && clock.leaps == 0)
  }

  @Test func anOutageChangesNothing() {
    var clock = ArrivalClock()
    for number in 0..<100 as Range<Int64> where !(40..<90).contains(number) {
      clock.observe(
        newest: Self.noon + number * 100_000_000,
        at: SensorInstant(nanoseconds: number * 100_000_000 + (number == 90 ? 2_000_000_000 : 20_000_000)))
    }
    #expect(clock.instant(of: Self.noon).nanoseconds == 20_000_000)
    #expect(clock.leaps == 0 && clock.slews == 0)
  }

  @Test func aClockThatWasSetBeginsAgain() {
    var clock = ArrivalClock()
    for number in 0..<200 as Range<Int64> {
      // The phone's clock is set an hour back after ten seconds.
      let stamp = Self.noon + number * 100_000_000 - (number < 100 ? 0 : 3_600_000_000_000)
      clock.observe(newest: stamp, at: SensorInstant(nanoseconds: number * 100_000_000))
    }
    #expect(clock.leaps == 1)
    #expect(clock.instant(of: Self.noon - 3_600_000_000_000).nanoseconds == 0)
  }

  /// What is dropped counts only when it is the most, and has been for a second.
  @Test func theMajorityOfASecondWins() {
    func restarts(_ refusals: (Int64) -> Bool) -> Int {
      var contest = Contest()
      return (0..<100 as Range<Int64>).count { number in
        guard refusals(number) else {
          contest.keep(60)
          return false
        }
        return contest.drop(60, at: SensorInstant(nanoseconds: number * 100_000_000))
      }
    }
    #expect(restarts { $0 == 50 } == 0)
    #expect(restarts { $0 % 3 == 0 } == 0 && restarts { $0 % 2 == 0 } == 0)
    #expect(restarts { (40..<45).contains($0) } == 0)
    #expect(restarts { (40..<55).contains($0) } == 1)
    // However rarely a phone sends.
    #expect(restarts { $0 % 50 == 0 } == 0 && restarts { _ in true } > 1)
  }
}
