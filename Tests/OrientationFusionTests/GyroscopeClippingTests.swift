// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import Testing

@testable import OrientationFusion

/// A gyroscope that reads the end of its range: found without being told, restored, and nothing else mistaken for it.
struct GyroscopeClippingTests {
  /// Flicks of 0.5 s about an axis, one every 5 s from 5 s on, between them a hand.
  private static func flicks(_ peak: Double, about axis: Vector3<Device>) -> (Double) -> Vector3<Device> {
    { t in
      let phase = t.truncatingRemainder(dividingBy: 5) - 2.5
      let flick = t > 5 && abs(phase) < 0.25 ? Scalar.cos(2 * .pi * phase) : 0
      let hand = Vector3<Device>(
        x: 0.5 * Scalar.sin(1.1 * t), y: 0.4 * Scalar.sin(1.7 * t), z: 0.3 * Scalar.cos(0.7 * t))
      return axis * (Angle(degrees: peak).radians * flick * flick) + (t > 3 ? hand : .zero)
    }
  }

  private static func clip(_ v: Vector3<Device>, at degreesPerSecond: Double) -> Vector3<Device> {
    let range = Angle(degrees: degreesPerSecond).radians
    func clip(_ x: Double) -> Double { min(range, max(-range, x)) }
    return Vector3(x: clip(v.x), y: clip(v.y), z: clip(v.z))
  }

  private func found(_ filter: OrientationFilter) -> [Real] {
    let range = filter.state.clipping.range
    return [range.x, range.y, range.z].filter { $0 < .infinity }
  }

  @Test(arguments: [250.0, 500, 2000], [Vector3<Device>.xAxis, Vector3(x: 0.3, y: -0.9, z: 0.3)])
  func flatTopsTellTheRangeAndTheLostAngleComesBack(range: Double, axis: Vector3<Device>) {
    var motion = SimulatedMotion(start: .turned(30, about: Vector3(x: 1, y: 2, z: 0)))
    motion.sampleRate = 200
    motion.rate = Self.flicks(1.6 * range, about: axis)
    // The sensor's noise is clipped with its rate.
    motion.noise.gyroscope = 0
    var random = Lehmer(seed: 3)
    motion.distort = { Self.clip($0 + random.vector(0.002), at: range) }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 10)
    // About 5 % of the range times 0.2 s are lost at each flick; the readings alone would show nothing of them.
    var (worst, covered, count) = (0.0, 0, 0)
    motion.run(&filter, seconds: 20) { filter, motion in
      // While the flick lasts the lost part is unknown.
      guard abs(motion.time.truncatingRemainder(dividingBy: 5) - 2.5) > 0.3 else { return }
      let tilt = motion.tiltError(filter)
      worst = max(worst, tilt)
      count += 1
      if tilt < 3 * Angle(radians: filter.inclinationStandardDeviation).degrees { covered += 1 }
    }
    #expect(found(filter).contains { abs($0 / Real(Angle(degrees: range).radians) - 1) < 0.01 })
    #expect(Double(covered) > 0.97 * Double(count))
    #expect(worst < 0.025 * range)
    motion.rate = { _ in .zero }
    motion.run(&filter, seconds: 5)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func aRangeOfTheDataSheetIsNotDoubted() {
    var motion = SimulatedMotion()
    motion.rate = Self.flicks(400, about: .xAxis)
    motion.distort = { Self.clip($0, at: 250) }
    var parameters = OrientationFilter.Parameters()
    parameters.gyroscopeRange = Angle(degrees: 2000).radians
    var filter = OrientationFilter(parameters: parameters, usesMagnetometer: false)
    motion.run(&filter, seconds: 12)
    #expect(filter.state.clipping.range.x == Real(Angle(degrees: 2000).radians))
  }

  /// What reads like a flat top: smooth maxima sampled densely, a turntable, a robot's steady turn between two ramps, a
  /// gyroscope that repeats its last reading, steps of a converter.
  @Test(arguments: ["maxima", "turntable", "robot", "frozen", "steps"]) func otherThingsAreNoRange(kind: String) {
    var motion = SimulatedMotion()
    motion.sampleRate = kind == "maxima" ? 1000 : 100
    let degree = Angle(degrees: 1).radians
    motion.noise.gyroscope = 0.0005
    motion.rate = { t in
      switch kind {
      case "maxima": Vector3(x: 1500 * degree * Scalar.sin(6 * t), y: 0, z: 0)
      case "turntable": Vector3(x: 0, y: 0, z: 200 * degree * min(1, t))
      // From rest to 160 °/s within 0.5 s, 1.5 s at that rate, and back.
      case "robot": Vector3(x: 0, y: 0, z: 160 * degree * max(0, min(1, t - 3, 3 - abs(t - 5.5 - 1))))
      default: Vector3(x: 150 * degree * Scalar.sin(4 * t), y: 90 * degree * Scalar.cos(3 * t), z: 0)
      }
    }
    var (last, count) = (Vector3<Device>.zero, 0)
    motion.distort = { v in
      count += 1
      let step = 2000 * degree / 32768
      func quantised(_ x: Double) -> Double { (x / step).rounded() * step }
      if kind == "frozen", count % 40 > 30 { return last }
      last = Vector3(x: quantised(v.x), y: quantised(v.y), z: quantised(v.z))
      return last
    }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 15)
    #expect(found(filter).isEmpty)
  }
}
