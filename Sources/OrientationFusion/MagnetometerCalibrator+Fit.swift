// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A proposed hard iron with its own doubt.
struct HardIronFit {
  /// T.
  var centre: Vector3<Device>
  /// One standard deviation per axis, T.
  var deviation: Double
}

extension MagnetometerCalibrator {
  /// Tries to improve the calibration with all that has been gathered.
  mutating func fit() {
    state.deviationToBeat *= Self.ageing
    state.softIronDeviationToBeat *= Self.ageing
    guard let centre = state.pairs.solve(softIron: state.calibration.softIron)?.centre else { return }
    var buffer = state.buffer
    if buffer.centre == nil { buffer.arrange(around: centre) }
    let softIron = softIronToUse(buffer)
    guard var best = state.pairs.solve(softIron: softIron.matrix) else { return }
    if let ellipsoid = softIron.hardIron {
      best = ellipsoid
    } else if best.deviation <= parameters.largestDeviation || state.calibration.accuracy > .uncalibrated {
      let sphere = buffer.fitSphere(softIron: softIron.matrix)
      if let sphere, sphere.deviation < best.deviation { best = sphere }
    }
    best.deviation = max(best.deviation, parameters.smallestDeviation)
    // With another soft iron the old claim is void.
    let isAnother = softIron.matrix != state.calibration.softIron
    guard best.deviation <= parameters.largestDeviation, best.deviation <= state.deviationToBeat || isAnother
    else { return }

    buffer.arrange(around: best.centre)
    let spread = buffer.spread(around: best.centre, softIron: softIron.matrix)
    var next = MagnetometerCalibration(
      hardIron: best.centre, fieldStrength: spread.strength, hardIronDeviation: best.deviation,
      accuracy: state.calibration.accuracy, softIron: softIron.matrix, softIronDeviation: softIron.deviation)
    let accuracy = Self.accuracy(
      error: spread.error, coverage: buffer.count, deviation: next.fieldDeviation / spread.strength)
    guard parameters.fieldRange.contains(spread.strength), accuracy > .uncalibrated else {
      // Contradictory readings, for example from two rooms: the next hundred will do better.
      if buffer.count >= 60 { state.buffer = DirectionBuffer() }
      return
    }
    state.buffer = buffer
    if state.calibration.hardIronDeviation == .infinity { state.agreeingTime = 0 }
    // A fit that says the same from fewer directions takes nothing away.
    let step = (best.centre - state.calibration.hardIron).length
    let isConfirmation = step < 2 * (best.deviation + state.calibration.hardIronDeviation)
    state.attainableAccuracy = isConfirmation ? max(accuracy, state.attainableAccuracy) : accuracy
    next.accuracy = min(state.calibration.accuracy, state.attainableAccuracy)
    state.calibration = next
    state.deviationToBeat = best.deviation
    if softIron.hardIron != nil { state.softIronDeviationToBeat = softIron.deviation ?? .infinity }
    state.fitAge = 0
  }

  /// How much the claim of a fit loses at every following try.
  private static var ageing: Double { 1.02 }

  /// The level that a fit supports: `error` relative spread of the strength, `coverage` of 100 directions, `deviation` of
  /// hard and soft iron relative to the strength.
  ///
  /// The specification asks for 55 and 85 directions. A gyroscope tells as much from fewer, so a sharp centre (5 %, 2 %)
  /// may stand for the missing directions of "medium", and for some of those of "high".
  static func accuracy(error: Double, coverage: Int, deviation: Double) -> MagnetometerAccuracy {
    if error <= 0.045, coverage >= 85 || (coverage >= 55 && deviation <= 0.02) { return .high }
    if error <= 0.075, coverage >= 55 || (coverage >= 15 && deviation <= 0.05) { return .medium }
    return error <= 0.12 ? .low : .uncalibrated
  }
}
