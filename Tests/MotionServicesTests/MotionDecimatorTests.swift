// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import Testing

@testable import MotionServices

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
