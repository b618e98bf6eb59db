// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone in the holder of a car that drives on a motorway.
///
/// Parked for 8 s, it takes 25 s to reach 27 m/s, and from the second minute drives through a wide curve each minute,
/// alternately to the left and to the right: 30 s at 3.2 °/s, with 1.5 m/s² outwards. Such a slow turn and steady force
/// look like a gyroscope bias and a tilt. The car leans with its acceleration, and the road shakes it more at higher
/// speed.
///
/// Speed and heading are closed forms. On a curve the position is the integral of the velocity by Gauss-Legendre
/// quadrature, accurate to a micrometre.
public struct Motorway: Trajectory, Hashable {
  /// The angle by which the top edge of the phone is raised, in radians. Default 1.0, about 57°.
  public var tilt: Double
  /// m/s. Default 27, 97 km/h.
  public var speed: Double
  /// rad/s of the curves. Default 0.05585, 3.2 °/s.
  public var yawRate: Double
  /// A good road: 28 mg upwards at full speed; recordings have 26 to 38.
  var roughness = 0.18

  /// Seconds.
  private static let (departure, arrival, firstCurve) = (8.0, 33.0, 60.0)
  private static let (curve, edge, interval) = (30.0, 2.0, 60.0)

  /// A drive with the phone raised by `tilt` radians, at `speed` m/s, through curves of `yawRate` rad/s.
  public init(tilt: Double = 1, speed: Double = 27, yawRate: Double = 0.05585) {
    (self.tilt, self.speed, self.yawRate) = (tilt, speed, yawRate)
  }

  /// The car on its way, and the phone in the car.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let step = Jet.smoothStep(from: Self.departure, to: Self.arrival, at: t)
    let pace = step * speed
    let number = max(0, ((t - Self.firstCurve) / Self.interval).rounded(.down))
    let isBack = number.truncatingRemainder(dividingBy: 2) == 1
    // Of a curve to the left; one to the right takes the same back.
    let within = t - Self.firstCurve - number * Self.interval
    let turned = turn(at: within)
    let heading = isBack ? Jet(turn(at: Self.interval).value) - turned : turned

    let forward = Self.forward(heading.value)
    let left = Vector3<EastNorthUp>(x: -forward.y, y: forward.x, z: 0)
    let lateral = pace * Jet(value: heading.first, first: heading.second, second: 0)
    var rotation = TurningRotation()
    rotation.turn(by: heading, about: .unitZ)
    // It leans outwards by 0.5° for each m/s², and its nose rises by 0.6° for each m/s².
    rotation.turn(by: Jet(value: lateral.value, first: lateral.first, second: 0) * 0.009, about: .unitY)
    rotation.turn(by: Jet(tilt) + Jet(value: pace.first, first: pace.second, second: 0) * 0.0105, about: .unitX)
    var state = TrajectoryState(
      attitude: rotation.attitude, angularVelocity: rotation.angularVelocity,
      position: position(at: t, number, within, isBack), velocity: forward * pace.value,
      acceleration: forward * pace.first + left * lateral.value)
    // Its own speed is the top speed.
    Vibration.car(roughness: roughness, topSpeed: 1).shake(&state, at: t, speed: step, heading: heading)
    return state
  }

  /// The heading in a curve to the left, rad anticlockwise from north, `seconds` after its beginning.
  private func turn(at seconds: Double) -> Jet {
    (Jet.smoothRamp(from: 0, to: Self.edge, at: seconds)
      - .smoothRamp(from: Self.curve - Self.edge, to: Self.curve, at: seconds)) * yawRate
  }

  private static func forward(_ heading: Double) -> Vector3<EastNorthUp> {
    Vector3(x: -Scalar.sin(heading), y: Scalar.cos(heading), z: 0)
  }

  private func position(at t: Double, _ number: Double, _ within: Double, _ isBack: Bool) -> Vector3<EastNorthUp> {
    let straight = Jet.smoothRamp(from: Self.departure, to: Self.arrival, at: min(t, Self.firstCurve)).value * speed
    var position = Self.forward(0) * straight
    guard t > Self.firstCurve else { return position }
    let (there, back) = (way(until: Self.interval, isBack: false), way(until: Self.interval, isBack: true))
    let pairs = (number / 2).rounded(.down)
    position += (there + back) * pairs
    if isBack { position += there }
    return position + way(until: within, isBack: isBack)
  }

  /// From the beginning of a curve, in metres.
  private func way(until seconds: Double, isBack: Bool) -> Vector3<EastNorthUp> {
    let end = turn(at: Self.interval).value
    func velocity(_ time: Double) -> Vector3<EastNorthUp> {
      let turned = turn(at: time).value
      return Self.forward(isBack ? end - turned : turned) * speed
    }
    let inCurve = min(seconds, Self.curve)
    // Panels end where the edges do: there the third derivative of the rate jumps.
    let bounds = [0, Self.edge, 11, 20, Self.curve - Self.edge, Self.curve].map { min($0, inCurve) }
    var sum = velocity(Self.curve) * max(0, seconds - Self.curve)
    for (from, to) in zip(bounds, bounds.dropFirst()) where to > from {
      sum += GaussLegendre.integral(from: from, to: to, of: velocity)
    }
    return sum
  }
}

/// The Gauss-Legendre rule of order 8 (Abramowitz & Stegun, table 25.4).
enum GaussLegendre {
  /// Positive nodes and their weights.
  private static let nodes = [
    0.183434642495650, 0.525532409916329, 0.796666477413627, 0.960289856497536,
  ]
  private static let weights = [
    0.362683783378362, 0.313706645877887, 0.222381034453374, 0.101228536290376,
  ]

  static func integral(
    from start: Double, to end: Double, of function: (Double) -> Vector3<EastNorthUp>
  ) -> Vector3<EastNorthUp> {
    let (middle, half) = ((start + end) / 2, (end - start) / 2)
    var sum = Vector3<EastNorthUp>.zero
    for (node, weight) in zip(nodes, weights) {
      sum += (function(middle - half * node) + function(middle + half * node)) * weight
    }
    return sum * half
  }
}
