// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone on a person who goes north: in the hand of one who walks, unless another gait is chosen.
///
/// One second of standing, then the gait at once and the speed within 1.5 s. ``Gait`` says what the body does with each
/// step.
public struct Walk: Trajectory, Hashable {
  /// How the person moves.
  public var gait: Gait
  /// m/s. Default 1.4.
  public var speed: Double
  /// The angle by which the top edge of the phone is raised, in radians. Default 0.6, about 35°.
  public var tilt: Double

  /// Steps per second. Default 2.
  public var cadence: Double {
    get { gait.cadence }
    set { gait.cadence = newValue }
  }

  /// Seconds of standing.
  private static let start = 1.0

  /// A walk at `cadence` steps per second and `speed` in m/s.
  public init(cadence: Double = 2, speed: Double = 1.4, tilt: Double = 0.6) {
    self.init(gait: .walking(cadence: cadence), speed: speed, tilt: tilt)
  }

  /// The same in any gait.
  public init(gait: Gait, speed: Double, tilt: Double = 0.6) {
    self.gait = gait
    self.speed = speed
    self.tilt = tilt
  }

  /// The gait on the way.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let motion = gait.motion(at: t - Self.start)
    var rotation = TurningRotation()
    motion.turn(&rotation, tilt: tilt)
    let way = Jet.smoothRamp(from: Self.start, to: Self.start + 1.5, at: t) * speed
    return TrajectoryState(rotation, east: motion.right, north: way + motion.ahead, up: motion.up)
  }

  /// The steps of the gait.
  public func stepCount(at seconds: Double) -> Int { gait.stepCount(at: seconds - Self.start) }
}

/// A person who climbs stairs with a phone: ten seconds at the foot, flights up with a rest on each landing, and all
/// the way down.
///
/// A flight is climbed at constant speed except in the first and the last second, in the gait of a climber; on the
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
  private let gait = Gait.climbing()

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
    var motion = gait.motion(at: -1)
    for number in 0..<2 * flights {
      let start = start(ofFlight: number)
      guard seconds > start else { break }
      let end = start + flightTime
      let speed = (number < flights ? 1 : -1) * flightHeight / (flightTime - 1)
      let way =
        Jet.smoothRamp(from: start, to: start + 1, at: seconds) - Jet.smoothRamp(from: end - 1, to: end, at: seconds)
      up = up + way * speed
      if seconds < end { motion = gait.motion(at: seconds - start, for: flightTime) }
    }
    var rotation = TurningRotation()
    motion.turn(&rotation, tilt: 0.6)
    return TrajectoryState(rotation, east: motion.right, north: motion.ahead, up: up + motion.up)
  }

  /// The steps of all flights so far.
  public func stepCount(at seconds: Double) -> Int {
    (0..<2 * flights).reduce(0) { $0 + gait.stepCount(at: seconds - start(ofFlight: $1), for: flightTime) }
  }
}
