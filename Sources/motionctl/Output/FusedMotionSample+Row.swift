// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_spi(MotionTools) import CoreMotion
import MotionMath
import MotionSensing

extension FusedMotionSample {
  /// Computed motion as an app sees it, in Core Motion's units and signs: what recordings and live outputs hold of it.
  ///
  /// What is not known (an uncalibrated field, the heading in a frame without north) is left out, as everywhere in a recording.
  /// `time` is the instant that the row's seconds were made of.
  init(_ row: DeviceMotionRow, time: SensorInstant) {
    let reference: Reference =
      switch row.frame {
      case .xArbitraryCorrectedZVertical?: .xArbitraryCorrected
      case .xMagneticNorthZVertical?: .xMagneticNorth
      case .xTrueNorthZVertical?: .xTrueNorth
      default: .xArbitrary
      }
    let location: Location =
      switch row.sensorLocation {
      case .headphoneLeft: .headphoneLeft
      case .headphoneRight: .headphoneRight
      default: .device
      }
    self.init(
      time: time, w: row.attitude.w, vector: Vector3(x: row.attitude.x, y: row.attitude.y, z: row.attitude.z),
      reference: reference,
      angularVelocity: Vector3(x: row.rotationRate.x, y: row.rotationRate.y, z: row.rotationRate.z),
      gravity: Vector3(x: row.gravity.x, y: row.gravity.y, z: row.gravity.z),
      linearAcceleration: Vector3(x: row.userAcceleration.x, y: row.userAcceleration.y, z: row.userAcceleration.z),
      accelerationUnit: .reversedGravity,
      field: row.knownField.map {
        CalibratedField(
          reading: Vector3(x: $0.field.x, y: $0.field.y, z: $0.field.z), unit: .microtesla,
          accuracy: Int8(clamping: $0.accuracy.rawValue))
      },
      heading: row.knownHeading.map { AngleReading($0, .degree) },
      headingAccuracy: row.knownHeadingAccuracy.map { AngleReading($0, .degree) }, location: location)
  }
}
