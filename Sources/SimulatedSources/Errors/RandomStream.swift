// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Random numbers that can be asked for in any order.
///
/// The generator is SplitMix64 (Steele, Lea & Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014) read as a
/// table: entry n is the mixing function applied to key + n · γ, which is the n-th output of the generator seeded with the key.
/// So the noise of sample n does not depend on which samples were asked for before it: leaving out a sensor, beginning in the
/// middle or going on after a pause changes nothing in the rest.
///
/// Normal numbers come in pairs by the transform of Box & Muller, Ann. Math. Stat. 29(2), 1958.
struct RandomStream: Hashable, Sendable {
  private let key: UInt64

  /// The stream of one purpose: streams with different numbers under one seed are independent.
  init(seed: UInt64, stream: UInt64) {
    self.init(key: Self.mixed(seed &+ Self.mixed(stream &+ Self.increment)))
  }

  /// The outputs of SplitMix64 seeded with `key`.
  init(key: UInt64) { self.key = key }

  /// 64 random bits: entry `index` of the stream.
  func bits(at index: UInt64) -> UInt64 { Self.mixed(key &+ (index &+ 1) &* Self.increment) }

  /// A uniform number in (0, 1], a multiple of 2⁻⁵³.
  func uniform(at index: UInt64) -> Double { Double((bits(at: index) >> 11) + 1) * 0x1p-53 }

  /// Two independent normal numbers of mean 0 and variance 1, from entries 2 · `index` and 2 · `index` + 1.
  func normalPair(at index: UInt64) -> (Double, Double) {
    let radius = (-2 * Scalar.log(uniform(at: 2 &* index))).squareRoot()
    let angle = 2 * Double.pi * uniform(at: 2 &* index &+ 1)
    return (radius * Scalar.cos(angle), radius * Scalar.sin(angle))
  }

  /// Three independent normal numbers: the noise of sample `index` of a sensor with three axes.
  func normalVector<F>(at index: UInt64) -> Vector3<F> {
    let (x, y) = normalPair(at: 2 &* index)
    let (z, _) = normalPair(at: 2 &* index &+ 1)
    return Vector3(x: x, y: y, z: z)
  }

  /// The odd constant nearest to 2⁶⁴ divided by the golden ratio.
  private static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15

  private static func mixed(_ number: UInt64) -> UInt64 {
    var z = number
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
