// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// How the device stands and turns: what the filter moves with every sample, and what its users read.
///
/// It stands apart from the rest of the state because a reader that is not compiled together with the filter would
/// otherwise copy the whole of it, covariance and all, to look at four numbers (Swift 6.3). The properties of
/// ``OrientationFilter`` are inlinable for the same reason: they hand over this part only.
@usableFromInline
struct Pose: Sendable, BitwiseCopyable {
  @usableFromInline var isKnown = false
  /// Device → world, all corrections in it.
  @usableFromInline var quaternion = Quaternion(w: 1, x: 0, y: 0, z: 0)
  /// The latest rate, corrected, rad/s.
  @usableFromInline var rate: Real3 = .zero
  /// The turn, in rad, by which the latest corrections moved the attitude.
  @usableFromInline var latestCorrection: Real3 = .zero
  /// Seconds since then.
  @usableFromInline var blockTime: Real = 0

  init() {}

  /// The attitude without the share `remaining` of the latest correction, `delay` seconds later at the rate.
  ///
  /// Its arguments fit in registers.
  @usableFromInline
  static func attitude(
    _ quaternion: Quaternion, correction: Real3, remaining: Real, rate: Real3, delay: Real
  ) -> Quaternion {
    let outer = Vector3<EastNorthUp>(correction * -remaining)
    guard any(delay != 0) else { return quaternion.turned(outer: outer) }
    return quaternion.turned(outer: outer, inner: Vector3<Device>(rate * delay))
  }

  /// How much of the latest correction the output still owes when the share `elapsed` of a block has passed, 1…0: a smooth
  /// step, so that neither the attitude nor its rate jumps when a correction begins or ends.
  @usableFromInline
  static func remaining(_ elapsed: Real) -> Real {
    select(elapsed < 1, 1 - elapsed * elapsed * (3 - 2 * elapsed), 0)
  }
}
