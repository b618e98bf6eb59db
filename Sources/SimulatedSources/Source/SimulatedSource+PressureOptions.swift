// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension OptionReader {
  /// The scenario's trajectory, a dive as deep as asked for, the strokes of the seed.
  func trajectory(of scenario: Scenario) throws(SensorError) -> any Trajectory {
    guard scenario.trajectory is Dive else {
      for name in ["depth", "water", "waterTemperature", "waves"] where options[name] != nil {
        throw SensorError(
          .invalidRequest, "The option “\(name)” belongs to simulate:dive, not to simulate:\(scenario.name).")
      }
      return scenario.trajectory is Strokes ? Strokes(seed: try seed() ?? 1) : scenario.trajectory
    }
    guard let depth = try number("depth", in: 1.5...110, "metres, a number from 1.5 to 110") else { return Dive() }
    return Dive(depth: depth)
  }

  /// Water, air and what goes wrong with their sensors.
  func readPressure(into configuration: inout SimulatedSource.Configuration) throws(SensorError) {
    var world = configuration.world
    switch options["water"] {
    case nil, "en13319": break
    case "fresh": world.water.density = 1000
    case "salt": world.water.density = 1025
    default:
      let allowed = "fresh, en13319, salt, or kg/m³ from 950 to 1300"
      world.water.density = try number("water", in: 950...1300, allowed) ?? world.water.density
    }
    if let waves = try number("waves", in: 0...2, "metres, a number from 0 to 2") { world.water.waveHeight = waves }
    if let celsius = try number("waterTemperature", in: -2...40, "°C, a number from −2 to 40") {
      world.water.temperature = celsius
    }
    if let pressure = try number("surfacePressure", in: 300...1100, "hectopascal, a number from 300 to 1100") {
      world.seaLevelPressure = pressure * 100
    }
    if let drift = try number("weather", in: -50...50, "hectopascal an hour, a number from −50 to 50") {
      world.pressureDrift = drift * 100 / 3600
    }
    configuration.world = world
    let duration = try seconds("faultFor") ?? 60
    let pressures: SensorKinds = [.airPressure, .waterPressure]
    if let time = try seconds("freezeAt") {
      configuration.faults.faults.append(Fault(.freeze(duration: duration), at: time, kinds: pressures))
    }
    if let time = try seconds("garbageAt") {
      configuration.faults.faults.append(Fault(.garbage(duration: duration), at: time, kinds: pressures))
    }
  }

  private func number(
    _ name: String, in range: ClosedRange<Double>, _ allowed: String
  ) throws(SensorError) -> Double? {
    guard let text = options[name] else { return nil }
    guard let number = Double(text), range.contains(number) else { throw refused(name, allowed) }
    return number
  }
}
