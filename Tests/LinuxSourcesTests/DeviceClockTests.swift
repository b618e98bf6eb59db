// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import LinuxSources

/// The time of a controller, and of a bud, on our clock (EV-6).
@Suite struct DeviceClockTests {
  private let origin = SensorInstant(nanoseconds: 900_000_000_000)

  private func instant(_ clock: inout DeviceClock, _ arrival: SensorInstant, _ device: UInt32?) -> SensorInstant? {
    clock.instant(of: device, arrival: arrival)
  }

  private func after(_ milliseconds: Double) -> SensorInstant {
    origin + SensorDuration(nanoseconds: Int64(milliseconds * 1e6))
  }

  @Test(arguments: [DeviceClock.Keeper.oscillator, .counting])
  func distancesAreTheControllersAcrossTheWrap(_ keeper: DeviceClock.Keeper) {
    var clock = DeviceClock(keeper: keeper)
    // 250 Hz, the 32 bits end after 2 ms; each frame arrives up to 3 ms late.
    var times: [SensorInstant] = []
    for index in 0..<200 {
      let late = [0.0, 1.5, 0.3, 3, 0.1][index % 5]
      let device = UInt32.max - 2000 &+ UInt32(index * 4000)
      times += [instant(&clock, after(Double(index) * 4 + late), device)].compactMap(\.self)
    }
    #expect(times.count == 200 && clock.anchorings == 0 && clock.repeats == 0)
    for (index, time) in times.enumerated() { #expect(time == after(Double(index) * 4)) }
  }

  /// hid-nintendo: three samples, 5 ms apart, arrive at one instant.
  @Test func threeSamplesOfOnePacketAreSpread() {
    var clock = DeviceClock(keeper: .counting)
    var times: [SensorInstant] = []
    for packet in 0..<40 {
      for sample in 0..<3 {
        let device = UInt32(packet * 15_000 + sample * 5000)
        times += [instant(&clock, after(Double(packet) * 15), device)].compactMap(\.self)
      }
    }
    #expect(times.count == 120)
    #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    // After the first packets the last of three is at its arrival, the others before it.
    for packet in 2..<40 {
      for sample in 0..<3 {
        #expect(times[packet * 3 + sample] == after(Double(packet) * 15 - Double(2 - sample) * 5))
      }
    }
    #expect(clock.anchorings == 0)
  }

  /// It says 8 ms where 8.33 ms have passed: 4 % slow; and the other way round.
  @Test(arguments: [8.0 / 8.333, 1.04]) func aClockThatRunsWrongIsFollowed(_ pace: Double) {
    var clock = DeviceClock(keeper: .counting)
    var last = after(-1)
    for index in 0..<3000 {
      let arrival = after(Double(index) * 4)
      guard let time = instant(&clock, arrival, UInt32(Double(index) * 4000 * pace)) else {
        Issue.record("frame \(index) was left out")
        return
      }
      #expect(time > last)
      #expect(abs((arrival - time).nanoseconds) < 12_000_000)
      last = time
    }
    #expect(clock.anchorings == 0)
  }

  @Test func aClockThatIsResetIsAnchoredAgain() {
    var clock = DeviceClock(keeper: .counting)
    for index in 0..<10 { _ = instant(&clock, after(Double(index) * 4), 50_000_000 + UInt32(index * 4000)) }
    let times = (10..<20).compactMap { instant(&clock, after(Double($0) * 4), UInt32(($0 - 10) * 4000)) }
    #expect(clock.anchorings == 1 && times == (10..<20).map { after(Double($0) * 4) })
  }

  /// A radio that stalls for 300 ms and then brings everything at once has not moved the controller's clock; nor has a
  /// computer that comes late for half of a second, all the time.
  @Test func lateFramesKeepTheirTimes() {
    var clock = DeviceClock(keeper: .oscillator)
    for index in 0..<500 {
      let measured = Double(index) * 4
      let stalled = (400..<700).contains(measured) ? 700 : measured
      let arrival = (1000..<1500).contains(measured) ? measured + 40 : stalled
      let time = instant(&clock, after(arrival), UInt32(index * 4000))
      #expect(abs(((time ?? origin) - after(measured)).nanoseconds) < 600_000)
    }
    #expect(clock.anchorings == 0)
  }

  /// 200 millionths slow, more than any oscillator: followed all the same.
  @Test func anOscillatorThatIsSlowIsFollowed() {
    var clock = DeviceClock(keeper: .oscillator)
    for index in 0..<25_000 {
      let arrival = after(Double(index) * 4)
      let time = instant(&clock, arrival, UInt32(Double(index) * 4000 * 0.9998))
      #expect(abs(((time ?? origin) - arrival).nanoseconds) < 200_000)
    }
    #expect(clock.anchorings == 0)
  }

  /// Half a second that the controller never counted (it slept): the origin moves, once.
  @Test func aLastingDifferenceIsCorrectedOnce() {
    var clock = DeviceClock(keeper: .counting)
    for index in 0..<1000 {
      let arrival = Double(index) * 4 + (index >= 500 ? 500 : 0)
      let time = instant(&clock, after(arrival), UInt32(index * 4000))
      if index > 800 { #expect(abs(((time ?? origin) - after(arrival)).nanoseconds) < 1_000_000) }
    }
    #expect(clock.anchorings == 1)
  }

  @Test func theSameTimeTwiceMeansThatNoTimeHasPassed() {
    var clock = DeviceClock(keeper: .counting)
    #expect(instant(&clock, after(0), 1000) == after(0))
    #expect(instant(&clock, after(1), 1000) == nil)
    #expect(instant(&clock, after(4), 5000) == after(4))
    #expect(clock.repeats == 1 && clock.anchorings == 0)
  }

  /// A copy of a controller whose clock stands still is read by the kernel's times.
  @Test func aClockThatStandsStillIsNotUsed() {
    var clock = DeviceClock(keeper: .counting)
    let times = (0..<50).compactMap { instant(&clock, after(Double($0) * 4), 0) }
    #expect(times.count >= 48 && times.last == after(196))
  }

  @Test func withoutAControllersTimeTheKernelsCountsAndAscends() {
    var clock = DeviceClock(keeper: .counting)
    let times = [0, 4, 4, 8].compactMap { instant(&clock, after($0), nil) }
    #expect(times == [after(0), after(4), after(4) + SensorDuration(nanoseconds: 1), after(8)])
  }

  // A bud: 64 bits, no wrap, bursts of a radio link.

  @Test func reportsOfABurstKeepTheBudsDistances() {
    var clock = DeviceClock(keeper: .bud)
    // Five reports arrive together, up to 80 ms late.
    let times = (0..<500).map { index in
      clock.instant(of: 7_000_000_000 + UInt64(index) * 20_000, arrival: after(Double(index / 5) * 100 + 80))
    }
    #expect(times.allSatisfy { $0 != nil } && clock.anchorings == 1)
    let known = times.compactMap(\.self).suffix(400)
    #expect(zip(known, known.dropFirst()).allSatisfy { abs(($1 - $0).nanoseconds - 20_000_000) < 50_000 })
  }

  @Test func aReportThatIsNotNewerIsDropped() {
    var clock = DeviceClock(keeper: .bud)
    _ = clock.instant(of: UInt64(1_000_000), arrival: after(0))
    #expect(clock.instant(of: UInt64(1_000_000), arrival: after(20)) == nil)
    #expect(clock.instant(of: UInt64(980_000), arrival: after(20)) == nil)
    #expect(clock.anchorings == 1)
  }

  /// Any 64 bits, also those whose difference is the smallest number of all.
  @Test func anotherBudOrAnImpossibleStepIsAnchoredAtItsArrival() {
    var clock = DeviceClock(keeper: .bud)
    _ = clock.instant(of: UInt64(0), arrival: after(0))
    #expect(clock.instant(of: UInt64(1) << 63, arrival: after(20)) == after(20))
    #expect(clock.instant(of: UInt64(1) << 63 + 20_000, arrival: after(40)) == after(40))
    clock.restart()
    #expect(clock.instant(of: UInt64(5), arrival: after(60)) == after(60))
    #expect(clock.anchorings == 3)
  }
}

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
