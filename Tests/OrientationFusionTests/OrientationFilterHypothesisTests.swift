// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// Readings that two things explain: a late stamp or a gap, a lever arm or a tilt, an acceleration or gravity, a magnet
/// or the earth.
@Suite struct OrientationFilterHypothesisTests {
  private static func hand() -> SimulatedMotion {
    var motion = SimulatedMotion(start: .turned(20, about: .xAxis))
    motion.rate = { t in
      t < 3
        ? .zero : Vector3(x: 2 * Scalar.sin(2.1 * t), y: 1.5 * Scalar.sin(1.7 * t), z: 2.4 * Scalar.sin(1.4 * t))
    }
    return motion
  }

  private static func largestTilt(_ motion: SimulatedMotion, seconds: Double, from start: Double) -> Double {
    var (motion, filter, tilt) = (motion, OrientationFilter(usesMagnetometer: false), 0.0)
    motion.run(&filter, seconds: start)
    motion.run(&filter, seconds: seconds - start) { tilt = max(tilt, $1.tiltError($0)) }
    return tilt
  }

  /// Ten readings of 10 ms each arrive together, stamped so many ns apart.
  @Test(arguments: [0, 50_000, 1_000_000] as [Int64]) func readingsThatArriveTogetherAreReadOneByOne(spacing: Int64) {
    var motion = Self.hand()
    let one = Self.largestTilt(motion, seconds: 40, from: 10)
    motion.stamp = { time in
      let (batch, index) = (time / 100_000_000, time % 100_000_000 / 10_000_000)
      return (batch + 1) * 100_000_000 + index * spacing
    }
    let together = Self.largestTilt(motion, seconds: 40, from: 10)
    print("largest tilt: one by one \(one)°, together \(together)°")
    #expect(together < 2 * one + 0.2)
  }

  @Test func aReadingThatIsRepeatedChangesNothing() {
    var (motion, filter) = (Self.hand(), OrientationFilter(usesMagnetometer: false))
    motion.run(&filter, seconds: 10)
    let before = filter.attitude
    let (rate, force) = (Vector3<Device>(x: 1, y: 0, z: 0), Vector3<Device>(x: 0, y: 0, z: 9.8))
    let time = motion.nanoseconds(motion.time)
    filter.update(angularVelocity: rate, atNanoseconds: time)
    filter.update(specificForce: force, atNanoseconds: time)
    let once = filter.attitude
    for _ in 0..<100 {
      filter.update(angularVelocity: rate, atNanoseconds: time)
      filter.update(specificForce: force, atNanoseconds: time)
    }
    #expect(once != before)
    #expect(filter.attitude == once)
  }

  @Test func aTrainThatAcceleratedBeforeTheFirstReadingIsFoundOut() {
    // A lean by 7°, held by a rest; when the train rolls on, the force is shorter than the one that levelled it.
    var motion = SimulatedMotion()
    motion.acceleration = { t in Vector3(x: t < 20 ? 1.2 : 0, y: 0, z: 0) }
    var filter = OrientationFilter(usesMagnetometer: false)
    motion.run(&filter, seconds: 19)
    #expect(motion.tiltError(filter) > 5)
    motion.run(&filter, seconds: 17)
    #expect(motion.tiltError(filter) < 1)
  }

  @Test func aTurntableThatTurnsFromTheStartDoesNotTilt() {
    var motion = SimulatedMotion(start: .turned(30, about: .yAxis))
    let (spin, radius) = (-2.1, 0.1)
    let up = motion.start.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1)
    motion.rate = { _ in up * spin }
    motion.acceleration = { t in
      Vector3(x: -radius * spin * spin * Scalar.cos(spin * t), y: -radius * spin * spin * Scalar.sin(spin * t), z: 0)
    }
    // The lever arm alone tilts the first reading by 2.6°.
    #expect(Self.largestTilt(motion, seconds: 60, from: 10) < 1.3)
  }

  @Test func aMagnetThatStaysIsFollowedButNotBelieved() {
    var motion = Self.hand()
    motion.field = { t in Vector3(x: t > 60 ? 25e-6 : 0, y: 20e-6, z: -45e-6) }
    var filter = OrientationFilter(usesMagnetometer: true)
    motion.run(&filter, seconds: 60)
    #expect(abs(motion.headingError(filter)) < 2)
    #expect(filter.headingStandardDeviation < 0.1)
    motion.run(&filter, seconds: 60)
    for _ in 0..<6 {
      motion.run(&filter, seconds: 10)
      let error = Angle(degrees: abs(motion.headingError(filter))).radians
      #expect(error > 0.7)
      #expect(1.96 * filter.headingStandardDeviation > error)
    }
  }
}
