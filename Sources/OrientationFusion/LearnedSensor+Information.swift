// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// Knowledge adds up in the inverse of the covariance: independent observations add their information, and what a run found
// out is the information at its end less that at its beginning.
extension LearnedSensor {
  /// What to keep of a run that began with `start`: of what the run found out, the share `credit` counts.
  ///
  /// A filter takes its observations for independent, and they are not: what the model leaves out repeats itself for minutes.
  /// For the run's own attitude that is harmless, because all that follows is of the same kind. In the next run it would be a
  /// false certainty. With information Λ and Λ·x in place of covariance and value, kept = start + credit · (end − start): the
  /// power prior of Ibrahim and Chen, "Power prior distributions for regression models", Statistical Science 15(1), 2000. So a
  /// run without movement takes nothing away, and many runs add up.
  ///
  /// - Parameters:
  ///   - start: the filter's ``OrientationFilter/learned`` before its first reading.
  ///   - credit: 0…1; default 0.25, twice the standard deviation. On recordings of one sensor 0.12 to 0.5 serve equally well.
  /// - Returns: `start` when one of the two is no covariance.
  public func credited(since start: LearnedSensor, credit: Double = 0.25) -> LearnedSensor {
    guard let before = start.information, let after = information else { return start }
    let share = min(1, max(0, credit))
    var sum = after
    for k in 0..<169 { sum[k] = before[k] + share * (after[k] - before[k]) }
    guard let covariance = Self.inverse(sum) else { return start }
    let (first, last) = (start.numbers, numbers)
    var weighted = InlineArray<13, Double>(repeating: 0)
    for i in 0..<Self.count {
      for j in 0..<Self.count {
        let k = Self.count * i + j
        weighted[i] += (1 - share) * before[k] * first[j] + share * after[k] * last[j]
      }
    }
    var kept = InlineArray<13, Double>(repeating: 0)
    var result = self
    for i in 0..<Self.count {
      for j in 0..<Self.count { kept[i] += covariance[Self.count * i + j] * weighted[j] }
      for j in i..<Self.count { result[i, j] = covariance[Self.count * i + j] }
    }
    result.numbers = kept
    return result
  }

  /// The inverse of the covariance, row by row; nil when that is not positive definite.
  var information: InlineArray<169, Double>? {
    var matrix = InlineArray<169, Double>(repeating: 0)
    for i in 0..<Self.count {
      for j in 0..<Self.count { matrix[Self.count * i + j] = self[i, j] }
    }
    return Self.inverse(matrix)
  }

  /// The inverse of a symmetric positive definite matrix, by Cholesky's decomposition of its correlations, so that units do
  /// not matter; nil for any other.
  private static func inverse(_ matrix: InlineArray<169, Double>) -> InlineArray<169, Double>? {
    let n = count
    var deviations = InlineArray<13, Double>(repeating: 0)
    for i in 0..<n {
      let variance = matrix[(n + 1) * i]
      guard variance > 0, variance.isFinite else { return nil }
      deviations[i] = variance.squareRoot()
    }
    var l = InlineArray<169, Double>(repeating: 0)
    for i in 0..<n {
      for j in 0...i {
        var sum = matrix[n * i + j] / (deviations[i] * deviations[j])
        for k in 0..<j { sum -= l[n * i + k] * l[n * j + k] }
        if i == j {
          // What is left of a variance of one: less is rounding. False for NaN, too.
          guard sum > 1e-9 else { return nil }
          l[n * i + i] = sum.squareRoot()
        } else {
          l[n * i + j] = sum / l[(n + 1) * j]
        }
      }
    }
    var result = InlineArray<169, Double>(repeating: 0)
    for column in 0..<n {
      var x = InlineArray<13, Double>(repeating: 0)
      x[column] = 1
      for i in 0..<n {
        for k in 0..<i { x[i] -= l[n * i + k] * x[k] }
        x[i] /= l[(n + 1) * i]
      }
      for i in (0..<n).reversed() {
        for k in (i + 1)..<n { x[i] -= l[n * k + i] * x[k] }
        x[i] /= l[(n + 1) * i]
      }
      for i in 0..<n { result[n * i + column] = x[i] / (deviations[i] * deviations[column]) }
    }
    return result
  }
}
