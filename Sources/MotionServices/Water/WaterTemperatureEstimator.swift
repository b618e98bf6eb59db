// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Says how far the water may be from what a slow thermometer reads.
///
/// A thermometer in a case follows the water as dT/dt = (T_water − T) / τ, so while it still moves the water is τ ·
/// dT/dt away. The slope is fitted over the last 10 s and the last 60 s by least squares, and the greater of the two
/// counts: the short one sees a thermocline at once, the long one sees a drift below the noise.
///
///     uncertainty = √(0.3² + (τ · slope)² + (τ · σ_slope)²) K
///
/// never more than the way to the far end of the operating range, in the first 30 s in the water at least 1.5 K.
/// Source: WATER-4 (time constants of 75–234 s on three dives). The reading itself is not corrected.
package struct WaterTemperatureEstimator: Sendable, Hashable {
  /// What the thermometer is like.
  package struct Parameters: Sendable, Hashable {
    /// Seconds in which the thermometer covers 63 % of a step; nil, the default, = unknown, and 234 is assumed: the
    /// slowest of the dive computers that were measured.
    package var timeConstant: Double?
    /// K: what remains when the reading stands still. Default 0.3.
    package var residual = 0.3
    /// K: the least in the first 30 s in the water. Default 1.5.
    package var firstUncertainty = 1.5
    /// °C between which water is assumed to be. Default −2…40, from freezing sea to EN 13319's upper end.
    package var waterRange = -2.0...40.0

    /// The defaults.
    package init() {}
  }

  private struct Reading: Sendable, Hashable {
    var time: SensorInstant
    var temperature: Double
  }

  /// As given.
  package let parameters: Parameters
  private var readings: [Reading] = []
  private var start: SensorInstant?

  /// An estimator that has not been in the water yet.
  package init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// The device has come into the water, or left it: what was read before belongs to another medium.
  package mutating func restart() {
    readings.removeAll(keepingCapacity: true)
    start = nil
  }

  /// Processes a reading in °C; returns K, or nil while the readings do not show yet whether the thermometer moves.
  package mutating func update(_ temperature: Double, at time: SensorInstant) -> Double? {
    let start = start ?? time
    self.start = start
    let oldest = time - .seconds(60)
    if let keep = readings.firstIndex(where: { $0.time >= oldest }), keep > 0 { readings.removeFirst(keep) }
    readings.append(Reading(time: time, temperature: temperature))
    let timeConstant = parameters.timeConstant ?? 234
    let range = parameters.waterRange
    let farthest = max(temperature - range.lowerBound, range.upperBound - temperature, parameters.residual)
    // A line through fewer points, or less time, does not determine the slope.
    guard let long = fit(since: oldest), let short = fit(since: time - .seconds(10)) else { return nil }
    let steeper = abs(short.slope) > abs(long.slope) ? short : long
    let lag = timeConstant * steeper.slope
    let doubt = timeConstant * steeper.deviation
    var uncertainty = (parameters.residual * parameters.residual + lag * lag + doubt * doubt).squareRoot()
    if time - start < .seconds(30) { uncertainty = max(uncertainty, parameters.firstUncertainty) }
    return min(uncertainty, farthest)
  }

  /// Least squares: K/s, and its standard deviation from the residuals.
  private func fit(since oldest: SensorInstant) -> (slope: Double, deviation: Double)? {
    guard let last = readings.last else { return nil }
    var (count, sumX, sumY, sumXX, sumXY, sumYY) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for reading in readings.reversed() {
      // Below three points the window of a slow log is too short; the last three then serve.
      if reading.time < oldest, count >= 3 { break }
      let x = (reading.time - last.time).seconds
      let y = reading.temperature - last.temperature
      count += 1
      sumX += x
      sumY += y
      sumXX += x * x
      sumXY += x * y
      sumYY += y * y
    }
    let spread = sumXX - sumX * sumX / count
    guard count >= 3, spread > 0.1 else { return nil }
    let slope = (sumXY - sumX * sumY / count) / spread
    let rest = max(0, sumYY - sumY * sumY / count - slope * slope * spread)
    return (slope, (rest / max(1, count - 2) / spread).squareRoot())
  }
}
