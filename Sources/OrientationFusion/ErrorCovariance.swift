// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The covariance matrix of the error vector: how unsure each component is, and which errors go together.
///
/// That errors go together is the whole trick: a wrong bias makes a wrong attitude in a known way, so a measurement of the
/// attitude mends the bias too. Fixed storage of 23 rows with a stride of 24; only the first `order` rows are in use, and
/// of each row only the diagonal and what is right of it: the matrix is symmetric, and what is not stored cannot
/// disagree by rounding.
///
/// The loops go through spans without checks: their bounds are the constants of ``ErrorIndex`` and `order`, and a check in
/// the innermost loop would cost its vector form. Methods that only read are `mutating` too where they run in every block:
/// a read through a borrowed `self` copies the whole matrix (Swift 6.3), a read through exclusive access does not.
struct ErrorCovariance: Sendable {
  static var stride: Int { 24 }
  private(set) var order: Int
  var elements = InlineArray<552, Real>(repeating: 0)

  init(order: Int) { self.order = order }

  /// Makes the error vector longer or shorter; new components have the variance zero.
  mutating func resize(order newOrder: Int) {
    for i in min(order, newOrder)..<max(order, newOrder) {
      order = i + 1
      isolate(i, variance: 0)
    }
    order = newOrder
  }

  /// An element; (row, column) and (column, row) are the same.
  subscript(row: Int, column: Int) -> Real {
    @inline(__always) get { elements.span[min(row, column) * Self.stride + max(row, column)] }
    @inline(__always) set {
      var p = elements.mutableSpan
      p[min(row, column) * Self.stride + max(row, column)] = newValue
    }
  }

  /// The same for reading in every block: through exclusive access, which copies nothing.
  @inline(__always)
  mutating func element(_ row: Int, _ column: Int) -> Real {
    let p = elements.span
    return p[min(row, column) * Self.stride + max(row, column)]
  }

  /// Adds to the variance of one component.
  @inline(__always)
  mutating func add(_ variance: Real, to index: Int) {
    var p = elements.mutableSpan
    p[index * (Self.stride + 1)] += variance
  }

  /// Makes a component independent of all others and sets its variance.
  mutating func isolate(_ index: Int, variance: Real) {
    for i in 0..<order { self[index, i] = 0 }
    self[index, index] = variance
  }

  /// The same where `condition` holds.
  mutating func isolate(_ index: Int, variance: Real, where condition: Mask) {
    for i in 0..<order { self[index, i] = select(condition, 0, element(index, i)) }
    self[index, index] = select(condition, variance, element(index, index))
  }

  /// The sum of all variances.
  mutating func trace() -> Real {
    var trace: Real = 0
    let p = elements.span
    for i in 0..<order { trace += p[unchecked: i &* (Self.stride &+ 1)] }
    return trace
  }
}
