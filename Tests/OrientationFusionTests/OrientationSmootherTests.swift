// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion
import OrientationSmoothing
import Testing

/// The smoother beside the filter that it follows.
@Suite struct OrientationSmootherTests {
  private typealias Orientation = OrientationSmoother.Orientation

  /// A hand that turns the device and moves it a little, from the first sample on.
  private static func hand(seconds: Double, bias: Double = 0, hardIron: Vector3<Device> = .zero) -> SensorLog {
    var motion = SimulatedMotion()
    motion.rate = { t in
      Vector3(x: 1.1 * Scalar.sin(1.3 * t), y: 0.9 * Scalar.cos(0.7 * t + 1), z: 0.8 * Scalar.sin(0.9 * t + 2))
    }
    motion.acceleration = { t in
      Vector3(x: 1.5 * Scalar.sin(4 * t), y: 1.2 * Scalar.cos(5 * t), z: 0.8 * Scalar.sin(3 * t))
    }
    let rate = Angle(degrees: bias).radians
    motion.bias = Vector3(x: rate, y: -rate, z: 0.7 * rate)
    motion.hardIron = hardIron
    return SensorLog(motion, seconds: seconds)
  }

  private func smooth(
    _ log: SensorLog, usesMagnetometer: Bool, parameters: OrientationSmoother.Parameters = .init()
  ) -> [Orientation] {
    var filter = OrientationFilter(parameters: log.parameters, usesMagnetometer: usesMagnetometer)
    var smoother = OrientationSmoother(following: &filter, parameters: parameters)
    var result: [Orientation] = []
    for row in log.rows {
      filter.update(specificForce: row.specificForce, atNanoseconds: row.time)
      filter.update(angularVelocity: row.angularVelocity, atNanoseconds: row.time)
      smoother.follow(&filter)
      if usesMagnetometer {
        filter.update(magneticField: row.magneticField, atNanoseconds: row.time)
        smoother.follow(&filter)
      }
      while let orientation = smoother.next() { result.append(orientation) }
    }
    smoother.finish(&filter)
    while let orientation = smoother.next() { result.append(orientation) }
    return result
  }

  /// Degrees, of each orientation whose truth is known: tilt and azimuth.
  private func errors(_ orientations: [Orientation], _ log: SensorLog) -> [(tilt: Double, azimuth: Double)] {
    let truths = Dictionary(uniqueKeysWithValues: log.rows.map { ($0.time, $0.truth) })
    return orientations.compactMap { orientation in
      guard let truth = truths[orientation.time].flatMap(\.self) else { return nil }
      let e = orientation.attitude * truth.inverse
      let azimuth = Angle(radians: 2 * Scalar.atan2(e.z, e.w)).wrapped.degrees
      return (Angle(radians: 2 * Scalar.acos(Scalar.hypot(e.w, e.z))).degrees, azimuth)
    }
  }

  private func rootMeanSquare(_ values: [Double]) -> Double {
    (values.reduce(0) { $0 + $1 * $1 } / Double(max(1, values.count))).squareRoot()
  }

  @Test func thereIsOneOrientationForEachReadingOfTheGyroscopeInOrder() {
    let log = Self.hand(seconds: 20)
    let orientations = smooth(log, usesMagnetometer: false)
    #expect(orientations.map(\.time) == log.rows.map(\.time))
    #expect(orientations.allSatisfy { !$0.hasHeading })
  }

  @Test(arguments: [false, true]) func theFirstSecondsAreAsGoodAsTheRest(usesMagnetometer: Bool) {
    // The device moves from the first sample on and its gyroscope is off by a degree per second: the filter cannot know
    // that yet.
    let log = Self.hand(seconds: 120, bias: 1)
    let errors = errors(smooth(log, usesMagnetometer: usesMagnetometer), log)
    let filtered = log.errors(usesMagnetometer: usesMagnetometer)
    let first = rootMeanSquare(errors.prefix(2000).map(\.tilt))
    #expect(first < 0.4)
    #expect(rootMeanSquare(errors.map(\.tilt)) < 0.5 * filtered.inclination)
    guard usesMagnetometer else { return }
    #expect(rootMeanSquare(errors.prefix(2000).map(\.azimuth)) < 0.8)
  }

  @Test func theAzimuthOfTheStartStaysWithoutAMagnetometer() {
    let log = Self.hand(seconds: 60)
    let orientations = smooth(log, usesMagnetometer: false)
    #expect(abs(errors(orientations, log)[0].azimuth) < 0.5)
    #expect(orientations[0].headingStandardDeviation < 0.05)
    #expect(orientations.last.map { $0.headingStandardDeviation > 0.005 } == true)
  }

  @Test func shortWindowsGiveNearlyTheSameAsOne() throws {
    let log = Self.hand(seconds: 150, bias: 0.3)
    var parameters = OrientationSmoother.Parameters()
    let whole = smooth(log, usesMagnetometer: true, parameters: parameters)
    (parameters.window, parameters.lag) = (40, 30)
    let parts = smooth(log, usesMagnetometer: true, parameters: parameters)
    try #require(parts.map(\.time) == whole.map(\.time))
    let differences = zip(parts, whole).map { Angle(radians: $0.attitude.angle(to: $1.attitude)).degrees }
    #expect(differences.allSatisfy { $0 < 0.8 })
    #expect(rootMeanSquare(differences) < 0.3)
  }

  @Test func whatNobodyAsksForIsKept() {
    let log = Self.hand(seconds: 60)
    var filter = OrientationFilter(parameters: log.parameters, usesMagnetometer: false)
    var parameters = OrientationSmoother.Parameters()
    (parameters.window, parameters.lag) = (10, 5)
    var smoother = OrientationSmoother(following: &filter, parameters: parameters)
    for row in log.rows {
      filter.update(specificForce: row.specificForce, atNanoseconds: row.time)
      filter.update(angularVelocity: row.angularVelocity, atNanoseconds: row.time)
      smoother.follow(&filter)
    }
    smoother.finish(&filter)
    var times: [Int64] = []
    while let orientation = smoother.next() { times.append(orientation.time) }
    #expect(times == log.rows.map(\.time))
    #expect(smoother.next().map(\.time) == nil)
  }

  /// A pause that begins in a window and ends beyond all of what it looks ahead; and a window that does not look ahead.
  @Test(arguments: [(5.0, 8.0, 30.0), (5, 12, 40), (5, 28, 31), (0, 20, 20)])
  func eachReadingComesOutOnceAndInOrder(lag: Double, from: Double, to: Double) throws {
    var log = Self.hand(seconds: 50, bias: 0.5)
    let start = try #require(log.rows.first?.time)
    log.rows.removeAll { from < Double($0.time - start) * 1e-9 && Double($0.time - start) * 1e-9 < to }
    var parameters = OrientationSmoother.Parameters()
    (parameters.window, parameters.lag) = (10, lag)
    let orientations = smooth(log, usesMagnetometer: true, parameters: parameters)
    // At the first reading after a pause the filter has no attitude: it waits for one of the accelerometer.
    var expected = log.rows.map(\.time)
    expected.removeAll { to > from && abs(Double($0 - start) * 1e-9 - to) < 1e-6 }
    #expect(orientations.map(\.time) == expected)
    #expect(errors(orientations, log).allSatisfy { $0.tilt < 4 })
  }

  /// Also of a window without an end, and of ones that end where they begin.
  @Test(arguments: [Double.infinity, .nan, 1e300, 0, -1]) func anyWindowIsAllowed(window: Double) {
    let log = Self.hand(seconds: 3)
    var parameters = OrientationSmoother.Parameters()
    (parameters.window, parameters.lag) = (window, 1)
    #expect(smooth(log, usesMagnetometer: false, parameters: parameters).map(\.time) == log.rows.map(\.time))
  }

  @Test func readingsAfterTheEndAreAnotherRecording() {
    let log = Self.hand(seconds: 40)
    var filter = OrientationFilter(parameters: log.parameters, usesMagnetometer: false)
    var smoother = OrientationSmoother(following: &filter)
    var times: [Int64] = []
    for (index, row) in log.rows.enumerated() {
      filter.update(specificForce: row.specificForce, atNanoseconds: row.time)
      filter.update(angularVelocity: row.angularVelocity, atNanoseconds: row.time)
      smoother.follow(&filter)
      if index == 2010 { smoother.finish(&filter) }
      // Some are asked for late.
      if index % 3 == 0, let orientation = smoother.next() { times.append(orientation.time) }
    }
    smoother.finish(&filter)
    while let orientation = smoother.next() { times.append(orientation.time) }
    #expect(times == log.rows.map(\.time))
  }

  @Test func theSameReadingsGiveTheSameBits() {
    let log = Self.hand(seconds: 30, bias: 0.5)
    let (a, b) = (smooth(log, usesMagnetometer: true), smooth(log, usesMagnetometer: true))
    #expect(a.map(\.attitude) == b.map(\.attitude))
    #expect(a.map(\.headingStandardDeviation) == b.map(\.headingStandardDeviation))
  }

  @Test func itsDeviationsHold() {
    let log = Self.hand(seconds: 120, bias: 0.5)
    let orientations = smooth(log, usesMagnetometer: true)
    let pairs = zip(orientations, errors(orientations, log))
    let tilt = pairs.count { Angle(degrees: $1.tilt).radians <= 1.73 * $0.inclinationStandardDeviation }
    let azimuth = pairs.count { abs(Angle(degrees: $1.azimuth).radians) <= 1.96 * $0.headingStandardDeviation }
    #expect(Double(tilt) > 0.9 * Double(orientations.count))
    #expect(Double(azimuth) > 0.9 * Double(orientations.count))
    #expect(orientations.allSatisfy { $0.inclinationStandardDeviation < 0.03 && $0.headingStandardDeviation < 0.1 })
  }

  @Test func theLastReadingIsAsDoubtfulAsThoseBefore() {
    // The field of a room with iron; the last reading may or may not end a block.
    for left in 0..<10 {
      var log = Self.hand(seconds: 20)
      log.rows.removeLast(left)
      for (index, row) in log.rows.enumerated() {
        let t = Double(index) / 100
        log.rows[index].magneticField =
          row.magneticField + Vector3(x: 6e-6 * Scalar.sin(t), y: 5e-6 * Scalar.cos(0.6 * t), z: 0)
      }
      let deviations = smooth(log, usesMagnetometer: true).suffix(2).map(\.headingStandardDeviation)
      #expect(deviations[1] > 0.9 * deviations[0], "\(left): \(deviations)")
    }
  }

  @Test func aPauseIsNoTurn() throws {
    // Three seconds are missing in the middle; the device lies as before and as after.
    var log = Self.hand(seconds: 60, bias: 0.5)
    let start = try #require(log.rows.first?.time)
    log.rows.removeAll { (30...33).contains(Double($0.time - start) * 1e-9) }
    let orientations = smooth(log, usesMagnetometer: true)
    let errors = errors(orientations, log)
    #expect(errors.count > log.rows.count - 20)
    #expect(errors.allSatisfy { $0.tilt < 3 && abs($0.azimuth) < 4 })
  }

  @Test func theHeadingIsKnownBeforeTheMagnetometerIsCalibrated() throws {
    let iron = Vector3<Device>(x: 20e-6, y: -15e-6, z: 10e-6)
    let log = Self.hand(seconds: 90, hardIron: iron)
    let orientations = smooth(log, usesMagnetometer: true)
    let azimuths = errors(orientations, log).map(\.azimuth)
    #expect(orientations.allSatisfy { $0.hasHeading })
    #expect(azimuths.count == log.rows.count)
    #expect(rootMeanSquare(Array(azimuths.prefix(5000))) < 2)
  }

  @Test func aRecordingShorterThanABlockKeepsTheFiltersAttitude() {
    var log = Self.hand(seconds: 1)
    log.rows.removeSubrange(5...)
    #expect(smooth(log, usesMagnetometer: true).count == 5)
    log.rows.removeAll()
    #expect(smooth(log, usesMagnetometer: true).isEmpty)
  }
}
