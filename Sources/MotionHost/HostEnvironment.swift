// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionSensing
import MotionServices

/// The host that the environment asks for. The page *Environment variables* of the documentation lists its variables.
package struct HostEnvironment: Sendable {
  package let variables: [String: String]

  /// Where the computer's own sensors are found.
  package let root: SystemRoot

  /// What a strict host does.
  let strictness: Strictness

  /// What its sources share, such as the port on which a phone and its watch arrive.
  private let shared = SharedResources()

  /// The environment as a dictionary, so that tests can make one up.
  package init(_ variables: [String: String]) { self.init(variables, root: SystemRoot()) }

  /// The same on a computer whose sensors are found elsewhere.
  package init(_ variables: [String: String], root: SystemRoot, strictness: Strictness = Strictness()) {
    self.variables = variables
    self.root = root
    self.strictness = strictness
  }

  /// What can be opened on this computer, with the calibrations of this environment. Throws when `MOTION_CALIBRATION`
  /// is not understood.
  package func catalog() throws(SensorError) -> SourceCatalog {
    SourceCatalog(root: root, calibrations: try calibrations(), sharing: shared)
  }

  /// The device that a program gets: that of `MOTION_SOURCE`, else this computer's best sensors; nil when there
  /// are none.
  package func device() throws(SensorError) -> SourceCatalog.Entry? { try open("MOTION_SOURCE", for: .device) }

  /// The headphones that a program gets: those of `MOTION_HEADPHONES`, else what this computer has or can reach; nil
  /// when there is nothing. Nothing is opened before there is a subscriber.
  package func headphones() throws(SensorError) -> SourceCatalog.Entry? {
    try open("MOTION_HEADPHONES", for: .headphones)
  }

  /// Makes the host. A mistake in a variable is logged as one sentence and leaves the service unavailable: it never
  /// becomes another source in silence. Only an unmet requirement ends the program, or with `MOTION_STRICT` every
  /// mistake.
  func makeHost() -> MotionHost {
    var mistakes: [SensorError] = []
    func read(_ body: () throws(SensorError) -> Void) {
      do { try body() } catch { mistakes.append(error) }
    }
    var isStrict = false
    read { () throws(SensorError) in isStrict = try self.isStrict() }
    let host = makeSources(isStrict ? strictness : nil)
    mistakes += [host.sourceProblem, host.headphonesProblem].compactMap(\.self)
    read { () throws(SensorError) in host.location = try location() }
    mistakes += readPressure(into: &host.policy)
    read { () throws(SensorError) in host.policy.personHeight = try personHeight() }
    read { () throws(SensorError) in host.policy.requiredKinds = try requiredKinds() }
    read { () throws(SensorError) in host.historyFile = try historyFile() }
    for mistake in mistakes {
      if isStrict { strictness.fail(mistake.description) } else { HostLog.error(mistake.description) }
    }
    do {
      try host.checkRequirements()
    } catch {
      HostLog.error(error.description)
      exit(EXIT_FAILURE)
    }
    return host
  }

  private func makeSources(_ strictness: Strictness?) -> MotionHost {
    var (device, headphones): (SourceCatalog.Entry?, SourceCatalog.Entry?)
    var (problem, headphonesProblem): (SensorError?, SensorError?)
    do { device = try self.device() } catch { problem = error }
    do { headphones = try self.headphones() } catch { headphonesProblem = error }
    let pace = device?.pace ?? MotionHost.Pace()
    let host = MotionHost(
      device: device?.source, headphones: headphones?.source, clock: pace.clock, rate: pace.rate, gate: pace.gate,
      resumes: pace.resumes, sourceProblem: problem, headphonesPace: headphones?.pace,
      headphonesProblem: headphonesProblem, memory: device.flatMap { memories?.memory(of: $0.source.info) },
      strictness: strictness)
    if device == nil, problem == nil {
      host.absences.device =
        "There is no motion: MOTION_SOURCE is not set, and \(SourceCatalog.absence(of: .device)). Set MOTION_SOURCE=phone: to use a phone, MOTION_SOURCE=simulate:handheld or MOTION_SOURCE=replay:RECORDING, or ask “motionctl doctor” what keeps a sensor from being read."
    }
    if headphones == nil, headphonesProblem == nil {
      host.absences.headphones =
        "There are no headphones with motion: MOTION_HEADPHONES is not set, and \(SourceCatalog.absence(of: .headphones)). Set MOTION_HEADPHONES=simulate:headphones or MOTION_HEADPHONES=replay:RECORDING, or ask “motionctl doctor” what is missing."
    }
    return host
  }

  private func isStrict() throws(SensorError) -> Bool {
    guard let text = value("MOTION_STRICT") else { return false }
    switch text {
    case "1", "yes": return true
    case "0", "no": return false
    default: throw Self.refused("MOTION_STRICT", text, "1 or 0")
    }
  }

  /// The source that a variable names, else what there is.
  private func open(_ variable: String, for role: SourceRole) throws(SensorError) -> SourceCatalog.Entry? {
    guard let address = value(variable) else { return try catalog().automatic(role) }
    return try catalog().open(try SourceURI(address), for: role, gate: .settle(SourceCatalog.settleTime))
  }

  /// Where sensors are remembered: `MOTION_MEMORY`, else `opencoremotion/sensors` in the user's folder for states
  /// (`XDG_STATE_HOME`, else `~/.local/state`; XDG Base Directory Specification 0.8); nil when it is `off`, or when
  /// there is no such folder.
  package var memories: DeviceFolder? {
    do {
      return try folder("MOTION_MEMORY", or: stateFolder.map { $0 + "/sensors" }).map(DeviceFolder.init)
    } catch {
      HostLog.error("\(error.message) Nothing is remembered.")
      return nil
    }
  }

  /// Where calibrations are: `MOTION_CALIBRATION`, else `opencoremotion/calibration` in the user's folder for settings
  /// (`XDG_CONFIG_HOME`, else `~/.config`); nil when it is `off`, or when there is no such folder.
  package func calibrations() throws(SensorError) -> DeviceFolder? {
    let standard = userFolder("XDG_CONFIG_HOME", ".config").map { $0 + "/calibration" }
    return try folder("MOTION_CALIBRATION", or: standard).map(DeviceFolder.init)
  }

  private func folder(_ variable: String, or standard: String?) throws(SensorError) -> String? {
    guard let setting = value(variable) else { return standard }
    guard setting == "off" || setting.hasPrefix("/") else {
      throw SensorError(
        .invalidRequest, "\(variable)=\(setting) is neither “off” nor an absolute path of a folder.")
    }
    return setting == "off" ? nil : setting
  }

  /// Where the history of this computer is; nil when the user has no folder for states.
  package func historyFile() throws(SensorError) -> HistoryFile? {
    if let path = value("MOTION_STORE") {
      guard path.hasPrefix("/") else {
        throw SensorError(.invalidRequest, "MOTION_STORE=\(path) is not an absolute path of a file.")
      }
      return HistoryFile(path: path, isNamed: true)
    }
    return stateFolder.map { HistoryFile(path: $0 + "/history.sqlite", isNamed: false) }
  }

  private var stateFolder: String? { userFolder("XDG_STATE_HOME", ".local/state") }

  private func userFolder(_ variable: String, _ standard: String) -> String? {
    func absolute(_ name: String) -> String? { variables[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return (absolute(variable) ?? absolute("HOME").map { "\($0)/\(standard)" }).map { $0 + "/opencoremotion" }
  }

  /// The place that `MOTION_LOCATION` names; nil when it is not set.
  package func location() throws(SensorError) -> GeographicLocation? {
    guard let text = value("MOTION_LOCATION") else { return nil }
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.trimmingCharacters(in: .whitespaces))
    }
    let known = numbers.compactMap(\.self)
    guard known.count == numbers.count, (2...3).contains(known.count),
      let location = GeographicLocation(
        latitudeDegrees: known[0], longitudeDegrees: known[1], height: known.count > 2 ? known[2] : 0,
        year: Self.decimalYear(Date()))
    else {
      throw SensorError(
        .invalidRequest,
        "MOTION_LOCATION=\(text) is not a place; write latitude,longitude in degrees, such as 48.14,11.58."
      )
    }
    return location
  }

  /// Metres that `MOTION_PERSON_HEIGHT` says; nil when it is not set.
  package func personHeight() throws(SensorError) -> Double? {
    guard let text = value("MOTION_PERSON_HEIGHT") else { return nil }
    guard let height = Double(text), (0.5...2.5).contains(height) else {
      throw Self.refused("MOTION_PERSON_HEIGHT", text, "metres from 0.5 to 2.5")
    }
    return height
  }

  private func requiredKinds() throws(SensorError) -> SensorKinds {
    var kinds: SensorKinds = []
    for name in variables["MOTION_REQUIRE", default: ""].split(separator: ",") {
      switch name.trimmingCharacters(in: .whitespaces).lowercased() {
      case "accelerometer": kinds.insert(.accelerometer)
      case "gyroscope": kinds.insert(.gyroscope)
      case "magnetometer": kinds.insert(.magnetometer)
      case "barometer": kinds.insert(.airPressure)
      case "depth": kinds.insert(.waterPressure)
      default:
        throw SensorError(
          .invalidRequest,
          "MOTION_REQUIRE names “\(name)”; it takes accelerometer, gyroscope, magnetometer, barometer and depth.")
      }
    }
    return kinds
  }

  /// The year with its fraction, for the magnetic model. Configuration, not data: the only use of the wall clock here.
  ///
  /// To the day: the declination drifts by minutes of arc a year, and two runs on one day give the same bytes.
  static func decimalYear(_ date: Date) -> Double {
    1970 + (date.timeIntervalSince1970 / 86_400).rounded(.down) / 365.2425
  }
}

/// The environment's variables of water and air.
extension HostEnvironment {
  /// Takes the variables over into a policy; the mistakes in them come back, each as one sentence, and change nothing.
  package func readPressure(into policy: inout HostPolicy) -> [SensorError] {
    var mistakes: [SensorError] = []
    func read(_ body: () throws(SensorError) -> Void) {
      do { try body() } catch { mistakes.append(error) }
    }
    read { () throws(SensorError) in
      policy.waterDensity = try setting("MOTION_WATER", Self.waterDensity) ?? policy.waterDensity
    }
    read { () throws(SensorError) in policy.entitlements = try depthEntitlement(policy.entitlements) }
    read { () throws(SensorError) in
      policy.surfacePressure = try setting("MOTION_SURFACE_PRESSURE", Self.pascal) ?? policy.surfacePressure
    }
    read { () throws(SensorError) in policy.altitudeReference = try altitudeReference() ?? policy.altitudeReference }
    return mistakes
  }

  /// The value of a variable or an option.
  package static func waterDensity(_ text: String, of name: String) throws(SensorError) -> WaterDensity {
    switch text.lowercased() {
    case "fresh": return .fresh
    case "en13319": return .en13319
    case "salt": return .salt
    default:
      if let density = Double(text).flatMap({ WaterDensity($0) }) { return density }
      throw refused(name, text, "fresh, en13319, salt, or kg/m³ from 950 to 1300")
    }
  }

  private func depthEntitlement(_ standard: HostPolicy.Entitlements) throws(SensorError) -> HostPolicy.Entitlements {
    guard let text = value("MOTION_DEPTH") else { return standard }
    let others = standard.subtracting([.shallowDepth, .fullDepth])
    switch text.lowercased() {
    case "none": return others
    case "shallow": return others.union(.shallowDepth)
    case "full": return others.union(.fullDepth)
    default: throw Self.refused("MOTION_DEPTH", text, "none, shallow (6 m) or full (40 m)")
    }
  }

  private func altitudeReference() throws(SensorError) -> AltitudeReference? {
    let pressure = try setting("MOTION_SEA_LEVEL_PRESSURE", Self.pascal)
    guard let text = value("MOTION_HEIGHT") else { return pressure.map { .seaLevelPressure($0) } }
    guard pressure == nil else {
      throw SensorError(
        .invalidRequest, "MOTION_HEIGHT and MOTION_SEA_LEVEL_PRESSURE say the same thing in two ways; set one of them.")
    }
    return try Self.height(text, of: "MOTION_HEIGHT")
  }

  /// The same of a height, with its accuracy or without.
  package static func height(_ text: String, of name: String) throws(SensorError) -> AltitudeReference {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard numbers.count == parts.count, (1...2).contains(numbers.count), (-500...12_000).contains(numbers[0]),
      numbers.count == 1 || (0.01...1000).contains(numbers[1])
    else {
      throw refused(name, text, "metres above sea level, or height,accuracy in metres")
    }
    return numbers.count == 2 ? .height(numbers[0], standardDeviation: numbers[1]) : .height(numbers[0])
  }

  /// The same of a pressure in hectopascal, as weather reports give it.
  package static func pascal(_ text: String, of name: String) throws(SensorError) -> Double {
    guard let number = Double(text), (300...1150).contains(number) else {
      throw refused(name, text, "hectopascal, a number from 300 to 1150")
    }
    return number * 100
  }

  private func setting<Value>(
    _ name: String, _ meaning: (_ text: String, _ name: String) throws(SensorError) -> Value
  ) throws(SensorError) -> Value? {
    guard let text = value(name) else { return nil }
    return try meaning(text, name)
  }

  private func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

  private static func refused(_ name: String, _ text: String, _ allowed: String) -> SensorError {
    SensorError(.invalidRequest, "\(name)=\(text) is not understood; it takes \(allowed).")
  }
}
