// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone that somebody holds and looks at, turning it this way and that.
///
/// For one second it is nearly still, but for the tremor of a hand, so that a filter can settle; then it wanders by about
/// 35° of yaw, 25° of pitch and 30° of roll within several seconds, and by a few centimetres. The frequencies have no common
/// period: it does not repeat itself.
public struct Handheld: Trajectory, Hashable {
  /// How far the top edge is raised at the start, in radians.
  public var tilt: Double
  /// 1 = as described, 0 = tremor only.
  public var liveliness: Double

  /// A held phone, raised by `tilt` radians (default 0.6, about 35°).
  public init(tilt: Double = 0.6, liveliness: Double = 1) {
    self.tilt = tilt
    self.liveliness = liveliness
  }

  /// Sums of slow waves, faded in between 1 s and 2.5 s, plus a tremor of 9 Hz.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let envelope = Jet.smoothStep(from: 1, to: 2.5, at: t) * liveliness
    let tremor = Jet.wave(0.0004, frequency: 9.1, at: t)

    let yaw = Jet.wave(0.45, frequency: 0.11, at: t - 1) + .wave(0.16, frequency: 0.37, phase: 1, at: t)
    let pitch = Jet.wave(0.30, frequency: 0.17, phase: 0.5, at: t) + .wave(0.13, frequency: 0.43, phase: 2, at: t)
    let roll = Jet.wave(0.38, frequency: 0.13, phase: 3, at: t) + .wave(0.14, frequency: 0.31, at: t)
    var rotation = TurningRotation()
    rotation.turn(by: envelope * yaw, about: .unitZ)
    rotation.turn(by: Jet(tilt) + envelope * pitch + tremor, about: .unitX)
    rotation.turn(by: envelope * roll + tremor * 0.7, about: .unitY)

    let shiver = Jet.wave(0.000_02, frequency: 8.3, at: t)
    return TrajectoryState(
      rotation,
      east: envelope * .wave(0.05, frequency: 0.29, phase: 1.5, at: t) + shiver,
      north: envelope * .wave(0.03, frequency: 0.41, at: t),
      up: envelope * .wave(0.02, frequency: 0.53, phase: 0.7, at: t) + shiver * 1.3)
  }
}
