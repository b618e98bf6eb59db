// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices

/// Stop 5 of a sample: the only place where SI becomes Core Motion's units, signs and reference frames.
///
/// | inside | Core Motion | factor |
/// |---|---|---|
/// | specific force, m/s², +9.81 up at rest | g, −1 on z face up | −1 / 9.80665 |
/// | rad/s | rad/s | 1 |
/// | tesla | µT | 10⁶ |
/// | nanoseconds | seconds | 10⁻⁹ |
/// | radians (heading) | degrees | 180 / π |
enum CoreMotionConventions {
  /// Readings that came in g already have the factor exactly 1 and keep every bit.
  static func acceleration(_ reading: Vector3<Device>, unit: AccelerationUnit) -> CMAcceleration {
    let factor = unit.scale / -standardGravity
    return CMAcceleration(x: reading.x * factor, y: reading.y * factor, z: reading.z * factor)
  }

  static func magneticField(_ reading: Vector3<Device>, unit: MagneticFieldUnit) -> CMMagneticField {
    // Readings in µT keep every bit.
    let factor = unit == .microtesla ? 1 : unit.scale * 1e6
    return CMMagneticField(x: reading.x * factor, y: reading.y * factor, z: reading.z * factor)
  }

  static func magneticField(_ field: MotionRow.CalibratedField) -> CMCalibratedMagneticField {
    CMCalibratedMagneticField(
      field: magneticField(field.reading, unit: field.unit),
      accuracy: CMMagneticFieldCalibrationAccuracy(rawValue: Int32(field.accuracy)) ?? .uncalibrated)
  }

  static func sensorLocation(_ location: MotionRow.Location) -> CMDeviceMotion.SensorLocation {
    .init(rawValue: Int(location.rawValue)) ?? .default
  }

  /// The frame that fused motion came in.
  static func frame(of reference: MotionRow.Reference) -> CMAttitudeReferenceFrame {
    switch reference {
    case .xArbitrary: .xArbitraryZVertical
    case .xArbitraryCorrected: .xArbitraryCorrectedZVertical
    case .xMagneticNorth: .xMagneticNorthZVertical
    case .xTrueNorth: .xTrueNorthZVertical
    }
  }

  /// The frame that a client asked for; exactly one.
  static func reference(of frame: CMAttitudeReferenceFrame) -> MotionRow.Reference {
    switch frame {
    case .xArbitraryCorrectedZVertical: .xArbitraryCorrected
    case .xMagneticNorthZVertical: .xMagneticNorth
    case .xTrueNorthZVertical: .xTrueNorth
    default: .xArbitrary
    }
  }

  /// A wanted interval: 0, negative and NaN mean "as fast as possible" (D18).
  static func interval(_ seconds: TimeInterval) -> SensorDuration {
    guard seconds > 0 else { return .zero }
    // At most about 300 years: more nanoseconds do not fit.
    return SensorDuration(seconds: min(seconds, 9e9)) ?? .zero
  }
}

extension CMAccelerometerData {
  convenience init(_ sample: AccelerometerSample) {
    self.init(
      timestamp: sample.time.seconds,
      vector: CoreMotionConventions.acceleration(sample.reading, unit: sample.unit).vector)
  }
}

extension CMGyroData {
  convenience init(_ sample: GyroscopeSample) {
    self.init(timestamp: sample.time.seconds, vector: sample.angularVelocity)
  }
}

extension CMMagnetometerData {
  convenience init(_ sample: MagnetometerSample) {
    self.init(
      timestamp: sample.time.seconds,
      vector: CoreMotionConventions.magneticField(sample.reading, unit: sample.unit).vector)
  }
}

extension CMAttitudeReferenceFrame {
  var usesMagnetometer: Bool { self != .xArbitraryZVertical }
  /// True for exactly one of the four frames.
  var isSingle: Bool {
    rawValue.nonzeroBitCount == 1 && rawValue <= CMAttitudeReferenceFrame.xTrueNorthZVertical.rawValue
  }
}

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
    CMWaterSubmersionEvent(date: date, state: .init(rawValue: Int(event.state.rawValue)) ?? .unknown)
  }

  static func measurement(
    _ measurement: SubmersionUpdate.Measurement, at date: Date
  ) -> CMWaterSubmersionMeasurement {
    CMWaterSubmersionMeasurement(
      date: date, depth: measurement.depth, pressure: measurement.pressure.map(kilopascals),
      surfacePressure: kilopascals(measurement.surfacePressure),
      // The same states in the same order, by hundreds.
      submersionState: .init(rawValue: 100 * Int(measurement.state.rawValue)) ?? .unknown)
  }

  static func temperature(_ temperature: SubmersionUpdate.Temperature, at date: Date) -> CMWaterTemperature {
    CMWaterTemperature(
      date: date, temperature: temperature.temperature, uncertainty: temperature.uncertainty)
  }
}
