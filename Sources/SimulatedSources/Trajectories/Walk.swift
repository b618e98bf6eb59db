// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone in the hand of somebody who walks north.
///
/// One second of standing, then within 1.5 s up to full speed. The body rises and falls once per step (4 cm in all), the
/// torso sways once per stride, which is two steps, and the hand follows a little late. The heights of the harmonics are
/// chosen, not measured; vertical acceleration reaches about 5 m/s².
public struct Walk: Trajectory, Hashable {
  /// Steps a second. Default 2.
  public var cadence: Double
  /// m/s. Default 1.4.
  public var speed: Double
  /// How far the top edge of the phone is raised, in radians. Default 0.6, about 35°.
  public var tilt: Double

  /// A walk at `cadence` steps a second and `speed` in m/s.
  public init(cadence: Double = 2, speed: Double = 1.4, tilt: Double = 0.6) {
    self.cadence = cadence
    self.speed = speed
    self.tilt = tilt
  }

  /// Harmonics of the step and of the stride, faded in while the walk begins.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let envelope = Jet.smoothStep(from: 1, to: 2.5, at: t)
    let stride = cadence / 2

    let yaw = Jet.wave(0.07, frequency: stride, at: t)
    let pitch = Jet.wave(0.04, frequency: cadence, phase: 0.6, at: t)
    let roll = Jet.wave(0.06, frequency: stride, phase: 0.9, at: t)
    var rotation = TurningRotation()
    rotation.turn(by: envelope * yaw, about: .unitZ)
    rotation.turn(by: Jet(tilt) + envelope * pitch, about: .unitX)
    rotation.turn(by: envelope * roll, about: .unitY)

    let sway = Jet.wave(0.02, frequency: stride, phase: 0.3, at: t)
    let surge = Jet.wave(0.008, frequency: cadence, phase: 1.2, at: t)
    let bounce = Jet.wave(0.02, frequency: cadence, at: t) + .wave(0.003, frequency: 2 * cadence, phase: 1, at: t)
    return TrajectoryState(
      rotation, east: envelope * sway, north: Jet.smoothRamp(from: 1, to: 2.5, at: t) * speed + envelope * surge,
      up: envelope * bounce)
  }
}
