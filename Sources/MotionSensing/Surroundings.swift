// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The density of the water, which converts a pressure to a depth.
///
///     depth = (pressure − surface pressure) / (density · standard gravity)
///
/// Dive computers use the same formula, without a term for the compression of water (five dives of three makers;
/// WATER-2). A wrong density causes an error of up to 2.5 %: one metre at 40 m.
public struct WaterDensity: Sendable, Hashable {
  /// kg/m³.
  public let value: Double

  /// A density in kg/m³; nil outside 950…1300, between warm fresh water and the Dead Sea.
  public init?(_ value: Double) {
    guard (950...1300).contains(value) else { return nil }
    self.value = value
  }

  private init(known value: Double) { self.value = value }

  /// 1000 kg/m³: lakes.
  public static let fresh = WaterDensity(known: 1000)
  /// 1019.716 kg/m³, ten kilopascal per metre: the value of a gauge by EN 13319, in any water.
  public static let en13319 = WaterDensity(known: 10_000 / standardGravity)
  /// 1025 kg/m³: the sea.
  public static let salt = WaterDensity(known: 1025)

  /// The pressure of one metre of water, in pascal.
  public var pascalsPerMetre: Double { value * standardGravity }

  /// Metres below the surface, down positive, from two absolute pressures in pascal.
  public func depth(at pressure: Double, surfacePressure: Double) -> Double {
    (pressure - surfacePressure) / pascalsPerMetre
  }

  /// Pascal, absolute, at `depth` metres below the surface.
  public func pressure(atDepth depth: Double, surfacePressure: Double) -> Double {
    surfacePressure + depth * pascalsPerMetre
  }
}

/// The reference of a barometer to sea level: one of two values must be known.
public enum AltitudeReference: Sendable, Hashable {
  /// The air pressure reduced to sea level, in pascal, as an airport or a weather service reports it (QNH), and its
  /// standard deviation: about 100 Pa for a station some tens of kilometres away.
  case seaLevelPressure(Double, standardDeviation: Double = 100)
  /// The height of the device when the updates start, in metres above sea level, and its standard deviation in metres.
  case height(Double, standardDeviation: Double = 1)
}
