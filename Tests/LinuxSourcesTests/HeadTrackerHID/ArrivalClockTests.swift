// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import HeadphoneSources

/// Times for reports that have none.
@Suite struct ArrivalClockTests {
  private let period = SensorDuration.milliseconds(20)

  /// ms between the instants and the measurements, after the first hundred.
  private func errors(_ delays: [Int64], drift: Double = 1) -> [Double] {
    var clock = ArrivalClock(period: period)
    return delays.enumerated().map { index, delay in
      let measured = Int64(Double(index) * 20e6 * drift)
      return Double(clock.instant(arrival: SensorInstant(nanoseconds: measured + delay)).nanoseconds - measured) / 1e6
    }.dropFirst(100).map { $0 }
  }

  @Test func jitterIsTakenOut() {
    var random = SeededRandom(seed: 4)
    let delays = (0..<1000).map { _ in Int64.random(in: 3_000_000...13_000_000, using: &random) }
    let found = errors(delays)
    // The least delay cannot be seen; what is left of ten is about two.
    #expect(found.allSatisfy { $0 > 2.5 && $0 < 6 })
  }

  /// Three at a time: 0, 0, 60 ms.
  @Test func burstsAreSpreadEvenly() {
    let found = errors((0..<600).map { Int64(2 - $0 % 3) * 20_000_000 })
    #expect(found.allSatisfy { abs($0) < 6 })
  }

  @Test func aDeviceThatRunsFastOrSlowIsFollowed() {
    for drift in [0.97, 1.03] {
      #expect(errors([Int64](repeating: 5_000_000, count: 500), drift: drift).allSatisfy { abs($0 - 5) < 10 })
    }
  }

  /// What the descriptor of a broken device may give: 9.2e9 s, or nothing.
  @Test(arguments: [SensorDuration(nanoseconds: .max), .zero]) func noPeriodOfADeviceStopsTheClock(
    period: SensorDuration
  ) {
    var clock = ArrivalClock(period: period)
    var last = SensorInstant(nanoseconds: .min)
    for index: Int64 in 0..<200 {
      let time = clock.instant(arrival: SensorInstant(nanoseconds: 1_000_000_000_000 + index * 20_000_000))
      #expect(time > last)
      last = time
    }
    // It has found the true period by then.
    #expect(abs(last.nanoseconds - 1_000_000_000_000 - 199 * 20_000_000) < 40_000_000)
  }

  @Test func timesAscendAcrossAPauseAndALoss() {
    var clock = ArrivalClock(period: period)
    var last = SensorInstant(nanoseconds: .min)
    for arrival: Int64 in [0, 20, 20, 20, 25, 100, 2000, 2020, 2020, 2500, 2501] {
      let time = clock.instant(arrival: SensorInstant(nanoseconds: arrival * 1_000_000))
      #expect(time > last)
      last = time
    }
    #expect(clock.anchorings == 2)
  }
}
