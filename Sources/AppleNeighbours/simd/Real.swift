// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// `Float` and `Double`, with the functions that rotations need.
public protocol SIMDReal: BinaryFloatingPoint, SIMDScalar, Codable, Sendable where SIMD4Storage: Sendable {
  /// The sine of an angle in radians.
  static func sine(_ x: Self) -> Self
  /// The cosine of an angle in radians.
  static func cosine(_ x: Self) -> Self
  /// The angle of the point (x, y) in radians, −π…π.
  static func arcTangent(y: Self, x: Self) -> Self
}

extension Float: SIMDReal {
  /// The sine of an angle in radians.
  public static func sine(_ x: Float) -> Float { sin(x) }
  /// The cosine of an angle in radians.
  public static func cosine(_ x: Float) -> Float { cos(x) }
  /// The angle of the point (x, y) in radians, −π…π.
  public static func arcTangent(y: Float, x: Float) -> Float { atan2(y, x) }
}

extension Double: SIMDReal {
  /// The sine of an angle in radians.
  public static func sine(_ x: Double) -> Double { sin(x) }
  /// The cosine of an angle in radians.
  public static func cosine(_ x: Double) -> Double { cos(x) }
  /// The angle of the point (x, y) in radians, −π…π.
  public static func arcTangent(y: Double, x: Double) -> Double { atan2(y, x) }
}
