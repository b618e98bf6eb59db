// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionServices

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

/// Section 4 of the batched-sensors page: device motion at 200 Hz without aliases.
@Suite struct MotionDecimatorTests {
  /// A state of motion that turns and shakes by `wave`, at sample `index` of an 800 Hz source.
  private static func motion(_ index: Int, wave: Double, run: Int = 1) -> DeviceMotion {
    let time = SensorInstant(nanoseconds: Int64(index) * 1_250_000)
    let solution = DeviceMotion.Solution(
      attitude: Rotation(rotationVector: Vector3<Device>(x: 0, y: 0, z: 0.001 * Double(index))),
      angularVelocity: Vector3(x: wave, y: 0, z: 0.8), hasHeading: false, inclinationStandardDeviation: 0.01,
      headingStandardDeviation: 1)
    return DeviceMotion(
      time: time, accelerometer: AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: wave, z: 9.80665)),
      sixAxis: solution, nineAxis: nil, field: nil, isAtRest: false, run: run)
  }

  private static func decimated(_ motions: [DeviceMotion]) -> [DeviceMotion] {
    var decimator = MotionDecimator(rate: 800)
    var result: [DeviceMotion] = []
    for motion in motions { decimator.update(motion) { result.append($0) } }
    decimator.finish { result.append($0) }
    return result
  }

  @Test(arguments: [
    (100.0, 1), (200, 1), (208, 1), (220, 1), (400, 2), (416, 2), (500, 3), (800, 4), (801.92, 4), (833, 4), (1000, 5),
    (1600, 8),
  ])
  func theRateComesDownToTwoHundredAtMost(_ rate: Double, _ factor: Int) {
    #expect(MotionDecimator.factor(for: rate) == factor)
    #expect(rate / Double(factor) <= 220)
  }

  @Test func anUnknownRatePasses() {
    #expect(MotionDecimator.factor(for: nil) == 1 && MotionDecimator.factor(for: .nan) == 1)
    #expect(MotionDecimator.factor(for: 0) == 1)
  }

  /// The table of the page: −0.66 dB at 70 Hz, −23 dB at 100 Hz, −73 dB from 120 Hz on.
  @Test func theResponseIsThePages() {
    #expect(abs(Self.decibels(at: 0)) < 1e-9 && abs(Self.decibels(at: 70) + 0.66) < 0.05)
    #expect(abs(Self.decibels(at: 100) + 23) < 0.5)
    #expect((120...400).allSatisfy { Self.decibels(at: Double($0)) < -73 })
  }

  /// The filter's response at a frequency in Hz, for 800 → 200 Hz.
  private static func decibels(at frequency: Double) -> Double {
    let taps = MotionDecimator.kernel(factor: 4)
    let sum = taps.indices.reduce(0.0) { sum, index in
      sum + (index == 0 ? 1 : 2) * taps[index] * Scalar.cos(2 * .pi * frequency / 800 * Double(index))
    }
    return 20 * Scalar.log(abs(sum)) / Scalar.log(10)
  }

  /// One state for four, no delay in its data: time and attitude are those of a sample that came in.
  @Test func everyFourthStateComesOutWithItsOwnTimeAndAttitude() {
    let motions = (0..<8000).map { Self.motion($0, wave: 0) }
    let result = Self.decimated(motions)
    #expect(result.count == 2000)
    #expect(result.indices.allSatisfy { result[$0].time == motions[4 * $0].time })
    #expect(result.indices.allSatisfy { result[$0].sixAxis?.attitude == motions[4 * $0].sixAxis?.attitude })
    // A constant stays one, at both ends too.
    #expect(
      result.allSatisfy {
        abs(($0.sixAxis?.angularVelocity.z ?? 0) - 0.8) < 1e-12
          && abs($0.accelerometer.specificForce.z - 9.80665) < 1e-11
      })
  }

  /// 150 Hz would fold to 50 Hz, and is gone; 20 Hz passes.
  @Test(arguments: [(20.0, 0.99, 1.01), (150, 0, 0.001)])
  func fastShakingDoesNotFold(_ frequency: Double, _ least: Double, _ most: Double) {
    let motions = (0..<8000).map {
      Self.motion($0, wave: Scalar.sin(2 * .pi * frequency * Double($0) / 800 + 0.4))
    }
    let inner = Self.decimated(motions).dropFirst(20).dropLast(20)
    let rate = inner.map { abs($0.sixAxis?.angularVelocity.x ?? 9) }.max() ?? 9
    let force = inner.map { abs($0.accelerometer.specificForce.y) }.max() ?? 9
    #expect((least...most).contains(rate) && (least...most).contains(force))
  }

  /// The grid of outputs contains the whole seconds wherever the stream begins.
  @Test(arguments: 0..<4) func theGridContainsTheWholeSeconds(_ start: Int) {
    let result = Self.decimated((start + 400..<2400).map { Self.motion($0, wave: 0) })
    #expect(result.contains { $0.time.nanoseconds == 1_000_000_000 })
    #expect(result.contains { $0.time.nanoseconds == 2_000_000_000 })
  }

  /// Before a gap of more than five samples and before another run the stream ends; behind it begins another.
  @Test func longGapsAndNewRunsDivideTheStream() {
    let shaken = (0..<400).map { Self.motion($0, wave: 1) }
    let still = (440..<840).map { Self.motion($0, wave: 0) }
    let result = Self.decimated(shaken + still)
    #expect(result.count == 200)
    #expect(result.prefix(100).allSatisfy { abs(($0.sixAxis?.angularVelocity.x ?? 0) - 1) < 1e-12 })
    #expect(result.suffix(100).allSatisfy { $0.sixAxis?.angularVelocity.x == 0 })
    let next = (400..<800).map { Self.motion($0, wave: 0, run: 2) }
    #expect(Self.decimated(shaken + next).suffix(100).allSatisfy { $0.sixAxis?.angularVelocity.x == 0 })
  }

  /// Arrival is 32 samples later than the data, at 800 Hz.
  @Test func aStateComesFortyMillisecondsLate() {
    var decimator = MotionDecimator(rate: 800)
    var outputs: [SensorInstant] = []
    for index in 0...36 { decimator.update(Self.motion(index, wave: 0)) { outputs.append($0.time) } }
    #expect(outputs.map(\.nanoseconds) == [0, 5_000_000])
  }
}

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
