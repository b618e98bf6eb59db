// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// Collects the still windows of a recording and fits the sphere.
///
/// ```swift
/// var calibrator = SphereCalibrator()
/// for sample in samples { calibrator.update(sample.specificForce, at: sample.localTime) }
/// let calibration = calibrator.calibration()
/// ```
///
/// The fit minimises Σ w·(|scale·m + offset| − 1)² over the means m, with the weights of the paper: the reciprocal of the
/// residual, at most 100 per g. The paper regresses each axis on the nearest point of the sphere again and again; its fixed
/// point is where this sum has no slope, and Gauss and Newton's method reaches it in a few rounds.
package struct SphereCalibrator: Sendable {
  /// The published constants.
  package struct Parameters: Sendable, Hashable {
    /// g: standard deviation of each axis in a still window.
    package var stillDeviation = 0.013
    /// g: what the still windows reach on each axis, on both sides.
    package var spread = 0.3
    /// GGIR asks for ten; six unknowns need more than six windows.
    package var leastWindows = 10
    /// g: a mean further from one g than this is no rest under gravity (a device that reports zeros, a centrifuge).
    package var farthest = 0.5
    /// g: with a larger error than this the sphere does not describe the device.
    package var largestError = 0.01

    package init() {}
  }

  /// Nanoseconds of a window.
  static let period: Int64 = 10_000_000_000
  /// Windows that are kept; beyond, every second one is dropped and from then on every second one taken. A week has
  /// 60,480.
  private static let capacity = 131_072

  package let parameters: Parameters
  private var window = AxisStatistics()
  private var end = Int64.min
  private var means: [SIMD3<Double>] = []
  /// Of the still windows one in so many is kept.
  private var stride = 1
  private var still = 0

  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Takes the specific force in m/s² at a time in nanoseconds; values that are not finite are left out.
  @inline(__always)
  package mutating func update(_ force: SIMD3<Double>, at time: Int64) {
    if time >= end || time < end &- Self.period { begin(time) }
    window.add(force * (1 / standardGravity))
  }

  /// Takes many samples, the same as one after the other; the forces times `scale` are in m/s².
  package mutating func update(
    _ forces: Span<Vector3<Device>>, scale: Double, at times: Span<Int64>
  ) {
    for index in 0..<min(forces.count, times.count) {
      let force = forces[index]
      update(SIMD3(force.x, force.y, force.z) * scale, at: times[index])
    }
  }

  @inline(never)
  private mutating func begin(_ time: Int64) {
    close()
    end = (LocalClock.floor(time, Self.period) &+ 1) &* Self.period
  }

  private mutating func close() {
    defer { window = AxisStatistics() }
    // Half a second of a slow sensor says little.
    guard window.count >= 50, let deviation = window.deviation else { return }
    let limit = parameters.stillDeviation
    guard deviation.x < limit, deviation.y < limit, deviation.z < limit else { return }
    let length = (window.mean * window.mean).sum().squareRoot()
    guard abs(length - 1) < parameters.farthest else { return }
    still += 1
    guard still % stride == 0 else { return }
    if means.count == Self.capacity {
      for index in 0..<Self.capacity / 2 { means[index] = means[2 * index + 1] }
      means.removeLast(Self.capacity / 2)
      stride *= 2
    }
    means.append(window.mean)
  }

  /// What the samples so far say.
  package func calibration() -> SphereCalibration {
    var all = self
    all.close()
    return all.fit()
  }

  private func fit() -> SphereCalibration {
    var result = SphereCalibration()
    (result.windows, result.outcome) = (still, .tooFewWindows)
    guard !means.isEmpty else { return result }
    let before = error(result)
    (result.errorBefore, result.errorAfter) = (before, before)
    guard means.count >= parameters.leastWindows else { return result }
    var (low, high) = (means[0], means[0])
    for mean in means { (low, high) = (pointwiseMin(low, mean), pointwiseMax(high, mean)) }
    guard max(low.x, low.y, low.z) < -parameters.spread, min(high.x, high.y, high.z) > parameters.spread else {
      result.outcome = .tooLittleSpread
      return result
    }
    var fitted = result
    for _ in 0..<100 {
      guard let change = change(fitted) else { break }
      fitted.scale += change.scale
      fitted.offset += change.offset
      let step = change.scale * change.scale + change.offset * change.offset
      if step.sum() < 1e-20 { break }
    }
    let after = error(fitted)
    guard after < before, after < parameters.largestError else {
      result.outcome = .noImprovement
      return result
    }
    (fitted.errorAfter, fitted.outcome) = (after, .calibrated)
    return fitted
  }

  private func error(_ calibration: SphereCalibration) -> Double {
    var sum = 0.0
    for mean in means {
      let value = mean * calibration.scale + calibration.offset
      sum += abs((value * value).sum().squareRoot() - 1)
    }
    return sum / Double(means.count)
  }

  /// One round of the weighted least squares; nil where the windows do not determine it.
  private func change(_ calibration: SphereCalibration) -> (scale: SIMD3<Double>, offset: SIMD3<Double>)? {
    var normal = [Double](repeating: 0, count: 42)
    for mean in means {
      let value = mean * calibration.scale + calibration.offset
      let length = (value * value).sum().squareRoot()
      let residual = 1 - length
      let weight = min(1 / max(abs(residual), 1e-12), 100)
      let up = value / max(length, 1e-12)
      let slope = up * mean
      let row: InlineArray<7, Double> = [slope.x, slope.y, slope.z, up.x, up.y, up.z, residual]
      for i in 0..<6 { for j in i..<7 { normal[i * 7 + j] += weight * row[i] * row[j] } }
    }
    guard let solution = LinearSystem.solve(&normal, count: 6) else { return nil }
    return (SIMD3(solution[0], solution[1], solution[2]), SIMD3(solution[3], solution[4], solution[5]))
  }
}

/// Symmetric linear equations.
enum LinearSystem {
  /// The solution of A·x = b by Cholesky's method: `rows` has the upper triangle of A and then b in each row. Nil where A is
  /// not positive definite.
  static func solve(_ rows: inout [Double], count: Int) -> [Double]? {
    let width = count + 1
    for i in 0..<count {
      for k in 0..<i {
        let factor = rows[k * width + i]
        for j in i..<width { rows[i * width + j] -= factor * rows[k * width + j] }
      }
      let pivot = rows[i * width + i]
      guard pivot > 1e-12 else { return nil }
      let root = pivot.squareRoot()
      for j in i..<width { rows[i * width + j] /= root }
    }
    var solution = [Double](repeating: 0, count: count)
    for i in stride(from: count - 1, through: 0, by: -1) {
      var sum = rows[i * width + count]
      for j in i + 1..<count { sum -= rows[i * width + j] * solution[j] }
      solution[i] = sum / rows[i * width + i]
    }
    return solution
  }
}
