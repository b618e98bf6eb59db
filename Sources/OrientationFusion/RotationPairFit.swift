// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The hard iron from pairs of readings with a known rotation between them, by recursive least squares.
///
/// With b the hard iron and T the rotation from the second to the first pose, m₁ − b = T (m₂ − b), so m₁ − T m₂ = (1 − T) b:
/// three equations, linear in b. A turn about one axis leaves b along that axis open; the normal matrix knows it, and the
/// deviation stays large until another axis has been turned about. Old pairs fade, so that the sum follows a device whose
/// magnetism changes.
///
/// It is the integrated form of ṁ = −ω × (m − b), which needs no derivative of a noisy reading.
struct RotationPairFit: Sendable {
  /// What remains of a pair's weight when the next one comes: about 100 pairs of 20° count.
  private static var fading: Double { 0.99 }
  /// Pairs before anything is said.
  private static var fewestPairs: Double { 6 }
  /// The noise of a pair's equation is never taken to be smaller, T.
  private static var smallestNoise: Double { 0.7e-6 }

  private var normal: Matrix3 = .zero
  private var right: Vector3<Device> = .zero
  private var squares = 0.0
  private var weight = 0.0

  mutating func add(first: Vector3<Device>, second: Vector3<Device>, turn: Rotation<Device, Device>) {
    let a = Matrix3.identity - turn.matrix
    let difference = first - turn * second
    let transposed = a.transpose
    normal = normal * Self.fading + transposed * a
    right = right * Self.fading + transposed * difference
    squares = squares * Self.fading + difference.dot(difference)
    weight = weight * Self.fading + 1
  }

  /// The hard iron and its deviation along the worst axis, or nil while the pairs are too few.
  func solve() -> HardIronFit? {
    guard weight >= Self.fewestPairs, let inverse = normal.inverse else { return nil }
    let centre = inverse * right
    // Residual sum of squares at the solution, spread over the equations that are more than the unknowns.
    let residual = max(0, squares - centre.dot(right))
    let variance = max(residual / (3 * weight - 3), Self.smallestNoise * Self.smallestNoise)
    let worst = max(inverse.m11, inverse.m22, inverse.m33)
    guard worst > 0, centre.isFinite else { return nil }
    return HardIronFit(centre: centre, deviation: (variance * worst).squareRoot())
  }
}
