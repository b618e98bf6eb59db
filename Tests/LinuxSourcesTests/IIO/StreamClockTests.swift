// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import LinuxSources

/// What becomes of a driver's time stamps (R-time).
@Suite struct StreamClockTests {
  private let ms: Int64 = 1_000_000
  private func at(_ milliseconds: Int64) -> SensorInstant { SensorInstant(nanoseconds: milliseconds * ms) }
  private func times(_ instants: [SensorInstant?]) -> [Int64?] { instants.map { $0.map { $0.nanoseconds / ms } } }

  @Test func goodStampsAreTakenAsTheyAre() {
    var clock = StreamClock(period: .milliseconds(10))
    #expect(
      clock.instants(of: [5001 * ms, 5011 * ms + 7], count: 2, arrival: at(5012)).map { $0?.nanoseconds } == [
        5001 * ms, 5011 * ms + 7,
      ])
    // Read three seconds late: old, and still right.
    #expect(times(clock.instants(of: [5021 * ms, 5031 * ms], count: 2, arrival: at(8040))) == [5021, 5031])
    #expect(clock.mode == .own && clock.anchorings == 0 && clock.gaps == 0)
  }

  @Test func theClockOfADeviceIsAnchoredToOurs() {
    var clock = StreamClock(period: .milliseconds(10))
    #expect(times(clock.instants(of: [100 * ms], count: 1, arrival: at(9000))) == [9000])
    #expect(times(clock.instants(of: [110 * ms], count: 1, arrival: at(9013))) == [9010])
    #expect(clock.anchorings == 0)
    // It runs 60 ms behind in the end: anchored again, once, and time goes on.
    var last: Int64 = 9010
    for step in 1...6 {
      let time = times(
        clock.instants(of: [(110 + Int64(step) * 10) * ms], count: 1, arrival: at(9075 + Int64(step) * 10)))[0]
      #expect((time ?? 0) > last)
      last = time ?? last
    }
    #expect(clock.anchorings == 1 && last == 9135)
  }

  @Test func aDeviceThatIsResetIsAnchoredAtOnce() {
    var clock = StreamClock(period: .milliseconds(10))
    _ = clock.instants(of: [70_000 * ms], count: 1, arrival: at(9000))
    #expect(times(clock.instants(of: [5 * ms], count: 1, arrival: at(9020))) == [9020])
    #expect(clock.anchorings == 1)
  }

  @Test func samplesThatShareAStampAreSpreadEvenlyUpToIt() {
    var clock = StreamClock(period: .milliseconds(10))
    #expect(
      times(clock.instants(of: [5000, 5000, 5000, 5000].map { $0 * ms }, count: 4, arrival: at(5001))) == [
        4970, 4980, 4990, 5000,
      ])
    // The interrupt came after 44 ms: the chip's own pace is 11.
    #expect(
      times(clock.instants(of: [5044, 5044, 5044, 5044].map { $0 * ms }, count: 4, arrival: at(5045))) == [
        5011, 5022, 5033, 5044,
      ])
    // Something is missing: the nominal pace, and the gap stays visible.
    #expect(times(clock.instants(of: [6044, 6044].map { $0 * ms }, count: 2, arrival: at(6045))) == [6034, 6044])
    #expect(clock.gaps == 1)
  }

  @Test func frozenStampsGiveWayToTheTimeOfArrival() {
    var clock = StreamClock(period: .milliseconds(20))
    var seen: [Int64] = []
    for step in 0..<5 {
      seen += times(clock.instants(of: [777 * ms], count: 1, arrival: at(5000 + 20 * Int64(step)))).compactMap(\.self)
    }
    #expect(seen == [5000, 5020, 5040, 5060, 5080] && clock.mode == .arrival)
  }

  @Test func withoutStampsABatchIsSpreadBackFromItsArrival() {
    var clock = StreamClock(period: .milliseconds(20))
    #expect(times(clock.instants(of: nil, count: 3, arrival: at(5000))) == [4960, 4980, 5000])
    #expect(times(clock.instants(of: nil, count: 2, arrival: at(5041))) == [5020, 5041])
  }

  @Test func aStampThatGoesBackIsDroppedAndCounted() {
    var clock = StreamClock(period: .milliseconds(10))
    #expect(
      times(clock.instants(of: [5000, 5010, 5005, 5020].map { $0 * ms }, count: 4, arrival: at(5021))) == [
        5000, 5010, nil, 5020,
      ])
    #expect(clock.backwards == 1)
  }

  @Test func timeNeverStandsStill() {
    var clock = StreamClock(period: .milliseconds(10))
    var last = SensorInstant(nanoseconds: 0)
    for _ in 0..<20 {
      for time in clock.instants(of: nil, count: 5, arrival: at(5000)).compactMap(\.self) {
        #expect(time > last)
        last = time
      }
    }
  }

  // MARK: Anchoring again

  /// One second ahead of now is not believed; a little less is, and so is any age.
  @Test func ourOwnClockIsGivenUpOnlyForStampsOfTheFuture() {
    var clock = StreamClock(period: .milliseconds(10))
    _ = clock.instants(of: [5000 * ms], count: 1, arrival: at(5001))
    #expect(times(clock.instants(of: [5900 * ms], count: 1, arrival: at(5011))) == [5900])
    #expect(clock.mode == .own && clock.anchorings == 0)
    #expect(times(clock.instants(of: [7021 * ms], count: 1, arrival: at(6020))) == [6020])
    #expect(clock.mode == .foreign(offset: .milliseconds(-1001)) && clock.anchorings == 1)
    #expect(times(clock.instants(of: [7031 * ms], count: 1, arrival: at(6030))) == [6030])
    #expect(clock.anchorings == 1)
  }

  @Test func ourOwnClockThatIsResetIsAnchoredAtItsArrival() {
    var clock = StreamClock(period: .milliseconds(10))
    _ = clock.instants(of: [5000 * ms], count: 1, arrival: at(5001))
    // Ten periods back is still a stamp that went back; more is a reset.
    #expect(clock.instants(of: [4900 * ms], count: 1, arrival: at(5011)) == [nil])
    #expect(clock.mode == .own && clock.anchorings == 0 && clock.backwards == 1)
    #expect(times(clock.instants(of: [4700 * ms], count: 1, arrival: at(5021))) == [5021])
    #expect(clock.mode == .foreign(offset: .milliseconds(321)) && clock.anchorings == 1)
  }

  /// Batches that were read late show a drift that is none: three in a row are believed, two are not.
  @Test func aForeignClockIsAnchoredAfterThreeBatchesInARow() {
    var clock = StreamClock(period: .milliseconds(10))
    var stamp: Int64 = 100
    func deliver(late: Int64) -> Int64? {
      stamp += 10
      return times(clock.instants(of: [stamp * ms], count: 1, arrival: at(8900 + stamp + late)))[0]
    }
    _ = deliver(late: 0)
    for _ in 0..<5 {
      for late: Int64 in [60, 60, 0] { #expect(deliver(late: late) == 8900 + stamp) }
    }
    // Exactly the limit is not beyond it.
    for _ in 0..<5 { #expect(deliver(late: 50) == 8900 + stamp) }
    #expect(clock.anchorings == 0)
    for expected in [0, 0, 1] {
      let time = deliver(late: 60)
      #expect(clock.anchorings == expected && time == 8900 + stamp + (expected > 0 ? 60 : 0))
    }
    // At once the next drift: it is counted from zero.
    for expected in [1, 1, 2, 2] {
      _ = deliver(late: 120)
      #expect(clock.anchorings == expected)
    }
    #expect(clock.mode == .foreign(offset: .milliseconds(9020)))
  }

  /// The record that set the offset had a delay; faster ones take it away by a 64th of a period each.
  @Test func aForeignClocksOffsetFallsSlowly() {
    var clock = StreamClock(period: .milliseconds(10))
    _ = clock.instants(of: [100 * ms], count: 1, arrival: at(9005))
    #expect(
      clock.instants(of: [110 * ms], count: 1, arrival: at(9010)).map { $0?.nanoseconds } == [9015 * ms - 156_250])
    #expect(clock.anchorings == 0)
    for step in 2..<60 {
      _ = clock.instants(of: [(100 + 10 * Int64(step)) * ms], count: 1, arrival: at(9000 + 10 * Int64(step)))
    }
    #expect(clock.mode == .foreign(offset: .milliseconds(8900)) && clock.anchorings == 0)
  }

  @Test func stampsThatMoveAgainAreUsedAgain() {
    var clock = StreamClock(period: .milliseconds(20))
    for step in 0..<4 { _ = clock.instants(of: [777 * ms], count: 1, arrival: at(5000 + 20 * Int64(step))) }
    #expect(clock.mode == .arrival)
    #expect(times(clock.instants(of: [5075 * ms], count: 1, arrival: at(5080))) == [5075])
    #expect(clock.mode == .own)
  }
}

extension StreamClock {
  fileprivate mutating func instants(of stamps: [Int64]?, count: Int, arrival: SensorInstant) -> [SensorInstant?] {
    var instants: [SensorInstant?] = []
    append(to: &instants, stamps: stamps ?? [], count: count, arrival: arrival)
    return instants
  }
}
