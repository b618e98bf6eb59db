// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SimulatedSources
import Testing

/// `simulate:dive` and `simulate:stairs`: what they measure, and what is true.
@Suite struct PressureScenarioTests {
  private func source(_ name: String, _ options: [String: String] = [:]) throws -> SimulatedSource {
    try SimulatedSource(scenario: name, options: options)
  }

  private func pressures(_ source: SimulatedSource, span: Double) -> [PressureSample] {
    collect(source, span: span, kinds: [.airPressure, .waterPressure]).compactMap {
      if case .pressure(let sample) = $0 { sample } else { nil }
    }
  }

  @Test(arguments: ["dive", "stairs"]) func theyKeepThePromisesOfASource(name: String) async throws {
    let conformance = SourceConformance(source: try source(name), span: .seconds(3), sampleLimit: 2000)
    #expect(await conformance.violations() == [])
  }

  @Test func aDiverMeasuresWaterAndAClimberAir() throws {
    #expect(try source("dive").info.kinds == [.inertial, .magnetometer, .waterPressure])
    #expect(try source("dive").info.deviceClass == .watch)
    #expect(try source("stairs").info.kinds.contains(.airPressure))
    #expect(try !source("stairs").info.kinds.contains(.waterPressure))
  }

  @Test(arguments: [1.5, 5.5, 8.5, 40, 110]) func aDiveGoesDownToItsDepthAndComesUp(depth: Double) {
    let dive = Dive(depth: depth)
    let heights = stride(from: 0, through: dive.duration + 5, by: 0.25).map { dive.state(at: $0).position.z }
    #expect(abs((heights.min() ?? 0) + depth) < 1e-9)
    #expect(heights.first == 0.8 && abs((heights.last ?? 0) - 0.8) < 1e-9)
    // No diver is faster than the stride in.
    let fastest = stride(from: 0, to: dive.duration, by: 0.05).map { abs(dive.state(at: $0).velocity.z) }.max() ?? 0
    #expect(fastest < 2)
  }

  @Test func withoutErrorsTheSensorReadsTheTruth() throws {
    for (water, density) in [("fresh", 1000.0), ("salt", 1025), ("1010", 1010)] {
      let source = try source("dive", ["errors": "ideal", "water": water, "surfacePressure": "950", "weather": "3.6"])
      for sample in pressures(source, span: 80) {
        let truth = try #require(source.waterTruth(at: sample.time))
        #expect(abs(sample.pressure - truth.pressure) < 1e-6)
      }
      let deep = try #require(source.waterTruth(at: SensorInstant(nanoseconds: 60_000_000_000)))
      let weight = deep.column * density * 9.80665
      #expect(abs(deep.pressure - deep.surfacePressure - weight) < 1e-6)
      // 3.6 hPa an hour for a minute.
      #expect(abs(deep.surfacePressure - 95_006) < 1e-6 && deep.depth > 0)
    }
  }

  @Test func aWaveIsFeltLessTheDeeperOneIs() {
    var water = SimulatedWater()
    water.waveHeight = 1
    func swing(_ depth: Double) -> Double {
      let columns = (0..<600).map { water.column(atDepth: depth, seconds: Double($0) / 20) }
      return (columns.max() ?? 0) - (columns.min() ?? 0)
    }
    #expect(swing(1.5) > 0.3 && swing(1.5) < 0.7)
    #expect(swing(10) < 0.02 && swing(40) < 1e-6)
    // k of a wave of three seconds is 0.447 rad/m.
    #expect(abs(swing(4) / swing(2) - Scalar.exp(-0.447 * 2)) < 0.01)
  }

  @Test func theThermometerFollowsAtItsTimeConstant() throws {
    let source = try source("dive", ["errors": "ideal", "waterTemperature": "5", "depth": "30"])
    let samples = pressures(source, span: 240)
    let entry = try #require(samples.first { (source.waterTruth(at: $0.time)?.depth ?? 0) > 0 }).time.seconds
    for sample in samples where sample.time.seconds > entry + 1 {
      let expected = 5 + 20 * Scalar.exp(-(sample.time.seconds - entry) / 90)
      #expect(abs((sample.temperature ?? 0) - expected) < 0.15)
    }
    #expect(samples.first?.temperature == 25)
  }

  @Test func aRunThatBeginsInTheMiddleReadsTheSame() throws {
    let whole = pressures(try source("dive"), span: 100).filter { $0.time.seconds > 60 }
    let resumed = collect(
      try source("dive"), span: 100, kinds: .waterPressure, after: SensorInstant(nanoseconds: 60_000_000_000))
    let part = resumed.compactMap { if case .pressure(let sample) = $0 { sample } else { nil } }
    #expect(part == whole && !whole.isEmpty)
  }

  @Test func stairsLeadUpAndDown() {
    let stairs = Stairs(flightHeight: 2.66, flightTime: 10, flights: 2)
    for (number, height) in [0, 2.66, 5.32, 2.66].enumerated() {
      #expect(abs(stairs.state(at: stairs.start(ofFlight: number)).position.z - height) < 1e-9)
    }
    #expect(abs(stairs.state(at: 1000).position.z) < 1e-9)
  }

  @Test func aFrozenSensorRepeatsItselfAndAMadOneRaves() throws {
    let frozen = pressures(try source("dive", ["freezeAt": "10", "faultFor": "5"]), span: 20)
    let stuck = Set(frozen.filter { (10.1..<15).contains($0.time.seconds) }.map(\.pressure))
    #expect(stuck.count == 1 && Set(frozen.filter { $0.time.seconds > 15 }.map(\.pressure)).count > 3)
    #expect(zip(frozen, frozen.dropFirst()).allSatisfy { $0.time < $1.time })
    let mad = pressures(try source("dive", ["garbageAt": "10", "faultFor": "5"]), span: 20)
    let values = mad.filter { (10..<15).contains($0.time.seconds) }.map(\.pressure)
    #expect((values.max() ?? 0) > 1e6 && (values.min() ?? 0) < 1e5)
    #expect(mad.filter { $0.time.seconds >= 15 }.allSatisfy { abs($0.pressure - 102_815) < 200 })
  }

  @Test(arguments: [
    ["depth": "1"], ["depth": "nan"], ["water": "thin"], ["waves": "9"], ["surfacePressure": "1013 hPa"],
    ["weather": "storm"], ["freezeAt": "-1"], ["faultFor": "x"], ["waterTemperature": "90"],
  ])
  func impossibleOptionsAreRefused(_ options: [String: String]) {
    let error = #expect(throws: SensorError.self) { try source("dive", options) }
    #expect(error?.code == .invalidRequest && error?.message.hasSuffix(".") == true)
  }

  @Test func theDivesOptionsAreTheDives() {
    for name in ["depth", "water", "waterTemperature", "waves"] {
      let error = #expect(throws: SensorError.self) { try source("walk", [name: "2"]) }
      #expect(error?.message.contains("simulate:dive") == true)
    }
  }
}
