// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionAnalysis
@testable import MotionServices

/// Strokes made of a recipe, one property at a time.
@Suite struct SwingDetectorTests {
  /// A device at rest that is hit at the given seconds, so hard (g) and for so long (4 ms): 800 Hz.
  private func hits(at times: [Double], force: Double = 30, until end: Double = 4) -> [AccelerometerSample] {
    (0..<Int(end * 800)).map { index in
      let seconds = Double(index) / 800
      var specificForce = Vector3<Device>(x: 0, y: 0, z: standardGravity)
      for time in times where seconds >= time && seconds < time + 0.004 {
        specificForce.x += force * standardGravity * Scalar.sin(.pi * (seconds - time) / 0.004)
      }
      return AccelerometerSample(
        time: SensorInstant(seconds: seconds) ?? .milliseconds(0), specificForce: specificForce)
    }
  }

  /// A detector fed with one stream and, at 200 Hz, with `rate` (rad/s about up, as a function of the seconds).
  private func swings(
    _ samples: [AccelerometerSample], parameters: SwingDetector.Parameters = .init(),
    rate: ((Double) -> Double?)? = nil
  ) -> [Swing] {
    var detector = SwingDetector(parameters: parameters)
    var swings: [Swing] = []
    for (index, sample) in samples.enumerated() {
      swings += detector.update(sample)
      if index % 4 == 0, let rate = rate?(sample.time.seconds) {
        swings += detector.update(rateAboutUp: rate, at: sample.time)
      }
    }
    return swings + detector.finish()
  }

  /// Turns the other way from 1.5 s on, then from 1.8 s on at 50 rad/s² until 2.1 s.
  private func forehand(_ t: Double) -> Double {
    switch t {
    case 1.5..<1.8: -3
    case 1.8..<2.1: 50 * (t - 1.8)
    default: 0
    }
  }

  @Test func aShockAtRestIsAnImpactWithoutAStroke() throws {
    let swing = try #require(swings(hits(at: [2]), rate: { _ in 0 }).first)
    #expect(abs(swing.impact.seconds - 2.002) < 0.00126)
    #expect((27 * standardGravity...31 * standardGravity).contains(swing.peak))
    #expect(swing.shock > 5 * standardGravity && swing.shock < swing.peak)
    #expect(swing.stroke == .unknown(.noRotation) && swing.timeToContact == nil)
  }

  @Test func theStartIsWhereTheRotationCrossesATenthOfItsFastest() throws {
    let swing = try #require(swings(hits(at: [2.1]), rate: forehand).first)
    let phases = try #require(swing.phases)
    // 15 rad/s at the impact, so 1.5 rad/s: 30 ms after the turning began, and interpolated.
    #expect(abs(phases.start.seconds - 1.83) < 0.003)
    #expect(abs((swing.timeToContact?.seconds ?? 0) - 0.272) < 0.005)
    #expect(abs(phases.fastestRate - 15) < 0.5 && abs(phases.fastest.seconds - 2.095) < 0.006)
    #expect(abs((phases.backswing?.seconds ?? 0) - 1.5) < 0.006)
  }

  @Test func aSwingClockwiseIsFoundAsWell() throws {
    let swing = try #require(swings(hits(at: [2.1]), rate: { -forehand($0) }).first)
    #expect(swing.phases?.fastestRate ?? 0 < -14)
    #expect(abs((swing.timeToContact?.seconds ?? 0) - 0.272) < 0.005)
  }

  @Test func withoutABackswingThereIsNone() throws {
    let swing = try #require(swings(hits(at: [2.1]), rate: { max(0, forehand($0)) }).first)
    #expect(swing.phases != nil && swing.phases?.backswing == nil)
  }

  @Test func withoutDeviceMotionTheImpactStandsAndTheSentenceSaysWhy() throws {
    let swing = try #require(swings(hits(at: [2])).first)
    #expect(swing.stroke == .unknown(.noDeviceMotion))
    #expect(
      Swing.Reason.noDeviceMotion.sentence == "Time to contact needs 200 Hz device motion from the same recording.")
    #expect(Swing.Reason.allCases.allSatisfy { $0.sentence.last == "." })
  }

  @Test func motionThatEndsBeforeOrBeginsAfterTheImpactIsNone() {
    #expect(swings(hits(at: [2.1]), rate: { $0 < 2 ? forehand($0) : nil }).map(\.stroke) == [.unknown(.noDeviceMotion)])
    #expect(swings(hits(at: [2.1]), rate: { $0 > 2.2 ? 0 : nil }).map(\.stroke) == [.unknown(.noDeviceMotion)])
  }

  @Test func aSwingThatBeginsBeforeTheDataHasNoStart() {
    #expect(swings(hits(at: [2.1]), rate: { $0 > 1.9 ? forehand($0) : nil }).map(\.stroke) == [.unknown(.noStart)])
    // Nor one that has gone on for longer than 1.5 s.
    #expect(swings(hits(at: [2.1]), rate: { _ in 9 }).map(\.stroke) == [.unknown(.noStart)])
  }

  @Test func aGapInTheStrokeIsSaidAndNotBridged() {
    let gap = { (t: Double) in t > 1.9 && t < 1.95 ? nil : forehand(t) }
    #expect(swings(hits(at: [2.1]), rate: gap).map(\.stroke) == [.unknown(.gap)])
    // Five missing samples are bridged.
    let hole = { (t: Double) in t > 1.901 && t < 1.924 ? nil : forehand(t) }
    #expect(swings(hits(at: [2.1]), rate: hole).first?.phases != nil)
    // What is missing before the swing does not matter to its start.
    let early = { (t: Double) in t > 1.6 && t < 1.7 ? nil : forehand(t) }
    let swing = swings(hits(at: [2.1]), rate: early).first
    #expect(swing?.phases != nil && swing?.phases?.backswing == nil)
  }

  @Test func theArmThatRingsIsNoSecondImpact() {
    #expect(swings(hits(at: [1, 1.2, 1.45])).count == 1)
    #expect(swings(hits(at: [1, 1.6, 2.2])).count == 3)
  }

  @Test func aGapInTheAccelerometerIsNoShock() {
    // The device is turned over without a subscriber.
    var samples = hits(at: []).filter { $0.time.seconds < 1 || $0.time.seconds > 1.2 }
    for index in samples.indices where samples[index].time.seconds > 1 {
      samples[index] = AccelerometerSample(
        time: samples[index].time, specificForce: Vector3(x: 0, y: 0, z: -10 * standardGravity))
    }
    #expect(swings(samples).isEmpty)
  }

  @Test func whatIsNotFiniteOrNotLaterIsCountedAndChangesNothing() {
    let samples = hits(at: [2.1])
    var detector = SwingDetector()
    var swings: [Swing] = []
    for (index, sample) in samples.enumerated() {
      swings += detector.update(sample)
      swings += detector.update(
        AccelerometerSample(time: sample.time, specificForce: Vector3(x: 900, y: 900, z: 900)))
      if index % 4 == 0 {
        swings += detector.update(rateAboutUp: forehand(sample.time.seconds), at: sample.time)
        swings += detector.update(rateAboutUp: 99, at: .milliseconds(0))
      }
      if index % 100 == 50 {
        let later = sample.time + .milliseconds(1)
        swings += detector.update(AccelerometerSample(time: later, specificForce: Vector3(x: .nan, y: 0, z: 0)))
        swings += detector.update(AccelerometerSample(time: later, specificForce: Vector3(x: 0, y: .infinity, z: 0)))
        swings += detector.update(rateAboutUp: .nan, at: later)
      }
    }
    swings += detector.finish()
    #expect(swings == self.swings(samples, rate: forehand))
    #expect(detector.rejectedCount == 3200 + 800 + 3 * 32)
  }

  @Test func aMissingSampleIsNoShock() {
    var samples = hits(at: [2.1])
    samples.removeAll { Int(($0.time.seconds * 800).rounded()) % 37 == 0 }
    let swings = swings(samples)
    #expect(swings.count == 1)
  }

  @Test func nothingGivesNothing() {
    var detector = SwingDetector()
    #expect(detector.finish().isEmpty)
    #expect(swings(hits(at: [])).isEmpty)
    #expect(detector.finish().isEmpty)
  }

  @Test func anImpactInTheLastSampleIsNotLost() {
    #expect(swings(hits(at: [3.998])).count == 1)
  }

  @Test func anotherRunOfTheSourceBeginsAnew() {
    let motion = DeviceMotion(
      time: .milliseconds(0), accelerometer: AccelerometerSample(time: .milliseconds(0), specificForce: .zero),
      sixAxis: DeviceMotion.Solution(
        attitude: .identity, angularVelocity: .zero, hasHeading: false, inclinationStandardDeviation: 0,
        headingStandardDeviation: 0), isAtRest: false, run: 1)
    var detector = SwingDetector()
    var swings: [Swing] = []
    for (index, sample) in hits(at: [2.1]).enumerated() {
      swings += detector.update(sample)
      guard index % 4 == 0 else { continue }
      var motion = motion
      motion.time = sample.time
      motion.sixAxis?.angularVelocity.z = forehand(sample.time.seconds)
      motion.run = sample.time.seconds < 2 ? 1 : 2
      swings += detector.update(motion)
    }
    #expect((swings + detector.finish()).map(\.stroke) == [.unknown(.noStart)])
  }

  @Test func strongNoiseIsNoShockAndHidesNone() {
    // A repeatable noise of half a g on each axis, uniform.
    var seed: UInt64 = 1
    func noise() -> Double {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (Double(seed >> 11) * 0x1p-53 - 0.5) * 12.0.squareRoot() * 0.5 * standardGravity
    }
    func noisy(_ samples: [AccelerometerSample]) -> [AccelerometerSample] {
      samples.map { sample in
        let error = Vector3<Device>(x: noise(), y: noise(), z: noise())
        return AccelerometerSample(time: sample.time, specificForce: sample.specificForce + error)
      }
    }
    #expect(swings(noisy(hits(at: [], until: 20))).isEmpty)
    let found = swings(noisy(hits(at: [1, 2, 3])), rate: { _ in noise() / standardGravity })
    #expect(found.count == 3)
    for (swing, time) in zip(found, [1.002, 2.002, 3.002]) { #expect(abs(swing.impact.seconds - time) < 0.003) }
  }

  @Test(arguments: [true, false]) func memoryIsBoundedWhicheverStreamIsThere(hasAccelerometer: Bool) {
    var detector = SwingDetector()
    var (mostRotations, mostRecent) = (0, 0)
    for index in 0..<60 * 200 {
      let time = SensorInstant.milliseconds(Int64(index) * 5)
      _ = detector.update(rateAboutUp: 3, at: time)
      if hasAccelerometer {
        _ = detector.update(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: standardGravity)))
      }
      mostRotations = max(mostRotations, detector.state.rotations.count)
      mostRecent = max(mostRecent, detector.state.recent.count)
    }
    // 1.5 s of looking back, 4 s of patience when the accelerometer is silent, and the second that is thrown away at
    // once.
    #expect(mostRotations < (hasAccelerometer ? 3 : 7) * 200 && mostRecent < 20)
  }

  @Test func motionThatStaysAwayHoldsAnImpactBackForFourSeconds() {
    var detector = SwingDetector()
    var settled: Double?
    for sample in hits(at: [1], until: 8) where !detector.update(sample).isEmpty { settled = sample.time.seconds }
    #expect(abs((settled ?? 0) - 5.002) < 0.01)
  }
}
