// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone in the hand of a person who walks north.
///
/// One second of standing, then acceleration to full speed within 1.5 s. The body rises and falls once per step (4 cm
/// in total), the torso sways once per stride (two steps), and the hand follows with a small delay. The amplitudes of
/// the harmonics are chosen, not measured; vertical acceleration reaches about 5 m/s².
public struct Walk: Trajectory, Hashable {
  /// Steps per second. Default 2.
  public var cadence: Double
  /// m/s. Default 1.4.
  public var speed: Double
  /// The angle by which the top edge of the phone is raised, in radians. Default 0.6, about 35°.
  public var tilt: Double

  /// A walk at `cadence` steps per second and `speed` in m/s.
  public init(cadence: Double = 2, speed: Double = 1.4, tilt: Double = 0.6) {
    self.cadence = cadence
    self.speed = speed
    self.tilt = tilt
  }

  /// Harmonics of the step and of the stride, faded in at the start.
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

/// A person who climbs stairs with a phone: ten seconds at the foot, flights up with a rest on each landing, and all the way down.
///
/// A flight is climbed at constant speed except in the first and the last second, with a bounce at each step; on the
/// landings the phone is still. Height 0 is the foot of the stairs.
public struct Stairs: Trajectory, Hashable {
  /// Metres of one flight. Default 3.
  public var flightHeight: Double
  /// Seconds of one flight. Default 10.
  public var flightTime: Double
  /// Flights up; as many down. Default 3.
  public var flights: Int
  /// Seconds at the foot and on each landing. Default 10.
  public var rest = 10.0

  /// `flights` of `flightHeight` metres, each climbed in `flightTime` seconds.
  public init(flightHeight: Double = 3, flightTime: Double = 10, flights: Int = 3) {
    self.flightHeight = flightHeight
    self.flightTime = max(2, flightTime)
    self.flights = max(0, flights)
  }

  /// Seconds from the beginning to the foot of flight `number`, counted from 0; the flights down follow those up.
  package func start(ofFlight number: Int) -> Double { rest + Double(number) * (flightTime + rest) }

  /// The phone in the hand, raised by 35°.
  public func state(at seconds: Double) -> TrajectoryState {
    var up = Jet(0)
    for number in 0..<2 * flights {
      let start = start(ofFlight: number)
      guard seconds > start else { break }
      let end = start + flightTime
      let speed = (number < flights ? 1 : -1) * flightHeight / (flightTime - 1)
      let way =
        Jet.smoothRamp(from: start, to: start + 1, at: seconds) - Jet.smoothRamp(from: end - 1, to: end, at: seconds)
      let bounce = Jet.window(from: start, to: end, edge: 1, at: seconds) * .wave(0.02, frequency: 1.8, at: seconds)
      up = up + way * speed + bounce
    }
    var rotation = TurningRotation()
    rotation.turn(by: Jet(0.6), about: .unitX)
    return TrajectoryState(rotation, up: up)
  }
}
