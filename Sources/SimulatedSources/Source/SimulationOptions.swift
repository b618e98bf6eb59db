// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

extension SimulatedSource {
  /// The simulated device of an address such as `simulate:walk?rate=200&errors=phone`: a scenario by name, and options
  /// as text. The options are those of `SimulationSettings.table`; a message about one of them says what it takes.
  ///
  /// `speed`, `loop` and `gate` are the host's; they are accepted here and change nothing.
  ///
  /// Throws `.notFound` for a scenario that does not exist, and `.invalidRequest` for an unknown option or a value that
  /// it does not take; the message says what is allowed.
  package convenience init(scenario name: String, options: [String: String]) throws(SensorError) {
    guard let scenario = Scenario(named: name) else {
      // Products bring simulations of their own, as simulate:headphones.
      let others = SourceRegistry.schemes.map(\.name).filter { $0.hasPrefix("simulate:") }.map { $0.dropFirst(9) }
      let names = Scenario.all.map(\.name) + others.map(String.init)
      let list = Spelling.question(for: name, of: names, then: "choose one of \(names.joined(separator: ", ")).")
      throw SensorError(.notFound, "There is no simulation “\(name)”\(list)")
    }
    let settings = try SimulationSettings(scenario, options: options)
    self.init(trajectory: settings.trajectory, configuration: settings.configuration, name: scenario.name)
  }
}

/// What the options of `simulate:NAME` set.
struct SimulationSettings {
  private(set) var trajectory: any Trajectory
  private(set) var configuration: SimulatedSource.Configuration
  private var faultDuration = 60.0
  private var reconnectAfter: Double?

  init(_ scenario: Scenario, options: [String: String]) throws(SensorError) {
    trajectory = scenario.trajectory
    configuration = scenario.configuration
    if !(trajectory is Dive) {
      for name in ["depth", "water", "waterTemperature", "waves"] where options[name] != nil {
        throw SensorError(
          .invalidRequest, "The option “\(name)” belongs to simulate:dive, not to simulate:\(scenario.name).")
      }
    }
    if options["reconnectAfter"] != nil, options["disconnectAt"] == nil {
      throw SensorError(
        .invalidRequest, "The option “reconnectAfter” needs “disconnectAt”: the time of the disconnection.")
    }
    try Self.table.apply(options, to: &self)
    if trajectory is Strokes { trajectory = Strokes(seed: configuration.seed) }
  }

  private mutating func addFault(
    _ action: Fault.Action, at time: Double, kinds: SensorKinds = SensorKinds(rawValue: .max)
  ) {
    configuration.faults.append(Fault(action, at: time, kinds: kinds))
  }

  private static let pressures: SensorKinds = [.airPressure, .waterPressure]

  /// Everything that an address may set. Options are applied in this order.
  static let table = SourceOptions<SimulationSettings>(
    "a simulation", hostOptions: ["speed", "gate", "loop"],
    [
      .number(
        "rate", "Hz of accelerometer and gyroscope", in: SimulatedSource.Timing.rates, default: "100, or 800 for swing"
      ) {
        $0.configuration.inertial = .together(.init(rate: $1))
      },
      .timing("gyroscope", default: "same as the accelerometer") { settings, timing in
        let accelerometer = settings.configuration.inertialTimings.accelerometer
        let gyroscope = timing(accelerometer)
        if gyroscope != accelerometer {
          settings.configuration.inertial = .apart(accelerometer: accelerometer, gyroscope: gyroscope)
        }
      },
      .timing("magnetometer", default: "50 Hz") {
        $0.configuration.magnetometer = $1($0.configuration.magnetometer)
      },
      .timing("pressure", default: "25 Hz") {
        $0.configuration.pressure = $1($0.configuration.pressure)
      },
      .timing("temperature", default: "1 Hz") {
        $0.configuration.temperature = $1($0.configuration.temperature)
      },
      // Chooses the noise, and the strokes of swing.
      .integer("seed", "the seed of the noise", in: 0...UInt64.max, default: "1") { $0.configuration.seed = $1 },
      .seconds("duration", default: "endless") { $0.configuration.duration = $1 },
      // The pressure sensors of dive and stairs are noisy by default.
      .choice(
        "errors", ["ideal": DeviceErrorModel.ideal, "phone": .phone, "watch": .watch, "controller": .controller],
        default: "by scenario, mostly ideal"
      ) { $0.configuration.errors = $1 },
      .numbers(
        "bias", "rad/s added to the gyroscope, one number for all axes or x:y:z", counts: [1, 3], default: "none"
      ) {
        $0.configuration.errors.gyroscope.bias = Vector3(list: $1) ?? Vector3(x: $1[0], y: $1[0], z: $1[0])
      },
      .numbers("hardIron", "microtesla added to the magnetometer, x:y:z", counts: [3], default: "none") {
        $0.configuration.errors.magnetometer.hardIron = (Vector3(list: $1) ?? .zero) * 1e-6
      },
      .number("depth", "depth of the dive in metres", in: 1.5...110, default: "5.5") {
        $0.trajectory = Dive(depth: $1)
      },
      .waterDensity("water") { $0.configuration.world.water.density = $1 },
      .number("waterTemperature", "°C", in: -2...40, default: "15") { $0.configuration.world.water.temperature = $1 },
      .number("waves", "metres from trough to crest", in: 0...2, default: "0.15") {
        $0.configuration.world.water.waveHeight = $1
      },
      .number("surfacePressure", "air pressure at the start in hectopascal", in: 300...1100, default: "1013.25") {
        $0.configuration.world.seaLevelPressure = $1 * 100
      },
      .number("weather", "change of the air pressure in hectopascal per hour", in: -50...50, default: "0") {
        $0.configuration.world.pressureDrift = $1 * 100 / 3600
      },
      .seconds("reconnectAfter", default: "never") { $0.reconnectAfter = $1 },
      .seconds("faultFor", default: "60") { $0.faultDuration = $1 },
      // The device falls silent, and it leaves.
      .seconds("stallAt") { $0.addFault(.stall, at: $1) },
      .seconds("disconnectAt") { $0.addFault(.disconnect(reconnectAfter: $0.reconnectAfter), at: $1) },
      // The pressure sensor repeats its value, or returns garbage.
      .seconds("freezeAt") { $0.addFault(.freeze(duration: $0.faultDuration), at: $1, kinds: pressures) },
      .seconds("garbageAt") { $0.addFault(.garbage(duration: $0.faultDuration), at: $1, kinds: pressures) },
    ])
}

extension SourceOption {
  /// What a sensor's default times become: `yes` as they are, `no` none, or those of a rate.
  fileprivate typealias Retiming = @Sendable (SimulatedSource.Timing?) -> SimulatedSource.Timing?

  /// Whether a sensor is there, and its rate.
  fileprivate static func timing(
    _ name: String, default standard: String, set: @escaping @Sendable (inout Settings, Retiming) -> Void
  ) -> Self {
    value(
      name, "yes, no or Hz, a number from 0.001 to 100000", default: standard,
      parse: { text -> Retiming? in
        switch text {
        case "yes": return { $0 }
        case "no": return { _ in nil }
        default:
          guard let rate = Double(text), SimulatedSource.Timing.rates.contains(rate) else { return nil }
          return { _ in SimulatedSource.Timing(rate: rate) }
        }
      }, set: set)
  }

  /// A time from 0 to 1e9 s, about 32 years, so that it fits in nanoseconds with room to spare.
  package static func seconds(
    _ name: String, default standard: String? = nil, set: @escaping @Sendable (inout Settings, Double) -> Void
  ) -> Self {
    number(name, "seconds", in: 0...1e9, default: standard, set: set)
  }
}
