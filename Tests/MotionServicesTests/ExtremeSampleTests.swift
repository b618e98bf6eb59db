// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import Foundation
import MotionMath
import MotionSensing
import MotionTools
import OrientationFusion
import Testing

@testable import MotionServices

/// Samples as no sensor delivers them, but a file can hold them: times at both ends of the clock, that go back or
/// repeat, intervals of a nanosecond and of 292 years; numbers that are huge, infinite, not numbers, subnormal.
///
/// An estimator must take all of them: a trap ends the process, and with it this test. The rounds are the same on every
/// machine; `OPENCOREMOTION_FUZZ_SECONDS` goes on for longer (`make fuzz`).
@Suite struct ExtremeSampleTests {
  private static let rounds = 60
  private static let end = ProcessInfo.processInfo.environment["OPENCOREMOTION_FUZZ_SECONDS"].flatMap { Double($0) }

  /// Runs `body` on the samples of many rounds; each has its own estimators.
  private func forEachRound(_ body: (inout ExtremeSamples) -> Void) {
    let start = ContinuousClock.now
    var round = 0
    while Self.end.map({ ContinuousClock.now < start + .seconds($0) }) ?? (round < Self.rounds) {
      var samples = ExtremeSamples(seed: UInt64(round))
      body(&samples)
      round += 1
    }
    #expect(round > 0)
  }

  @Test func timeLinesAndBatches() {
    forEachRound { samples in
      var timeline = SampleTimeline(reordering: samples.duration)
      var period = SamplePeriod()
      var batcher = Batcher<Int>(group: 1 + Int(samples.bits() % 5), period: samples.period)
      var decimator = Decimator(interval: samples.duration)
      var (passed, missing) = (0, 0)
      for index in 0..<400 {
        let sample = samples.sample()
        _ = timeline.push(sample)
        while let next = timeline.pop() {
          passed += 1
          _ = batcher.push(index, at: next.time)
          _ = batcher.advance(to: next.time)
          if decimator.isDue(next.time) { passed += 1 }
        }
        let interval = samples.duration
        missing += period.samplesMissing(in: interval)
        if interval > .zero { period.update(interval) }
        if index % 50 == 49 { decimator.change(to: samples.duration) }
      }
      timeline.finish()
      while timeline.pop() != nil { passed += 1 }
      _ = batcher.finish()
      #expect(passed > 0 && missing >= 0)
    }
  }

  /// The first interval is what a sensor's period is first taken for; two and a half of these are no time.
  @Test func aFirstIntervalOfTwoCenturiesIsTaken() {
    let first: Int64 = -4_000_000_000_000_000_000
    let times = [first] + (0..<100).map { 3_990_000_000_000_000_000 + Int64($0) * 10_000_000 }
    var decimator = Decimator(interval: .milliseconds(50))
    var batcher = Batcher<Int64>()
    var estimator = DeviceMotionEstimator(
      info: SensorInfo(name: "extreme", origin: .recording, pacing: .onDemand, channels: []))
    let passed = times.filter { time in
      let instant = SensorInstant(nanoseconds: time)
      _ = batcher.push(time, at: instant)
      _ = estimator.update(
        .inertial(
          InertialSample(time: instant, angularVelocity: .zero, specificForce: Vector3(x: 0, y: 0, z: 9.8))))
      return decimator.isDue(instant)
    }
    #expect(passed.count > 2 && batcher.finish()?.isEmpty == false)
  }

  @Test func orientation() {
    forEachRound { samples in
      for smooths in [false, true] {
        let info = SensorInfo(
          name: "extreme", origin: .recording, pacing: .onDemand,
          channels: [.accelerometer, .gyroscope, .magnetometer].map { .init(kind: $0, rates: [100]) })
        var fusion = OfflineFusion(
          info: info, framing: MotionFraming(.xMagneticNorth), kinds: SensorKinds(rawValue: .max), smooths: smooths)
        var sink = NoSink()
        var estimator = DeviceMotionEstimator(info: info)
        estimator.solutions = [.sixAxis, .nineAxis]
        var framing = MotionFraming(.xMagneticNorth)
        var decimator = MotionDecimator(rate: 800)
        for _ in 0..<300 {
          let sample = samples.sample()
          _ = try? fusion.push(sample, into: &sink)
          if let motion = estimator.update(sample) {
            decimator.update(motion) { decimated in _ = framing.update(decimated) }
          }
        }
        decimator.finish { motion in _ = framing.update(motion) }
        _ = estimator.finish()
        for usesMagnetometer in [false, true] {
          var filter = OrientationFilter(usesMagnetometer: usesMagnetometer)
          for _ in 0..<100 {
            filter.update(angularVelocity: samples.vector(1), atNanoseconds: samples.nanoseconds())
            filter.update(specificForce: samples.vector(9.8), atNanoseconds: samples.nanoseconds())
            filter.update(magneticField: samples.vector(5e-5), atNanoseconds: samples.nanoseconds())
          }
          #expect(filter.attitude?.w.isFinite ?? true)
        }
      }
    }
  }

  @Test func pressureAndWater() {
    forEachRound { samples in
      var altitude = AltitudeEstimator()
      var water = SubmersionEstimator()
      var temperature = WaterTemperatureEstimator()
      for index in 0..<400 {
        var sample = samples.pressure(.air)
        _ = altitude.update(sample)
        sample = samples.pressure(.water)
        let update = water.update(sample)
        // An error says what was measured, whatever it was.
        if let error = update.problem { #expect(error.message.hasSuffix(".")) }
        _ = water.update(time: samples.time)
        if index % 100 == 99 { _ = water.interrupt(at: samples.time) }
        _ = temperature.update(samples.number(10), at: samples.time)
      }
    }
  }

  @Test func activity() {
    forEachRound { samples in
      var activity = ActivityEstimator()
      for _ in 0..<1500 {
        let sample = samples.sample()
        _ = activity.update(sample)
      }
      _ = activity.finish()
    }
  }

  @Test func calibrations() {
    forEachRound { samples in
      var accelerometer = AccelerometerCalibrator()
      var gyroscope = GyroscopeCalibrator()
      for _ in 0..<400 {
        let force = AccelerometerSample(time: samples.time, specificForce: samples.vector(9.8))
        _ = accelerometer.update(force)
        gyroscope.update(force)
        gyroscope.update(GyroscopeSample(time: samples.time, angularVelocity: samples.vector(1)))
      }
      #expect(accelerometer.positionCount >= 0)
    }
  }
}

/// Makes them: mostly ordinary motion, so that the estimators get somewhere, with jumps of the clock and odd numbers.
struct ExtremeSamples {
  private var random: SeededRandom
  private var now: Int64 = 0
  private static let times: [Int64] = [
    .min, .min + 1, -1 << 62, -4_000_000_000_000_000_000, -1, 0, 1, 1_700_000_000_000_000_000, 1 << 62, .max - 1, .max,
  ]
  private static let steps: [Int64] = [
    -10_000_000_000, -1, 0, 1, 1000, 2_500_000, 20_000_000, 2_000_000_000, 3_600_000_000_000, 1 << 52, .max,
  ]
  private static let numbers: [Double] = [
    .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e308, -1e300, 9.3e18, -9.3e18,
    0, -0.0, .leastNonzeroMagnitude, -.leastNormalMagnitude, 1e-300, 4.3e9,
  ]

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func bits() -> UInt64 { random.next() }

  /// One in `count`.
  private mutating func isOdd(_ count: UInt64) -> Bool { bits() % count == 0 }

  mutating func nanoseconds() -> Int64 {
    switch bits() % 200 {
    case 0: now = Self.times[Int(bits() % UInt64(Self.times.count))]
    case 1...3: now = now.clamped(plus: Self.steps[Int(bits() % UInt64(Self.steps.count))])
    default: now = now.clamped(plus: 9_000_000 + Int64(bits() % 2_000_000))
    }
    return now
  }

  var time: SensorInstant { mutating get { SensorInstant(nanoseconds: nanoseconds()) } }

  var duration: SensorDuration {
    mutating get {
      let odd = isOdd(2) ? Self.times : Self.steps
      return SensorDuration(nanoseconds: odd[Int(bits() % UInt64(odd.count))])
    }
  }

  /// Above zero.
  var period: SensorDuration { mutating get { max(SensorDuration(nanoseconds: 1), duration) } }

  mutating func number(_ size: Double) -> Double {
    if isOdd(100) { return Self.numbers[Int(bits() % UInt64(Self.numbers.count))] }
    return size * (Double(bits() >> 11) * 0x1p-53 * 2 - 1)
  }

  mutating func vector(_ size: Double) -> Vector3<Device> {
    Vector3(x: number(size), y: number(size), z: number(size))
  }

  mutating func pressure(_ medium: PressureSample.Medium) -> PressureSample {
    PressureSample(
      time: time, pressure: 101_325 + number(medium == .air ? 3000 : 90_000),
      temperature: isOdd(2) ? nil : number(20), medium: medium)
  }

  mutating func sample() -> SensorSample {
    switch bits() % 8 {
    case 0...2: .accelerometer(AccelerometerSample(time: time, specificForce: vector(12)))
    case 3, 4: .gyroscope(GyroscopeSample(time: time, angularVelocity: vector(3)))
    case 5: .inertial(InertialSample(time: time, angularVelocity: vector(3), specificForce: vector(12)))
    case 6: .magnetometer(MagnetometerSample(time: time, magneticField: vector(5e-5)))
    default:
      isOdd(2)
        ? .pressure(pressure(isOdd(2) ? .air : .water))
        : .temperature(TemperatureSample(time: time, temperature: number(20)))
    }
  }
}

private struct NoSink: SampleSink {}
