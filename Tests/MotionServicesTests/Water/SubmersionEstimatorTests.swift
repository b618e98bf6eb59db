// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import Testing

/// The laws of submersion: WATER-2, WATER-3, S83–S84, D13.
@Suite struct SubmersionEstimatorTests {
  typealias Parameters = SubmersionEstimator.Parameters

  /// In the air for 20 s, then at `depth` metres.
  private func plunge(to depth: Double, until end: Double = 40, surface: Double = 101_325) -> WaterLog {
    WaterLog(waterSamples(until: end, surface: surface) { $0 < 20 ? 0 : min(depth, ($0 - 20) * 2) })
  }

  @Test func depthIsThePressureBeyondTheAirsOverDensityTimesGravity() {
    #expect(abs(WaterDensity.en13319.depth(at: 101_325 + 100_000, surfacePressure: 101_325) - 10) < 1e-12)
    #expect(abs(WaterDensity.salt.pascalsPerMetre - 1025 * 9.80665) < 1e-9)
    #expect(WaterDensity(1200)?.pressure(atDepth: 1, surfacePressure: 0) == 1200 * 9.80665)
    #expect(WaterDensity(0) == nil && WaterDensity(.nan) == nil)
  }

  @Test func s83AboveWaterThereIsASurfacePressureAndNothingElse() {
    let log = WaterLog(waterSamples(until: 30) { _ in 0 })
    #expect(log.events.map(\.state) == [.notSubmerged])
    #expect(log.temperatures.isEmpty && !log.measurements.isEmpty)
    for measurement in log.measurements {
      #expect(measurement.depth == nil && measurement.pressure == nil && measurement.state == .notSubmerged)
      #expect(abs(measurement.surfacePressure - 101_325) < 10)
    }
  }

  @Test func s83ThreeMeasurementsASecondUnderWaterOneAbove() {
    let log = plunge(to: 3, until: 60)
    let under = log.measurements.filter { $0.time.seconds > 30 && $0.time.seconds < 60 }
    #expect((88...92).contains(under.count))
    // D14: all but the first two.
    #expect(log.temperatures.count == log.measurements.count { $0.state != .notSubmerged } - 2)
    let above = log.measurements.filter { $0.time.seconds > 5 && $0.time.seconds < 19 }
    #expect((13...15).contains(above.count))
  }

  @Test func enteringTakesASecondAndLeavingThree() {
    let log = WaterLog(waterSamples(until: 80) { $0 >= 20 && $0 < 50 ? 2 : 0 })
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged, .notSubmerged])
    #expect((21...22).contains(log.events[1].time.seconds))
    #expect((53...54.5).contains(log.events[2].time.seconds))
  }

  @Test(arguments: [0.1, 0.2, 0.28]) func swellOnAWristAtTheSurfaceDoesNotSubmerge(height: Double) {
    let log = WaterLog(waterSamples(until: 300) { abs(height * Scalar.sin($0 * 2)) })
    #expect(log.events.map(\.state) == [.notSubmerged])
  }

  @Test func d13TheStatesComeInOrderOnTheWayDownAndUp() {
    // To 7 m and back: 6.6 m is the end of what a sensor with 6 m says, and it speaks again below 6 m.
    let log = WaterLog(
      waterSamples(until: 320) { time in
        let way = time < 20 ? 0 : time < 150 ? (time - 20) * 0.06 : 7.8 - (time - 150) * 0.06
        return max(0, min(7, way))
      })
    #expect(
      log.states == [
        .notSubmerged, .submergedShallow, .submergedDeep, .approachingMaximum, .pastMaximum, .sensorError,
        .approachingMaximum, .submergedDeep, .submergedShallow, .notSubmerged,
      ])
    for measurement in log.measurements where measurement.state == .sensorError {
      #expect(measurement.depth == nil && measurement.pressure == nil)
    }
    let deepest = log.measurements.compactMap(\.depth).max() ?? 0
    #expect(deepest > 6.5 && deepest < 6.65)
  }

  @Test(arguments: [1.0, 5.0, 6.0]) func d13ADiverRestingAtABoundDoesNotFlicker(bound: Double) {
    let log = WaterLog(
      waterSamples(until: 200) { time in
        if time < 20 { return 0 }
        // Eight centimetres about the bound once it has been reached.
        return min((time - 20) * 0.2, bound + (time > 60 ? 0.04 * Scalar.sin(time) : 0.01))
      })
    #expect(log.states.count { $0 == log.states.last } == 1)
  }

  @Test func theFullEntitlementMovesTheBoundsTo40Metres() {
    var parameters = Parameters()
    parameters.maximumDepth = 40
    let log = WaterLog(
      waterSamples(until: 260) { $0 < 20 ? 0 : min(45, ($0 - 20) * 0.2) }, parameters: parameters)
    #expect(
      log.states == [
        .notSubmerged, .submergedShallow, .submergedDeep, .approachingMaximum, .pastMaximum, .sensorError,
      ])
    let approach = log.measurements.first { $0.state == .approachingMaximum }?.depth ?? 0
    #expect(abs(approach - 39) < 0.3)
    let past = log.measurements.first { $0.state == .pastMaximum }?.depth ?? 0
    #expect(abs(past - 40) < 0.3)
  }

  @Test func noMaximumMeansNoLimit() {
    var parameters = Parameters()
    parameters.maximumDepth = nil
    let log = WaterLog(
      waterSamples(until: 320) { $0 < 20 ? 0 : min(100, ($0 - 20) * 0.4) }, parameters: parameters)
    #expect(log.states == [.notSubmerged, .submergedShallow, .submergedDeep])
    #expect(abs((log.measurements.last?.depth ?? 0) - 100) < 0.05)
  }

  @Test(arguments: [61_000.0, 80_000, 101_325, 108_000])
  func aMountainLakeNeedsNoSetting(surface: Double) {
    let log = plunge(to: 4, surface: surface)
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged])
    #expect(abs((log.measurements.last?.depth ?? 0) - 4) < 0.01)
    #expect(abs((log.measurements.last?.surfacePressure ?? 0) - surface) < 10)
  }

  @Test func theSurfacePressureIsHeldUnderWater() {
    let log = plunge(to: 4, until: 600)
    let under = Set(log.measurements.filter { $0.state != .notSubmerged }.map(\.surfacePressure))
    #expect(under.count == 1)
  }

  @Test func weatherOfHoursInTheAirIsFollowed() {
    // 3.6 hPa an hour for two hours, then into the water.
    let log = WaterLog(
      waterSamples(until: 7260, rate: 2) { ($0 * 0.1) / 10_000 + ($0 > 7200 ? min(3, ($0 - 7200) * 2) : 0) })
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged])
    #expect(abs((log.measurements.last?.surfacePressure ?? 0) - (101_325 + 720)) < 30)
  }

  @Test(arguments: [5.0, 30, 100, 160])
  func aFallOfTheCabinOrALiftDoesNotSubmerge(pascalsPerSecond: Double) {
    // As far down as the air's pressure allows, 20 kPa.
    let seconds = 20_000 / pascalsPerSecond
    let log = WaterLog(
      waterSamples(until: 60 + seconds + 60, surface: 80_000) { time in
        min(max(0, time - 60), seconds) * pascalsPerSecond / 10_000
      })
    #expect(log.events.map(\.state) == [.notSubmerged])
  }

  @Test(arguments: [0.02, 0.05, 0.2]) func whoSinksSlowlyIsSubmergedAllTheSame(speed: Double) {
    let log = WaterLog(waterSamples(until: 200) { max(0, min(3, ($0 - 40) * speed)) })
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged])
    #expect(abs((log.measurements.last?.depth ?? 0) - 3) < 0.02)
  }

  @Test func whoStartsUnderWaterWithoutASurfacePressureIsToldSo() {
    let log = WaterLog(waterSamples(until: 20) { _ in 5 })
    #expect(log.events.map(\.state) == [.submerged])
    #expect(log.measurements.allSatisfy { !$0.isSurfacePressureKnown })
    var parameters = Parameters()
    parameters.surfacePressure = 101_325
    let told = WaterLog(waterSamples(until: 20) { _ in 5 }, parameters: parameters)
    #expect(told.measurements.allSatisfy { $0.isSurfacePressureKnown })
    #expect(abs((told.measurements.last?.depth ?? 0) - 5) < 0.01)
  }

  @Test func nothingIsSaidBeforeThreeSecondsOfGoodSamples() {
    let log = WaterLog(waterSamples(until: 10) { _ in 0 })
    #expect((3...3.5).contains(log.events[0].time.seconds))
    #expect(log.measurements.allSatisfy { $0.time.seconds >= 3 })
  }

  @Test func aBarometerNeverSubmerges() {
    var estimator = SubmersionEstimator()
    for second in 0..<100 {
      let sample = PressureSample(
        time: .milliseconds(Int64(second) * 1000), pressure: second < 50 ? 101_325 : 200_000, medium: .air)
      #expect(estimator.update(sample).isEmpty)
    }
    #expect(estimator.submersion == .unknown)
  }

  @Test func theSameSamplesGiveTheSameUpdates() {
    let samples = waterSamples(until: 60) { $0 < 20 ? 0 : 2 }
    let (first, second) = (WaterLog(samples), WaterLog(samples))
    #expect(first.events == second.events && first.measurements == second.measurements)
    #expect(first.temperatures == second.temperatures)
  }
}

/// A sensor that returns garbage, freezes, or leaves: one clear problem, and recovery.
@Suite struct SubmersionFaultTests {
  private let dive: (Double) -> Double = { max(0, min(3, ($0 - 20) * 2)) }

  /// Half of it in range, but impossibly fast; the other half also where no whole number has room for it.
  @Test(arguments: [0, -1e19, 9.3e18, 1e300, .greatestFiniteMagnitude])
  func garbageIsOneProblemAndDepthComesBack(_ garbage: Double) {
    var samples = waterSamples(until: 120, depth: dive)
    for index in 600..<700 { samples[index].pressure = index % 2 == 0 ? garbage : Double(index % 7) * 150_000 }
    let log = WaterLog(samples)
    #expect(log.problems.map(\.code) == [.implausible])
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged])
    let during = log.measurements.filter { $0.time.seconds > 62 && $0.time.seconds < 69.9 }
    #expect(!during.isEmpty)
    for measurement in during {
      #expect(measurement.state == .sensorError && measurement.depth == nil && measurement.pressure == nil)
    }
    let after = log.measurements.filter { $0.time.seconds > 72 }
    #expect(after.allSatisfy { abs(($0.depth ?? 0) - 3) < 0.01 } && !after.isEmpty)
    #expect(log.estimator.rejectedCount >= 90)
  }

  @Test(arguments: [0.0, 5e5, 1.2e6, -1e5]) func aLoneSpikeIsPassedOver(pressure: Double) {
    var samples = waterSamples(until: 60, depth: dive)
    samples[450].pressure = pressure
    let log = WaterLog(samples)
    #expect(log.problems.isEmpty && log.estimator.rejectedCount == 1)
    let depths = log.measurements.filter { $0.time.seconds > 30 }.compactMap(\.depth)
    #expect(depths.allSatisfy { abs($0 - 3) < 0.01 })
  }

  @Test func aFrozenSensorIsOneProblemAndDepthComesBack() {
    var samples = waterSamples(until: 180, depth: dive)
    for index in 600..<1200 { samples[index].pressure = samples[600].pressure }
    let log = WaterLog(samples)
    #expect(log.problems.map(\.code) == [.implausible])
    let during = log.measurements.filter { $0.time.seconds > 91 && $0.time.seconds < 119.9 }
    #expect(!during.isEmpty && during.allSatisfy { $0.state == .sensorError })
    #expect(log.measurements.filter { $0.time.seconds > 123 }.allSatisfy { $0.depth != nil })
  }

  /// Other sensors of the device go on for half a minute.
  @Test func aSilentSensorIsOneProblemAndDepthComesBack() {
    var log = WaterLog(waterSamples(until: 60, depth: dive))
    for quarter in 240..<360 { log.take(log.estimator.update(time: .milliseconds(Int64(quarter) * 250))) }
    #expect(log.problems.map(\.code) == [.disconnected])
    let during = log.measurements.filter { $0.time.seconds > 66 }
    #expect((60...75).contains(during.count))
    #expect(during.allSatisfy { $0.state == .sensorError && $0.depth == nil && $0.pressure == nil })
    log.feed(waterSamples(until: 120, from: 90, depth: dive))
    #expect(log.problems.count == 1 && log.events.map(\.state) == [.notSubmerged, .submerged])
    let after = log.measurements.filter { $0.time.seconds > 92 }
    #expect(!after.isEmpty && after.allSatisfy { abs(($0.depth ?? 0) - 3) < 0.01 })
    // A second silence is a second problem.
    for second in 120..<140 { log.take(log.estimator.update(time: .milliseconds(Int64(second) * 1000))) }
    #expect(log.problems.count == 2)
  }

  /// A log of one sample in ten seconds is slow, not silent; and one that never speaks is given half a minute.
  @Test func aSlowSensorIsNotSilent() {
    var log = WaterLog()
    for second in 0..<600 {
      log.take(log.estimator.update(time: .milliseconds(Int64(second) * 1000)))
      guard second.isMultiple(of: 10) else { continue }
      log.feed(waterSamples(until: Double(second + 1), from: Double(second), rate: 1, depth: dive))
    }
    #expect(log.problems.isEmpty && !log.measurements.isEmpty)
    var mute = WaterLog()
    for second in 0..<30 { mute.take(mute.estimator.update(time: .milliseconds(Int64(second) * 1000))) }
    #expect(mute.problems.isEmpty)
    for second in 30..<60 { mute.take(mute.estimator.update(time: .milliseconds(Int64(second) * 1000))) }
    #expect(mute.problems.count == 1 && mute.measurements.isEmpty)
  }

  @Test func aSensorInStillAirMayRepeatItself() {
    let log = WaterLog(waterSamples(until: 600, noise: 0) { _ in 0 })
    #expect(log.problems.isEmpty && log.events.map(\.state) == [.notSubmerged])
  }

  @Test func aSensorThatLeftComesBackUnderWaterWithTheRightDepth() {
    var log = WaterLog(waterSamples(until: 60, surface: 95_000, depth: dive))
    log.take(log.estimator.interrupt(at: .milliseconds(60_000)))
    #expect(log.estimator.submersion == .unknown)
    log.feed(waterSamples(until: 100, from: 90, surface: 95_000) { _ in 6.2 })
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged, .unknown, .submerged])
    #expect(abs((log.measurements.last?.depth ?? 0) - 6.2) < 0.01)
    #expect(log.measurements.last?.isSurfacePressureKnown == true)
  }

  @Test func aGapUnderWaterChangesNothing() {
    let samples = waterSamples(until: 120, depth: dive).filter { !(60..<90).contains($0.time.seconds) }
    let log = WaterLog(samples)
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged] && log.problems.isEmpty)
  }

  /// No limit of depth here: it is the mean that matters.
  @Test func whatLiesOnTwoSidesOfAGapIsNotAveraged() {
    var unlimited = SubmersionEstimator.Parameters()
    unlimited.maximumDepth = nil
    for cut in [60.0, 60.1, 60.2, 60.3] {
      let samples = waterSamples(until: 120) { $0 < 90 ? dive($0) : 10 }.filter {
        !(cut..<90).contains($0.time.seconds)
      }
      let depths = WaterLog(samples, parameters: unlimited).measurements.filter { $0.time.seconds > 40 }.compactMap(
        \.depth)
      #expect(depths.allSatisfy { abs($0 - 3) < 0.01 || abs($0 - 10) < 0.01 })
    }
  }
}

/// S86, D14, WATER-4: the uncertainty that a slow thermometer owes.
@Suite struct WaterTemperatureTests {
  /// The share of readings whose uncertainty covers the water, 3 a second for ten minutes after a step.
  private func coverage(
    from air: Double, to water: Double, timeConstant: Double, assumed: Double? = nil
  ) -> (share: Double, last: Double) {
    var parameters = WaterTemperatureEstimator.Parameters()
    parameters.timeConstant = assumed
    var estimator = WaterTemperatureEstimator(parameters: parameters)
    var (covered, told, last) = (0, 0, 0.0)
    for index in 0..<1800 {
      let seconds = Double(index) / 3
      let reading = water + (air - water) * Scalar.exp(-seconds / timeConstant) + 0.01 * Scalar.sin(Double(index) * 2.1)
      guard let uncertainty = estimator.update(reading, at: SensorInstant(nanoseconds: Int64(seconds * 1e9))) else {
        continue
      }
      (told, last) = (told + 1, uncertainty)
      if abs(reading - water) <= last { covered += 1 }
    }
    return (Double(covered) / Double(told), last)
  }

  @Test(arguments: [75.0, 90, 130, 234], [-10.0, 8, 25, 40])
  func theWaterIsWithinTheUncertaintyInAtLeast95Percent(timeConstant: Double, air: Double) {
    #expect(coverage(from: air, to: 12, timeConstant: timeConstant).share >= 0.95)
    #expect(coverage(from: air, to: 12, timeConstant: timeConstant, assumed: timeConstant).share >= 0.95)
  }

  @Test func aKnownThermometerInConstantWaterIsGoodToItsResidual() {
    let known = coverage(from: 12, to: 12, timeConstant: 90, assumed: 90)
    #expect(known.last >= 0.3 && known.last < 0.4)
  }

  @Test func inTheFirstHalfMinuteItIsNeverBetterThanOneAndAHalf() {
    var estimator = WaterTemperatureEstimator()
    for index in 0..<89 {
      let uncertainty = estimator.update(12, at: SensorInstant(nanoseconds: Int64(index) * 333_333_333))
      #expect(index < 2 ? uncertainty == nil : uncertainty ?? 0 >= 1.5)
    }
  }

  /// D14: a thermometer that may still be as warm as the air says nothing of the water.
  @Test func beforeThereIsASlopeNothingIsTold() {
    var estimator = WaterTemperatureEstimator()
    #expect(estimator.update(25, at: SensorInstant(nanoseconds: 0)) == nil)
  }
}
