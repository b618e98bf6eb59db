// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone in the hand of a passenger whose vehicle moves back and forth on a line: a train, a lift, an escalator.
///
/// It stands, accelerates steadily, moves at constant speed, brakes in the same way, stands again, and comes back on
/// the same path. The hand moves little; a train shakes it, the more the faster it goes. An acceleration that lasts for
/// seconds looks like a tilt to an accelerometer, and without rotation the two cannot be distinguished. Everything is a
/// closed form: braking cancels the acceleration exactly except for rounding.
public struct Ride: Trajectory, Hashable {
  /// m/s², the steady acceleration.
  public var acceleration: Double
  /// Seconds of acceleration, and of braking.
  public var accelerationTime: Double
  /// Seconds between acceleration and braking.
  public var cruise: Double
  /// Seconds of standing at each end.
  public var stop: Double
  /// The slope of the path, rad: 0 for a level one to the north, π/2 straight up.
  public var slope: Double
  /// What the track does to the vehicle. Nil: it runs smoothly.
  var vibration: Vibration?

  /// A ride from its parts.
  public init(acceleration: Double, accelerationTime: Double, cruise: Double, stop: Double, slope: Double = 0) {
    self.acceleration = acceleration
    self.accelerationTime = accelerationTime
    self.cruise = cruise
    self.stop = stop
    self.slope = slope
  }

  /// A suburban train: 1.1 m/s² for 22 s, up to 79 km/h, from station to station in a minute and a half. On its springs
  /// it sways and bounces by 20 mg, and in the stations its fans run.
  public static var train: Ride {
    var ride = Ride(acceleration: 1.1, accelerationTime: 22, cruise: 38, stop: 20)
    ride.vibration = .train
    return ride
  }
  /// A lift: 1.2 m/s² for 1.8 s, up by 13 m in 12 s and down again.
  public static var lift: Ride {
    Ride(acceleration: 1.2, accelerationTime: 1.8, cruise: 8, stop: 10, slope: .pi / 2)
  }
  /// A person who steps onto an escalator: 0.8 m/s² along a slope of 30° for a second, half a metre per second.
  public static var escalator: Ride {
    Ride(acceleration: 0.8, accelerationTime: 1, cruise: 20, stop: 10, slope: .pi / 6)
  }

  /// The motion of the hand and of the vehicle.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    var state = Handheld(tilt: 0.6, liveliness: 0.25).state(at: t)
    let run = stop + 2 * accelerationTime + cruise
    let number = (t / run).rounded(.down)
    let isBack = number.truncatingRemainder(dividingBy: 2) == 1
    let within = t - number * run
    let way = isBack ? Jet(self.way(at: run).value) - self.way(at: within) : self.way(at: within)
    let direction = Vector3<EastNorthUp>(x: 0, y: Scalar.cos(slope), z: Scalar.sin(slope))
    state.position += direction * way.value
    state.velocity += direction * way.first
    state.acceleration += direction * way.second
    vibration?.shake(&state, at: t, speed: speed(at: within))
    return state
  }

  /// Metres along the way, `seconds` after the beginning of a run.
  private func way(at seconds: Double) -> Jet { pull { .smoothWay(from: $0, to: $1, at: seconds) } }

  /// m/s, `seconds` after the beginning of a run, either way.
  private func speed(at seconds: Double) -> Jet { pull { .smoothRamp(from: $0, to: $1, at: seconds) } }

  /// What steps of acceleration from one time to another amount to.
  private func pull(_ step: (Double, Double) -> Jet) -> Jet {
    // Jerk lasts for two seconds at most: passengers stand.
    let edge = min(2, accelerationTime / 2.5)
    func pulled(_ start: Double) -> Jet {
      step(start, start + edge) - step(start + accelerationTime - edge, start + accelerationTime)
    }
    return (pulled(stop) - pulled(stop + accelerationTime + cruise)) * acceleration
  }
}
