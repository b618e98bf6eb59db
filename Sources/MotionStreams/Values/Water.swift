// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

#if !canImport(Darwin) || os(iOS) || os(watchOS) || os(visionOS)
public import CoreMotion
import Foundation

/// What the depth sensor tells: three kinds of news in one stream, in the order in which they come.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public enum WaterUpdate: Hashable, Sendable {
  /// The device went into the water or came out; the present state comes first.
  case submersion(Submersion)
  /// Pressure and depth: three a second under water, one a second above.
  case depth(WaterDepth)
  /// The temperature of the water, under water only.
  case temperature(WaterTemperature)
}

/// Whether the device is under water.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct Submersion: Hashable, Sendable {
  /// When this began.
  public var date: Date
  /// `.unknown`, `.notSubmerged` or `.submerged`.
  public var state: CMWaterSubmersionEvent.State

  /// An event from its values.
  public init(date: Date, state: CMWaterSubmersionEvent.State) { (self.date, self.state) = (date, state) }

  init(_ event: CMWaterSubmersionEvent) { self.init(date: event.date, state: event.state) }
}

/// One measurement of the pressure, with the depth that follows from it.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct WaterDepth: Hashable, Sendable {
  /// When it was measured.
  public var date: Date
  /// Metres below the surface, down positive; nil above water and when the sensor fails.
  public var depth: Double?
  /// Kilopascal, absolute; nil where `depth` is.
  public var pressure: Double?
  /// Kilopascal: the pressure of the air at the surface.
  public var surfacePressure: Double
  /// The depth in words.
  public var state: CMWaterSubmersionMeasurement.DepthState

  /// A measurement from its values. The default surface pressure is that at sea level.
  public init(
    date: Date, depth: Double?, pressure: Double?, surfacePressure: Double = 101.325,
    state: CMWaterSubmersionMeasurement.DepthState
  ) {
    (self.date, self.depth, self.pressure) = (date, depth, pressure)
    (self.surfacePressure, self.state) = (surfacePressure, state)
  }

  init(_ measurement: CMWaterSubmersionMeasurement) {
    self.init(
      date: measurement.date, depth: measurement.depth?.converted(to: .meters).value,
      pressure: measurement.pressure?.converted(to: .kilopascals).value,
      surfacePressure: measurement.surfacePressure.converted(to: .kilopascals).value,
      state: measurement.submersionState)
  }
}

/// The temperature of the water.
@available(iOS 18, macOS 15, watchOS 11, visionOS 2, *)
public struct WaterTemperature: Hashable, Sendable {
  /// When it was measured.
  public var date: Date
  /// Degrees Celsius.
  public var temperature: Double
  /// Degrees Celsius, 0 or more: the temperature may be this much higher or lower.
  public var uncertainty: Double

  /// A temperature from its values.
  public init(date: Date, temperature: Double, uncertainty: Double) {
    (self.date, self.temperature, self.uncertainty) = (date, temperature, uncertainty)
  }

  /// A difference has no zero point to move: both sides are converted, so that an uncertainty in °F becomes one in °C.
  init(_ water: CMWaterTemperature) {
    let (value, spread) = (water.temperature, water.temperatureUncertainty)
    let zero = Measurement(value: 0, unit: spread.unit).converted(to: .celsius).value
    self.init(
      date: water.date, temperature: value.converted(to: .celsius).value,
      uncertainty: spread.converted(to: .celsius).value - zero)
  }
}
#endif
