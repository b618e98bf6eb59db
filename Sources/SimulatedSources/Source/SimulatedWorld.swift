// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
import MotionSensing

/// The surroundings of a simulated device: magnetic field, air, temperature.
public struct SimulatedWorld: Hashable, Sendable {
  /// Tesla, in the earth's frame whose north is magnetic.
  ///
  /// Default: 49 µT with a dip angle of 66° below the horizontal, as in central Europe (World Magnetic Model 2025;
  /// Berlin has 50 µT and 68°, Documentation/Behaviour.md).
  public var magneticField: Vector3<EastNorthUp> = Self.field(strength: 49e-6, dip: Angle(degrees: 66))
  /// Metres above sea level where the trajectory's height is 0. Default 0.
  public var height = 0.0
  /// Pascal at sea level. Default: the standard atmosphere, 101 325 Pa.
  public var seaLevelPressure = 101_325.0
  /// °C of the surroundings, and of the device when it is switched on. Default 25.
  public var temperature = 25.0
  /// Final temperature difference of the device to its surroundings, in kelvin. Default 0.
  public var warmUp = 0.0
  /// Time constant of the warming, in seconds. Default 300.
  public var warmUpTimeConstant = 300.0

  /// Pa/s by which the weather changes the air pressure from the start of the trajectory. Default 0; an ordinary front
  /// causes 0.02, that is 0.7 hPa per hour.
  public var pressureDrift = 0.0
  /// The water for dives.
  public var water = SimulatedWater()

  /// The world with its defaults.
  public init() {}

  /// A magnetic field without an east component: `strength` in tesla, `dip` below the horizontal (positive in the
  /// north).
  public static func field(strength: Double, dip: Angle) -> Vector3<EastNorthUp> {
    Vector3(x: 0, y: strength * Scalar.cos(dip.radians), z: -strength * Scalar.sin(dip.radians))
  }

  /// Pascal at `metres` above the trajectory's zero, by the standard atmosphere (ISO 2533, troposphere): p = p₀ (1 − h
  /// / 44330.769 m)^(1 / 0.190263). The constants are those of Documentation/Behaviour.md. 0 above the troposphere's
  /// formula, where the bracket is negative.
  package func pressure(atHeight metres: Double) -> Double {
    let base = 1 - (height + metres) / 44330.769
    return base > 0 ? seaLevelPressure * Scalar.pow(base, 1 / 0.190263) : 0
  }

  /// The same `seconds` after the beginning, the weather in it.
  package func pressure(atHeight metres: Double, seconds: Double) -> Double {
    pressure(atHeight: metres) + pressureDrift * seconds
  }

  /// °C of the device after `seconds`: it warms up by Newton's law.
  package func deviceTemperature(at seconds: Double) -> Double {
    guard warmUp != 0 else { return temperature }
    return temperature + warmUp * (1 - Scalar.exp(-max(0, seconds) / warmUpTimeConstant))
  }
}

/// The water around a simulated device on a dive. Its surface is at the trajectory's height 0.
public struct SimulatedWater: Hashable, Sendable {
  /// kg/m³. Default: the value of EN 13319, 10 kPa per metre.
  public var density = 10_000 / standardGravity
  /// Metres from trough to crest. Default 0.15.
  public var waveHeight = 0.15
  /// Seconds from crest to crest. Default 3.
  public var wavePeriod = 3.0
  /// °C. Default 15.
  public var temperature = 15.0
  /// Time constant of the thermometer: seconds to reach 63 % of a step. Default 90, a dive computer's
  /// (Documentation/Behaviour.md, water).
  public var thermometerTimeConstant = 90.0

  /// The water with its defaults.
  public init() {}

  /// Metres by which the surface above the device stands higher than in still water: two waves that never repeat
  /// together.
  package func elevation(at seconds: Double) -> Double {
    guard waveHeight > 0, wavePeriod > 0 else { return 0 }
    let angle = 2 * Double.pi * seconds / wavePeriod
    return waveHeight / 2 * (0.7 * Scalar.sin(angle) + 0.3 * Scalar.sin(angle / 0.618_034 + 1))
  }

  /// Metres of water whose weight presses on a device `depth` metres below the still surface; 0 in the air.
  ///
  /// A wave is felt less the deeper one is, by e^(−k · depth) with k = ω² / g (Airy's linear theory, deep water).
  package func column(atDepth depth: Double, seconds: Double) -> Double {
    let frequency = 2 * Double.pi / max(wavePeriod, 1e-3)
    let decay = Scalar.exp(-frequency * frequency / standardGravity * max(0, depth))
    return max(0, depth + elevation(at: seconds) * decay)
  }
}

/// The true state of the water around a simulated device at one time.
public struct WaterTruth: Hashable, Sendable {
  /// Metres below the still surface, down positive; negative in the air.
  public var depth: Double
  /// Metres of water above the device, including waves; 0 in the air.
  public var column: Double
  /// Air pressure at the surface in pascal.
  public var surfacePressure: Double
  /// Pressure on the sensor in pascal.
  public var pressure: Double
  /// Temperature of the surrounding water or air in °C.
  public var temperature: Double
}

extension SimulatedWorld {
  /// The water around a device at `height` metres above its surface.
  func waterTruth(height: Double, at seconds: Double) -> WaterTruth {
    let surface = pressure(atHeight: 0, seconds: seconds)
    let column = water.column(atDepth: -height, seconds: seconds)
    let air = height > 0 ? pressure(atHeight: height, seconds: seconds) : surface
    return WaterTruth(
      depth: -height, column: column, surfacePressure: surface,
      pressure: column > 0 ? surface + column * water.density * standardGravity : air,
      temperature: height < 0 ? water.temperature : temperature)
  }
}

/// A thermometer that follows its surroundings slowly: dT/dt = (T_around − T) / τ.
///
/// It goes on second by second from the beginning of the trajectory, so that a run that begins in the middle reads the
/// same.
struct SlowThermometer {
  private var second = 0
  private var value: Double?
  private var next = 0.0

  /// °C at `seconds` ≥ 0; times must not go back by more than the current second.
  mutating func reading(at seconds: Double, timeConstant: Double, around: (Double) -> Double) -> Double {
    guard timeConstant > 0 else { return around(seconds) }
    let share = 1 - Scalar.exp(-1 / timeConstant)
    var value = self.value ?? around(0)
    if self.value == nil { next = value + (around(0.5) - value) * share }
    while second < Int(clamping: seconds) {
      second += 1
      value = next
      next = value + (around(Double(second) + 0.5) - value) * share
    }
    self.value = value
    return value + (next - value) * (seconds - Double(second))
  }
}
