// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import Testing

/// What one filter learned serves the next, and is never taken for more than it is.
@Suite struct LearnedSensorTests {
  static let matrix = Matrix3(0.006, 0.002, -0.003, -0.001, -0.005, 0.002, 0.003, 0, 0.004)

  /// A rest, then turns about all axes, seen by a gyroscope whose matrix needs `matrix` to be mended.
  static func motion(_ matrix: Matrix3 = matrix, seed: UInt64 = 1) -> SimulatedMotion {
    var motion = SimulatedMotion()
    motion.reseed(seed)
    motion.bias = Vector3(x: 0.004, y: -0.006, z: 0.003)
    motion.rate = { t in
      t < 3
        ? .zero
        : Vector3(x: 2 * Scalar.sin(0.9 * t), y: 1.6 * Scalar.sin(0.53 * t + 1), z: 1.8 * Scalar.sin(0.37 * t + 2))
    }
    let inverse = (Matrix3.identity + matrix).inverse ?? .identity
    motion.distort = { inverse * $0 }
    return motion
  }

  static func learned(_ matrix: Matrix3 = matrix, seed: UInt64 = 1, seconds: Double = 90) -> LearnedSensor {
    var motion = motion(matrix, seed: seed)
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    let start = filter.known
    motion.run(&filter, seconds: seconds)
    return filter.known.credited(since: start)
  }

  static func distance(_ a: Matrix3, _ b: Matrix3) -> Double {
    let d = a - b
    return (d * d.transpose).trace.squareRoot()
  }

  static func elements(_ m: Matrix3) -> [Double] { [m.m11, m.m12, m.m13, m.m21, m.m22, m.m23, m.m31, m.m32, m.m33] }

  /// RMS of the whole error in degrees over the first seconds of movement.
  static func error(_ filter: OrientationFilter, seed: UInt64) -> Double {
    var (filter, motion) = (filter, motion(seed: seed))
    var (sum, count) = (0.0, 0.0)
    motion.run(&filter, seconds: 15) { filter, motion in
      guard motion.time > 3 else { return }
      sum += motion.error(filter) * motion.error(filter)
      count += 1
    }
    return (sum / count).squareRoot()
  }

  @Test func runsAddUpToTheErrorsOfTheSensor() throws {
    var learned = OrientationFilter(parameters: .calibrated, usesMagnetometer: true).known
    var misses: [Double] = []
    for seed in 1...4 {
      var motion = Self.motion(seed: UInt64(seed))
      var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true, learned: learned)
      let start = filter.known
      motion.run(&filter, seconds: 40)
      learned = filter.known.credited(since: start)
      #expect(learned.isPlausible)
      misses.append(Self.distance(learned.gyroscopeMatrix, Self.matrix))
    }
    print("miss of the gyroscope's matrix after each run: \(misses)")
    #expect(misses == misses.sorted(by: >))
    #expect((misses.last ?? 1) < 0.5 * Self.distance(.zero, Self.matrix))
    #expect(learned[3, 3].squareRoot() < 0.0019)
  }

  @Test func theNextFilterIsBetterFromItsFirstMovementOn() throws {
    let learned = Self.learned().widened(elapsed: 7 * 86_400)
    let informed = OrientationFilter(parameters: .calibrated, usesMagnetometer: true, learned: learned)
    let (without, with) = (
      Self.error(OrientationFilter(parameters: .calibrated, usesMagnetometer: true), seed: 5),
      Self.error(informed, seed: 5)
    )
    print("first seconds of movement: \(without)° with nothing learned, \(with)° with it")
    #expect(with < 0.6 * without)
  }

  @Test func theStatedDoubtCoversTheTruth() {
    var random = Lehmer(seed: 21)
    var (covered, count) = (0.0, 0.0)
    for seed in 1...6 {
      let rows: [Vector3<Device>] = (0..<3).map { _ in random.vector(0.002) }
      let matrix = Matrix3(
        rows[0].x, rows[0].y, rows[0].z, rows[1].x, rows[1].y, rows[1].z, rows[2].x, rows[2].y, rows[2].z)
      let learned = Self.learned(matrix, seed: UInt64(seed), seconds: 40)
      for (index, (found, truth)) in zip(Self.elements(learned.gyroscopeMatrix), Self.elements(matrix)).enumerated() {
        if abs(found - truth) < 1.96 * learned[3 + index, 3 + index].squareRoot() { covered += 1 }
        count += 1
      }
    }
    print("gyroscope matrix within the 95 % bound: \(covered / count)")
    #expect(covered / count > 0.9)
  }

  @Test func aFilterHandsOverWhatItWasGiven() throws {
    let learned = Self.learned()
    for usesMagnetometer in [true, false] {
      let filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: usesMagnetometer, learned: learned)
      #expect(filter.gyroscopeBias == learned.gyroscopeBias)
      #expect(filter.attitude == nil)
      #expect(!filter.hasHeading)
      let (kept, precision) = (filter.known, 1e-6)
      #expect((0..<LearnedSensor.count).allSatisfy { abs(kept[$0, $0] / learned[$0, $0] - 1) < precision })
      #expect(filter.known.isPlausible)
    }
  }

  @Test func noDoubtIsLargerThanThatOfAFilterThatKnowsNothing() throws {
    let fresh = OrientationFilter(parameters: .calibrated, usesMagnetometer: true).known
    var learned = Self.learned().widened(elapsed: .infinity, temperatureChange: 60)
    learned[12, 12] = 10
    let filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true, learned: learned)
    for i in 0..<LearnedSensor.count { #expect(filter.known[i, i] <= fresh[i, i] * (1 + 1e-6)) }
    #expect(filter.known.isPlausible)
  }

  @Test func doubtGrowsWithTimeAndTemperatureAndNothingElseChanges() {
    let learned = Self.learned()
    #expect(learned.widened(elapsed: 0) == learned)
    #expect(learned.widened(elapsed: 0, temperatureChange: 0) == learned)
    let steps = [
      learned, learned.widened(elapsed: 60), learned.widened(elapsed: 3600), learned.widened(elapsed: .infinity),
      learned.widened(elapsed: .infinity, temperatureChange: -20),
    ]
    for (narrow, wide) in zip(steps, steps.dropFirst()) {
      for i in [0, 1, 2, 3, 7, 11] { #expect(narrow[i, i] < wide[i, i]) }
      for i in 0..<LearnedSensor.count { #expect(narrow[i, i] <= wide[i, i]) }
      #expect(wide.gyroscopeMatrix == learned.gyroscopeMatrix && wide.gyroscopeBias == learned.gyroscopeBias)
      #expect(wide.isPlausible)
    }
    // Of a clock that went back nothing is made.
    #expect(learned.widened(elapsed: -5) == learned)
  }

  @Test func whatCannotBeASensorIsRefused() {
    let good = Self.learned()
    var bad: [LearnedSensor] = []
    func add(_ change: (inout LearnedSensor) -> Void) {
      var learned = good
      change(&learned)
      bad.append(learned)
    }
    for number in [Double.nan, .infinity, 3] {
      add { $0.gyroscopeBias.y = number }
      add { $0.gyroscopeMatrix.m21 = number }
      add { $0.magnetometerDelay = number }
    }
    for number in [Double.nan, .infinity, 0, -1] { add { $0[4, 4] = number } }
    add { $0[3, 4] = .nan }
    // Correlations beyond one: no covariance.
    add { $0[3, 4] = 1.01 * ($0[3, 3] * $0[4, 4]).squareRoot() }
    add { $0[0, 12] = -2 * ($0[0, 0] * $0[12, 12]).squareRoot() }
    for learned in bad {
      #expect(!learned.isPlausible)
      let filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true, learned: learned)
      #expect(filter.known == OrientationFilter(parameters: .calibrated, usesMagnetometer: true).known)
    }
  }

  // MARK: Credit

  @Test func creditGoesFromNothingToAll() {
    let start = OrientationFilter(parameters: .calibrated, usesMagnetometer: true).known
    var motion = Self.motion()
    var filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true)
    motion.run(&filter, seconds: 40)
    let end = filter.known
    func near(_ a: LearnedSensor, _ b: LearnedSensor) -> Bool {
      for i in 0..<LearnedSensor.count where abs(a[i, i] / b[i, i] - 1) > 1e-6 { return false }
      return zip(Self.elements(a.gyroscopeMatrix), Self.elements(b.gyroscopeMatrix)).allSatisfy { abs($0 - $1) < 1e-9 }
    }
    #expect(near(end.credited(since: start, credit: 0), start))
    #expect(near(end.credited(since: start, credit: 1), end))
    let some = end.credited(since: start)
    for i in 3..<12 { #expect(some[i, i] > end[i, i] && some[i, i] < start[i, i]) }
    #expect(some.isPlausible)
  }

  @Test func aRunWithoutReadingsTakesNothingAway() throws {
    let learned = Self.learned()
    let filter = OrientationFilter(parameters: .calibrated, usesMagnetometer: true, learned: learned)
    let kept = filter.known.credited(since: filter.known)
    for i in 0..<LearnedSensor.count { #expect(abs(kept[i, i] / learned[i, i] - 1) < 1e-6) }
    #expect((kept.gyroscopeBias - learned.gyroscopeBias).length < 1e-12)
  }

  @Test func brokenNumbersEarnNoCredit() {
    let start = Self.learned()
    var end = start
    end[5, 5] = .nan
    #expect(end.credited(since: start) == start)
  }
}
