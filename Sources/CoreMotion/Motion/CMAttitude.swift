// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// An orientation of the device relative to a reference frame: as a quaternion, a rotation matrix and three angles.
///
/// * `quaternion` turns device vectors into the reference frame: v_ref = q v_dev q* (S11).
/// * `rotationMatrix` turns reference vectors into device axes: v_dev = M v_ref, M = R(q)ᵀ (S12).
/// * The angles build R(q) = Rz(yaw) · Rx(pitch) · Ry(roll) (S13). All are 0 when the axes coincide.
///
/// An attitude is mutable through ``multiply(byInverseOf:)``; copy it before you change it when other code holds it.
/// It is not safe to change one object from several threads.
open class CMAttitude: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  private var storedQuaternion: CMQuaternion

  /// The identity: the device's axes coincide with the reference frame.
  public override init() {
    storedQuaternion = CMQuaternion(x: 0, y: 0, z: 0, w: 1)
    super.init()
  }

  /// An attitude from a quaternion of length one, device → reference frame, kept as it is.
  package init(_ quaternion: CMQuaternion) {
    storedQuaternion = quaternion
    super.init()
  }

  public required init?(coder: NSCoder) {
    storedQuaternion = CMQuaternion()
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes the quaternion.
  open func encode(with coder: NSCoder) { write(to: coder) }

  func code(_ archive: SampleArchive) { archive.code("quaternion", quaternion) { storedQuaternion = $0 } }

  /// An independent copy.
  open func copy(with zone: NSZone? = nil) -> Any { CMAttitude(quaternion) }

  /// True.
  open class var supportsSecureCoding: Bool { true }

  /// Rad, −π…π, about the device's Y axis.
  open var roll: Double { quaternion.roll }
  /// Rad, −π/2…π/2, about the device's X axis.
  open var pitch: Double { quaternion.pitch }
  /// Rad, −π…π, about the vertical.
  open var yaw: Double { quaternion.yaw }
  /// Reference → device.
  open var rotationMatrix: CMRotationMatrix { quaternion.rotationMatrix }
  /// Device → reference, scalar last, length one.
  open var quaternion: CMQuaternion { storedQuaternion }

  /// Changes this attitude into the change from `attitude` to it: q' = q_ref⁻¹ ⊗ q (S18, D7). The argument is kept.
  open func multiply(byInverseOf attitude: CMAttitude) {
    storedQuaternion = attitude.quaternion.conjugate.multiplied(by: quaternion).normalized
  }

  /// The angles in degrees, as a person reads them.
  open override var description: String {
    let degrees = [pitch, roll, yaw].map { Angle(radians: $0).degrees }
    return String(format: "CMAttitude Pitch: %f, Roll: %f, Yaw: %f", degrees[0], degrees[1], degrees[2])
  }
}
