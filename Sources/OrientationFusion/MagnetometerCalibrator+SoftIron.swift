// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

// When an ellipsoid is believed. An ellipsoid has five unknowns more than a sphere, and so it always fits better: to noise, to
// a room whose field differs from place to place, to a magnet that came and went. Believed falsely it bends every heading.
// Therefore two witnesses that know nothing of each other have to agree: the strength of the readings (Fisher's test against
// the sphere) and the gyroscope (the pairs have to turn as the device did). And what is believed stays until both say the
// contrary for a while.
extension MagnetometerCalibrator {
  /// A soft iron to go on with; `hardIron` is set when it comes from an ellipsoid of this moment.
  struct SoftIron {
    var matrix: Matrix3
    var deviation: Double?
    var hardIron: HardIronFit?
  }

  /// Finds out whether the readings show an ellipsoid, and whether the one that is in use still holds.
  mutating func softIronToUse(_ buffer: DirectionBuffer) -> SoftIron {
    let present = SoftIron(matrix: state.calibration.softIron, deviation: state.calibration.softIronDeviation)
    state.fitCount += 1
    guard parameters.correctsSoftIron, state.fitCount % max(1, parameters.softIronFitInterval) == 0 else {
      return present
    }
    if let fit = buffer.fitEllipsoid(fewest: parameters.softIronDirections), isBelievable(fit) {
      state.softIronDoubts = 0
      let deviation = max(fit.deviation, parameters.smallestSoftIronDeviation)
      guard deviation <= state.softIronDeviationToBeat else { return present }
      return SoftIron(matrix: fit.softIron, deviation: deviation, hardIron: fit.hardIron)
    }
    guard present.deviation != nil else { return present }
    state.softIronDoubts = isContradicted(present.matrix, buffer) ? state.softIronDoubts + 1 : 0
    guard state.softIronDoubts >= parameters.softIronPatience else { return present }
    state.softIronDoubts = 0
    state.softIronDeviationToBeat = .infinity
    return SoftIron(matrix: .identity)
  }

  private func isBelievable(_ fit: SoftIronFit) -> Bool {
    let isInUse = state.calibration.softIronDeviation != nil
    let smallest = parameters.smallestSoftIron * (isInUse ? parameters.softIronHysteresis : 1)
    guard fit.error <= parameters.softIronError, fit.deviation <= parameters.largestSoftIronDeviation,
      fit.hardIron.deviation <= parameters.largestDeviation,
      fit.strength >= smallest, fit.strength >= parameters.softIronSignificance * fit.deviation,
      fit.evidence >= parameters.softIronEvidence
    else { return false }
    return state.pairs.preference(for: fit.softIron, over: .identity) >= parameters.softIronPreference
  }

  /// True when the sphere now fits both, the strength and the pairs, better than the soft iron in use.
  private func isContradicted(_ softIron: Matrix3, _ buffer: DirectionBuffer) -> Bool {
    guard state.pairs.preference(for: softIron, over: .identity) < 0 else { return false }
    guard let own = buffer.squares(softIron: softIron), let sphere = buffer.squares(softIron: .identity)
    else { return true }
    return sphere < own
  }
}
