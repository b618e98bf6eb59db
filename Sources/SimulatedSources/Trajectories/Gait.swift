// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// What a person's own way of moving does to a device that is carried: the body rises and falls with each step, sways
/// and turns once in two steps. The times of the steps are known exactly.
///
/// ```swift
/// Gait.walking(cadence: 110 / 60).stepCount(at: 60)     // 110
/// ```
///
/// Step number k meets the ground (k − ¼) / cadence seconds after the beginning, where the acceleration upwards is
/// largest: all harmonics of the rise and fall meet there, which makes the impact sharper than the flight. The
/// amplitudes are chosen so that the standard deviation of the acceleration and its share of 5–15 Hz are those of
/// recordings: walking 0.29 g (a phone: 0.23 to 0.64) and 0.16, running 1.1 g (hip: 1.07) with peaks of 3.5 g and
/// flight at 0.2 g, cycling 0.39 g and no share (0.04), at 1.22 Hz.
public struct Gait: Hashable, Sendable {
  /// Steps per second, of both feet; on a bicycle turns of the pedals.
  public var cadence: Double
  /// False on a bicycle: there are no steps.
  let isOnFoot: Bool
  /// Metres: amplitudes of the rise and fall at the cadence and its multiples.
  let lifts: [Double]
  /// Metres to either side and ahead.
  let sway, surge: Double
  /// Radians about the vertical, the device's x and its y.
  let yaw, pitch, roll: Double

  /// A phone in the hand or the pocket of a walker: 2 steps a second.
  public static func walking(cadence: Double = 2) -> Gait {
    Gait(
      cadence: cadence, isOnFoot: true, lifts: [0.02, 0.003, 0.0009, 0.0004], sway: 0.02, surge: 0.008, yaw: 0.07,
      pitch: 0.04, roll: 0.06)
  }

  /// A runner: 2.7 steps a second.
  public static func running(cadence: Double = 2.7) -> Gait {
    Gait(
      cadence: cadence, isOnFoot: true, lifts: [0.045, 0.006, 0.0012, 0.0003], sway: 0.025, surge: 0.012, yaw: 0.1,
      pitch: 0.08, roll: 0.08)
  }

  /// Stairs, up or down: 1.8 steps a second.
  public static func climbing(cadence: Double = 1.8) -> Gait {
    Gait(
      cadence: cadence, isOnFoot: true, lifts: [0.02, 0.004, 0.001, 0.0005], sway: 0.02, surge: 0.006, yaw: 0.05,
      pitch: 0.05, roll: 0.05)
  }

  /// A phone in the trouser pocket of a cyclist: the thigh moves up and down smoothly, 1.2 times a second, without
  /// impacts.
  public static func cycling(cadence: Double = 1.2) -> Gait {
    Gait(
      cadence: cadence, isOnFoot: false, lifts: [0.095], sway: 0.01, surge: 0.01, yaw: 0.02, pitch: 0.35, roll: 0.02)
  }

  /// Steps until `seconds` after the beginning of a stretch of `duration` seconds in this gait.
  public func stepCount(at seconds: Double, for duration: Double = .infinity) -> Int {
    let steps = cadence * min(seconds, duration) + 0.25
    // More than 10¹⁵ steps nobody takes; NaN counts as none.
    return isOnFoot && steps >= 1 ? Int(min(steps, 1e15)) : 0  // fits: 1…10¹⁵
  }

  /// What is added to a motion: turns in radians, shifts in metres.
  package struct Motion {
    package var yaw, pitch, roll: Jet
    package var right, ahead, up: Jet

    /// Turns a device that is raised by `tilt` radians.
    package func turn(_ rotation: inout TurningRotation, tilt: Double = 0) {
      rotation.turn(by: yaw, about: .unitZ)
      rotation.turn(by: Jet(tilt) + pitch, about: .unitX)
      rotation.turn(by: roll, about: .unitY)
    }
  }

  /// The motion `seconds` after the beginning of a stretch of `duration` seconds, outside of which there is none. It
  /// fades in until the first step meets the ground, and out within half a step, so that the first and the last step
  /// are steps.
  package func motion(at seconds: Double, for duration: Double = .infinity) -> Motion {
    let (begin, end) = (min(0.75 / cadence, duration * 0.6), min(0.5 / cadence, duration * 0.4))
    var envelope = Jet.smoothStep(from: 0, to: begin, at: seconds)
    if duration.isFinite { envelope = envelope - .smoothStep(from: duration - end, to: duration, at: seconds) }
    // The sides alternate from step to step; pedals have a turn for both.
    let stride = isOnFoot ? cadence / 2 : cadence
    var up = Jet(0)
    for (index, amplitude) in lifts.enumerated() {
      // −sin(n φ + p) is largest at φ = 3π/2 for every n.
      let phase = -1.5 * Double.pi * Double(index)
      up = up + .wave(amplitude, frequency: cadence * Double(index + 1), phase: phase, at: seconds)
    }
    return Motion(
      yaw: envelope * .wave(yaw, frequency: stride, at: seconds),
      pitch: envelope * .wave(pitch, frequency: cadence, phase: 0.6, at: seconds),
      roll: envelope * .wave(roll, frequency: stride, phase: 0.9, at: seconds),
      right: envelope * .wave(sway, frequency: stride, phase: 0.3, at: seconds),
      ahead: envelope * .wave(surge, frequency: cadence, phase: 1.2, at: seconds), up: envelope * up)
  }
}

/// Broad vibration: what a road does to a car.
package enum Road {
  /// Metres upwards, in waves from `low` to `high` Hz. `strength` is the standard deviation of the acceleration in
  /// m/s²: in a car 0.2 to 1.2 (0.02 to 0.12 g). Every `axis` has waves of its own; `gain` is what arrives of a
  /// frequency.
  ///
  /// At the default count there are so many waves that no time shift brings them together again: their autocorrelation
  /// stays below that of steps.
  package static func shaking(
    _ strength: Double, from low: Double = 5, to high: Double = 15, count: Int = 40, axis: Int = 0, at seconds: Double,
    gain: (Double) -> Double = { _ in 1 }
  ) -> Jet {
    var up = Jet(0)
    // Equal accelerations: a sum of n sines of amplitude a has the deviation a √(n / 2).
    let acceleration = strength / (Double(count) / 2).squareRoot()
    for index in 0..<count {
      // Uneven by the golden ratio, so that there is no common period within minutes.
      let uneven = (Double(index + axis * count) * 0.618_034).truncatingRemainder(dividingBy: 1)
      let frequency = low + (high - low) * (Double(index) + uneven) / Double(count)
      let angular = 2 * Double.pi * frequency
      let phase = 2.4 * Double(index * index) + 2.1 * Double(axis)
      up =
        up
        + .wave(gain(frequency) * acceleration / (angular * angular), frequency: frequency, phase: phase, at: seconds)
    }
    return up
  }
}
