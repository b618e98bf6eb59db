// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension ColumnMap {
  /// The units that a target may have, the first as an example; empty for quaternions, which have none.
  static func unitNames(of target: String) -> [String] { units(of: target).map(\.name) }

  /// A unit by name; `µ` may stand for u and `²` for ^2.
  static func unit(_ name: String, of target: String) -> Unit? {
    let plain = String(name.map { $0 == "\u{B5}" || $0 == "\u{3BC}" ? "u" : $0 }).replacing("²", with: "^2")
    return units(of: target).first { $0.name == plain }
  }

  /// The unit of an acceleration; `isReversed` as Core Motion's.
  static func accelerationUnit(_ unit: Unit, isReversed: Bool) -> AccelerationUnit {
    let upward = accelerationUnits.first { $0.name == unit.name }?.unit ?? .metresPerSecondSquared
    return isReversed ? upward.reversed : upward
  }

  /// The unit of a magnetic field.
  static func fieldUnit(_ unit: Unit) -> MagneticFieldUnit {
    fieldUnits.first { $0.name == unit.name }?.unit ?? .tesla
  }

  /// Decimals of a second for each unit of time.
  static let timeDecimals = ["s": 9, "ms": 6, "us": 3, "ns": 0]

  private static let accelerationUnits: [(name: String, unit: AccelerationUnit)] = [
    ("m/s^2", .metresPerSecondSquared), ("g", .gravity), ("mg", .milligravity),
  ]
  private static let fieldUnits: [(name: String, unit: MagneticFieldUnit)] = [
    ("uT", .microtesla), ("T", .tesla), ("mT", .millitesla), ("nT", .nanotesla), ("G", .gauss), ("mG", .milligauss),
  ]

  private static func units(of target: String) -> [Unit] {
    switch target {
    case "t": ["s", "ms", "us", "ns"].map { Unit(name: $0, scale: 1) }
    case "ax", "ay", "az", "gravx", "gravy", "gravz", "userx", "usery", "userz":
      accelerationUnits.map { Unit(name: $0.name, scale: $0.unit.scale) }
    case "gx", "gy", "gz":
      [
        Unit(name: "rad/s", scale: 1), Unit(name: "deg/s", scale: Angle(degrees: 1).radians),
        Unit(name: "mdeg/s", scale: Angle(degrees: 1e-3).radians),
      ]
    case "mx", "my", "mz":
      fieldUnits.map { Unit(name: $0.name, scale: $0.unit.scale) }
    case "p":
      [
        Unit(name: "Pa", scale: 1), Unit(name: "hPa", scale: 100), Unit(name: "mbar", scale: 100),
        Unit(name: "kPa", scale: 1000), Unit(name: "bar", scale: 100_000),
        // International pound of 0.45359237 kg, inch of 0.0254 m.
        Unit(name: "psi", scale: 0.453_592_37 * standardGravity / (0.0254 * 0.0254)),
      ]
    case "temp":
      [
        Unit(name: "degC", scale: 1), Unit(name: "K", scale: 1, offset: -273.15),
        Unit(name: "degF", scale: 5 / 9.0, offset: -160 / 9.0),
      ]
    default: []
    }
  }
}
