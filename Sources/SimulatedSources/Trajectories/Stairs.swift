// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Somebody who climbs stairs with a phone: ten seconds at the foot, flights up with a rest on each landing, and all the way down.
///
/// The height of a flight is climbed at constant speed but for the first and the last second, with a bounce at each step; on the
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
  public func start(ofFlight number: Int) -> Double { rest + Double(number) * (flightTime + rest) }

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
