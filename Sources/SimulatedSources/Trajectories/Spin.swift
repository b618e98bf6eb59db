// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// A device that turns on the spot about an axis of its own, at constant angular velocity from the first moment on.
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
