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
  /// One of its accelerations in g, by the quotient that the accelerometer's readings have.
  func gravities(_ acceleration: Vector3<Device>) -> Vector3<Device> {
    acceleration.scaled(unit: accelerationUnit.scale, to: AccelerationUnit.reversedGravity.scale)
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
}

extension Vector3 {
  fileprivate func scaled(unit: Double, to wanted: Double) -> Self {
    guard unit != wanted else { return self }
    return Self(x: x * unit / wanted, y: y * unit / wanted, z: z * unit / wanted)
  }
}
