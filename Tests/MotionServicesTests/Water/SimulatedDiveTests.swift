// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
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

/// Real dives against the depth that the device itself showed (WATER-6). The samples lie in shared/data/mcap, the
/// depths in shared/data/dive.
@Suite(
  .enabled(if: SharedData.has("dive"), "needs the dive logs in shared/data/dive (OPENCOREMOTION_DATA)"))
struct RealDiveTests {
  struct Log: Sendable, CustomTestStringConvertible {
    var file: String
    /// Of the device, kg/m³.
    var density: Double
    /// Pascal; nil = the file says it.
    var surface: Double?
    /// Metres, RMS.
    var bound: Double
    var rows: Int
    var deepest: Double
    var exit: Double
    var testDescription: String { file }
  }

  static let logs = [
    Log(
      file: "garmin_2023-08-17-08-51-59.csv", density: 1025.036, surface: 102_166.99, bound: 0.005, rows: 5000,
      deepest: 51.77, exit: 5611),
    Log(
      file: "suunto_nautic_sidemount.csv", density: 1000.15, surface: nil, bound: 0.025, rows: 2003, deepest: 21.14,
      exit: 1881),
    Log(
      file: "suunto_ocean_air.csv", density: 1020.39, surface: nil, bound: 0.01, rows: 3304, deepest: 23.12, exit: 3015),
  ]

  /// The depths that the device wrote down, by its time; most rows of some logs have none.
  private func deviceDepths(_ file: String) throws -> [Int64: Double] {
    let text = try String(contentsOfFile: SharedData.folder + "/dive/" + file, encoding: .utf8)
    let rows = text.split(separator: "\n").drop { $0.hasPrefix("#") }
    let column = try #require(rows.first?.split(separator: ",").firstIndex(of: "device_depth_m"))
    var depths: [Int64: Double] = [:]
    for row in rows.dropFirst() {
      let fields = row.split(separator: ",", omittingEmptySubsequences: false)
      guard let seconds = Double(fields[0]), let depth = Double(fields[column]) else { continue }
      depths[Int64((seconds * 1e9).rounded())] = depth
    }
    return depths
  }

  @Test(arguments: logs) func depthIsThatOfTheDevice(log: Log) throws {
    let (info, samples) = try SharedData.pressures("mcap/dive_\(log.file.dropLast(4)).mcap")
    #expect(samples.count == log.rows && info.kinds == .waterPressure)
    var parameters = SubmersionEstimator.Parameters()
    parameters.water = try #require(WaterDensity(log.density))
    parameters.maximumDepth = nil
    parameters.surfacePressure = log.surface ?? info.water?.surfacePressure
    let result = WaterLog(samples, parameters: parameters)

    let device = try deviceDepths("\(log.file)")
    var (squares, count, deepest) = (0.0, 0, 0.0)
    for measurement in result.measurements {
      guard let depth = measurement.depth, let shown = device[measurement.time.nanoseconds], shown > 1 else { continue }
      squares += (depth - shown) * (depth - shown)
      count += 1
      deepest = max(deepest, depth)
    }
    let error = (squares / Double(count)).squareRoot()
    print("depth against the device: \(log.file) \(String(format: "%.4f", error)) m RMS over \(count) samples")
    #expect(count > 100 && error <= log.bound, "\(error) m RMS over \(count)")
    #expect(abs(deepest - log.deepest) < 0.02, "deepest \(deepest) m")

    // Two transitions: in from the start, out once.
    #expect(result.events.map(\.state) == [.submerged, .notSubmerged] && result.problems.isEmpty)
    #expect(abs(result.events[1].time.seconds - log.exit) <= 2)
    #expect(result.measurements.allSatisfy { $0.isSurfacePressureKnown })
    #expect(result.states.first == .submergedDeep && result.states.last == .notSubmerged)
  }

  @Test func withoutASurfacePressureTheOffsetIsUnknown() throws {
    let (info, samples) = try SharedData.pressures("mcap/dive_garmin_2023-08-17-08-51-59.mcap")
    #expect(info.water?.surfacePressure == nil)
    let log = WaterLog(Array(samples.prefix(500)))
    #expect(log.events.map(\.state) == [.submerged])
    #expect(log.measurements.allSatisfy { !$0.isSurfacePressureKnown } && !log.measurements.isEmpty)
  }

  @Test(arguments: [6.0, 40]) func theBreathHoldProfileWalksThroughEveryState(maximum: Double) throws {
    let (info, samples) = try SharedData.pressures("mcap/dive_TestDiveSeabearH3_0004SBDT.mcap")
    #expect(samples.count == 984 && info.water?.surfacePressure == 97_100)
    var parameters = SubmersionEstimator.Parameters()
    parameters.maximumDepth = maximum
    parameters.surfacePressure = info.water?.surfacePressure
    let log = WaterLog(samples, parameters: parameters)
    let down = Array(log.states.prefix { $0 != .sensorError })
    #expect(Set(log.states).isSuperset(of: [.submergedShallow, .submergedDeep, .approachingMaximum, .sensorError]))
    #expect(down == down.sorted { $0.rawValue < $1.rawValue })
    #expect(log.problems.isEmpty)
    parameters.maximumDepth = nil
    let deepest = WaterLog(samples, parameters: parameters).measurements.compactMap(\.depth).max() ?? 0
    #expect(abs(deepest - 70.1) < 0.11)
  }
}

/// The pressures of a simulation, in memory, until `span` seconds.
func pressures(of source: SimulatedSource, span: Double, kinds: SensorKinds) -> [PressureSample] {
  let samples = Lock<[PressureSample]>([])
  let session = SensorSession(
    clock: FreeRunningClock(), request: SensorRequest(kinds: kinds, interval: .zero)
  ) { sample, _ throws(SourceStopped) in
    if sample.time.seconds >= span { throw SourceStopped() }
    if case .pressure(let pressure) = sample { samples.withLock { $0.append(pressure) } }
  }
  // It ends by the sink's own stop.
  try? source.run(session)
  return samples.withLock { $0 }
}

/// What an estimator said, by kind.
struct WaterLog {
  var events: [SubmersionUpdate.Event] = []
  var measurements: [SubmersionUpdate.Measurement] = []
  var temperatures: [SubmersionUpdate.Temperature] = []
  var problems: [SensorError] = []
  var estimator: SubmersionEstimator

  init(_ samples: [PressureSample] = [], parameters: SubmersionEstimator.Parameters = .init()) {
    estimator = SubmersionEstimator(parameters: parameters)
    feed(samples)
  }

  mutating func feed(_ samples: [PressureSample]) {
    for sample in samples { take(estimator.update(sample)) }
  }

  mutating func take(_ update: SubmersionUpdate) {
    if let event = update.event { events.append(event) }
    if let measurement = update.measurement { measurements.append(measurement) }
    if let temperature = update.temperature { temperatures.append(temperature) }
    if let problem = update.problem { problems.append(problem) }
  }

  /// The depth states, repeats left out.
  var states: [SubmersionUpdate.DepthState] {
    measurements.reduce(into: []) { if $0.last != $1.state { $0.append($1.state) } }
  }

  func events(_ state: SubmersionUpdate.Submersion) -> [Double] {
    events.filter { $0.state == state }.map(\.time.seconds)
  }
}

/// Pressures by a recipe: metres of EN 13319 water at `seconds`, at `rate` Hz, over air of `surface` pascal.
func waterSamples(
  until end: Double, from start: Double = 0, rate: Double = 10, surface: Double = 101_325, noise: Double = 5,
  depth: (Double) -> Double
) -> [PressureSample] {
  (Int(start * rate)..<Int(end * rate)).map { index in
    let seconds = Double(index) / rate
    // A small noise that needs no random numbers, so that a living sensor never repeats itself.
    let wobble = noise * Scalar.sin(Double(index) * 1.7)
    return PressureSample(
      time: SensorInstant(nanoseconds: Int64((seconds * 1e9).rounded())),
      pressure: WaterDensity.en13319.pressure(atDepth: depth(seconds), surfacePressure: surface) + wobble,
      temperature: 15, medium: .water)
  }
}

extension SharedData {
  static func pressures(_ name: String) throws -> (info: SensorInfo, samples: [PressureSample]) {
    let recording = try Recording.open(path: folder + "/" + name)
    let reader = try recording.makeReader()
    var samples: [PressureSample] = []
    while let sample = try reader.next() {
      if case .pressure(let pressure) = sample { samples.append(pressure) }
    }
    return (recording.info, samples)
  }
}
