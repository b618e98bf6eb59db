// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionRecording

/// What `info` finds in a recording.
@Suite struct RecordingQualityTests {
  private static func gyroscope(_ nanoseconds: Int64, _ rate: Double = 0.001) -> SensorSample {
    .gyroscope(
      GyroscopeSample(
        time: SensorInstant(nanoseconds: nanoseconds), angularVelocity: Vector3(x: rate, y: 0, z: 0)))
  }

  private static func accelerometer(_ nanoseconds: Int64, _ force: Double = standardGravity) -> SensorSample {
    .accelerometer(
      AccelerometerSample(
        time: SensorInstant(nanoseconds: nanoseconds), specificForce: Vector3(x: 0, y: 0, z: force)))
  }

  private static func quality(_ samples: [SensorSample]) -> RecordingQuality {
    var quality = RecordingQuality()
    for sample in samples { quality.update(sample) }
    return quality
  }

  @Test func aRegularStreamHasExactlyItsIntervalAndNoFault() throws {
    let samples = (0..<1000).flatMap { [Self.accelerometer($0 * 10_000_000), Self.gyroscope($0 * 10_000_000)] }
    let quality = Self.quality(samples)
    let stream = try #require(quality.streams.last)
    #expect(stream.kind == .gyroscope)
    #expect(stream.samples == 1000)
    #expect(stream.rate == 100)
    #expect(stream.shortInterval == .milliseconds(10) && stream.longInterval == .milliseconds(10))
    #expect(stream.gaps == 0 && stream.clockJumps == 0 && stream.repeats == 0 && stream.outOfOrder == 0)
    #expect(quality.restShare == 1)
    #expect(abs((quality.gravityAtRest ?? 0) - standardGravity) < 1e-9)
    #expect(RecordingVerdict(quality).grade == .good)
    #expect(RecordingVerdict(quality).reasons.isEmpty)
  }

  @Test(arguments: [(100, 1.5, true), (2, 0.3, true), (2, 1.5, false), (0.5, 0.3, false)])
  func aGyroscopeIsTooSlowWhereTheDeviceTurnsFarBetweenTwoReadings(rate: Double, turn: Double, isGood: Bool) {
    let samples = (0..<200).flatMap { index in
      let time = Int64(Double(index) * 1e9 / rate)
      return [Self.accelerometer(time), Self.gyroscope(time, index % 2 == 0 ? turn : -turn)]
    }
    let verdict = RecordingVerdict(Self.quality(samples))
    #expect(verdict.grade == (isGood ? .good : .poor))
    #expect(verdict.description.contains("between two readings of the gyroscope the device turns by") != isGood)
  }

  @Test func aGapIsFoundWhereItIs() throws {
    let times = (0..<500).map { Int64($0) * 10_000_000 } + (0..<500).map { 5_200_000_000 + Int64($0) * 10_000_000 }
    let quality = Self.quality(times.map { Self.gyroscope($0) })
    let stream = try #require(quality.streams.first)
    #expect(stream.gaps == 1)
    #expect(stream.longestGap?.start == SensorInstant(nanoseconds: 4_990_000_000))
    #expect(stream.longestGap?.duration == .milliseconds(210))
    #expect(stream.rate == 100)
    let verdict = RecordingVerdict(quality)
    #expect(verdict.grade == .usable)
    #expect(verdict.description.contains("the gyroscope pauses once, 0.21 s in total"))
  }

  @Test func aClockThatIsSetIsAJumpAndNoGap() throws {
    let back = Self.quality(
      ([0, 1, 2, 3].map { 10_000_000_000 + $0 * 10_000_000 } + [0, 1, 2].map { $0 * 10_000_000 }).map {
        Self.gyroscope($0)
      })
    let stream = try #require(back.streams.first)
    #expect(stream.clockJumps == 1 && stream.outOfOrder == 0 && stream.gaps == 0)
    #expect(stream.firstClockJump?.duration == SensorDuration(nanoseconds: -10_030_000_000))
    #expect(RecordingVerdict(back).grade == .poor)
    let ahead = Self.quality([0, 10_000_000, 8_000_000_000_000, 8_000_010_000_000].map { Self.gyroscope($0) })
    #expect(ahead.streams.first?.clockJumps == 1)
    #expect(ahead.streams.first?.gaps == 0)
  }

  @Test func repeatedAndLateSamplesAreCounted() throws {
    let quality = Self.quality([0, 10, 10, 20, 15, 30].map { Self.gyroscope($0 * 1_000_000) })
    let stream = try #require(quality.streams.first)
    #expect(stream.repeats == 1)
    #expect(stream.outOfOrder == 1)
    #expect(stream.samples == 6)
  }

  @Test func quantilesAreThoseOfTheSortedIntervalsToOneInAThousand() {
    var distribution = IntervalDistribution()
    var state: UInt64 = 7
    var intervals: [Int64] = []
    for _ in 0..<20_000 {
      state = state &* 6_364_136_223_846_793_005 &+ 1
      // From microseconds to minutes.
      intervals.append(Int64(1000 * (Double(state >> 40) / Double(1 << 24) * 18).exponential))
    }
    for interval in intervals { distribution.add(SensorDuration(nanoseconds: interval)) }
    let sorted = intervals.sorted()
    let shares = [0.05, 0.5, 0.95]
    for (share, found) in zip(shares, distribution.quantiles(shares)) {
      let exact = Double(sorted[Int(share * 20_000)])
      #expect(abs(Double(found.nanoseconds) / exact - 1) < 2e-3)
    }
  }

  /// A converter at its stop repeats itself to the last bit; a peak does not.
  @Test func aSensorAtItsStopIsSaturated() throws {
    let stop = 4 * standardGravity
    let clipped = (0..<100).map { Self.accelerometer($0 * 10_000_000, min(stop, Double($0))) }
    let stream = try #require(Self.quality(clipped).streams.first)
    #expect(stream.range == stop)
    #expect(stream.saturated == 60)
    let peak = (0..<100).map { Self.accelerometer($0 * 10_000_000, Double($0)) }
    #expect(Self.quality(peak).streams.first?.saturated == 0)
    var declared = RecordingQuality(channels: [.init(kind: .accelerometer, range: 50)])
    for sample in peak { declared.update(sample) }
    #expect(declared.streams.first?.saturated == 50)
  }

  /// Swings of the hand about y, up to 300 °/s, every 5 or 1 ms.
  private static func swings(
    _ milliseconds: Int64, limit: Double = .infinity, noise: Double = 0
  ) -> [(time: Int64, rate: Double)] {
    var random = SeededRandom(seed: 4)
    return (0..<20_000 / milliseconds).map { index in
      let time = Double(index * milliseconds) / 1000
      let rate = Angle(degrees: 300).radians * Scalar.sin(4 * time) * Scalar.sin(0.3 * time)
      return (
        index * milliseconds * 1_000_000, max(-limit, min(limit, rate)) + noise * .random(in: -1...1, using: &random)
      )
    }
  }

  private static func clippings(_ readings: [(time: Int64, rate: Double)]) -> [Clipping] {
    var quality = RecordingQuality()
    for (time, rate) in readings {
      quality.update(
        .gyroscope(
          GyroscopeSample(time: SensorInstant(nanoseconds: time), angularVelocity: Vector3(x: 0.1, y: rate, z: 0))))
    }
    return quality.streams.first?.clippings ?? []
  }

  @Test(arguments: [5, 1] as [Int64]) func flatTopsAreFoundWithAxisValueAndTime(_ milliseconds: Int64) throws {
    let limit = Angle(degrees: 245).radians
    let clipped = Self.swings(milliseconds, limit: limit)
    let found = Self.clippings(clipped)
    let clipping = try #require(found.first)
    #expect(found.count == 1 && clipping.axis == "y" && clipping.limit == limit)
    // The readings on the way to the top may be near enough to count, and the shortest tops are left out.
    let exact = clipped.filter { abs($0.rate) == limit }
    #expect(abs(Double(clipping.samples) / Double(exact.count) - 1) < 0.1)
    #expect(abs(clipping.first.seconds - Double(try #require(exact.first).time) * 1e-9) < 0.01)
    // What a calibration mixes in moves the top a little.
    let mixed = clipped.map { (time: $0.time, rate: $0.rate * (1 + 2e-4 * Scalar.sin(Double($0.time) * 1e-7))) }
    #expect(Self.clippings(mixed).first.map { abs($0.limit / limit - 1) < 1e-3 } == true)
  }

  /// The top of a smooth curve is flat, and so is a steady turn; neither is the end of a range.
  @Test(arguments: [5, 1] as [Int64]) func aSmoothMaximumAndASteadyTurnAreNoFlatTops(_ milliseconds: Int64) {
    #expect(Self.clippings(Self.swings(milliseconds)).isEmpty)
    #expect(Self.clippings(Self.swings(milliseconds, noise: 0.002)).isEmpty)
    // In steps of a converter of 16 bit for 2000 °/s.
    let step = Angle(degrees: 0.061).radians
    #expect(Self.clippings(Self.swings(milliseconds).map { ($0.time, ($0.rate / step).rounded() * step) }).isEmpty)
    var random = SeededRandom(seed: 9)
    let turntable = (0..<20_000 / milliseconds).map { index -> (time: Int64, rate: Double) in
      let time = Double(index * milliseconds) / 1000
      return (
        index * milliseconds * 1_000_000, max(0, min(3, time, 20 - time)) + 5e-4 * .random(in: -1...1, using: &random)
      )
    }
    #expect(Self.clippings(turntable).isEmpty)
    // Below what the smallest ranges reach nothing is looked for.
    #expect(Self.clippings(Self.swings(milliseconds, limit: 1.5)).isEmpty)
  }

  @Test func aStatedRangeTellsTheAxisAndTheTime() throws {
    var quality = RecordingQuality(channels: [.init(kind: .accelerometer, range: 50)])
    for index in 0..<100 { quality.update(Self.accelerometer(Int64(index) * 10_000_000, Double(index))) }
    let clipping = try #require(quality.streams.first?.clippings.first)
    #expect(clipping == Clipping(axis: "z", limit: 50, samples: 50, first: SensorInstant(nanoseconds: 500_000_000)))
  }

  @Test func aTurnOrAShakeIsNoRest() {
    let turning = (0..<1000).flatMap { [Self.accelerometer($0 * 10_000_000), Self.gyroscope($0 * 10_000_000, 0.5)] }
    #expect(Self.quality(turning).restShare == 0)
    let half = (0..<Int64(1000)).flatMap { index -> [SensorSample] in
      let shake = index < 500 ? 0 : index % 2 == 0 ? 1.0 : -1.0
      return [
        Self.accelerometer(index * 10_000_000, standardGravity + shake), Self.gyroscope(index * 10_000_000),
      ]
    }
    let share = Self.quality(half).restShare ?? 0
    #expect(abs(share - 0.5) < 0.12)
  }

  @Test func theVerdictNamesWhatIsWrong() {
    #expect(RecordingVerdict(RecordingQuality()).description == "poor: it holds no sample of any sensor")
    var statistics = RecordingStatistics()
    statistics.count(.truncated, at: .init(file: "a.mcap"))
    statistics.count(.lost, 3, at: .init(file: "a.mcap"))
    let samples = (0..<500).flatMap { [Self.accelerometer($0 * 10_000_000, 12), Self.gyroscope($0 * 10_000_000)] }
    let verdict = RecordingVerdict(Self.quality(samples), statistics)
    #expect(verdict.grade == .usable)
    #expect(verdict.description.contains("the recorder lost 3 samples"))
    #expect(verdict.description.contains("it is unfinished"))
    #expect(verdict.description.contains("12.00 m/s²"))
    let alone = RecordingVerdict(Self.quality((0..<500).map { Self.gyroscope($0 * 10_000_000) }))
    #expect(alone.description == "usable: without accelerometer no orientation can be computed")
  }
}

extension Double {
  /// e to the power, by squaring: a test needs no library for it.
  fileprivate var exponential: Double {
    var result = 1 + self / 1_048_576
    for _ in 0..<20 { result *= result }
    return result
  }
}
