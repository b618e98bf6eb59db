// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How far a step goes, from the person's height and the cadence.
///
/// Length = height · (slope · cadence + offset): people who step faster also step longer. A walk of 1.8 steps a second
/// at a height of 1.70 m gives 0.74 m and 1.33 m/s; a run of 2.64 steps a second 1.08 m, as measured over 3.35 km.
/// People differ by 10–20 %, and indoor bouts by more (22 % on 19 bouts), so a track of positions corrects the factor
/// (``StepLengthCalibration``).
struct StepLength: Sendable, Hashable {
  /// Metres.
  let height: Double
  /// A person's own steps divided by those of the model. Default 1.
  var factor = 1.0

  init(height: Double) { self.height = height.isFinite && height > 0.5 && height < 2.8 ? height : 1.7 }

  /// Metres of a step; the cadence in steps per second.
  func length(cadence: Double, isRunning: Bool) -> Double {
    let part = isRunning ? 0.35 * cadence - 0.29 : 0.22 * cadence + 0.04
    return height * min(0.9, max(0.15, part)) * factor
  }
}
