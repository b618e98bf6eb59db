// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

// The way in and out of the filter's own quaternion, one stream at a time.
extension Quaternion {
  init<A, B>(_ rotation: Rotation<A, B>) {
    self.init(w: Real(rotation.w), x: Real(rotation.x), y: Real(rotation.y), z: Real(rotation.z))
  }

  /// The same with its frames, and of unit length; the identity when the numbers are not finite or far too small.
  @inline(__always)
  func rotation<A, B>() -> Rotation<A, B> {
    Rotation(nearUnitW: Double(w), x: Double(x), y: Double(y), z: Double(z))
  }
}

extension Pose {
  /// ``attitude(_:correction:remaining:rate:delay:)`` with its frames.
  @usableFromInline
  static func rotation(
    _ quaternion: Quaternion, correction: Real3, remaining: Real, rate: Real3, delay: Real
  ) -> Rotation<Device, EastNorthUp> {
    attitude(quaternion, correction: correction, remaining: remaining, rate: rate, delay: delay).rotation()
  }
}
