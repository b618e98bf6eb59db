// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath

/// How far an estimated orientation is from the true one, split by what can cause it.
///
/// With e = estimate ⊗ reference⁻¹, a rotation of the world: the *heading* error is the part of e about the vertical,
/// what a wrong north causes; the *inclination* error is what is left, the angle between true and estimated vertical;
/// the *total* is the angle of e itself. A twist–swing decomposition; source: data/broad/README.md, "The error,
/// exactly" (Laidig et al., Data 6(7):72, 2021, section 4).
package struct OrientationError: Sendable, Hashable {
  /// All in rad, 0…π.
  package var total: Double
  package var heading: Double
  package var inclination: Double

  package init(estimate: Rotation<Device, EastNorthUp>, reference: Rotation<Device, EastNorthUp>) {
    let e = estimate * reference.inverse
    total = 2 * Scalar.acos(abs(e.w))
    heading = 2 * Scalar.atan2(abs(e.z), abs(e.w))
    inclination = 2 * Scalar.acos((e.w * e.w + e.z * e.z).squareRoot())
  }

  /// That of an estimate whose stamp is late by `delay` s, at the rate of the moment in rad/s.
  init(
    estimate: Rotation<Device, EastNorthUp>, rate: Vector3<Device>, delay: Double,
    reference: Rotation<Device, EastNorthUp>
  ) {
    self.init(estimate: estimate * Rotation<Device, Device>(rotationVector: rate * delay), reference: reference)
  }
}

/// The three errors of one trial, or their mean over trials, in degrees; nil where there is none, as total and heading
/// without a magnetometer.
package struct OrientationFigures: Sendable, Hashable {
  package var total: Double?
  package var heading: Double?
  package var inclination: Double?

  package init(total: Double? = nil, heading: Double? = nil, inclination: Double? = nil) {
    self.total = total
    self.heading = heading
    self.inclination = inclination
  }

  /// The plain mean, each over the trials that have it.
  package static func mean(_ figures: [OrientationFigures]) -> OrientationFigures {
    func mean(_ path: KeyPath<OrientationFigures, Double?>) -> Double? {
      Statistic.mean(figures.compactMap { $0[keyPath: path] })
    }
    return OrientationFigures(
      total: mean(\.total), heading: mean(\.heading), inclination: mean(\.inclination))
  }
}

/// Numbers that stand for many; nil where there are none.
package enum Statistic {
  package static func mean(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }

  package static func rootMeanSquare(_ values: [Double]) -> Double? {
    mean(values.map { $0 * $0 })?.squareRoot()
  }

  /// Of an even number of values, the upper one of the two in the middle.
  package static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }
}
