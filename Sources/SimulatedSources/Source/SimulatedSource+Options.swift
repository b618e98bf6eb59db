// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

extension SimulatedSource {
  /// The options of `simulate:NAME?option=value&…`, each with one line for a person.
  ///
  /// `speed`, `loop` and `gate` are the host's; they are accepted here and change nothing.
  public static let options: [(name: String, summary: String)] = [
    ("rate", "Hz of accelerometer and gyroscope, default 100; swing has 800 by default"),
    ("gyroscope", "yes (default, as the accelerometer), no, or Hz of its own"),
    ("magnetometer", "yes (default, 50 Hz), no, or Hz"),
    ("pressure", "yes (default, 25 Hz), no, or Hz"),
    ("temperature", "yes (default, 1 Hz), no, or Hz"),
    ("seed", "whole number that chooses the noise, and the strokes of swing, default 1"),
    ("duration", "seconds after which the source ends, default never"),
    (
      "errors",
      "ideal (default), phone, watch (default of swing) or controller; dive and stairs have noisy pressure sensors by default"
    ),
    ("bias", "rad/s added to the gyroscope, one number for all axes or x:y:z"),
    ("hardIron", "microtesla added to the magnetometer, x:y:z"),
    ("depth", "metres that a dive goes down, 1.5 to 110, default 5.5; only with dive"),
    ("water", "fresh, en13319 (default), salt, or kg/m³; only with dive"),
    ("waterTemperature", "°C of the water, default 15; only with dive"),
    ("waves", "metres from trough to crest, default 0.15; only with dive"),
    ("surfacePressure", "hectopascal of the air at the beginning, default 1013.25"),
    ("weather", "hectopascal an hour by which the air's pressure changes, default 0"),
    ("freezeAt", "seconds after which the pressure sensor repeats itself"),
    ("garbageAt", "seconds after which the pressure sensor delivers nonsense"),
    ("faultFor", "seconds that freezeAt and garbageAt last, default 60"),
    ("stallAt", "seconds after which the device falls silent"),
    ("disconnectAt", "seconds after which the device leaves"),
    ("reconnectAfter", "seconds after which it is back, default never; only with disconnectAt"),
  ]

  /// The simulated device of an address: a scenario by name, and options as text.
  ///
  /// Throws `.notFound` for a scenario that does not exist, and `.invalidRequest` for an unknown option or a value that it does
  /// not take; the message says what is allowed.
  public convenience init(scenario name: String, options: [String: String]) throws(SensorError) {
    guard let scenario = Scenario(named: name) else {
      let names = Scenario.all.map(\.name).joined(separator: ", ")
      throw SensorError(.notFound, "There is no simulation “\(name)”; choose one of \(names).")
    }
    // Taken out by the host before they come here; named all the same, because the person writes them beside the others.
    let ofTheHost = ["speed", "gate", "loop"]
    let known = Self.options.map(\.name)
    if let unknown = options.keys.filter({ !known.contains($0) && !ofTheHost.contains($0) }).min() {
      throw SensorError(
        .invalidRequest,
        "A simulation has no option “\(unknown)”; it knows \((known + ofTheHost.prefix(2)).joined(separator: ", ")).")
    }
    let reader = OptionReader(options: options)
    let trajectory = try reader.trajectory(of: scenario)
    let configuration = try reader.configuration(of: scenario)
    self.init(trajectory: trajectory, configuration: configuration, name: scenario.name)
  }
}

/// Reads options written as text.
struct OptionReader {
  let options: [String: String]

  func configuration(of scenario: Scenario) throws(SensorError) -> SimulatedSource.Configuration {
    var configuration = scenario.configuration
    var inertial = SimulatedSource.Timing(rate: 100)
    if case .together(let timing) = configuration.inertial { inertial = timing }
    if let rate = try rate("rate") { inertial = SimulatedSource.Timing(rate: rate) }
    let gyroscope = try timing("gyroscope", standard: inertial)
    configuration.inertial =
      gyroscope == inertial ? .together(inertial) : .apart(accelerometer: inertial, gyroscope: gyroscope)
    configuration.magnetometer = try timing("magnetometer", standard: configuration.magnetometer)
    configuration.pressure = try timing("pressure", standard: configuration.pressure)
    configuration.temperature = try timing("temperature", standard: configuration.temperature)
    if let seed = try seed() { configuration.seed = seed }
    configuration.duration = try seconds("duration")
    configuration.errors = try errors(standard: configuration.errors)
    configuration.faults = try faults()
    try readPressure(into: &configuration)
    return configuration
  }

  func seed() throws(SensorError) -> UInt64? {
    guard let text = options["seed"] else { return nil }
    guard let seed = UInt64(text) else { throw refused("seed", "a whole number from 0 on") }
    return seed
  }

  private func errors(standard: DeviceErrorModel) throws(SensorError) -> DeviceErrorModel {
    var model: DeviceErrorModel
    switch options["errors"] {
    case nil: model = standard
    case "ideal": model = .ideal
    case "phone": model = .phone
    case "watch": model = .watch
    case "controller": model = .controller
    default: throw refused("errors", "ideal, phone, watch or controller")
    }
    if let text = options["bias"] {
      let allowed = "a number in rad/s for all axes, or three as x:y:z"
      let numbers = try numbers(in: text, of: "bias", allowed: allowed)
      switch numbers.count {
      case 1: model.gyroscope.bias = Vector3(x: numbers[0], y: numbers[0], z: numbers[0])
      case 3: model.gyroscope.bias = Vector3(x: numbers[0], y: numbers[1], z: numbers[2])
      default: throw refused("bias", allowed)
      }
    }
    if let text = options["hardIron"] {
      let allowed = "three numbers in microtesla, x:y:z"
      let numbers = try numbers(in: text, of: "hardIron", allowed: allowed)
      guard numbers.count == 3 else { throw refused("hardIron", allowed) }
      model.magnetometer.hardIron = Vector3(x: numbers[0], y: numbers[1], z: numbers[2]) * 1e-6
    }
    return model
  }

  private func faults() throws(SensorError) -> FaultPlan {
    var plan = FaultPlan.none
    if let time = try seconds("stallAt") { plan.faults.append(Fault(.stall, at: time)) }
    let back = try seconds("reconnectAfter")
    if let time = try seconds("disconnectAt") {
      plan.faults.append(Fault(.disconnect(reconnectAfter: back), at: time))
    } else if back != nil {
      throw SensorError(
        .invalidRequest, "The option “reconnectAfter” needs “disconnectAt”: say when it leaves.")
    }
    return plan
  }

  /// A sensor that is there, not there, or there at a rate of its own.
  private func timing(
    _ name: String, standard: SimulatedSource.Timing?
  ) throws(SensorError) -> SimulatedSource.Timing? {
    switch options[name] {
    case nil, "yes": return standard
    case "no": return nil
    default: return try rate(name, allowed: "yes, no or ").map { SimulatedSource.Timing(rate: $0) }
    }
  }

  private func rate(_ name: String, allowed: String = "") throws(SensorError) -> Double? {
    guard let text = options[name] else { return nil }
    guard let rate = Double(text), SimulatedSource.Timing.rates.contains(rate) else {
      throw refused(name, allowed + "a rate of 0.001 to 100000 in Hz")
    }
    return rate
  }

  /// A time from 0 to 1e9 s, about 32 years, so that it fits in nanoseconds with room to spare.
  func seconds(_ name: String) throws(SensorError) -> Double? {
    guard let text = options[name] else { return nil }
    guard let seconds = Double(text), (0...1e9).contains(seconds) else {
      throw refused(name, "seconds, a number from 0 to 1000000000")
    }
    return seconds
  }

  private func numbers(in text: String, of name: String, allowed: String) throws(SensorError) -> [Double] {
    var numbers: [Double] = []
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard let number = Double(part), number.isFinite else { throw refused(name, allowed) }
      numbers.append(number)
    }
    return numbers
  }

  func refused(_ name: String, _ allowed: String) -> SensorError {
    SensorError(
      .invalidRequest, "The option “\(name)” takes \(allowed), not “\(options[name] ?? "")”.")
  }
}
