// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone in the holder of a car that drives round a block without end.
///
/// Each of the four sides takes 36 seconds: stand, pull away to 15 m/s, straight on, brake to 6 m/s, turn left by 90°
/// with up to 3.5 m/s² towards the inside, on to 12 m/s, brake to a stop. Acceleration lasts for seconds, which
/// misleads a filter that takes it for gravity. The car pitches with its acceleration, and the road shakes it. A bus
/// has sides of its own.
///
/// Speed and heading follow smooth steps, so everything except the position in the bend is a closed form; there the
/// position is the integral of the velocity by Gauss-Legendre quadrature, accurate to 20 micrometres.
public struct Drive: Trajectory, Hashable {
  /// The angle by which the top edge of the phone is raised, in radians. Default 1.0, about 57°.
  public var tilt: Double
  /// m/s² at 15 m/s: the standard deviation of the upward vibration from 5 to 15 Hz. The road shakes the car in all
  /// directions from 1 to 24 Hz, the more the faster it goes, and the engine idles when it stands. Recordings: 0.15
  /// on good roads, 0.4 on bad ones. Default 0: no engine, and a road that shakes the car a little, at 7 and 13 Hz.
  public var roughness: Double {
    didSet { vibration = roughness > 0 ? .car(roughness: roughness) : nil }
  }
  private var vibration: Vibration?
  private let side: Side

  /// A drive with the phone raised by `tilt` radians, on a road of some roughness.
  public init(tilt: Double = 1, roughness: Double = 0) {
    (self.tilt, self.roughness) = (tilt, roughness)
    vibration = roughness > 0 ? .car(roughness: roughness) : nil
    side = Side(plan: [
      Leg(duration: 2, speed: 0, turn: 0), Leg(duration: 8, speed: 15, turn: 0), Leg(duration: 6, speed: 15, turn: 0),
      Leg(duration: 4, speed: 6, turn: 0), Leg(duration: 5, speed: 6, turn: .pi / 2),
      Leg(duration: 4, speed: 12, turn: 0), Leg(duration: 2, speed: 12, turn: 0), Leg(duration: 5, speed: 0, turn: 0),
    ])
  }

  /// A city bus, with the phone in the pocket of a passenger who sits.
  ///
  /// Two stops of 22 and 18 seconds on each side, 440 and 290 metres apart, with the engine idling; it pulls away and
  /// brakes with 0.15 to 0.19 g, goes 40 km/h at most and turns left with 0.2 g. A
  /// `roughness` makes it ride like a car.
  public static var bus: Drive {
    Drive(bus: [
      Leg(duration: 4, speed: 0, turn: 0), Leg(duration: 13, speed: 11, turn: 0),
      Leg(duration: 12, speed: 11, turn: 0), Leg(duration: 6, speed: 5, turn: 0),
      Leg(duration: 7, speed: 5, turn: .pi / 2), Leg(duration: 6, speed: 9, turn: 0),
      Leg(duration: 8, speed: 9, turn: 0), Leg(duration: 9, speed: 0, turn: 0), Leg(duration: 22, speed: 0, turn: 0),
      Leg(duration: 12, speed: 10, turn: 0), Leg(duration: 18, speed: 10, turn: 0),
      Leg(duration: 10, speed: 0, turn: 0), Leg(duration: 14, speed: 0, turn: 0),
    ])
  }

  private init(bus plan: [Leg]) {
    (tilt, roughness, vibration, side) = (0.2, 0, .bus, Side(plan: plan))
  }

  /// The car on its side of the block, turned into place, and the phone in the car.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let number = (t / side.duration).rounded(.down)
    let motion = side.motion(at: t - number * side.duration)

    // Four equal sides, each turned by 90°: the block closes by symmetry.
    let quarter = number.truncatingRemainder(dividingBy: 4)
    let turned = Rotation<EastNorthUp, EastNorthUp>(aboutZ: quarter * .pi / 2)
    var origin = Vector3<EastNorthUp>.zero
    for earlier in 0..<Int(quarter) {  // fits: a remainder of a division by 4
      origin += Rotation<EastNorthUp, EastNorthUp>(aboutZ: Double(earlier) * .pi / 2) * side.way
    }

    // The nose rises under acceleration, 0.01 rad for 1 m/s²; its rate is the derivative of the acceleration, the jerk.
    let pitch = Jet(value: 0.01 * motion.speed.first, first: 0.01 * motion.speed.second, second: 0)
    var rotation = TurningRotation(turned.relabeled(from: Device.self, to: EastNorthUp.self))
    rotation.turn(by: motion.heading, about: .unitZ)
    rotation.turn(by: Jet(tilt) + pitch, about: .unitX)
    var state = TrajectoryState(
      attitude: rotation.attitude, angularVelocity: rotation.angularVelocity,
      position: origin + turned * motion.position, velocity: turned * motion.velocity,
      acceleration: turned * motion.acceleration)
    if let vibration {
      vibration.shake(&state, at: t, speed: motion.speed, heading: motion.heading + Jet(quarter * .pi / 2))
    } else {
      let road = Jet.wave(0.000_08, frequency: 7, at: t) + .wave(0.000_02, frequency: 13, phase: 1, at: t)
      state.position.z += road.value
      state.velocity.z += road.first
      state.acceleration.z += road.second
    }
    return state
  }
}

extension Drive {
  /// A part of one side as planned: its duration in seconds, the speed in m/s at its end, the turn to the left in
  /// radians.
  fileprivate struct Leg {
    var duration, speed, turn: Double
  }

  /// One side of the block, which begins at the origin, at rest, heading north.
  private struct Side: Hashable {
    var stretches: [Stretch] = []
    /// Seconds.
    var duration = 0.0
    /// Metres from its beginning to its end.
    var way: Vector3<EastNorthUp> = .zero

    init(plan: [Leg]) {
      var speed = 0.0
      var heading = 0.0
      for leg in plan {
        let stretch = Stretch(
          start: duration, duration: leg.duration, speed: speed, gain: leg.speed - speed, heading: heading,
          turn: leg.turn, origin: way)
        stretches.append(stretch)
        duration += leg.duration
        speed = leg.speed
        heading += leg.turn
        way = stretch.motion(at: duration).position
      }
    }

    func motion(at seconds: Double) -> Motion {
      var current = stretches[0]
      for stretch in stretches where stretch.start <= seconds { current = stretch }
      return current.motion(at: seconds)
    }
  }

  /// The car at one time: speed in m/s and heading in radians anticlockwise from north, with their derivatives.
  private struct Motion {
    var speed, heading: Jet
    var position, velocity, acceleration: Vector3<EastNorthUp>
  }

  /// A part of one side, along which speed and heading change by one smooth step.
  private struct Stretch: Hashable {
    var start, duration, speed, gain, heading, turn: Double
    var origin: Vector3<EastNorthUp>

    func motion(at seconds: Double) -> Motion {
      let step = Jet.smoothStep(from: start, to: start + duration, at: seconds)
      let speed = Jet(self.speed) + step * gain
      let heading = Jet(self.heading) + step * turn
      let forward = Vector3<EastNorthUp>(x: -heading.sine.value, y: heading.cosine.value, z: 0)
      let left = Vector3<EastNorthUp>(x: -forward.y, y: forward.x, z: 0)
      return Motion(
        speed: speed, heading: heading, position: origin + way(until: seconds), velocity: forward * speed.value,
        acceleration: forward * speed.first + left * (speed.value * heading.first))
    }

    private func way(until seconds: Double) -> Vector3<EastNorthUp> {
      let elapsed = seconds - start
      guard turn != 0 else {
        let ramp = Jet.smoothRamp(from: start, to: start + duration, at: seconds)
        let length = speed * elapsed + gain * ramp.value
        return Vector3(x: -Scalar.sin(heading) * length, y: Scalar.cos(heading) * length, z: 0)
      }
      return GaussLegendre.integral(from: 0, to: elapsed, of: velocity)
    }

    private func velocity(at elapsed: Double) -> Vector3<EastNorthUp> {
      let step = Jet.smoothStep(from: 0, to: duration, at: elapsed).value
      let angle = heading + turn * step
      return Vector3(x: -Scalar.sin(angle), y: Scalar.cos(angle), z: 0) * (speed + gain * step)
    }
  }
}
