// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import MotionServices

/// Pressure, depth and altitude at stop 5: pascal becomes kilopascal; metres and °C stay.
extension CoreMotionConventions {
  static func kilopascals(_ pascals: Double) -> Double { pascals / 1000 }

  static func relativeAltitude(_ altitude: AltitudeEstimator.Altitude) -> CMAltitudeData {
    CMAltitudeData(
      timestamp: altitude.time.seconds, relativeAltitude: altitude.relative,
      pressure: kilopascals(altitude.pressure))
  }

  static func absoluteAltitude(_ altitude: AltitudeEstimator.Altitude) -> CMAbsoluteAltitudeData {
    CMAbsoluteAltitudeData(
      timestamp: altitude.time.seconds, altitude: altitude.absolute, accuracy: altitude.accuracy,
      precision: altitude.precision)
  }

  static func event(_ event: SubmersionUpdate.Event, at date: Date) -> CMWaterSubmersionEvent {
    let state: CMWaterSubmersionEvent.State =
      switch event.state {
      case .unknown: .unknown
      case .notSubmerged: .notSubmerged
      case .submerged: .submerged
      }
    return CMWaterSubmersionEvent(date: date, state: state)
  }

  static func measurement(
    _ measurement: SubmersionUpdate.Measurement, at date: Date
  ) -> CMWaterSubmersionMeasurement {
    let state: CMWaterSubmersionMeasurement.DepthState =
      switch measurement.state {
      case .unknown: .unknown
      case .notSubmerged: .notSubmerged
      case .submergedShallow: .submergedShallow
      case .submergedDeep: .submergedDeep
      case .approachingMaximum: .approachingMaxDepth
      case .pastMaximum: .pastMaxDepth
      case .sensorError: .sensorDepthError
      }
    return CMWaterSubmersionMeasurement(
      date: date, depth: measurement.depth, pressure: measurement.pressure.map(kilopascals),
      surfacePressure: kilopascals(measurement.surfacePressure), submersionState: state)
  }

  static func temperature(_ temperature: SubmersionUpdate.Temperature, at date: Date) -> CMWaterTemperature {
    CMWaterTemperature(
      date: date, temperature: temperature.temperature, uncertainty: temperature.uncertainty)
  }
}
