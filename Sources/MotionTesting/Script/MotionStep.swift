// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import SimulatedSources

/// One step of a motion: what happens to the device, and for how long.
///
/// Directions are those of a person who looks at the screen. Every step starts and ends at rest, so steps can be
/// combined in any order without a jump of velocity.
public struct MotionStep: Hashable, Sendable {
  /// The direction of a move or a tilt.
  public enum Direction: String, Hashable, Sendable, CaseIterable {
    case left, right, forward, back, up, down
  }

  /// What is done.
  enum Action: Hashable, Sendable {
    case rest
    /// Rad about an axis of the device.
    case tilt(Vector3<Device>)
    /// Rad about the vertical, anticlockwise seen from above.
    case turn(Double)
    /// Rad about an axis of the device and back, some times; to one side, or then to the other too.
    case swing(Vector3<Device>, times: Int, toBothSides: Bool)
    /// Metres along the device's axes at the start of the step.
    case move(Vector3<Device>)
    /// Hertz and metres to either side, along the device's x axis.
    case shake(frequency: Double, amplitude: Double)
    /// Ahead in a gait; m/s, and metres up or down within the step.
    case go(Gait, speed: Double, climb: Double)
    /// Metres up or down, in a lift.
    case lift(Double)
    /// Ahead in a car, m/s.
    case drive(speed: Double)
    /// A fall of this many seconds, then the landing.
    case drop(Double)
  }

  let action: Action
  /// Seconds.
  public let duration: Double

  init(_ action: Action, duration: Double) {
    require(
      Self.durations.contains(duration),
      "A step of a motion script lasts from 0.001 to 1000000 s, not \(duration) s.")
    self.action = action
    self.duration = duration
  }

  /// Floors of one step of a script that is a text, and its steps per second.
  static let (floors, cadences) = (0.01...1000.0, 0.1...6.0)
  /// Seconds that a step may last.
  static let durations = 0.001...1e6
  /// Seconds in which a fallen device comes to rest: a soft carpet, so that a phone's accelerometer stays within its
  /// range.
  static let landing = 0.05

  /// Rests for some seconds.
  public static func rest(_ seconds: Double) -> Self { Self(.rest, duration: seconds) }

  /// Tilts the device: `.right` lowers the right edge (roll grows), `.left` the left one, `.back` raises the top edge
  /// (pitch grows), `.forward` lowers it. `.up` and `.down` are `.back` and `.forward`.
  public static func tilt(degrees: Double, _ direction: Direction, for seconds: Double) -> Self {
    let angle = finite(Angle(degrees: degrees).radians)
    let vector: Vector3<Device> =
      switch direction {
      case .right: Vector3(x: 0, y: angle, z: 0)
      case .left: Vector3(x: 0, y: -angle, z: 0)
      case .back, .up: Vector3(x: angle, y: 0, z: 0)
      case .forward, .down: Vector3(x: -angle, y: 0, z: 0)
      }
    return Self(.tilt(vector), duration: seconds)
  }

  /// Turns about the vertical: `.left` is anticlockwise seen from above (yaw grows); every other direction is
  /// clockwise.
  public static func turn(degrees: Double, _ direction: Direction, for seconds: Double) -> Self {
    let angle = finite(Angle(degrees: degrees).radians)
    return Self(.turn(direction == .left ? angle : -angle), duration: seconds)
  }

  /// Nods with the head, or with whatever carries the sensors: forward (pitch falls) and back. Default: 0.8 s a time.
  public static func nod(_ times: Int = 1, degrees: Double = 20, for seconds: Double? = nil) -> Self {
    require(times > 0, "A head nods at least once.")
    let vector = Vector3<Device>(x: -finite(Angle(degrees: degrees).radians), y: 0, z: 0)
    return Self(.swing(vector, times: times, toBothSides: false), duration: seconds ?? Double(times) * 0.8)
  }

  /// Shakes the head: to the left (yaw grows), to the right, and back. Default: 1 s a time.
  public static func shakeHead(_ times: Int = 1, degrees: Double = 30, for seconds: Double? = nil) -> Self {
    require(times > 0, "A head is shaken at least once.")
    let vector = Vector3<Device>(x: 0, y: 0, z: finite(Angle(degrees: degrees).radians))
    return Self(.swing(vector, times: times, toBothSides: true), duration: seconds ?? Double(times))
  }

  /// Moves the device by some metres without turning it: left and right along its x axis, up and down along its y axis
  /// as seen by a person who holds it, forward out of the back and back out of the screen.
  public static func move(_ metres: Double, _ direction: Direction, for seconds: Double) -> Self {
    let way = finite(metres)
    let vector: Vector3<Device> =
      switch direction {
      case .right: Vector3(x: way, y: 0, z: 0)
      case .left: Vector3(x: -way, y: 0, z: 0)
      case .up: Vector3(x: 0, y: way, z: 0)
      case .down: Vector3(x: 0, y: -way, z: 0)
      case .back: Vector3(x: 0, y: 0, z: way)
      case .forward: Vector3(x: 0, y: 0, z: -way)
      }
    return Self(.move(vector), duration: seconds)
  }

  /// Shakes the device from side to side. At the defaults, 4 Hz and 0.05 m, the acceleration reaches about 3 g.
  public static func shake(_ seconds: Double, frequency: Double = 4, amplitude: Double = 0.05) -> Self {
    Self(.shake(frequency: finite(frequency), amplitude: finite(amplitude)), duration: seconds)
  }

  /// Walks ahead, in the direction of the heading, with the device in the hand. Default: 2 steps per second, 1.4 m/s.
  /// It takes cadence · seconds steps, to the nearest; ``stepCount`` says how many.
  public static func walk(_ seconds: Double, cadence: Double = 2, speed: Double = 1.4) -> Self {
    Self(.go(.walking(cadence: finite(cadence)), speed: finite(speed), climb: 0), duration: seconds)
  }

  /// Runs ahead, as ``walk(_:cadence:speed:)``. Default: 2.7 steps per second, 3 m/s.
  public static func run(_ seconds: Double, cadence: Double = 2.7, speed: Double = 3) -> Self {
    Self(.go(.running(cadence: finite(cadence)), speed: finite(speed), climb: 0), duration: seconds)
  }

  /// Climbs stairs of 3 m and 18 steps a floor; a negative number of floors leads down. Default: 1.8 steps per second,
  /// 10 s a floor.
  public static func climb(floors: Double, cadence: Double = 1.8) -> Self {
    require(cadence > 0, "Stairs are climbed with a cadence above 0, not \(cadence).")
    let seconds = abs(finite(floors)) * stepsPerFloor / finite(cadence)
    return Self(.go(.climbing(cadence: cadence), speed: 0.5, climb: floors * floorHeight), duration: seconds)
  }

  /// Rides a bicycle with the device in a trouser pocket, at 5 m/s; nobody steps.
  public static func cycle(_ seconds: Double) -> Self { Self(.go(.cycling(), speed: 5, climb: 0), duration: seconds) }

  /// Rides in a car on a road that shakes it, at 13 m/s; at the beginning and at the end it stands.
  public static func drive(_ seconds: Double) -> Self { Self(.drive(speed: 13), duration: seconds) }

  /// Rides in a lift at up to 1.5 m/s over floors of 3 m; a negative number leads down.
  public static func lift(floors: Double) -> Self {
    let way = finite(floors) * floorHeight
    return Self(.lift(way), duration: abs(way) / 1.5 + 2)
  }

  /// Metres; steps of 16.7 cm.
  static let (floorHeight, stepsPerFloor) = (3.0, 18.0)

  /// Lets the device fall for some seconds without turning it, then lands it within another 0.05 s. A fall of 0.4 s is
  /// 0.78 m.
  public static func drop(_ seconds: Double) -> Self {
    Self(.drop(finite(seconds)), duration: seconds + landing)
  }

  private static func finite(_ number: Double) -> Double {
    require(number.isFinite, "A motion script takes finite numbers only, not \(number).")
    return number
  }
}

/// Stops with the sentence in every build; in a release build `precondition` prints nothing.
func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  if !condition { fatalError(sentence()) }
}

extension MotionStep {
  /// The device `t` seconds after the beginning of this step, which began at rest in the given pose.
  func state(
    after t: Double, attitude: Rotation<Device, EastNorthUp>, position: Vector3<EastNorthUp>
  ) -> TrajectoryState {
    var rotation = TurningRotation(attitude)
    var way = Way(position)
    // Smooth from rest to rest.
    let progress = Jet.smoothStep(from: 0, to: duration, at: t)
    switch action {
    case .rest: break
    case .tilt(let vector): rotation.turn(by: progress, about: vector)
    case .turn(let angle):
      rotation.turn(by: progress, about: attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: angle))
    case .swing(let vector, let times, let toBothSides):
      // The second half of a time is the first one mirrored, to the other side or back.
      let period = duration / Double(times)
      let time = t - min(Double(times) - 1, (t / period).rounded(.down)) * period
      let step = { Jet.smoothStep(from: $0 * period, to: $1 * period, at: time) }
      let swing = toBothSides ? step(0, 0.25) - step(0.25, 0.75) * 2 + step(0.75, 1) : step(0, 0.5) - step(0.5, 1)
      rotation.turn(by: swing, about: vector)
    case .move(let vector): way.add(progress, along: attitude * vector)
    case .shake(let frequency, let amplitude):
      let edge = min(0.4, duration / 2)
      let wave = Jet.wave(amplitude, frequency: frequency, at: t)
      way.add(
        wave * .window(from: 0, to: duration, edge: edge, at: t),
        along: attitude * Vector3<Device>(x: 1, y: 0, z: 0))
    case .go(let gait, let speed, let climb):
      go(t, gait, speed: speed, climb: climb, attitude: attitude, rotation: &rotation, way: &way)
    case .drive(let speed):
      let pace = Self.pace(t, edge: min(10, duration / 2), duration: duration)
      way.add(pace.way * speed, along: Self.ahead(attitude))
      way.add(pace.speed * Road.shaking(0.6, at: t), along: Vector3(x: 0, y: 0, z: 1))
    case .lift(let height):
      // Two seconds to its speed, and two to stand again.
      let pace = Self.pace(t, edge: 2, duration: duration)
      way.add(pace.way * (duration > 2 ? height / (duration - 2) : 0), along: Vector3(x: 0, y: 0, z: 1))
    case .drop(let fall): way.add(Self.fall(t, for: fall), along: Vector3(x: 0, y: 0, z: 1))
    }
    return TrajectoryState(rotation, east: way.east, north: way.north, up: way.up)
  }

  /// Ahead and up or down in a gait.
  private func go(
    _ t: Double, _ gait: Gait, speed: Double, climb: Double, attitude: Rotation<Device, EastNorthUp>,
    rotation: inout TurningRotation, way: inout Way
  ) {
    let motion = gait.motion(at: t, for: duration)
    motion.turn(&rotation)
    let edge = min(1, duration / 2)
    let pace = Self.pace(t, edge: edge, duration: duration)
    let ahead = Self.ahead(attitude)
    way.add(pace.way * speed + motion.ahead, along: ahead)
    way.add(motion.right, along: Vector3(x: ahead.y, y: -ahead.x, z: 0))
    way.add(pace.way * (climb / (duration - edge)) + motion.up, along: Vector3(x: 0, y: 0, z: 1))
  }

  /// From rest to a speed of 1 m/s within `edge` seconds and back to rest at the end.
  private static func pace(_ t: Double, edge: Double, duration: Double) -> (way: Jet, speed: Jet) {
    (
      .smoothRamp(from: 0, to: edge, at: t) - .smoothRamp(from: duration - edge, to: duration, at: t),
      .window(from: 0, to: duration, edge: edge, at: t)
    )
  }

  /// Steps on foot until `t` seconds after the beginning of this step.
  func stepCount(after t: Double) -> Int {
    if case .go(let gait, _, _) = action { gait.stepCount(at: t, for: duration) } else { 0 }
  }

  /// Steps on foot.
  public var stepCount: Int { stepCount(after: duration) }

  /// The horizontal direction of the heading (D1): the top edge of a flat device, the back of an upright one.
  private static func ahead(_ attitude: Rotation<Device, EastNorthUp>) -> Vector3<EastNorthUp> {
    let top = attitude * Vector3<Device>(x: 0, y: 1, z: 0)
    let back = attitude * Vector3<Device>(x: 0, y: 0, z: -1)
    let axis = abs(top.z) <= abs(back.z) ? top : back
    let level = Vector3<EastNorthUp>(x: axis.x, y: axis.y, z: 0)
    return level.normalized ?? Vector3(x: 0, y: 1, z: 0)
  }

  /// Height over the start: free fall −g t² / 2 for `seconds`, then a landing whose deceleration is a raised cosine,
  /// a = (v / τ) (1 − cos 2πx/τ), which takes away the whole speed v = g · seconds within τ.
  private static func fall(_ t: Double, for seconds: Double) -> Jet {
    guard t > seconds else {
      return Jet(value: -standardGravity * t * t / 2, first: -standardGravity * t, second: -standardGravity)
    }
    let speed = standardGravity * seconds
    let x = min(t - seconds, landing)
    let angular = 2 * Double.pi / landing
    let (sine, cosine) = (Scalar.sin(angular * x), Scalar.cos(angular * x))
    return Jet(
      value: -speed * seconds / 2 - speed * x
        + speed / landing * (x * x / 2 + (cosine - 1) / (angular * angular)),
      first: -speed + speed / landing * (x - sine / angular),
      second: speed / landing * (1 - cosine))
  }
}

/// A position under construction.
private struct Way {
  var east, north, up: Jet

  init(_ start: Vector3<EastNorthUp>) { (east, north, up) = (Jet(start.x), Jet(start.y), Jet(start.z)) }

  mutating func add(_ distance: Jet, along direction: Vector3<EastNorthUp>) {
    east = east + distance * direction.x
    north = north + distance * direction.y
    up = up + distance * direction.z
  }
}
