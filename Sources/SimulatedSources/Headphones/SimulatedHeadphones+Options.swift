// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

extension SimulatedHeadphones {
  /// One line for a person, without a full stop.
  public static let summary = "headphones on a head that nods and looks about; they connect, leave and change sides"

  /// The headphones of an address such as `simulate:headphones?side=right&takeOffAt=10`. Times are seconds, several joined by colons.
  ///
  /// Throws `.invalidRequest` for an unknown option or a value that it does not take; the message says what is allowed.
  public convenience init(options: [String: String]) throws(SensorError) {
    var settings = HeadphoneSettings()
    try HeadphoneSettings.table.apply(options, to: &settings)
    if options["errors"] != nil, settings.configuration.isFused {
      throw SensorError(.invalidRequest, "The option “errors” needs “motion=raw”: fused motion is exact.")
    }
    self.init(trajectory: settings.trajectory, configuration: settings.configuration)
  }
}

/// What the options of `simulate:headphones` set.
private struct HeadphoneSettings {
  var trajectory: any Trajectory = HeadNod()
  var configuration = SimulatedHeadphones.Configuration()

  static let table = SourceOptions<HeadphoneSettings>(
    "simulated headphones", hostOptions: ["speed", "gate", "loop"],
    [
      .choice("rate", ["50": 50, "25": 25], default: "50 Hz") { $0.configuration.rate = $1 },
      .choice("motion", ["fused": true, "raw": false], default: "fused") { $0.configuration.isFused = $1 },
      .choice(
        "side", ["left": FusedMotionSample.Location.headphoneLeft, "right": .headphoneRight], default: "left"
      ) { $0.configuration.side = $1 },
      .yesOrNo("earDetection", default: "yes") { $0.configuration.detectsWearing = $1 },
      .yesOrNo("connected", default: "yes") { $0.configuration.isConnected = $1 },
      .choice(
        "errors", ["ideal": DeviceErrorModel.ideal, "phone": .phone, "controller": .controller], default: "ideal"
      ) { $0.configuration.errors = $1 },
      .value(
        "head",
        "the name of a simulation, whose motion the head makes: one of \(Scenario.all.map(\.name).joined(separator: ", "))",
        default: "headNod", parse: { Scenario(named: $0)?.trajectory }
      ) { $0.trajectory = $1 },
      .integer("seed", "the seed of the noise", in: 0...UInt64.max, default: "1") { $0.configuration.seed = $1 },
      .seconds("duration", default: "endless") { $0.configuration.duration = $1 },
      // Of two events at the same time the earlier in this list comes first.
      .times("connectAt", .connect), .times("disconnectAt", .disconnect), .times("putOnAt", .putOn),
      .times("takeOffAt", .takeOff), .times("switchAt", .switchSide),
    ])
}

extension SourceOption<HeadphoneSettings> {
  /// The times of an event, joined by colons.
  fileprivate static func times(_ name: String, _ action: SimulatedHeadphones.Event.Action) -> Self {
    numbers(name, "seconds from 0 to 1000000000, or several as s:s:s", in: 0...1e9) { settings, times in
      settings.configuration.events += times.map { .init(action, at: $0) }
    }
  }
}
