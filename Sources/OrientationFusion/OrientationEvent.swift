// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// What happens to an orientation filter: one reading of a sensor, or an order. For streams that are kept or merged before
/// they are filtered; times are nanoseconds on any clock that all sensors share.
public enum OrientationEvent: Sendable {
  /// A reading of the gyroscope, rad/s about the device's axes, bias still in it.
  case angularVelocity(Vector3<Device>, atNanoseconds: Int64)
  /// A reading of the accelerometer, m/s² along the device's axes, +9.81 on the axis that points up at rest.
  case specificForce(Vector3<Device>, atNanoseconds: Int64)
  /// A reading of the magnetometer, T, without the known hard iron; one standard deviation of what remains of it, T.
  case magneticField(Vector3<Device>, hardIronDeviation: Double, atNanoseconds: Int64)
  /// ``OrientationFilter/forgetHeading()``.
  case forgottenHeading
}
