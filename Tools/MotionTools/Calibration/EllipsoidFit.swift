// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The ellipsoid on which the readings of a sensor lie when it measures a vector of constant length from many sides.
///
/// An accelerometer at rest measures gravity: always as long, wherever the device points. Bias moves the readings off
/// the centre, scale errors and misalignment stretch them. Sought are the centre c and the symmetric matrix M with |M
/// (r − c)| = 1 for all readings r: the sum of squares of what is left is made small by Gauss and Newton's steps,
/// damped as Levenberg and Marquardt do, from the sphere that fits best. No direction has to be known, so the device
/// need not be level. (Frosio, Pedersini & Borghese, "Autocalibration of MEMS Accelerometers", IEEE Trans. Instrum.
/// Meas. 58(6), 2009.)
///
/// A rotation changes no length and cannot be found: M is the symmetric one of all matrices that fit.
struct EllipsoidFit: Sendable {
  /// Which ellipsoids are allowed.
  enum Shape: Int, Sendable {
    /// Along the axes: centre and three scales, from six readings on.
    case alongAxes = 6
    /// Any: centre and a symmetric matrix, from nine readings on.
    case any = 9
  }

  /// In the unit of the readings.
  private(set) var centre: Vector3<Device>
  /// |matrix · (reading − centre)| = `radius`; symmetric, positive.
  private(set) var matrix: Matrix3
  /// One standard deviation of the centre, of the axis where it is largest, unit of the readings; nil where the
  /// readings are too few to say.
  private(set) var centreDeviation: Double?
  private let shape: Shape

  /// Nil when the readings do not determine the ellipsoid. `unit`: the length that the vector really has.
  init?(_ readings: [Vector3<Device>], shape: Shape, radius unit: Double) {
    self.shape = shape
    guard readings.count >= shape.rawValue, let sphere = Self.sphere(readings) else { return nil }
    // Everything of order one while it is computed.
    let points = readings.map { $0 / unit }
    centre = sphere.centre / unit
    matrix = Matrix3.identity * (unit / sphere.radius)
    guard let equations = refine(points) else { return nil }
    let squares = points.reduce(0) { $0 + Self.square(misfit(of: $1)) }
    let surplus = points.count - shape.rawValue
    if surplus > 0, let variances = equations.unitVariances() {
      let residual = (squares / Double(surplus)).squareRoot()
      centreDeviation = unit * residual * max(variances[0], variances[1], variances[2]).squareRoot()
    }
    centre *= unit
    guard centre.isFinite, matrix.isFinite, let smallest = eigenvalues.min(), smallest > 0 else { return nil }
  }

  /// How much longer the longest axis is than the shortest; 1 = a sphere.
  var elongation: Double {
    let values = eigenvalues
    guard let largest = values.max(), let smallest = values.min(), smallest > 0 else { return .infinity }
    return largest / smallest
  }

  /// Of the matrix, by the trigonometric solution for symmetric 3 × 3 matrices (O. K. Smith, Comm. ACM 4(4), 1961).
  private var eigenvalues: [Double] {
    let mean = matrix.trace / 3
    let rest = matrix - Matrix3.identity * mean
    let spread = ((rest * rest).trace / 6).squareRoot()
    guard spread > 1e-12 * abs(mean) else { return [mean, mean, mean] }
    let angle = Scalar.acos((rest * (1 / spread)).determinant / 2) / 3
    return [0, 2, 4].map { mean + 2 * spread * Scalar.cos(angle + $0 * .pi / 3) }
  }

  private func misfit(of point: Vector3<Device>) -> Double { (matrix * (point - centre)).length - 1 }

  /// Steps until nothing changes; the equations at the solution, or nil when they do not determine it.
  private mutating func refine(_ points: [Vector3<Device>]) -> LeastSquares? {
    var damping = 1e-3
    var equations = linearised(points)
    var squares = points.reduce(0) { $0 + Self.square(misfit(of: $1)) }
    for _ in 0..<100 {
      guard let step = equations.solution(damping: damping) else { return nil }
      var next = self
      next.move(by: step)
      let nextSquares = points.reduce(0) { $0 + Self.square(next.misfit(of: $1)) }
      guard nextSquares.isFinite, nextSquares <= squares else {
        damping *= 10
        if damping > 1e8 { break }
        continue
      }
      self = next
      let isDone = step.indices.allSatisfy { abs(step[$0]) < 1e-10 }
      (squares, damping) = (nextSquares, damping / 10)
      equations = linearised(points)
      if isDone { break }
    }
    // The damping hides what the readings leave open; without it that shows.
    return equations.solution() == nil ? nil : equations
  }

  private mutating func move(by step: LeastSquares.Row) {
    centre += Vector3(x: step[0], y: step[1], z: step[2])
    var change = Matrix3(diagonal: step[3], step[4], step[5])
    if shape == .any {
      (change.m12, change.m13, change.m23) = (step[6], step[7], step[8])
      (change.m21, change.m31, change.m32) = (step[6], step[7], step[8])
    }
    matrix = matrix + change
  }

  /// A smaller pivot means a combination of unknowns that no reading determines.
  private static let smallestPivot = 1e-10

  /// The derivatives of |M (r − c)|: with u = r − c and n the direction of M u, by the centre −Mᵀ n, by an element of
  /// the matrix n u.
  private func linearised(_ points: [Vector3<Device>]) -> LeastSquares {
    var equations = LeastSquares(unknowns: shape.rawValue, smallestPivot: Self.smallestPivot)
    for point in points {
      let u = point - centre
      guard let n = (matrix * u).normalized else { continue }
      let back = matrix.transpose * n
      equations.add(
        [
          -back.x, -back.y, -back.z, n.x * u.x, n.y * u.y, n.z * u.z,
          n.x * u.y + n.y * u.x, n.x * u.z + n.z * u.x, n.y * u.z + n.z * u.y,
        ], equals: -misfit(of: point))
    }
    return equations
  }

  /// |r|² = 2 c·r + (R² − |c|²), linear in c and the bracket; around the mean, for its digits.
  private static func sphere(_ readings: [Vector3<Device>]) -> (centre: Vector3<Device>, radius: Double)? {
    let mean = readings.reduce(.zero, +) / Double(readings.count)
    let size = readings.map { ($0 - mean).length }.max() ?? 0
    guard size > 0, size.isFinite else { return nil }
    var equations = LeastSquares(unknowns: 4, smallestPivot: smallestPivot)
    for reading in readings {
      let r = (reading - mean) / size
      equations.add([2 * r.x, 2 * r.y, 2 * r.z, 1, 0, 0, 0, 0, 0], equals: r.dot(r))
    }
    guard let x = equations.solution() else { return nil }
    let centre = Vector3<Device>(x: x[0], y: x[1], z: x[2])
    let square = x[3] + centre.dot(centre)
    guard square > 0, square.isFinite else { return nil }
    return (mean + centre * size, square.squareRoot() * size)
  }

  private static func square(_ x: Double) -> Double { x * x }
}
