// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

// Samples in Core Motion's units and signs. Numbers that came so stay as they are, to the last bit.

extension AccelerometerSample {
  /// g; face up at rest (0, 0, −1).
  var gravities: Vector3<Device> { reading.scaled(unit: unit.scale, to: AccelerationUnit.reversedGravity.scale) }
}

extension MagnetometerSample {
  /// µT.
  var microteslas: Vector3<Device> { reading.scaled(unit: unit.scale, to: MagneticFieldUnit.microtesla.scale) }
}

extension PressureSample {
  /// The number that reads back to the same pascal, where there is one: the quotient and its neighbours are tried.
  var kilopascals: Double {
    let quotient = pressure / 1000
    return [quotient, quotient.nextUp, quotient.nextDown].first { $0 * 1000 == pressure } ?? quotient
  }
}

extension MotionRow {
  /// g; face up (0, 0, −1).
  var gravityInGravities: Vector3<Device> {
    gravity.scaled(unit: accelerationUnit.scale, to: AccelerationUnit.reversedGravity.scale)
  }
  /// g, without gravity.
  var userAccelerationInGravities: Vector3<Device> {
    linearAcceleration.scaled(unit: accelerationUnit.scale, to: AccelerationUnit.reversedGravity.scale)
  }

  /// Roll, pitch and yaw in radians, as CMAttitude has them (Documentation/Formats.md 2.3).
  var angles: (roll: Double, pitch: Double, yaw: Double) {
    let (x, y, z) = (vector.x, vector.y, vector.z)
    return (
      roll: Scalar.atan2(2 * (w * y - x * z), 1 - 2 * (x * x + y * y)),
      pitch: Scalar.asin(min(1, max(-1, 2 * (w * x + y * z)))),
      yaw: Scalar.atan2(2 * (w * z - x * y), 1 - 2 * (x * x + z * z))
    )
  }
}

extension MotionRow.Reference {
  /// Core Motion's name of the frame without its prefix.
  var name: StaticString {
    switch self {
    case .xArbitrary: "XArbitraryZVertical"
    case .xArbitraryCorrected: "XArbitraryCorrectedZVertical"
    case .xMagneticNorth: "XMagneticNorthZVertical"
    case .xTrueNorth: "XTrueNorthZVertical"
    }
  }

  /// The azimuth counts from north, so that the headings of several devices can be compared.
  var isNorth: Bool { self == .xMagneticNorth || self == .xTrueNorth }
}

extension Vector3 {
  fileprivate func scaled(unit: Double, to wanted: Double) -> Self {
    guard unit != wanted else { return self }
    return Self(x: x * unit / wanted, y: y * unit / wanted, z: z * unit / wanted)
  }
}
