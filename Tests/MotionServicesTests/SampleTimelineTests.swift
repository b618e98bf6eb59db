// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

/// One order of time; what cannot be used is kept out and counted.
@Suite struct SampleTimelineTests {
  private func drain(_ timeline: inout SampleTimeline) -> [SensorSample] {
    var samples: [SensorSample] = []
    while let next = timeline.pop() { samples.append(next) }
    return samples
  }

  /// Everything that comes out, in order, the end included.
  private func run(_ samples: [SensorSample], reordering: SensorDuration) -> ([SensorSample], TimelineStatistics) {
    var timeline = SampleTimeline(reordering: reordering)
    var out: [SensorSample] = []
    for sample in samples {
      timeline.push(sample)
      out += drain(&timeline)
    }
    timeline.finish()
    return (out + drain(&timeline), timeline.statistics)
  }

  @Test func orderedSourcesPassStraightThrough() {
    let samples = (Int64(0)..<100).flatMap { [SensorSample.accelerometer($0 * 10), .gyroscope($0 * 10)] }
    let (out, statistics) = run(samples, reordering: .zero)
    #expect(out == samples)
    #expect(statistics.dropped == 0 && statistics.gaps == 0)
    #expect(statistics.accelerometer.delivered == 100 && statistics.gyroscope.rate == 100)
  }

  /// A magnetometer that is 30 ms behind comes out in its place, and nothing is lost.
  @Test func overtakingSensorsAreMergedInOrder() {
    var samples: [SensorSample] = []
    for step in Int64(0)..<200 {
      samples.append(.gyroscope(step * 10))
      if step % 5 == 3 { samples.append(.magnetometer(step * 10 - 25)) }
    }
    let (out, statistics) = run(samples, reordering: .milliseconds(30))
    #expect(out.map(\.time) == out.map(\.time).sorted())
    #expect(out.count == samples.count && statistics.dropped == 0)
  }

  /// A sample is held for no longer than the declared reordering; after that time it is known that no earlier sample
  /// follows.
  @Test func nothingIsHeldLongerThanNeeded() {
    var timeline = SampleTimeline(reordering: .milliseconds(30))
    for step in Int64(0)..<100 {
      timeline.push(.gyroscope(step * 10))
      let out = drain(&timeline)
      if step == 3 { #expect(out.last?.time == .milliseconds(0)) }
      if step > 3 { #expect(out.last?.time == .milliseconds(step * 10)) }
    }
  }

  /// Two sensors in step and a slow one: what comes out waits for the other's sample of the same moment, not for the
  /// slow sensor, unless that one is due.
  @Test func aSampleWaitsOnlyForSensorsThatAreDue() {
    var timeline = SampleTimeline(reordering: .milliseconds(30))
    var longest = Int64(0)
    var out: [SensorSample] = []
    for step in Int64(0)..<200 {
      if step % 20 == 0 { timeline.push(.magnetometer(step * 10 + 1)) }
      timeline.push(.accelerometer(step * 10))
      out += drain(&timeline)
      timeline.push(.gyroscope(step * 10))
      let now = drain(&timeline)
      out += now
      if step > 50, step % 20 < 10 {
        for sample in now { longest = max(longest, step * 10 - sample.time.milliseconds) }
      }
    }
    #expect(longest == 0)
    #expect(out.map(\.time) == out.map(\.time).sorted())
  }

  /// Equal times keep the order of arrival.
  @Test func equalTimesKeepTheirOrder() {
    let samples = (Int64(0)..<50).flatMap {
      [SensorSample.gyroscope($0 * 10), .accelerometer($0 * 10), .magnetometer($0 * 10)]
    }
    #expect(run(samples, reordering: .milliseconds(20)).0 == samples)
  }

  @Test func heldSamplesAreBounded() {
    var timeline = SampleTimeline(reordering: .seconds(1000))
    var out = 0
    for step in Int64(0)..<1000 {
      timeline.push(.gyroscope(step))
      out += drain(&timeline).count
      #expect(Int(step) + 1 - out <= SampleTimeline.capacity)
    }
    timeline.finish()
    #expect(out + drain(&timeline).count == 1000)
  }

  @Test func lateDuplicateAndNonFiniteSamplesAreDroppedAndCounted() {
    let samples: [SensorSample] = [
      .gyroscope(0), .gyroscope(10), .gyroscope(10), .gyroscope(5), .gyroscope(20, z: .nan), .gyroscope(30),
      .gyroscope(40, z: .infinity), .accelerometer(0), .accelerometer(0), .pressure(1, .nan),
    ]
    let (out, statistics) = run(samples, reordering: .zero)
    #expect(out.map(\.time.milliseconds) == [0, 10, 30, 0])
    #expect(statistics.gyroscope.duplicates == 1 && statistics.gyroscope.late == 1)
    #expect(statistics.gyroscope.nonFinite == 2 && statistics.gyroscope.delivered == 3)
    #expect(statistics.accelerometer.duplicates == 1 && statistics.named[3].counts.nonFinite == 1)
    #expect(statistics.dropped == 6)
  }

  /// Fused motion without a rotation in it is no attitude.
  @Test func fusedMotionWithoutARotationIsDropped() {
    func fused(_ milliseconds: Int64, w: Double) -> SensorSample {
      .motion(
        MotionRow(
          time: .milliseconds(milliseconds), w: w, vector: .zero, reference: .xArbitrary, angularVelocity: .zero,
          gravity: Vector3(x: 0, y: 0, z: 1), linearAcceleration: .zero, accelerationUnit: .gravity))
    }
    let (out, statistics) = run([fused(0, w: 1), fused(10, w: 0), fused(20, w: .nan)], reordering: .zero)
    #expect(out.count == 1 && statistics.motion.nonFinite == 2)
  }

  /// One pause is one gap, as long as it was; a lasting change of rate is not a gap per sample.
  @Test func gapsAreCounted() {
    let samples =
      (Int64(0)..<100).map { SensorSample.gyroscope($0 * 10) } + [.gyroscope(1490)]
      + (150..<200).map { SensorSample.gyroscope($0 * 10) }
    let counts = run(samples, reordering: .zero).1.gyroscope
    #expect(counts.gaps == 1 && counts.gapNanoseconds == 500_000_000)
    let slower = (Int64(0)..<100).map { SensorSample.gyroscope($0 * 10) } + (10..<60).map { .gyroscope($0 * 100) }
    #expect(run(slower, reordering: .zero).1.gyroscope.gaps <= 4)
  }

  /// Air and water are two sensors, though they share their counts.
  @Test func pressuresOfBothMediaAtOneTimeBothPass() {
    let samples = (Int64(0)..<20).flatMap {
      [SensorSample.pressure($0 * 40, of: .air), .pressure($0 * 40, 200_000, of: .water)]
    }
    let (out, statistics) = run(samples, reordering: .zero)
    #expect(out == samples && statistics.dropped == 0)
  }

  /// The counts of a second run follow those of the first; only a recording's held samples survive.
  @Test(arguments: [true, false]) func heldSamplesSurviveIfAsked(_ keeping: Bool) {
    var timeline = SampleTimeline(reordering: .milliseconds(30))
    for step in Int64(0)..<10 {
      // The magnetometer is due, so what came after its last sample has to wait.
      if step < 5 { timeline.push(.magnetometer(step * 10)) }
      timeline.push(.gyroscope(step * 10))
    }
    let before = drain(&timeline).filter { $0.kinds == .gyroscope }.count
    timeline.begin(keepingHeld: keeping)
    for step in Int64(1000)..<1010 { timeline.push(.gyroscope(step * 10)) }
    let out = drain(&timeline)
    #expect(before == 7 && out.first?.time == .milliseconds(keeping ? 70 : 10_000))
    #expect(timeline.statistics.gyroscope.delivered == 20)
  }

  @Test func aSensorThatFallsSilentBeforeTheOthersHasAGap() {
    var timeline = SampleTimeline(reordering: .zero)
    for step in Int64(0)..<100 {
      if step < 50 { timeline.push(.accelerometer(step * 10)) }
      timeline.push(.gyroscope(step * 10))
      while timeline.pop() != nil {}
    }
    #expect(timeline.statistics.gaps == 0)
    timeline.finish()
    #expect(timeline.statistics.accelerometer.gaps == 1 && timeline.statistics.gyroscope.gaps == 0)
    #expect(timeline.statistics.accelerometer.gapNanoseconds == 500_000_000)
  }
}
