// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// An attitude under construction, turned again and again about axes that are fixed to the device, with its exact angular
/// velocity.
///
/// For a product of rotations q = p · s the angular velocity in device axes is s⁻¹ ω_p + ω_s, and a turn about a fixed axis n
/// by a changing angle has ω_s = n · dangle/dt. (Shuster, "A Survey of Attitude Representations", J. Astronaut. Sci. 41(4),
/// 1993, on the kinematics of successive rotations.)
package struct TurningRotation {
  /// Device → earth.
  package private(set) var attitude: Rotation<Device, EastNorthUp>
  /// rad/s, device axes.
  package private(set) var angularVelocity: Vector3<Device> = .zero

  package init(_ attitude: Rotation<Device, EastNorthUp> = .identity) { self.attitude = attitude }

  /// Turns on by a changing `angle` in radians about the unit vector `axis`, in device axes as they are now.
  package mutating func turn(by angle: Jet, about axis: Vector3<Device>) {
    turn(along: axis, by: angle)
  }

  /// Turns on by the rotation vector `vector` times a changing factor; `vector` in radians may have any length.
  package mutating func turn(along vector: Vector3<Device>, by factor: Jet) {
    let step = Rotation<Device, Device>(rotationVector: vector * factor.value)
    attitude = attitude * step
    angularVelocity = step.inverse * angularVelocity + vector * factor.first
  }
}

extension Vector3 {
  /// The unit vector along x.
  static var unitX: Self { Self(x: 1, y: 0, z: 0) }
  /// The unit vector along y.
  static var unitY: Self { Self(x: 0, y: 1, z: 0) }
  /// The unit vector along z.
  static var unitZ: Self { Self(x: 0, y: 0, z: 1) }
}

extension Rotation where From == Device, To == EastNorthUp {
  /// The top edge points north, raised by `angle` radians from the horizontal: 0 = face up, π/2 = upright.
  static func raised(by angle: Double) -> Self {
    Self(rotationVector: Vector3<Device>(x: angle, y: 0, z: 0))
  }
}
