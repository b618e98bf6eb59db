// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// A device at rest.
public struct Rest: Trajectory, Hashable {
  /// Device → earth, constant.
  public var attitude: Rotation<Device, EastNorthUp>

  /// At rest in any pose; face up, its top edge to the north, when none is given.
  public init(attitude: Rotation<Device, EastNorthUp> = .identity) { self.attitude = attitude }

  /// The same state at every time.
  public func state(at seconds: Double) -> TrajectoryState { TrajectoryState(attitude: attitude) }
}

/// A device that turns in place about an axis of its own, at constant angular velocity from the start.
public struct Spin: Trajectory, Hashable {
  /// rad/s, device axes; zero for no rotation.
  public var angularVelocity: Vector3<Device>
  /// Device → earth at time 0.
  public var initial: Rotation<Device, EastNorthUp>

  /// A spin given by its angular velocity in rad/s, device axes.
  public init(angularVelocity: Vector3<Device>, initial: Rotation<Device, EastNorthUp> = .identity) {
    self.angularVelocity = angularVelocity
    self.initial = initial
  }

  /// A right-handed spin about `axis` (any length but zero) at `rate` rad/s; no rotation when the axis is zero.
  public init(axis: Vector3<Device>, rate: Double, initial: Rotation<Device, EastNorthUp> = .identity) {
    self.init(angularVelocity: (axis.normalized ?? .zero) * rate, initial: initial)
  }

  /// initial · exp(angular velocity · time).
  public func state(at seconds: Double) -> TrajectoryState {
    guard seconds > 0 else { return TrajectoryState(attitude: initial, angularVelocity: angularVelocity) }
    let turned = Rotation<Device, Device>(rotationVector: angularVelocity * seconds)
    return TrajectoryState(attitude: initial * turned, angularVelocity: angularVelocity)
  }
}

/// A device that is turned slowly through all directions in one place, for the calibration of its magnetometer.
///
/// It turns over its right edge once in seven seconds, and at the same time about its long axis once in fifty: within
/// fifty seconds every direction of the device has pointed nearly everywhere.
public struct Tumble: Trajectory, Hashable {
  /// The only one.
  public init() {}

  /// Two turns at constant rates, one after the other, in device axes.
  public func state(at seconds: Double) -> TrajectoryState {
    let time = Jet.time(max(0, seconds))
    var rotation = TurningRotation()
    rotation.turn(by: time * (2 * .pi / 7), about: .unitX)
    rotation.turn(by: time * (2 * .pi / 50), about: .unitY)
    return TrajectoryState(rotation)
  }
}

/// A phone that is held in the hand and turned in all directions.
///
/// For one second it is still except for the tremor of a hand, so that a filter can settle; then it moves by about
/// 35° of yaw, 25° of pitch and 30° of roll within several seconds, and by a few centimetres. The frequencies have no
/// common period, so the motion does not repeat.
public struct Handheld: Trajectory, Hashable {
  /// The angle by which the top edge is raised at the start, in radians.
  public var tilt: Double
  /// 1 = as described, 0 = tremor only.
  public var liveliness: Double

  /// A held phone, raised by `tilt` radians (default 0.6, about 35°).
  public init(tilt: Double = 0.6, liveliness: Double = 1) {
    (self.tilt, self.liveliness) = (tilt, liveliness)
  }

  /// Sums of slow waves, faded in between 1 s and 2.5 s, plus a tremor of 9 Hz.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let envelope = Jet.smoothStep(from: 1, to: 2.5, at: t) * liveliness
    let tremor = Jet.wave(0.0004, frequency: 9.1, at: t)

    let yaw = Jet.wave(0.45, frequency: 0.11, at: t - 1) + .wave(0.16, frequency: 0.37, phase: 1, at: t)
    let pitch = Jet.wave(0.30, frequency: 0.17, phase: 0.5, at: t) + .wave(0.13, frequency: 0.43, phase: 2, at: t)
    let roll = Jet.wave(0.38, frequency: 0.13, phase: 3, at: t) + .wave(0.14, frequency: 0.31, at: t)
    var rotation = TurningRotation()
    rotation.turn(by: envelope * yaw, about: .unitZ)
    rotation.turn(by: Jet(tilt) + envelope * pitch + tremor, about: .unitX)
    rotation.turn(by: envelope * roll + tremor * 0.7, about: .unitY)

    let shiver = Jet.wave(0.000_02, frequency: 8.3, at: t)
    return TrajectoryState(
      rotation,
      east: envelope * .wave(0.05, frequency: 0.29, phase: 1.5, at: t) + shiver,
      north: envelope * .wave(0.03, frequency: 0.41, at: t),
      up: envelope * .wave(0.02, frequency: 0.53, phase: 0.7, at: t) + shiver * 1.3)
  }
}

/// A head that nods, shakes and looks around; the device is worn on it.
///
/// Every eight seconds: one of rest, two and a half of nodding (±15° of pitch, 0.8 Hz), a short rest, three of slow
/// looking to the left and right (±45° of yaw). The device is 12 cm above the joint of the neck and moves with it: +z
/// up, +y forward.
public struct HeadNod: Trajectory, Hashable {
  /// Metres from the joint of the neck up to the device. Default 0.12.
  public var neck: Double

  /// A head on a neck of `neck` metres.
  public init(neck: Double = 0.12) { self.neck = neck }

  /// Yaw about the vertical, then pitch about the ears.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let phase = t - (t / 8).rounded(.down) * 8
    let nodding = Jet.window(from: 1, to: 3.5, edge: 0.4, at: phase)
    let looking = Jet.window(from: 4.5, to: 7.5, edge: 0.8, at: phase)
    let pitch = nodding * .wave(0.26, frequency: 0.8, at: phase - 1)
    let yaw = looking * .wave(0.8, frequency: 1 / 3.0, at: phase - 4.5)
    var rotation = TurningRotation()
    rotation.turn(by: yaw, about: .unitZ)
    rotation.turn(by: pitch, about: .unitX)
    // The device's own up axis, seen from the earth, times the length of the neck.
    return TrajectoryState(
      rotation, east: yaw.sine * pitch.sine * neck, north: yaw.cosine * pitch.sine * -neck,
      up: (pitch.cosine - Jet(1)) * neck)
  }
}

/// A phone that is shaken hard, two seconds out of every four, from one side to the other along its x axis.
///
/// It begins with a second of rest. At 4 Hz and ±5 cm the acceleration reaches about 3 g; the wrist turns the phone by
/// ±0.3 rad as well.
public struct Shake: Trajectory, Hashable {
  /// Shakes per second. Default 4.
  public var frequency: Double
  /// Metres to either side. Default 0.05.
  public var amplitude: Double

  /// A shaking at `frequency` hertz by `amplitude` metres.
  public init(frequency: Double = 4, amplitude: Double = 0.05) {
    self.frequency = frequency
    self.amplitude = amplitude
  }

  /// Bursts of a wave.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let phase = t - (t / 4).rounded(.down) * 4
    let burst = Jet.window(from: 1, to: 3, edge: 0.4, at: phase)
    let wave = Jet.wave(1, frequency: frequency, at: t)
    var rotation = TurningRotation(.raised(by: 0.6))
    rotation.turn(by: burst * wave * 0.3, about: .unitZ)
    return TrajectoryState(rotation, east: burst * wave * amplitude)
  }
}

/// An attitude under construction, turned again and again about axes that are fixed to the device, with its exact
/// angular velocity.
///
/// For a product of rotations q = p · s the angular velocity in device axes is s⁻¹ ω_p + ω_s, and a turn about a fixed
/// axis n by a changing angle has ω_s = n · dangle/dt. (Shuster, "A Survey of Attitude Representations", J. Astronaut.
/// Sci. 41(4), 1993, on the kinematics of successive rotations.)
package struct TurningRotation {
  /// Device → earth.
  package private(set) var attitude: Rotation<Device, EastNorthUp>
  /// rad/s, device axes.
  package private(set) var angularVelocity: Vector3<Device> = .zero

  package init(_ attitude: Rotation<Device, EastNorthUp> = .identity) { self.attitude = attitude }

  /// Turns on by a changing `angle` in radians about the unit vector `axis`, in device axes as they are now; or by a
  /// changing part of a rotation vector in radians.
  package mutating func turn(by angle: Jet, about axis: Vector3<Device>) {
    let step = Rotation<Device, Device>(rotationVector: axis * angle.value)
    attitude = attitude * step
    angularVelocity = step.inverse * angularVelocity + axis * angle.first
  }
}

extension Vector3 {
  /// The unit vector along x.
  static var unitX: Self { Self(x: 1, y: 0, z: 0) }
  /// The unit vector along y.
  static var unitY: Self { Self(x: 0, y: 1, z: 0) }
  /// The unit vector along z.
  static var unitZ: Self { Self(x: 0, y: 0, z: 1) }
}

extension Rotation where From == Device, To == EastNorthUp {
  /// The top edge points north, raised by `angle` radians from the horizontal: 0 = face up, π/2 = upright.
  static func raised(by angle: Double) -> Self {
    Self(rotationVector: Vector3<Device>(x: angle, y: 0, z: 0))
  }
}
