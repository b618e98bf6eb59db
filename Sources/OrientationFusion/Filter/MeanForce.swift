// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The mean specific force of some seconds, in the world: it points up, or nearly.
///
/// Where it leans, either the device has accelerated for long or the inclination is wrong. In the first second after
/// levelling, which one reading decided, it is the second; later this cannot be decided, and belongs to what is stated.
struct MeanForce: Sendable {
  /// m/s², and the seconds that it covers.
  private(set) var mean: RealVector<EastNorthUp> = .zero
  private(set) var age: Real = 0

  /// `turn`: by which the attitude has been corrected since.
  mutating func add(_ force: RealVector<EastNorthUp>, time: Real, turn: RealVector<EastNorthUp>) {
    mean += turn.cross(mean)
    age += time
    mean += (force - mean) * min(1, time / min(age, Constant.leanTime))
  }

  /// The mean after the attitude was turned so that it points up.
  mutating func stand() { mean = RealVector(x: 0, y: 0, z: mean.dot(mean).squareRoot()) }

  /// True where the mean is too far from up for an acceleration: soon after levelling by little, later by much. So no
  /// wrong inclination lasts.
  var contradictsLevelling: Bool {
    let length = mean.dot(mean).squareRoot()
    let cosine =
      age < Constant.levellingTime
      ? Constant.cosineOfFirstLean : age < Constant.leanTime ? -1 : Constant.cosineOfLean
    return length > 0.5 * Real(standardGravity) && mean.z < cosine * length
  }

  /// The square of the angle between it and up, rad².
  var squaredLean: Real { (mean.x * mean.x + mean.y * mean.y) / max(1, mean.dot(mean)) }
}
