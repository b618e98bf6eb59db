// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Axes that do not turn: the device's at the begin of a window.
enum Still: Frame {}

/// Five smooth functions over a window: a mean that does not see its ends, and four waves beside it.
struct Modes {
  static let waves = 4
  /// By step: the mean, then the waves.
  private(set) var weights: [Double] = []

  init() {
    var columns = Array(repeating: [Double](), count: Self.waves + 1)
    for step in 0..<Windows.steps {
      let x = Double.pi * (Double(step) + 0.5) / Double(Windows.steps)
      let (sine, cosine) = (Scalar.sin(x), Scalar.cos(x))
      // cos mx = 2 cos x cos (m - 1) x - cos (m - 2) x.
      var (before, wave) = (cosine, 1.0)
      for mode in 0...Self.waves {
        columns[mode].append(sine * sine * wave)
        (before, wave) = (wave, 2 * cosine * wave - before)
      }
    }
    func sum(_ column: [Double]) -> Double { column.reduce(0, +) }
    func length(_ column: [Double]) -> Double { column.reduce(0) { $0 + $1 * $1 }.squareRoot() }
    let mean = columns[0]
    columns[0] = mean.map { $0 / sum(mean) }
    for mode in 1...Self.waves {
      let share = sum(columns[mode]) / sum(mean)
      let rest = zip(columns[mode], mean).map { $0 - share * $1 }
      let factor = length(columns[0]) / length(rest)
      columns[mode] = rest.map { $0 * factor }
    }
    for step in 0..<Windows.steps { for column in columns { weights.append(column[step]) } }
  }

  @inline(__always)
  func add(_ vector: Vector3<Still>, _ step: Int, to sums: inout Sums) {
    let first = step * (Self.waves + 1)
    for mode in 0...Self.waves { sums[mode] += vector * weights[first + mode] }
  }

  typealias Sums = InlineArray<5, Vector3<Still>>
  static var zero: Sums { Sums(repeating: .zero) }
}

/// How well a hypothesis explains the windows.
struct Fit {
  /// Its logarithm, against windows without any residual.
  var likelihood = 0.0
  /// Of the gyroscope, rad/s.
  var bias = Vector3<Device>.zero
  /// From the point about which the device turns, m; zero where none is fitted.
  var lever = Vector3<Device>.zero
  /// Of the specific force in axes that do not turn, a window after the other.
  var means: [Vector3<Still>] = []
}

extension Fit {
  /// rad/s: what a gyroscope may read at rest.
  static let biasDeviation = 0.15
  /// m: an arm, a merry-go-round, a centrifuge; a crane's hook is farther away, and explained all the same.
  static let leverDeviation = 10.0
  typealias Unknowns = InlineArray<6, Double>
}

extension Windows {
  /// The likelihood of the gyroscope times `matrix`, with a bias that is solved for, and with a point about which the
  /// device turns where `hasLever` says so.
  func fit(_ matrix: Matrix3, _ modes: Modes, solving: Bool = true, hasLever: Bool = false) -> Fit {
    var fit = Fit()
    for _ in 0..<(!solving ? 0 : hasLever ? 3 : 1) {
      guard let better = improved(fit, matrix, modes, hasLever) else { break }
      fit = better
    }
    var lengths: [Double] = []
    var waves: [Double] = []
    fit.means = []
    for window in 0..<count {
      var sums = Modes.zero
      walk(window, matrix, fit) { step, rotation, force in
        modes.add(rotation * force, step, to: &sums)
      }
      lengths.append(sums[0].length)
      waves.append(energy(sums))
      fit.means.append(sums[0])
    }
    let gravity = min(max(middle(lengths), 0.95 * standardGravity), 1.05 * standardGravity)
    for window in 0..<count {
      let excess = lengths[window] - gravity
      fit.likelihood -=
        2.5 * Scalar.log(1 + (excess * excess + waves[window]) / 5 / variance[window])
    }
    let biases = fit.bias.dot(fit.bias) / (Fit.biasDeviation * Fit.biasDeviation)
    let levers = fit.lever.dot(fit.lever) / (Fit.leverDeviation * Fit.leverDeviation)
    fit.likelihood -= 0.5 * (biases + levers)
    return fit
  }

  /// Of the waves.
  func energy(_ sums: Modes.Sums) -> Double {
    var energy = 0.0
    for mode in 1...Modes.waves { energy += sums[mode].dot(sums[mode]) }
    return energy
  }

  /// Goes through a window: the step, the rotation from the axes of its middle to those of the window's begin, and the
  /// specific force, less what turning about a point makes of it.
  @inline(__always)
  func walk(
    _ window: Int, _ matrix: Matrix3, _ fit: Fit,
    _ body: (Int, Rotation<Device, Still>, Vector3<Device>) -> Void
  ) {
    var rotation = Rotation<Device, Still>.identity
    let hasLever = fit.lever != .zero
    for step in 0..<Windows.steps {
      let index = window * Windows.steps + step
      let duration = time[index]
      let turned = matrix * turn[index] - fit.bias * duration
      let half = Rotation<Device, Device>(rotationVector: turned * 0.5)
      rotation = rotation * half
      var force = force[index]
      if hasLever { force -= acceleration(window, step, matrix, fit.bias) * fit.lever }
      body(step, rotation, force)
      rotation = rotation * half
    }
  }

  /// ω × (ω × r) + α × r as a matrix that is multiplied with r.
  func acceleration(_ window: Int, _ step: Int, _ matrix: Matrix3, _ bias: Vector3<Device>)
    -> Matrix3
  {
    let first = window * Windows.steps
    func rate(_ step: Int) -> Vector3<Device> {
      matrix * (turn[first + step] / time[first + step]) - bias
    }
    let (before, after) = (max(0, step - 1), min(Windows.steps - 1, step + 1))
    let between =
      0.5 * (time[first + before] + time[first + after])
      + (after - before > 1 ? time[first + step] : 0)
    let skew = Matrix3(skew: rate(step))
    return skew * skew + Matrix3(skew: (rate(after) - rate(before)) / between)
  }

  /// One step of Gauss and Newton on the waves, which a right hypothesis has not.
  private func improved(_ fit: Fit, _ matrix: Matrix3, _ modes: Modes, _ hasLever: Bool) -> Fit? {
    let unknowns = hasLever ? 6 : 3
    var normal = CholeskyFactor<6>.Matrix(repeating: Fit.Unknowns(repeating: 0))
    var right = Fit.Unknowns(repeating: 0)
    for window in 0..<count {
      var sums = Modes.zero
      var slopes = InlineArray<6, Modes.Sums>(repeating: Modes.zero)
      var reached = Matrix3.zero
      walk(window, matrix, fit) { step, rotation, force in
        let turned = rotation * force
        let axes = rotation.matrix
        reached = reached + axes * time[window * Windows.steps + step]
        modes.add(turned, step, to: &sums)
        modes.add(
          turned.cross(Vector3(x: reached.m11, y: reached.m21, z: reached.m31)), step,
          to: &slopes[0])
        modes.add(
          turned.cross(Vector3(x: reached.m12, y: reached.m22, z: reached.m32)), step,
          to: &slopes[1])
        modes.add(
          turned.cross(Vector3(x: reached.m13, y: reached.m23, z: reached.m33)), step,
          to: &slopes[2])
        guard hasLever else { return }
        let turning = axes * acceleration(window, step, matrix, fit.bias) * -1
        modes.add(Vector3(x: turning.m11, y: turning.m21, z: turning.m31), step, to: &slopes[3])
        modes.add(Vector3(x: turning.m12, y: turning.m22, z: turning.m32), step, to: &slopes[4])
        modes.add(Vector3(x: turning.m13, y: turning.m23, z: turning.m33), step, to: &slopes[5])
      }
      let weight = 1 / (variance[window] + energy(sums) / 4)
      for i in 0..<unknowns {
        for mode in 1...Modes.waves {
          right[i] += weight * slopes[i][mode].dot(sums[mode])
          for j in 0...i { normal[i][j] += weight * slopes[i][mode].dot(slopes[j][mode]) }
        }
      }
    }
    let (bias, lever) = (fit.bias, fit.lever)
    let (a, b) = (
      1 / (Fit.biasDeviation * Fit.biasDeviation), 1 / (Fit.leverDeviation * Fit.leverDeviation)
    )
    let before = [bias.x * a, bias.y * a, bias.z * a, lever.x * b, lever.y * b, lever.z * b]
    for i in 0..<unknowns {
      right[i] += before[i]
      normal[i][i] += i < 3 ? a : b
    }
    guard let step = CholeskyFactor<6>(normal, order: unknowns, smallestPivot: 1e-14)?.solve(right)
    else { return nil }
    func limited(_ value: Double) -> Double { min(max(value, -0.5), 0.5) }
    var better = fit
    better.bias -= Vector3(x: limited(step[0]), y: limited(step[1]), z: limited(step[2]))
    if hasLever { better.lever -= Vector3(x: step[3], y: step[4], z: step[5]) }
    return better.bias.isFinite && better.lever.isFinite ? better : nil
  }
}
