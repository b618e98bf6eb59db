// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// A stroke that ended in an impact: a ball on a racket, a club on a ball, a bat on a ball.
///
/// The impact comes from the accelerometer alone. What went before it comes from device motion of the same source, and
/// where that is missing ``stroke`` says why: nothing is made up.
package struct Swing: Sendable, Hashable {
  /// What came before the impact.
  package enum Stroke: Sendable, Hashable {
    /// Its moments are known.
    case found(Phases)
    /// Its start is not known, for this reason.
    case unknown(Reason)
  }

  /// The moments of a stroke, found in the rotation about gravity.
  package struct Phases: Sendable, Hashable {
    /// When the wrist began to turn the other way, to take aim; nil where it did not, or where that is not in the data.
    package var backswing: SensorInstant?
    /// When the forward swing began: between two states of motion, interpolated.
    package var start: SensorInstant
    /// When the rotation about gravity was fastest on the way to the impact.
    package var fastest: SensorInstant
    /// rad/s about the axis that points up, at ``fastest``: positive is anticlockwise, seen from above.
    package var fastestRate: Double
  }

  /// Why the start of a stroke is not known.
  package enum Reason: Sendable, Hashable, CaseIterable {
    /// The source delivers no device motion, or it had fallen silent.
    case noDeviceMotion
    /// Samples of device motion are missing between the start and the impact.
    case gap
    /// The wrist did not turn about gravity: a blow, a clap, a dropped device.
    case noRotation
    /// The turning began before the data, or longer ago than the detector looks back.
    case noStart

    /// A full sentence for a person.
    package var sentence: String {
      switch self {
      case .noDeviceMotion: "Time to contact needs 200 Hz device motion from the same recording."
      case .gap: "Device motion has a gap between the start of the swing and the impact."
      case .noRotation: "There is no rotation about gravity before the impact."
      case .noStart: "The swing begins before the data or longer ago than the detector looks back."
      }
    }
  }

  /// When the specific force was largest, as the accelerometer's own time stamp says.
  package var impact: SensorInstant
  /// The magnitude of the specific force at that time, m/s²; standardGravity at rest.
  package var peak: Double
  /// The largest magnitude of the specific force's high-pass part, m/s²: what the threshold is compared with.
  package var shock: Double
  /// What came before.
  package var stroke: Stroke

  /// The moments of the stroke, where they are known.
  package var phases: Phases? {
    if case .found(let phases) = stroke { phases } else { nil }
  }

  /// From the start of the forward swing to the impact; nil where the start is not known. Plausible are 0.10…0.35 s.
  package var timeToContact: SensorDuration? { phases.map { impact - $0.start } }
}

extension SwingDetector {
  /// The constants of the detector. The defaults are those of BATCH-3, where they find seven of
  /// seven forehands of a real recording.
  package struct Parameters: Sendable, Hashable {
    /// Hz of the accelerometer, at least ``SwingDetector/lowestRate``. Default 800.
    package var rate = 800.0
    /// m/s² that the high-pass part of the specific force must exceed. Default 5 standardGravity; on the real recording
    /// 3 to 8 times find the same impacts.
    package var threshold = 5 * standardGravity
    /// Hz below which the arm moves and above which a ball hits. Default 100.
    package var cutOff = 100.0
    /// For so long after an impact nothing counts as another: the arm rings. Default 0.5 s.
    package var refractory = SensorDuration.milliseconds(500)
    /// So long before the threshold is passed the peak may lie. Default 10 ms.
    var peakBefore = SensorDuration.milliseconds(10)
    /// So long after it. Default 25 ms: a shock is 2.5…20 ms wide.
    var peakAfter = SensorDuration.milliseconds(25)

    /// rad/s about gravity below which the wrist does not swing. Default 1.
    package var leastRate = 1.0
    /// The part of the stroke's fastest rotation below which it has not begun. Default 0.1.
    package var leastFraction = 0.1
    /// For so long the rotation must stay below both before the start. Default 30 ms.
    package var quiet = SensorDuration.milliseconds(30)
    /// How far before the impact the rotation is looked for first. Default 100 ms.
    package var approach = SensorDuration.milliseconds(100)
    /// How far back a stroke may begin. Default 1.5 s.
    var lookBack = SensorDuration.milliseconds(1500)
    /// A longer step between two states of motion is a gap. Default 30 ms: five are missing at 200 Hz.
    package var longestStep = SensorDuration.milliseconds(30)
    /// Both sensors must be so far beyond an impact before it is judged. Default 100 ms.
    package var settling = SensorDuration.milliseconds(100)
    /// An impact is judged without device motion when that is so far behind the accelerometer. More than the two
    /// streams of a batched source ever differ (a batch a second, cut 1.5 s late at most). Default 4 s.
    package var timeout = SensorDuration.seconds(4)

    /// The defaults.
    package init() {}
  }

  /// The high pass as a recursion: y = b (x − 2 x₁ + x₂) − a₁ y₁ − a₂ y₂.
  ///
  /// A Butterworth filter of the second order by the bilinear transform, its cut-off pre-warped (Oppenheim & Schafer,
  /// "Discrete-Time Signal Processing", 3rd ed., 7.2–7.3).
  struct Coefficients: Sendable, Hashable {
    var b, a1, a2: Double
    /// A longer step between two samples of the accelerometer, five missing, resets the filter.
    var longestStep: SensorDuration

    init(_ parameters: Parameters) {
      let k = Scalar.tan(.pi * parameters.cutOff / parameters.rate)
      let scale = 1 / (1 + 2.0.squareRoot() * k + k * k)
      b = scale
      a1 = 2 * (k * k - 1) * scale
      a2 = (1 - 2.0.squareRoot() * k + k * k) * scale
      longestStep = SensorDuration(nanoseconds: Int64(clamping: 6.5e9 / parameters.rate))
    }
  }
}
