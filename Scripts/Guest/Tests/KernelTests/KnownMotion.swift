// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The motion that the virtual devices make, as `Scripts/Guest/src/motion.h` states it in C.
struct KnownMotion {
  /// When it begins, s of CLOCK_MONOTONIC. Before, the device lies face up.
  let start: Double

  /// Device to a frame with z up, at an instant of CLOCK_MONOTONIC.
  func attitude(at time: Double) -> Rotation<Device, NorthWestUp> {
    let u = time - start
    guard u > 0 else { return .identity }
    let s = min(u, 1)
    let ramp = s * s * (3 - 2 * s) * Double.pi / 180
    let yaw = Rotation<NorthWestUp, NorthWestUp>(aboutZ: 70 * ramp * Scalar.sin(0.6 * u))
    let pitch = Rotation<NorthWestUp, NorthWestUp>(
      rotationVector: Vector3<NorthWestUp>(x: 0, y: 30 * ramp * Scalar.sin(0.9 * u), z: 0))
    let roll = Rotation<Device, NorthWestUp>(
      rotationVector: Vector3<Device>(x: 40 * ramp * Scalar.sin(1.3 * u), y: 0, z: 0))
    return yaw * pitch * roll
  }
}
