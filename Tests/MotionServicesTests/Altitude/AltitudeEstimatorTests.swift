// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// S61–S63, D9, ALT-1.
@Suite struct AltitudeEstimatorTests {
  /// Pressures of the standard atmosphere over a height by time, at 25 Hz.
  private func air(
    until end: Double, seaLevel: Double = 101_325, height: (Double) -> Double
  ) -> [PressureSample] {
    (0..<Int(end * 25)).map { index in
      let seconds = Double(index) / 25
      let pressure = seaLevel * Scalar.pow(1 - height(seconds) / 44330.769, 1 / 0.190263)
      return PressureSample(time: SensorInstant(nanoseconds: Int64(index) * 40_000_000), pressure: pressure)
    }
  }

  private func altitudes(
    _ samples: [PressureSample], _ parameters: AltitudeEstimator.Parameters = .init()
  ) -> [AltitudeEstimator.Altitude] {
    var estimator = AltitudeEstimator(parameters: parameters)
    return samples.compactMap { estimator.update($0) }
  }

  @Test(arguments: zip([1000.0, 900, 800, 500, 300], [110.88, 988.50, 1948.99, 5574.43, 9163.95]))
  func theStandardAtmosphereHasItsTableValues(hectopascal: Double, height: Double) {
    #expect(abs(StandardAtmosphere.height(at: hectopascal * 100) - height) < 0.01)
  }

  @Test func s61TheFirstEventIsExactlyZeroAndD9TheyComeOnceASecond() {
    let events = altitudes(air(until: 60) { 500 + $0 })
    #expect(events.first?.relative == 0)
    for (a, b) in zip(events, events.dropFirst()) { #expect(abs((b.time - a.time).seconds - 1) < 1e-9) }
    #expect(events.count == 58)
  }

  @Test func aSensorOfOneASecondGivesEverySample() {
    let samples = (0..<50).map {
      PressureSample(time: SensorInstant(nanoseconds: Int64($0) * 1_065_000_000), pressure: 100_000)
    }
    #expect(altitudes(samples).count == 48)
  }

  @Test func aFlightReadsAsThroughOnePoleOfTwoSeconds() {
    // ALT-4: 2.66 m in 10 s reads 2.1 m at its end and 2.66 m ten seconds later.
    let events = altitudes(air(until: 60) { min(2.66, max(0, ($0 - 20) * 0.266)) })
    let top = events.first { $0.time.seconds >= 30 }
    let later = events.first { $0.time.seconds >= 40 }
    #expect(abs((top?.relative ?? 0) - 2.1) < 0.1)
    #expect(abs((later?.relative ?? 0) - 2.66) < 0.01)
  }

  @Test(arguments: 1...10) func aFlightOfThreeMetresIsRightToThreeDecimetresThreeSecondsAfterTheTop(seed: Int) throws {
    let source = try SimulatedSource(scenario: "stairs", options: ["seed": "\(seed)"])
    let stairs = Stairs()
    let events = altitudes(pressures(of: source, span: stairs.start(ofFlight: 6) + 20, kinds: .airPressure))
    for flight in 0..<6 {
      let top = stairs.start(ofFlight: flight) + stairs.flightTime
      let foot = try #require(events.last { $0.time.seconds <= stairs.start(ofFlight: flight) })
      let event = try #require(events.first { $0.time.seconds >= top + 3 })
      let truths = try [foot, event].map { try #require(source.truth(at: $0.time)).position.z }
      let (height, truth) = (event.relative - foot.relative, truths[1] - truths[0])
      #expect(abs(height - truth) < 0.3, "flight \(flight): \(height) for \(truth)")
    }
  }

  @Test func atRestTheNoiseIsCentimetresAndTheDriftIsTheWeathers() throws {
    let source = try SimulatedSource(scenario: "rest", options: ["seed": "3", "weather": "0.68"])
    var configuration = source.configuration
    configuration.errors.pressure = DeviceErrorModel.phone.pressure
    let noisy = SimulatedSource(trajectory: Rest(), configuration: configuration, name: "rest")
    let events = altitudes(pressures(of: noisy, span: 3600, kinds: .airPressure))
    let steps = zip(events, events.dropFirst()).map { $1.relative - $0.relative }
    let noise = (steps.reduce(0) { $0 + $1 * $1 } / Double(steps.count) / 2).squareRoot()
    let drift = try #require(events.last?.relative)
    print("altimeter at rest for an hour, 0.4 Pa/√Hz, 0.68 hPa/h of weather: noise \(noise) m, drift \(drift) m")
    #expect(noise < 0.02)
    // 0.68 hPa are 5.7 m; the sensor's own walk of 0.2 Pa/√s adds 1 m (one sigma) in an hour.
    #expect(abs(drift + 5.7) < 3)
  }

  @Test func s62WithoutAReferenceTheAccuracyIsHonest() {
    let event = altitudes(air(until: 10, seaLevel: 103_000) { _ in 100 }).last
    #expect((80...81).contains(event?.accuracy ?? 0) && event?.precision == 1)
    // The standard atmosphere misses by 139 m on such a day: less than two of its standard deviations.
    #expect(abs((event?.absolute ?? 0) - 100) < 2 * 80)
  }

  @Test func s62AKnownSeaLevelPressureGivesTheAltitude() {
    var parameters = AltitudeEstimator.Parameters()
    parameters.reference = .seaLevelPressure(103_000)
    for height in [-20.0, 0, 100, 2000] {
      let event = altitudes(air(until: 10, seaLevel: 103_000) { _ in height }, parameters).last
      #expect(abs((event?.absolute ?? .nan) - height) < 0.01)
      #expect((7.5...10).contains(event?.accuracy ?? 0))
    }
  }

  @Test func s62AKnownHeightGivesTheAltitudeAndTheWeatherWearsItOut() {
    var parameters = AltitudeEstimator.Parameters()
    parameters.reference = .height(512, standardDeviation: 0.5)
    let events = altitudes(air(until: 3600) { 512 + ($0 > 100 ? 10 : 0) }, parameters)
    #expect(abs((events.first?.absolute ?? 0) - 512) < 1e-9)
    #expect((0.5...0.6).contains(events.first?.accuracy ?? 0) && events.first?.precision == 0.1)
    #expect(abs((events.last?.absolute ?? 0) - 522) < 0.05)
    #expect((5...5.1).contains(events.last?.accuracy ?? 0))
  }

  @Test func waterAndGarbageAreNotAir() {
    var estimator = AltitudeEstimator()
    for index in 0..<100 {
      let time = SensorInstant(nanoseconds: Int64(index) * 100_000_000)
      #expect(estimator.update(PressureSample(time: time, pressure: 2e5, medium: .water)) == nil)
      #expect(estimator.update(PressureSample(time: time, pressure: 2e6)) == nil)
    }
    #expect(estimator.rejectedCount == 100)
  }

  @Test(
    .enabled(if: SharedData.has("mcap"), "needs the barometer log in shared/data/mcap (OPENCOREMOTION_DATA)"))
  func aRealBarometerAtRestIsCalmedDown() throws {
    let (info, samples) = try SharedData.pressures("mcap/baro_px4_stationary.mcap")
    #expect(samples.count == 120 && info.kinds == .airPressure)
    let raw = samples.map(\.pressure)
    #expect(abs((raw.max() ?? 0) - (raw.min() ?? 0) - 7.25) < 1e-6)
    let events = altitudes(samples)
    // 0.6 m from peak to peak become centimetres.
    #expect(events.count >= 4 && events.allSatisfy { abs($0.relative) < 0.1 })
  }
}

/// What counts as a climb, a descent and a floor.
@Suite struct ClimbEstimatorTests {
  private func climb(_ heights: [Double]) -> ClimbEstimator {
    var estimator = ClimbEstimator()
    for height in heights { estimator.update(height) }
    return estimator
  }

  @Test func upAndDownAreAddedApart() {
    let way = climb((0...90).map { Double($0) / 10 } + (20...90).reversed().map { Double($0) / 10 })
    #expect(abs(way.ascent - 9) < 1e-9 && abs(way.descent - 7) < 1e-9 && way.floors == 3)
  }

  @Test func wanderingByLessThanAMetreIsNoClimb() {
    let way = climb((0..<1000).map { Double($0 % 2) * 0.9 })
    #expect(way.ascent == 0 && way.descent == 0 && way.floors == 0)
  }

  @Test(arguments: [(2.4, 0), (2.66, 1), (3.0, 1), (5.4, 1), (5.6, 2)])
  func aFloorIsThreeMetresOrALittleLess(height: Double, floors: Int) {
    #expect(climb([0, height / 2, height]).floors == floors)
  }

  @Test func floorsOfSeparateClimbsAddUpAndDescentsTakeNoneAway() {
    let way = climb([0, 3, 0, 3, 0, 3, 0])
    #expect(way.floors == 3 && way.ascent == 9 && way.descent == 9)
    #expect(climb([10, 0]).floors == 0)
  }

  @Test func numbersThatAreNoneAreLeftOut() {
    #expect(climb([0, .nan, 3, .infinity]).ascent == 3)
  }
}
