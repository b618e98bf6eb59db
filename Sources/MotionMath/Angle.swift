// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A plane angle.
///
/// Inside the package angles are plain radians; this type is used where degrees come in or go out, so that the factor
/// π/180 is in one place.
///
/// ```swift
/// Angle(degrees: 180).radians   // π
/// ```
@frozen
public struct Angle: Hashable, Comparable, Sendable, BitwiseCopyable {
  /// Radians.
  public var radians: Double

  @inlinable
  public init(radians: Double) { self.radians = radians }

  @inlinable
  public init(degrees: Double) { radians = degrees * (.pi / 180) }

  @inlinable
  public var degrees: Double { radians * (180 / .pi) }

  /// The same direction in -π…π.
  @inlinable
  public var wrapped: Angle {
    let turns = (radians / (2 * .pi)).rounded()
    return Angle(radians: radians - turns * 2 * .pi)
  }

  @inlinable
  public static func < (a: Self, b: Self) -> Bool { a.radians < b.radians }
}
