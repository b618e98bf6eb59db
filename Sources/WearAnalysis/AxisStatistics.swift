// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Mean, deviation and range of three axes over a time.
struct AxisStatistics: Sendable {
  private(set) var count = 0
  private var sum = SIMD3<Double>.zero
  private var squares = SIMD3<Double>.zero
  private(set) var low = SIMD3<Double>(repeating: .infinity)
  private(set) var high = SIMD3<Double>(repeating: -.infinity)

  @inline(__always)
  mutating func add(_ value: SIMD3<Double>) {
    count &+= 1
    sum += value
    squares += value * value
    low.replace(with: value, where: value .< low)
    high.replace(with: value, where: value .> high)
  }

  mutating func add(_ other: AxisStatistics) {
    count &+= other.count
    sum += other.sum
    squares += other.squares
    (low, high) = (pointwiseMin(low, other.low), pointwiseMax(high, other.high))
  }

  /// Zero without a value.
  var mean: SIMD3<Double> { sum / Double(max(1, count)) }

  /// That of a sample (divided by n − 1), as R's `sd`; nil with fewer than two values.
  var deviation: SIMD3<Double>? {
    guard count > 1 else { return nil }
    let variance = (squares - sum * sum / Double(count)) / Double(count - 1)
    return pointwiseMax(variance, .zero).squareRoot()
  }
}
