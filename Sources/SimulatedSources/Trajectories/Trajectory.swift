// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// The motion of a simulated device, known exactly at any time.
///
/// ```swift
/// let truth = Spin(axis: Vector3(x: 0, y: 0, z: 1), rate: .pi / 2).state(at: 1)
/// truth.attitude          // a quarter turn about z
/// truth.specificForce     // (0, 0, 9.80665)
/// ```
///
/// A trajectory promises that `angularVelocity` is the derivative of `attitude`, and `velocity` and `acceleration` are
/// the derivatives of `position`: they come from closed forms or splines, never from differences. It is a pure function
/// of time: the same time gives the same state, bit for bit. Before time 0 the device is as at time 0.
public protocol Trajectory: Sendable {
  /// The device at `seconds` after the beginning of the trajectory.
  func state(at seconds: Double) -> TrajectoryState
  /// Steps that a person who carries the device has taken by then: the truth for pedometers. Default: none.
  func stepCount(at seconds: Double) -> Int
}

extension Trajectory {
  /// Nobody walks.
  public func stepCount(at seconds: Double) -> Int { 0 }
}

/// The true motion of a device at one time.
public struct TrajectoryState: Hashable, Sendable, BitwiseCopyable {
  /// Device → earth.
  public var attitude: Rotation<Device, EastNorthUp>
  /// rad/s, device axes, right-handed: what an ideal gyroscope reads.
  public var angularVelocity: Vector3<Device>
  /// Metres from the start of the trajectory: east, north, up.
  public var position: Vector3<EastNorthUp>
  /// m/s.
  public var velocity: Vector3<EastNorthUp>
  /// Coordinate acceleration in m/s²: zero at rest and at constant speed on a straight line.
  public var acceleration: Vector3<EastNorthUp>

  /// A state from its parts; omitted values are zero.
  public init(
    attitude: Rotation<Device, EastNorthUp>, angularVelocity: Vector3<Device> = .zero,
    position: Vector3<EastNorthUp> = .zero, velocity: Vector3<EastNorthUp> = .zero,
    acceleration: Vector3<EastNorthUp> = .zero
  ) {
    self.attitude = attitude
    self.angularVelocity = angularVelocity
    self.position = position
    self.velocity = velocity
    self.acceleration = acceleration
  }

  /// m/s², device axes: what an ideal accelerometer reads. At rest, face up: (0, 0, +9.80665).
  ///
  /// Coordinate acceleration minus gravity, in device axes. The standard acceleration of free fall, 9.80665 m/s², is
  /// that of the 3rd General Conference on Weights and Measures (1901).
  public var specificForce: Vector3<Device> {
    attitude.inverse * (acceleration + Vector3(x: 0, y: 0, z: standardGravity))
  }
}

extension TrajectoryState {
  /// A state from formulas: the attitude with its turning, and the three coordinates as functions of time.
  package init(_ rotation: TurningRotation, east: Jet = Jet(0), north: Jet = Jet(0), up: Jet = Jet(0)) {
    self.init(
      attitude: rotation.attitude, angularVelocity: rotation.angularVelocity,
      position: Vector3(x: east.value, y: north.value, z: up.value),
      velocity: Vector3(x: east.first, y: north.first, z: up.first),
      acceleration: Vector3(x: east.second, y: north.second, z: up.second))
  }
}
