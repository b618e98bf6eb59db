// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// Measures a magnetometer's hard and soft iron while a person turns the device through all directions in one place.
///
/// The earth's field is the same all the while, so the readings lie on an ellipsoid around the hard iron
/// (``EllipsoidFit``). A fit is worth what its directions are: the sphere is cut into 54 cells, and what counts is how
/// many of them have been seen. Cells also share the readings: a long rest in one direction does not outweigh the
/// others.
///
/// Limits of the field: Documentation/Filter.md 11.4.
package struct MagnetometerSurvey: Sendable {
  /// What is demanded.
  package struct Parameters: Sendable, Hashable {
    /// Share of the 54 directions that must be seen. Default 0.7.
    package var coverage = 0.7
    /// The strength of the earth's field, T. Default 22…67 µT.
    package var fieldRange = 22e-6...67e-6
    /// Largest root mean square of the strength's misfit, relative. Default 0.05.
    package var largestResidual = 0.05
    /// Largest ratio of the axes of the ellipsoid. Default 2.
    var largestElongation = 2.0
    /// Largest standard deviation of the hard iron, T. Default 1 µT.
    package var largestDeviation = 1e-6
    /// Readings closer than this to the last one are dropped, T. Default 1.5 µT.
    package var smallestStep = 1.5e-6
    /// Readings kept per cell, once there are too many. Default 8.
    var readingsPerCell = 8

    /// The defaults.
    package init() {}
  }

  /// What is still wrong; the first that applies.
  package enum Shortcoming: Sendable, Hashable {
    /// The readings determine no ellipsoid yet, or too few directions have been seen.
    case directions
    /// The field that remains has this strength in T, which is not the earth's: there is a magnet or iron nearby.
    case strength(Double)
    /// The strength differs with the direction by this much, relative: the place disturbs, or something magnetic moves.
    case uneven(Double)
    /// The ellipsoid is this many times as long as broad.
    case stretched(Double)
    /// The hard iron is known within this many T only.
    case blurred(Double)
  }

  /// What was measured.
  package struct Result: Sendable, Hashable {
    /// The device's own field, T, to be subtracted from readings.
    package var hardIron: Vector3<Device>
    /// Applied to what remains; symmetric, determinant 1.
    package var softIron: Matrix3
    /// The strength of the earth's field here, T.
    package var fieldStrength: Double
    /// Root mean square of the strength's misfit, relative: of the readings as they came, and after the correction.
    package var residualBefore, residual: Double
    /// One standard deviation of the hard iron, of the axis where it is largest, T.
    package var standardError: Double
    /// The longest axis of the ellipsoid over the shortest.
    var elongation: Double
  }

  /// What was collected so far.
  struct State: Sendable {
    var readings: [Vector3<Device>] = []
    var taken = 0
    var result: Result?
    var coverage = 0.0
    var refused = 0
  }

  /// As given.
  package let parameters: Parameters
  private var state = State()

  /// No reading yet.
  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// 0…1: the share of directions seen, as far as the centre is known.
  package var coverage: Double { state.coverage }
  /// The fit so far, however bad; nil when there is none.
  package var result: Result? { state.result }
  /// Readings that went into it.
  package var readingCount: Int { state.taken }
  /// Samples that were not finite, and were dropped.
  package var refusedCount: Int { state.refused }
  /// Whether the fit is good enough.
  package var isComplete: Bool { shortcoming == nil }

  /// What is still wrong; nil when the fit is good.
  package var shortcoming: Shortcoming? {
    guard let result, coverage >= parameters.coverage else { return .directions }
    guard parameters.fieldRange.contains(result.fieldStrength) else { return .strength(result.fieldStrength) }
    guard result.residual <= parameters.largestResidual else { return .uneven(result.residual) }
    guard result.elongation <= parameters.largestElongation else { return .stretched(result.elongation) }
    guard result.standardError <= parameters.largestDeviation else { return .blurred(result.standardError) }
    return nil
  }

  /// Processes a sample, its hard iron still in it.
  package mutating func update(_ sample: MagnetometerSample) {
    let field = sample.magneticField
    guard field.isFinite else {
      state.refused += 1
      return
    }
    if let last = state.readings.last, (field - last).length < parameters.smallestStep { return }
    state.readings.append(field)
    state.taken += 1
    guard state.readings.count >= 40, state.taken % 20 == 0 else { return }
    fit()
    thinOut()
  }

  private mutating func fit() {
    guard let fit = EllipsoidFit(state.readings, shape: .any), let deviation = fit.centreDeviation else {
      (state.result, state.coverage) = (nil, 0)
      return
    }
    // A common factor belongs to the field, not to the iron.
    let factor = Scalar.pow(fit.matrix.determinant, 1.0 / 3)
    let softIron = fit.matrix * (1 / factor)
    let strengths = state.readings.map { (softIron * ($0 - fit.centre)).length }
    let strength = strengths.reduce(0, +) / Double(strengths.count)
    // A device that lies still shows a ball of noise, which is no field.
    guard strength > parameters.fieldRange.lowerBound / 2 else {
      (state.result, state.coverage) = (nil, 0)
      return
    }
    let squares = state.readings.reduce(0) { $0 + ($1.length - strength) * ($1.length - strength) }
    state.result = Result(
      hardIron: fit.centre, softIron: softIron, fieldStrength: strength,
      residualBefore: (squares / Double(state.readings.count)).squareRoot() / strength, residual: fit.residual,
      standardError: deviation, elongation: fit.elongation)
    let seen = Set(state.readings.map { Self.cell(of: softIron * ($0 - fit.centre)) })
    state.coverage = Double(seen.count) / Double(Self.cellCount)
  }

  /// When there are too many: keeps the newest readings of each cell; before the cells mean something, every second
  /// one.
  private mutating func thinOut() {
    guard state.readings.count > 600 else { return }
    guard let result, coverage > 0.5 else {
      state.readings = state.readings.enumerated().compactMap { $0.offset % 2 == 0 ? $0.element : nil }
      return
    }
    var counts = [Int](repeating: 0, count: Self.cellCount)
    var kept: [Vector3<Device>] = []
    for reading in state.readings.reversed() {
      let cell = Self.cell(of: result.softIron * (reading - result.hardIron))
      counts[cell] += 1
      if counts[cell] <= parameters.readingsPerCell { kept.append(reading) }
    }
    state.readings = kept.reversed()
  }

  static let cellCount = 54

  /// Six faces of a cube around the sphere, each in nine squares of equal angles.
  static func cell(of v: Vector3<Device>) -> Int {
    let (x, y, z) = (abs(v.x), abs(v.y), abs(v.z))
    let (face, main, a, b): (Int, Double, Double, Double) =
      if x >= y, x >= z {
        (v.x < 0 ? 1 : 0, x, v.y, v.z)
      } else if y >= z { (v.y < 0 ? 3 : 2, y, v.x, v.z) } else { (v.z < 0 ? 5 : 4, z, v.x, v.y) }
    func third(_ value: Double) -> Int {
      min(2, max(0, Int(clamping: (Scalar.atan2(value, main) / (.pi / 2) + 0.5) * 3)))
    }
    return face * 9 + third(a) * 3 + third(b)
  }
}
