// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The ellipsoid through the readings of many directions: hard iron and soft iron at once.
///
/// With U symmetric, |U (reading − hard iron)| = 1 for every direction. The misfit of that strength is what is made
/// small, as in Merayo et al., "Scalar calibration of vector magnetometers", Meas. Sci. Technol. 11(2), 2000, there
/// with a triangular matrix. (Fits of the ellipsoid's polynomial, such as Li and Griffiths, "Least squares ellipsoid
/// specific fitting", GMP 2004, need no start, but weigh the long axis more than the short one. Here the sphere is the
/// start.) The correction with determinant 1 is U / ∛det U (``MagnetometerCalibration/softIron``).
struct SoftIronFit {
  /// Symmetric, determinant 1.
  var softIron: Matrix3
  /// One standard deviation of its elements, relative.
  var deviation: Double
  /// The centre of the ellipsoid.
  var hardIron: HardIronFit
  /// Root mean square of the relative misfit of the strength.
  var error: Double
  /// How much better than the sphere: F = ((sphere's squares − own) / 5) / (own / (n − 9)), 5 and n − 9 degrees of
  /// freedom, the test of nested models (Fisher). Without soft iron it is near 1, and above 5 once in a thousand times.
  var evidence: Double

  /// How far from a sphere: √(Σ (S − 1)²) over the nine elements, 0 for none.
  var strength: Double { Self.distance(softIron, .identity) }

  static func distance(_ a: Matrix3, _ b: Matrix3) -> Double {
    let d = a - b
    return (d * d.transpose).trace.squareRoot()
  }
}

extension DirectionBuffer {
  /// The ellipsoid through the readings; nil while the directions are fewer than `fewest`, do not determine it, or the
  /// matrix is none of a magnetometer.
  mutating func fitEllipsoid(fewest: Int) -> SoftIronFit? {
    guard let origin = centre, count >= max(12, fewest), let start = fitSphere(softIron: .identity) else { return nil }
    let (strength, _) = spread(around: start.centre, softIron: .identity)
    guard strength > 0 else { return nil }
    var sphere = StrengthModel(
      matrix: .identity * (Constant.directionUnit / strength),
      centre: (start.centre - origin) * (1 / Constant.directionUnit))
    guard let round = settle(&sphere, unknowns: 4) else { return nil }
    var ellipsoid = sphere
    guard let own = settle(&ellipsoid, unknowns: 9), own.squares > 0 else { return nil }

    let determinant = ellipsoid.matrix.determinant
    guard determinant > 0, determinant.isFinite else { return nil }
    let factor = Scalar.pow(determinant, -1.0 / 3)
    let softIron = ellipsoid.matrix * factor
    // Twice as long as broad is no magnetometer; a smallest factor that far also keeps the matrix positive definite.
    guard SoftIronFit.distance(softIron, .identity) < 0.5, let back = ellipsoid.matrix.inverse else { return nil }
    var (worst, worstCentre) = (0.0, 0.0)
    for i in 0..<6 { worst = max(worst, own.variances[i]) }
    for i in 6..<9 { worstCentre = max(worstCentre, own.variances[i]) }
    guard back.isFinite, worst.isFinite, worstCentre.isFinite else { return nil }
    let freedom = Double(count - 9)
    return SoftIronFit(
      softIron: softIron, deviation: worst.squareRoot() * factor,
      hardIron: HardIronFit(
        centre: origin + ellipsoid.centre * Constant.directionUnit,
        deviation: (Self.readingsPerPlace * worstCentre).squareRoot() * Constant.directionUnit),
      error: (own.squares / Double(count)).squareRoot(),
      evidence: max(0, round.squares - own.squares) / 5 / (own.squares / freedom))
  }

  /// The sum of the squared relative misfits of the strength with a given soft iron, at its best hard iron and
  /// strength.
  mutating func squares(softIron: Matrix3) -> Double? {
    guard let sphere = fitSphere(softIron: softIron) else { return nil }
    let error = spread(around: sphere.centre, softIron: softIron).error
    return error * error * Double(count)
  }

  /// |matrix · (x − centre)| = 1, x in units of ``unit``.
  private struct StrengthModel {
    var matrix: Matrix3
    var centre: Vector3<Device>
  }

  /// Gauss and Newton's steps from a good start. With four unknowns the matrix keeps its form and takes a common
  /// factor; with nine it is any symmetric one. Returns variances (of nine: xx, yy, zz, xy, xz, yz, centre) and squared
  /// residuals.
  private mutating func settle(
    _ model: inout StrengthModel, unknowns: Int
  ) -> (variances: LeastSquares.Row, squares: Double)? {
    // A subscript of the stored array copies all of it (Swift 6.3).
    let readings = readings.span
    for _ in 0..<Self.largestStepCount {
      var system = LeastSquares(unknowns: unknowns)
      var squares = 0.0
      for i in 0..<Self.capacity where isFilled[i] {
        let x = (readings[i] - (centre ?? .zero)) * (1 / Constant.directionUnit)
        let d = x - model.centre
        let image = model.matrix * d
        let length = image.length
        guard length > 0 else { return nil }
        let w = image * (1 / length)
        let p = model.matrix.transpose * w * -1
        let row: LeastSquares.Row =
          unknowns == 4
          ? [length, p.x, p.y, p.z, 0, 0, 0, 0, 0]
          : [
            w.x * d.x, w.y * d.y, w.z * d.z, w.x * d.y + w.y * d.x, w.x * d.z + w.z * d.x, w.y * d.z + w.z * d.y, p.x,
            p.y, p.z,
          ]
        system.add(row, equals: 1 - length)
        squares += (1 - length) * (1 - length)
      }
      guard let step = system.solution() else { return nil }
      if unknowns == 4 {
        model.matrix = model.matrix * (1 + step[0])
        model.centre += Vector3(x: step[1], y: step[2], z: step[3])
      } else {
        model.matrix =
          model.matrix
          + Matrix3(step[0], step[3], step[4], step[3], step[1], step[5], step[4], step[5], step[2])
        model.centre += Vector3(x: step[6], y: step[7], z: step[8])
      }
      guard model.matrix.isFinite, model.centre.isFinite, model.centre.length < 2 else { return nil }
      var size = 0.0
      for k in 0..<unknowns { size = max(size, abs(step[k])) }
      if size < Constant.smallestStep { return system.solve().map { ($0.variances, squares) } }
    }
    return nil
  }

  /// From a sphere to an ellipsoid of 20 % it takes five steps.
  private static var largestStepCount: Int { 12 }
}
