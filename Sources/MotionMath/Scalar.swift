// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CMotionMath

/// Elementary functions of one real number, in radians, from the platform's libm.
///
/// They are here because the layers of pure mathematics do not import Foundation.
public enum Scalar {
  @inlinable
  public static func sin(_ x: Double) -> Double { motion_sin(x) }
  @inlinable
  public static func cos(_ x: Double) -> Double { motion_cos(x) }
  @inlinable
  public static func tan(_ x: Double) -> Double { motion_tan(x) }
  /// Arc sine in radians. The argument is clamped to [-1, 1], so that rounding at a pole never gives NaN.
  @inlinable
  public static func asin(_ x: Double) -> Double { motion_asin(min(1, max(-1, x))) }
  /// Arc cosine in radians. The argument is clamped to [-1, 1].
  @inlinable
  public static func acos(_ x: Double) -> Double { motion_acos(min(1, max(-1, x))) }
  /// The angle of the point (x, y) from the +x axis, -π…π; 0 at the origin.
  @inlinable
  public static func atan2(_ y: Double, _ x: Double) -> Double { motion_atan2(y, x) }
  @inlinable
  public static func exp(_ x: Double) -> Double { motion_exp(x) }
  @inlinable
  public static func log(_ x: Double) -> Double { motion_log(x) }
  @inlinable
  public static func pow(_ x: Double, _ y: Double) -> Double { motion_pow(x, y) }
  @inlinable
  public static func hypot(_ x: Double, _ y: Double) -> Double { motion_hypot(x, y) }
}

/// The conventional value of free fall on the earth, m/s² (3rd General Conference on Weights and Measures, 1901): one g.
///
/// The only definition in the package. Foundation's `UnitAcceleration.gravity` uses 9.81: never convert through it.
public let standardGravity = 9.80665
