// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing
public import SimulatedSources

/// Simulated headphones on a head whose motion is known exactly: they connect and disconnect, are put on and taken off,
/// and the bud that sends can change.
///
/// ```swift
/// var configuration = SimulatedHeadphones.Configuration()
/// configuration.events = [.init(.takeOff, at: 2), .init(.putOn, at: 3), .init(.switchSide, at: 5)]
/// let host = MotionHost(headphones: SimulatedHeadphones(trajectory: HeadNod(), configuration: configuration))
/// ```
///
/// ## Reports
/// A `ConnectionState` at the start of each run and at each change (`SensorSession.report(_:)`); samples are sent
/// while it is connected. Headphones that are taken off count as disconnected if they detect it
/// (``Configuration/detectsWearing``), and otherwise continue to send, as real ones do.
///
/// ## Readings
/// Motion that the buds fuse themselves (the default), exactly that of the trajectory: attitude to a frame whose +z is
/// up and whose azimuth 0 is straight ahead at the start of `HeadNod`; or the raw rates that our filter fuses, with
/// sensor errors. Axes: +x to the right ear, +y to the nose, +z up.
///
/// ## Time
/// As in `SimulatedSource`: the first run begins at trajectory time 0, and time passes while there is no subscriber.
public final class SimulatedHeadphones: SensorSource {
  /// The name begins with "simulated", the origin is `.simulation`.
  public let info: SensorInfo
  /// The true motion of the head.
  public let trajectory: any Trajectory
  /// Rate, kind of the samples, events.
  public let configuration: Configuration
  /// Trajectory time 0 on the session's clock; nil before the first run.
  let epoch = Lock<SensorInstant?>(nil)

  /// Headphones on a head that moves along `trajectory`.
  public init(trajectory: any Trajectory = HeadNod(), configuration: Configuration = Configuration()) {
    self.trajectory = trajectory
    self.configuration = configuration
    let rates = [configuration.rate]
    let motion: [SensorInfo.Channel] =
      configuration.isFused
      ? [.init(kind: .motion, rates: rates)]
      : [.init(kind: .accelerometer, rates: rates), .init(kind: .gyroscope, rates: rates)]
    info = SensorInfo(
      name: "simulated headphones", origin: .simulation, pacing: configuration.pacing, deviceClass: .headphones,
      channels: motion + [.init(kind: .connection)], fusedReference: configuration.isFused ? .xArbitrary : nil)
  }

  /// The true motion at a sample's time; nil before the first run has begun and for times before it.
  public func truth(at time: SensorInstant) -> TrajectoryState? {
    guard let epoch = epoch.withLock({ $0 }), time >= epoch else { return nil }
    return trajectory.state(at: (time - epoch).seconds)
  }

  /// Delivers samples and reports until the session stops or the configured duration is over.
  public func run(_ session: SensorSession) throws {
    var run = HeadphoneRun(source: self, session: session)
    try run.deliverAll()
  }
}

/// An event at a known time.
public struct TimedEvent<Action: Hashable & Sendable>: Hashable, Sendable {
  /// Seconds on the trajectory's time line.
  public var time: Double
  /// The event.
  public var action: Action

  /// An event at `time` seconds.
  public init(_ action: Action, at time: Double) {
    self.action = action
    self.time = time
  }
}

extension SimulatedHeadphones {
  /// An event of the headphones at a known time.
  public typealias Event = TimedEvent<Action>

  /// The possible events of the headphones.
  public enum Action: Hashable, Sendable {
    /// The link is established: taken out of the case, back in range.
    case connect
    /// The link is lost.
    case disconnect
    /// Both buds are taken out of the ears, or the headband off the head.
    case takeOff
    /// They are worn again.
    case putOn
    /// The other bud sends from now on.
    case switchSide
  }

  /// The capabilities and events of simulated headphones.
  ///
  /// The default is a pair that is connected, worn, detects wearing, and delivers fused motion of the left bud at 50 Hz
  /// without end.
  public struct Configuration: Hashable, Sendable {
    /// Hz: 25 or 50 on real headphones. Default 50.
    public var rate = 50.0
    /// True: the headphones fuse their motion themselves. False: accelerometer and gyroscope, for our filter. Default
    /// true.
    public var isFused = true
    /// The side that sends first. Default left.
    public var side = MotionRow.Location.headphoneLeft
    /// Automatic ear detection: whether they detect that they are worn. Default true.
    public var detectsWearing = true
    /// Whether the link is up at the start. Default true.
    public var isConnected = true
    /// Whether they are worn at the start. Default true.
    public var isWorn = true
    /// In any order; of two at the same time the earlier in the list comes first.
    public var events: [Event] = []
    /// Errors of the raw sensors; fused motion has none. Default ideal.
    public var errors = DeviceErrorModel.ideal
    /// The seed of the noise: the same seed gives the same numbers.
    public var seed: UInt64 = 1
    /// Seconds after which the source ends; nil = never.
    public var duration: Double?
    /// `.onDemand`: the simulation waits for slow consumers; `.live`: it is treated like hardware.
    public var pacing = SensorInfo.Pacing.onDemand

    /// The default configuration.
    public init() {}
  }
}

/// What is true of the headphones at one time, which begins as they are configured.
extension SimulatedHeadphones.Configuration {
  mutating func apply(_ action: SimulatedHeadphones.Action) {
    switch action {
    case .connect: isConnected = true
    case .disconnect: isConnected = false
    case .takeOff: isWorn = false
    case .putOn: isWorn = true
    case .switchSide: side = side == .headphoneLeft ? .headphoneRight : .headphoneLeft
    }
  }

  var connection: ConnectionState {
    ConnectionState(isConnected: isConnected && (isWorn || !detectsWearing), location: side)
  }
}

extension SimulatedHeadphones {
  /// One line for a person, without a full stop.
  static let summary =
    "headphones on a head that nods and looks around; they connect, disconnect and change sides"

  /// The headphones of an address such as `simulate:headphones?side=right&takeOffAt=10`. Times are seconds, several
  /// joined by colons.
  ///
  /// Throws `.invalidRequest` for an unknown option or a value that it does not take; the message says what is allowed.
  package convenience init(options: [String: String]) throws(SensorError) {
    var settings = HeadphoneSettings()
    try HeadphoneSettings.table.apply(options, to: &settings)
    if options["errors"] != nil, settings.configuration.isFused {
      throw SensorError(.invalidRequest, "The option “errors” needs “motion=raw”: fused motion is exact.")
    }
    // What an event brings was not so before: who connects after two seconds is not connected at first.
    func first(_ one: Action, _ other: Action) -> Action? {
      settings.configuration.events.filter { $0.action == one || $0.action == other }.min { $0.time < $1.time }?.action
    }
    if options["connected"] == nil { settings.configuration.isConnected = first(.connect, .disconnect) != .connect }
    settings.configuration.isWorn = first(.putOn, .takeOff) != .putOn
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
        "side", ["left": MotionRow.Location.headphoneLeft, "right": .headphoneRight], default: "left"
      ) { $0.configuration.side = $1 },
      .yesOrNo("earDetection", default: "yes") { $0.configuration.detectsWearing = $1 },
      .yesOrNo("connected", default: "yes") { $0.configuration.isConnected = $1 },
      .choice(
        "errors", ["ideal": DeviceErrorModel.ideal, "phone": .phone, "controller": .controller], default: "ideal"
      ) { $0.configuration.errors = $1 },
      .value(
        "head",
        "the name of a simulation that moves the head: one of \(Scenario.all.map(\.name).joined(separator: ", "))",
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
  fileprivate static func times(_ name: String, _ action: SimulatedHeadphones.Action) -> Self {
    numbers(name, "seconds from 0 to 1000000000, or several as s:s:s", in: 0...1e9) { settings, times in
      settings.configuration.events += times.map { .init(action, at: $0) }
    }
  }
}
