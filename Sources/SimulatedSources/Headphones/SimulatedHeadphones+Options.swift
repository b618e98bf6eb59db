// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

extension SimulatedHeadphones {
  /// One line for a person, without a full stop.
  public static let summary = "headphones on a head that nods and looks about; they connect, leave and change sides"

  /// The options of `simulate:headphones?option=value&…`, each with one line for a person. Times are seconds, several joined by
  /// colons.
  public static let options: [(name: String, summary: String)] = [
    ("rate", "Hz, 25 or 50 (default)"),
    ("motion", "fused (default) or raw"),
    ("side", "left (default) or right: the bud that speaks first"),
    ("switchAt", "seconds after which the other bud speaks"),
    ("earDetection", "yes (default) or no: whether they notice that they are taken off"),
    ("takeOffAt", "seconds after which they are taken off"),
    ("putOnAt", "seconds after which they are worn again"),
    ("connected", "yes (default) or no: the link at the beginning"),
    ("connectAt", "seconds after which the link comes up"),
    ("disconnectAt", "seconds after which the link is lost"),
    ("errors", "ideal (default), phone or controller; only with motion=raw"),
    ("head", "name of the simulation whose motion the head makes, default headNod"),
    ("seed", "whole number that chooses the noise, default 1"),
    ("duration", "seconds after which the source ends, default never"),
  ]

  /// The headphones of an address.
  ///
  /// Throws `.invalidRequest` for an unknown option or a value that it does not take; the message says what is allowed.
  public convenience init(options: [String: String]) throws(SensorError) {
    let ofTheHost = ["speed", "gate", "loop"]
    let known = Self.options.map(\.name)
    if let unknown = options.keys.filter({ !known.contains($0) && !ofTheHost.contains($0) }).min() {
      throw SensorError(
        .invalidRequest,
        "Simulated headphones have no option “\(unknown)”; they know "
          + "\((known + ofTheHost.prefix(2)).joined(separator: ", ")).")
    }
    let reader = HeadphoneOptionReader(options: options)
    self.init(trajectory: try reader.trajectory(), configuration: try reader.configuration())
  }
}

/// Reads options written as text.
private struct HeadphoneOptionReader {
  let options: [String: String]

  func trajectory() throws(SensorError) -> any Trajectory {
    let name = options["head"] ?? "headNod"
    guard let scenario = Scenario(named: name) else {
      throw refused("head", "one of \(Scenario.all.map(\.name).joined(separator: ", "))")
    }
    return scenario.trajectory
  }

  func configuration() throws(SensorError) -> SimulatedHeadphones.Configuration {
    var configuration = SimulatedHeadphones.Configuration()
    configuration.rate = try choice("rate", ["50": 50, "25": 25]) ?? 50
    configuration.isFused = try choice("motion", ["fused": true, "raw": false]) ?? true
    configuration.side = try choice("side", ["left": .headphoneLeft, "right": .headphoneRight]) ?? .headphoneLeft
    configuration.detectsWearing = try choice("earDetection", Self.yesOrNo) ?? true
    configuration.isConnected = try choice("connected", Self.yesOrNo) ?? true
    configuration.errors =
      try choice("errors", ["ideal": .ideal, "phone": .phone, "controller": .controller]) ?? .ideal
    if options["errors"] != nil, configuration.isFused {
      throw SensorError(.invalidRequest, "The option “errors” needs “motion=raw”: fused motion is exact.")
    }
    if let text = options["seed"] {
      guard let seed = UInt64(text) else { throw refused("seed", "a whole number from 0 on") }
      configuration.seed = seed
    }
    if let text = options["duration"] {
      guard let seconds = Self.seconds(text[...]) else { throw refused("duration", Self.range) }
      configuration.duration = seconds
    }
    let actions: [(String, SimulatedHeadphones.Event.Action)] = [
      ("connectAt", .connect), ("disconnectAt", .disconnect), ("putOnAt", .putOn), ("takeOffAt", .takeOff),
      ("switchAt", .switchSide),
    ]
    for (name, action) in actions {
      for time in try times(name) { configuration.events.append(.init(action, at: time)) }
    }
    return configuration
  }

  private static let yesOrNo = ["yes": true, "no": false]
  private static let range = "seconds, a number from 0 to 1000000000"

  private func choice<Value>(_ name: String, _ values: [String: Value]) throws(SensorError) -> Value? {
    guard let text = options[name] else { return nil }
    guard let value = values[text] else { throw refused(name, values.keys.sorted().joined(separator: " or ")) }
    return value
  }

  private func times(_ name: String) throws(SensorError) -> [Double] {
    guard let text = options[name] else { return [] }
    var times: [Double] = []
    for part in text.split(separator: ":", omittingEmptySubsequences: false) {
      guard let seconds = Self.seconds(part) else { throw refused(name, Self.range + ", or several as s:s:s") }
      times.append(seconds)
    }
    return times
  }

  private static func seconds(_ text: Substring) -> Double? {
    guard let seconds = Double(text), (0...1e9).contains(seconds) else { return nil }
    return seconds
  }

  private func refused(_ name: String, _ allowed: String) -> SensorError {
    SensorError(.invalidRequest, "The option “\(name)” takes \(allowed), not “\(options[name] ?? "")”.")
  }
}
