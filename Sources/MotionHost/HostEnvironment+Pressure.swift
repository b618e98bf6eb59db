// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
public import MotionSensing
import MotionServices

/// What the environment says of water and air.
extension HostEnvironment {
  /// Takes the variables over into a policy; the mistakes in them come back, each as one sentence, and change nothing.
  public func readPressure(into policy: inout HostPolicy) -> [SensorError] {
    var mistakes: [SensorError] = []
    func read(_ body: () throws(SensorError) -> Void) {
      do { try body() } catch { mistakes.append(error) }
    }
    read { () throws(SensorError) in policy.waterDensity = try waterDensity() ?? policy.waterDensity }
    read { () throws(SensorError) in policy.entitlements = try depthEntitlement(policy.entitlements) }
    read { () throws(SensorError) in
      policy.surfacePressure = try hectopascal("MOTION_SURFACE_PRESSURE") ?? policy.surfacePressure
    }
    read { () throws(SensorError) in policy.altitudeReference = try altitudeReference() ?? policy.altitudeReference }
    return mistakes
  }

  private func waterDensity() throws(SensorError) -> WaterDensity? {
    guard let text = value("MOTION_WATER") else { return nil }
    switch text.lowercased() {
    case "fresh": return .fresh
    case "en13319": return .en13319
    case "salt": return .salt
    default:
      if let density = Double(text).flatMap({ WaterDensity($0) }) { return density }
      throw refused("MOTION_WATER", text, "fresh, en13319, salt, or kg/m³ from 950 to 1300")
    }
  }

  private func depthEntitlement(_ standard: HostPolicy.Entitlements) throws(SensorError) -> HostPolicy.Entitlements {
    guard let text = value("MOTION_DEPTH") else { return standard }
    let others = standard.subtracting([.shallowDepth, .fullDepth])
    switch text.lowercased() {
    case "none": return others
    case "shallow": return others.union(.shallowDepth)
    case "full": return others.union(.fullDepth)
    default: throw refused("MOTION_DEPTH", text, "none, shallow (6 m) or full (40 m)")
    }
  }

  private func altitudeReference() throws(SensorError) -> AltitudeReference? {
    let pressure = try hectopascal("MOTION_SEA_LEVEL_PRESSURE")
    guard let text = value("MOTION_HEIGHT") else { return pressure.map { .seaLevelPressure($0) } }
    guard pressure == nil else {
      throw SensorError(
        .invalidRequest, "MOTION_HEIGHT and MOTION_SEA_LEVEL_PRESSURE say the same thing in two ways; set one of them.")
    }
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { Double($0.trimmingCharacters(in: .whitespaces)) }
    guard numbers.count == parts.count, (1...2).contains(numbers.count), (-500...12_000).contains(numbers[0]),
      numbers.count == 1 || (0.01...1000).contains(numbers[1])
    else {
      throw refused("MOTION_HEIGHT", text, "metres above sea level, or height,accuracy in metres")
    }
    return numbers.count == 2 ? .height(numbers[0], standardDeviation: numbers[1]) : .height(numbers[0])
  }

  /// A pressure in pascal out of a variable in hectopascal, as weather reports give it.
  private func hectopascal(_ name: String) throws(SensorError) -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), (300...1150).contains(number) else {
      throw refused(name, text, "hectopascal, a number from 300 to 1150")
    }
    return number * 100
  }

  private func value(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

  private func refused(_ name: String, _ text: String, _ allowed: String) -> SensorError {
    SensorError(.invalidRequest, "\(name)=\(text) is not understood; it takes \(allowed).")
  }
}
