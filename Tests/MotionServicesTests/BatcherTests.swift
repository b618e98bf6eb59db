// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionServices
import Testing

/// S77 and BATCH-6: where batches are cut, and that nothing is lost or repeated.
@Suite struct BatcherTests {
  /// The batches of a stream of times in nanoseconds.
  private static func batches(_ times: some Sequence<Int64>, group: Int = 1) -> [[Int64]] {
    var batcher = Batcher<Int64>(group: group)
    var batches = times.compactMap { batcher.push($0, at: SensorInstant(nanoseconds: $0)) }
    if let last = batcher.finish() { batches.append(last) }
    return batches
  }

  private static func grid(rate: Double, count: Int, from start: Double = 0) -> [Int64] {
    (0..<count).map { Int64(((start + Double($0) / rate) * 1e9).rounded()) }
  }

  @Test func aBatchEndsBeforeTheFirstSampleOfTheNextSecond() {
    let times = Self.grid(rate: 100, count: 350, from: 4.4)
    let batches = Self.batches(times)
    // The first is partial; 7.89 s is the last sample.
    #expect(batches.map(\.count) == [60, 100, 100, 90])
    #expect(batches.map(\.first) == [4_400_000_000, 5_000_000_000, 6_000_000_000, 7_000_000_000])
    #expect(batches.flatMap(\.self) == times)
  }

  /// Ten minutes at 800 and 200 Hz: nothing lost or repeated, and both streams are cut at the same samples.
  @Test func tenMinutesLoseNothingAndBothStreamsShareTheirBorders() {
    let fast = Self.grid(rate: 800, count: 480_000)
    let slow = Self.grid(rate: 200, count: 120_000)
    let (fastBatches, slowBatches) = (Self.batches(fast, group: 4), Self.batches(slow))
    #expect(fastBatches.flatMap(\.self) == fast && slowBatches.flatMap(\.self) == slow)
    #expect(fastBatches.count == 600 && slowBatches.count == 600)
    #expect(fastBatches.allSatisfy { $0.count == 800 } && slowBatches.allSatisfy { $0.count == 200 })
    for (fast, slow) in zip(fastBatches, slowBatches) {
      #expect(slow.indices.allSatisfy { slow[$0] == fast[4 * $0] })
    }
  }

  /// The real watch: four samples stamped from a 200.44 Hz clock at 1.232, 1.252, 1.252, 1.252 ms.
  @Test func groupsOfFourAreNotSplit() {
    var time: Int64 = 2_508_000_000
    var times: [Int64] = []
    for index in 0..<16_000 {
      times.append(time)
      time += index % 4 == 3 ? 1_232_000 : 1_252_000
    }
    let batches = Self.batches(times, group: 4)
    #expect(batches.flatMap(\.self) == times)
    let inner = batches.dropFirst().dropLast()
    #expect(Set(inner.map(\.count)) == [800, 804])
    for (batch, next) in zip(batches.dropFirst(), batches.dropFirst(2)) {
      // The cut comes less than a group's length behind the second.
      #expect(next[0] % 1_000_000_000 < 4_988_000)
      #expect(next[0] - batch[batch.count - 1] <= 1_252_000)
    }
  }

  /// Jitter stays visible, and cannot move a border by more than a sample.
  @Test func timesAreKeptAsTheyCame() {
    var state: UInt64 = 7
    let times = (0..<4000).map { index -> Int64 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(index) * 5_000_000 + Int64(state >> 33) % 2_000_000
    }
    let batches = Self.batches(times)
    #expect(batches.flatMap(\.self) == times && batches.count == 20)
    #expect(batches.allSatisfy { ($0[0] / 1_000_000_000) == ($0[$0.count - 1] / 1_000_000_000) })
  }

  @Test func missingSamplesAreCountedAndMoveNoBorder() {
    var times = Self.grid(rate: 800, count: 4000)
    times.removeSubrange(1000..<1003)
    times.removeSubrange(2700..<2701)
    var batcher = Batcher<Int64>(group: 4)
    let batches = times.compactMap { batcher.push($0, at: SensorInstant(nanoseconds: $0)) }
    #expect(batcher.gaps == 2)
    #expect(batches.map(\.count) == [800, 797, 800, 799])
    #expect(batches.allSatisfy { $0[0] % 1_000_000_000 == 0 })
  }

  @Test func aLongGapEndsTheBatchAndTheNextBeginsBehindIt() {
    let times = Self.grid(rate: 100, count: 150) + Self.grid(rate: 100, count: 150, from: 5.5)
    let batches = Self.batches(times)
    #expect(batches.map(\.count) == [100, 50, 50, 100])
    #expect(batches.flatMap(\.self) == times)
  }

  /// A silent sensor's batch is cut within 1.5 s of its border, as soon as the time is reported; a late sample opens
  /// the next batch and is not lost.
  @Test func aSilentSensorHoldsItsBatchForASecondAtMost() {
    var batcher = Batcher<Int64>()
    for time in Self.grid(rate: 100, count: 50) {
      #expect(batcher.push(time, at: SensorInstant(nanoseconds: time)) == nil)
    }
    #expect(batcher.advance(to: SensorInstant(nanoseconds: 1_900_000_000)) == nil)
    #expect(batcher.advance(to: SensorInstant(nanoseconds: 2_100_000_000))?.count == 50)
    #expect(batcher.advance(to: SensorInstant(nanoseconds: 3_500_000_000)) == nil && batcher.count == 0)
    #expect(batcher.push(1, at: SensorInstant(nanoseconds: 3_600_000_000)) == nil && batcher.gaps == 1)
    #expect(batcher.finish() == [1] && batcher.finish() == nil)
  }

  @Test func bordersHoldBeforeTimeZeroToo() {
    let times = (-15..<15).map { Int64($0) * 100_000_000 }
    #expect(Self.batches(times).map(\.count) == [5, 10, 10, 5])
  }

  /// A lasting change of rate is a few gaps at most, not one per sample.
  @Test func aSlowerRateIsLearnt() {
    var batcher = Batcher<Int64>()
    for time in Self.grid(rate: 800, count: 800) + Self.grid(rate: 100, count: 300, from: 1) {
      _ = batcher.push(time, at: SensorInstant(nanoseconds: time))
    }
    #expect((1...4).contains(batcher.gaps))
  }
}
