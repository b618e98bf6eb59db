// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// The numbers in Core Motion's units and signs, for files and programs. Those that came so pass unchanged: their
/// factor is 1.
extension MotionRow {
  /// g; face up (0, 0, −1).
  package var gravityInGravities: Vector3<Device> { gravity * gravities }
  /// g, without gravity.
  package var linearAccelerationInGravities: Vector3<Device> { linearAcceleration * gravities }

  private var gravities: Double { accelerationUnit.scale / AccelerationUnit.reversedGravity.scale }

  /// The same without a magnetic field that is not calibrated.
  package var withoutUncalibratedField: MotionRow {
    guard let field, field.accuracy < 0 else { return self }
    var row = self
    row.field = nil
    return row
  }

  /// Roll, pitch and yaw in radians, as CMAttitude has them (Documentation/Formats.md 2.3).
  package var angles: YawPitchRoll { YawPitchRoll(w: w, x: vector.x, y: vector.y, z: vector.z) }
}

extension MotionRow.CalibratedField {
  /// µT, device axes.
  package var microteslas: Vector3<Device> { reading * (unit == .microtesla ? 1 : unit.scale * 1e6) }
}
