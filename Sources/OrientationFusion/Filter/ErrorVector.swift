// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Where each quantity stands in the vector of the errors that every model has for itself.
enum ErrorIndex {
  /// Turn of the world, rad: about east, about north (inclination) and about the vertical (azimuth).
  static let azimuth = 2
  /// Gyroscope bias, rad/s, in the device.
  static let bias = 3
  /// Horizontal velocity of the hand, m/s: east and north.
  static let velocity = 6
  /// Horizontal acceleration of the vehicle, m/s².
  static let acceleration = 8
  static let count = 10
}

/// Where each quantity stands in the vector of the errors that all models share (``SharedErrors``).
enum SharedIndex {
  /// Scale and misalignment of the gyroscope, row by row.
  static let matrix = 0
  /// Offset of the accelerometer, m/s², in the device.
  static let offset = 9
  static let count = 12
}

/// The covariance and the deviations need few digits: single precision is twice as fast.
typealias Four = SIMD4<Float>

/// Twelve numbers in three vector registers: errors, a gain, a row of a covariance.
struct ErrorVector: Sendable, BitwiseCopyable {
  static var groups: Int { 3 }
  private var elements = InlineArray<3, Four>(repeating: .zero)

  @inline(__always)
  subscript(group group: Int) -> Four {
    get { elements[unchecked: group] }
    set { elements[unchecked: group] = newValue }
  }

  @inline(__always)
  subscript(index: Int) -> Float {
    get { elements[unchecked: index >> 2][index & 3] }
    set { elements[unchecked: index >> 2][index & 3] = newValue }
  }

  /// Adds `factor` times another.
  @inline(__always)
  mutating func add(_ other: borrowing ErrorVector, times factor: Float) {
    for group in 0..<Self.groups { self[group: group] += other[group: group] * factor }
  }

  @inline(__always)
  mutating func scale(by factor: Float) {
    for group in 0..<Self.groups { self[group: group] *= factor }
  }

  /// The sum of the products.
  @inline(__always)
  func dot(_ other: borrowing ErrorVector) -> Float {
    var sum = self[group: 0] * other[group: 0]
    for group in 1..<Self.groups { sum += self[group: group] * other[group: group] }
    return sum.sum()
  }
}

/// A matrix, row by row. A symmetric one, such as a covariance, is stored whole.
///
/// The correlations of a covariance carry the information: a wrong bias turns the attitude in a known way, so a
/// measurement of the attitude corrects the bias, too.
extension InlineArray where Element == ErrorVector {
  /// M ← M + weight · u vᵀ.
  @inline(__always)
  mutating func add(outer u: borrowing ErrorVector, _ v: borrowing ErrorVector, weight: Float = 1) {
    for i in 0..<count { self[unchecked: i].add(v, times: u[i] * weight) }
  }

  /// M ← (1 − share) M + share · other.
  @inline(__always)
  mutating func mix(_ other: borrowing Self, share: Float) {
    for i in 0..<count {
      for group in 0..<ErrorVector.groups {
        let own = self[unchecked: i][group: group]
        self[unchecked: i][group: group] = own + (other[unchecked: i][group: group] - own) * share
      }
    }
  }

  /// Sets the variance of one error and removes its correlations.
  mutating func reset(_ index: Int, variance: Float) {
    for i in 0..<count { self[i][index] = 0 }
    self[index] = ErrorVector()
    self[index][index] = variance
  }
}

/// The errors of the sensors that all models of motion share: the gyroscope's scale and misalignment, which are
/// learned, and the accelerometer's offset, which is only considered. They do not change from block to block, so each
/// model keeps how its own errors depend on them (``MotionModel/dependence``), and their covariance is needed once: the
/// separation of Friedland, "Treatment of bias in recursive filtering", IEEE Trans. Automatic Control 14(4), 1969.
struct SharedErrors: Sendable {
  var covariance = InlineArray<12, ErrorVector>(repeating: ErrorVector())
  /// By how much the measurements of this block have moved the matrix.
  var correction = ErrorVector()

  /// A row times the covariance.
  @inline(__always)
  mutating func product(_ row: borrowing ErrorVector) -> ErrorVector {
    var result = ErrorVector()
    for i in 0..<SharedIndex.count { result.add(covariance[unchecked: i], times: row[i]) }
    return result
  }

  /// The three offsets of a row, each times its variance, in the last group.
  @inline(__always)
  mutating func offsets(_ row: borrowing ErrorVector) -> Four {
    var offsets = Four.zero
    for i in 1..<4 { offsets[i] = row[8 + i] * covariance[unchecked: 8 + i][8 + i] }
    return offsets
  }

  /// The matrix after a measurement with the innovation z and its variance, which depends on the shared errors like
  /// `row` times their covariance. The offset keeps its variance (Schmidt, "Application of state-space methods to
  /// navigation problems", Advances in Control Systems 3, 1966), and gets its correlations with the matrix. Returns the
  /// correction.
  @inline(__always)
  mutating func correct(_ row: borrowing ErrorVector, innovation: Float, variance: Float) -> ErrorVector {
    for i in 0..<SharedIndex.offset { covariance[unchecked: i].add(row, times: -row[i] / variance) }
    var gain = copy row
    gain[group: 2] = Four(row[8], 0, 0, 0)
    for i in SharedIndex.offset..<SharedIndex.count { covariance[unchecked: i].add(gain, times: -row[i] / variance) }
    gain.scale(by: innovation / variance)
    correction.add(gain, times: 1)
    return gain
  }
}
