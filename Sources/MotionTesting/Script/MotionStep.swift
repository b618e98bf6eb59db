// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// One step of a motion that is told in words: what somebody does with the device, and for how long.
///
/// Directions are the person's who looks at the screen. Every step begins and ends at rest, so that steps can be put together
/// in any order without a jump of velocity.
public struct MotionStep: Hashable, Sendable {
  /// Where something moves or leans to.
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
    /// Metres along the device's axes as they are at the beginning.
    case move(Vector3<Device>)
    /// Hertz and metres to either side, along the device's x axis.
    case shake(frequency: Double, amplitude: Double)
    /// Steps a second and m/s.
    case walk(cadence: Double, speed: Double)
    /// A fall of so many seconds, then the landing.
    case drop(Double)
  }

  let action: Action
  /// Seconds.
  public let duration: Double

  init(_ action: Action, duration: Double) {
    precondition(
      Self.durations.contains(duration),
      "A step of a motion script lasts from 0.001 to 1000000 s, not \(duration) s.")
    self.action = action
    self.duration = duration
  }

  /// Seconds that a step may last.
  static let durations = 0.001...1e6
  /// Seconds in which a fallen device comes to rest: a soft carpet, so that a phone's accelerometer stays within its range.
  static let landing = 0.05

  /// Nothing is done for some seconds.
  public static func rest(_ seconds: Double) -> Self { Self(.rest, duration: seconds) }

  /// Leans the device: `.right` lowers the right edge (roll grows), `.left` the left one, `.back` raises the top edge (pitch
  /// grows), `.forward` lowers it. `.up` and `.down` are `.back` and `.forward`.
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

  /// Turns about the vertical: `.left` is anticlockwise seen from above (yaw grows); every other direction is clockwise.
  public static func turn(degrees: Double, _ direction: Direction, for seconds: Double) -> Self {
    let angle = finite(Angle(degrees: degrees).radians)
    return Self(.turn(direction == .left ? angle : -angle), duration: seconds)
  }

  /// Moves the device by some metres without turning it: left and right along its x axis, up and down along its y axis as a
  /// person sees it who holds it, forward out of the back and back out of the screen.
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

  /// Walks ahead, that is to where the heading points, with the device in the hand. Default: 2 steps a second, 1.4 m/s. The
  /// first and the last step fade in and out.
  public static func walk(_ seconds: Double, cadence: Double = 2, speed: Double = 1.4) -> Self {
    Self(.walk(cadence: finite(cadence), speed: finite(speed)), duration: seconds)
  }

  /// Lets the device fall for some seconds without turning it, and lands it within 0.05 s more. A fall of 0.4 s is 0.78 m.
  public static func drop(_ seconds: Double) -> Self {
    Self(.drop(finite(seconds)), duration: seconds + landing)
  }

  private static func finite(_ number: Double) -> Double {
    precondition(number.isFinite, "A motion script takes finite numbers only, not \(number).")
    return number
  }
}
