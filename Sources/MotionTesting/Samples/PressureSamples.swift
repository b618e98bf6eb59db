// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation

extension CMAltitudeData {
  /// A sample with given values: metres, up positive, and kPa. Default pressure: the standard atmosphere at sea level.
  public convenience init(relativeAltitude: Double, pressure: Double = 101.325, at timestamp: TimeInterval) {
    self.init(timestamp: timestamp, relativeAltitude: relativeAltitude, pressure: pressure)
  }
}

extension CMAbsoluteAltitudeData {
  /// A sample with given values: all three in metres, altitude above sea level.
  public convenience init(altitude: Double, accuracy: Double, precision: Double, at timestamp: TimeInterval) {
    self.init(timestamp: timestamp, altitude: altitude, accuracy: accuracy, precision: precision)
  }
}

extension CMWaterSubmersionEvent {
  /// An event with given values.
  public convenience init(state: State, at date: Date) { self.init(date: date, state: state) }
}

extension CMWaterSubmersionMeasurement {
  /// A measurement with given values: metres below the surface, and kPa, absolute. Nil depth = no depth; the default
  /// surface pressure is the standard atmosphere.
  public convenience init(
    depth: Double?, pressure: Double?, submersionState: DepthState, surfacePressure: Double = 101.325, at date: Date
  ) {
    self.init(
      date: date, depth: depth, pressure: pressure, surfacePressure: surfacePressure, submersionState: submersionState)
  }
}

extension CMWaterTemperature {
  /// A temperature with given values: °C, the uncertainty 0 or more.
  public convenience init(temperature: Double, uncertainty: Double, at date: Date) {
    self.init(date: date, temperature: temperature, uncertainty: uncertainty)
  }
}
