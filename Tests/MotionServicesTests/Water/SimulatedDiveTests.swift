// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices
import SimulatedSources
import Testing

/// Dives whose truth is known, with waves, noise and a slow thermometer.
@Suite struct SimulatedDiveTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var depth = 5.5
    var seed = 1
    var waves = 0.15
    var surface = 1013.25
    var weather = 0.0
    var water = 15.0
    var testDescription: String {
      "\(depth) m, seed \(seed), waves \(waves) m, \(surface) hPa, \(weather) hPa/h, \(water) °C"
    }

    var options: [String: String] {
      [
        "depth": "\(depth)", "seed": "\(seed)", "waves": "\(waves)", "surfacePressure": "\(surface)",
        "weather": "\(weather)", "waterTemperature": "\(water)",
      ]
    }
  }

  static let cases = [
    Case(), Case(depth: 2, seed: 2, waves: 0.4), Case(depth: 12, seed: 3, surface: 620), Case(depth: 39, seed: 4),
    Case(depth: 30, seed: 5, waves: 0, weather: 1.5, water: 4), Case(depth: 5.5, seed: 6, waves: 0.5, water: 28),
  ]

  @Test(arguments: cases) func aDiveIsSeenAsItWas(dive: Case) throws {
    let source = try SimulatedSource(scenario: "dive", options: dive.options)
    let end = Dive(depth: dive.depth).duration
    let samples = pressures(of: source, span: end + 60, kinds: .waterPressure)
    var parameters = SubmersionEstimator.Parameters()
    parameters.maximumDepth = 40
    // Half of the cases know how slow the thermometer is.
    if dive.seed % 2 == 0 { parameters.thermometer.timeConstant = source.info.water?.thermometerTimeConstant }
    let log = WaterLog(samples, parameters: parameters)

    // Zero false toggles; in a second or two after the stride, out within half a minute of the last of it.
    #expect(log.events.map(\.state) == [.notSubmerged, .submerged, .notSubmerged] && log.problems.isEmpty)
    #expect((31...34).contains(log.events[1].time.seconds))
    #expect((end - 25...end + 5).contains(log.events[2].time.seconds))

    // Down and up again through the same states; the stride in passes the first metre before it counts as one.
    let states = log.states.filter { $0 != .submergedShallow }
    #expect(states == states.reversed() && states.count == (dive.depth > 38.9 ? 5 : 3))
    #expect(log.states.suffix(2) == [.submergedShallow, .notSubmerged])

    // The column of water above the sensor, waves in it: centimetres of noise, offset and weather together.
    var squares = 0.0
    let deep = log.measurements.filter { $0.depth != nil }
    for measurement in deep {
      let truth = try #require(source.waterTruth(at: measurement.time))
      squares += (measurement.depth! - truth.column) * (measurement.depth! - truth.column)
    }
    let error = (squares / Double(deep.count)).squareRoot()
    #expect(error < 0.02, "\(error) m RMS")

    // S86: the uncertainty covers the water.
    var covered = 0
    for reading in log.temperatures where abs(reading.temperature - dive.water) <= reading.uncertainty { covered += 1 }
    let coverage = Double(covered) / Double(log.temperatures.count)
    #expect(coverage >= 0.95, "\(coverage)")
    print("simulated dive (\(dive.testDescription)): depth \(error) m RMS, temperature covered in \(coverage * 100) %")
  }

  /// S86, from icy water to water warmer than the air, with a thermometer whose slowness is known and one whose is not.
  @Test(arguments: [-1.5, 4, 10, 20, 24.5, 27, 33], [true, false])
  func theUncertaintyCoversTheWaterWhateverItsTemperature(water: Double, isKnown: Bool) throws {
    for seed in 1...3 {
      let source = try SimulatedSource(
        scenario: "dive", options: ["depth": "5.5", "seed": "\(seed)", "waterTemperature": "\(water)"])
      var parameters = SubmersionEstimator.Parameters()
      if isKnown { parameters.thermometer.timeConstant = source.info.water?.thermometerTimeConstant }
      let samples = pressures(of: source, span: Dive(depth: 5.5).duration, kinds: .waterPressure)
      let readings = WaterLog(samples, parameters: parameters).temperatures
      let covered = readings.count { abs($0.temperature - water) <= $0.uncertainty }
      #expect(
        readings.count > 300 && Double(covered) >= 0.95 * Double(readings.count),
        "seed \(seed): \(covered) of \(readings.count)")
    }
  }

  @Test(arguments: 10..<30) func noWaveTogglesAnything(seed: Int) throws {
    let source = try SimulatedSource(scenario: "dive", options: ["depth": "2", "seed": "\(seed)", "waves": "0.3"])
    let samples = pressures(of: source, span: Dive(depth: 2).duration + 60, kinds: .waterPressure)
    #expect(WaterLog(samples).events.map(\.state) == [.notSubmerged, .submerged, .notSubmerged])
  }

  @Test func theSameDiveAtOneHertzIsTheSameDive() throws {
    let source = try SimulatedSource(scenario: "dive", options: ["waves": "0"])
    let end = Dive().duration
    let samples = pressures(of: source, span: end + 60, kinds: .waterPressure)
    let slow = WaterLog(samples.enumerated().filter { $0.offset % 25 == 0 }.map(\.element))
    #expect(slow.events.map(\.state) == [.notSubmerged, .submerged, .notSubmerged])
    for measurement in slow.measurements {
      guard let depth = measurement.depth, let truth = source.waterTruth(at: measurement.time) else { continue }
      // Only noise is left: what a sample of one a second says is what it measured then.
      #expect(abs(depth - truth.column) < 0.02)
    }
  }

  @Test func aFrozenAndAMadSensorAreToldOnce() throws {
    let depth = "20"
    for fault in ["freezeAt": "120", "garbageAt": "120"] {
      let source = try SimulatedSource(
        scenario: "dive", options: ["depth": depth, "faultFor": "45", fault.key: fault.value])
      let samples = pressures(of: source, span: Dive(depth: 20).duration + 60, kinds: .waterPressure)
      var parameters = SubmersionEstimator.Parameters()
      parameters.maximumDepth = 40
      let log = WaterLog(samples, parameters: parameters)
      #expect(log.problems.count == 1, "\(fault.key)")
      #expect(log.events.map(\.state) == [.notSubmerged, .submerged, .notSubmerged], "\(fault.key)")
      let later = log.measurements.first { $0.time.seconds > 170 }
      #expect(later?.depth != nil, "\(fault.key)")
    }
  }
}
