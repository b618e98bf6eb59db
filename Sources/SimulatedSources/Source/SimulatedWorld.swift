// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// What surrounds a simulated device: the magnetic field, the air, the warmth.
public struct SimulatedWorld: Hashable, Sendable {
  /// Tesla, in the earth's frame whose north is magnetic.
  ///
  /// Default: 49 µT with a dip angle of 66° below the horizontal, as in central Europe (World Magnetic Model 2025; Berlin has
  /// 50 µT and 68°, `spec/heading-and-magnetometer.md`).
  public var magneticField: Vector3<EastNorthUp> = Self.field(strength: 49e-6, dip: Angle(degrees: 66))
  /// Metres above sea level where the trajectory's height is 0. Default 0.
  public var height = 0.0
  /// Pascal at sea level. Default: the standard atmosphere, 101 325 Pa.
  public var seaLevelPressure = 101_325.0
  /// °C of the surroundings, and of the device when it is switched on. Default 25.
  public var temperature = 25.0
  /// Kelvin by which the device ends up warmer than its surroundings. Default 0.
  public var warmUp = 0.0
  /// Time constant of the warming, in seconds. Default 300.
  public var warmUpTimeConstant = 300.0

  /// Pa/s by which the weather changes the pressure of the air from the beginning of the trajectory on. Default 0; an ordinary
  /// front brings 0.02, that is 0.7 hPa an hour.
  public var pressureDrift = 0.0
  /// What the device dives in, if it does.
  public var water = SimulatedWater()

  /// The world with its defaults.
  public init() {}

  /// A magnetic field without an east component: `strength` in tesla, `dip` below the horizontal (positive in the north).
  public static func field(strength: Double, dip: Angle) -> Vector3<EastNorthUp> {
    Vector3(x: 0, y: strength * Scalar.cos(dip.radians), z: -strength * Scalar.sin(dip.radians))
  }

  /// Pascal at `metres` above the trajectory's zero, by the standard atmosphere (ISO 2533, troposphere):
  /// p = p₀ (1 − h / 44330.769 m)^(1 / 0.190263). The constants are those of `spec/altimeter.md`. 0 above the troposphere's
  /// formula, where the bracket is negative.
  public func pressure(atHeight metres: Double) -> Double {
    let base = 1 - (height + metres) / 44330.769
    return base > 0 ? seaLevelPressure * Scalar.pow(base, 1 / 0.190263) : 0
  }

  /// The same `seconds` after the beginning, the weather in it.
  public func pressure(atHeight metres: Double, seconds: Double) -> Double {
    pressure(atHeight: metres) + pressureDrift * seconds
  }

  /// °C of the device after `seconds`: it warms up by Newton's law.
  public func deviceTemperature(at seconds: Double) -> Double {
    guard warmUp != 0 else { return temperature }
    return temperature + warmUp * (1 - Scalar.exp(-max(0, seconds) / warmUpTimeConstant))
  }
}
