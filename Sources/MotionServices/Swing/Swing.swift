// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// A stroke that ended in an impact: a ball on a racket, a club on a ball, a bat on a ball.
///
/// The impact comes from the accelerometer alone. What went before it comes from device motion of the same source, and where
/// that is missing ``stroke`` says why: nothing is made up.
public struct Swing: Sendable, Hashable {
  /// What came before the impact.
  public enum Stroke: Sendable, Hashable {
    /// Its moments are known.
    case found(Phases)
    /// Its start is not known, for this reason.
    case unknown(Reason)
  }

  /// The moments of a stroke, found in the rotation about gravity.
  public struct Phases: Sendable, Hashable {
    /// When the wrist began to turn the other way, to take aim; nil where it did not, or where that is not in the data.
    public var backswing: SensorInstant?
    /// When the forward swing began: between two states of motion, interpolated.
    public var start: SensorInstant
    /// When the rotation about gravity was fastest on the way to the impact.
    public var fastest: SensorInstant
    /// rad/s about the axis that points up, at ``fastest``: positive is anticlockwise, seen from above.
    public var fastestRate: Double
  }

  /// Why the start of a stroke is not known.
  public enum Reason: Sendable, Hashable, CaseIterable {
    /// The source delivers no device motion, or it had fallen silent.
    case noDeviceMotion
    /// Samples of device motion are missing between the start and the impact.
    case gap
    /// The wrist did not turn about gravity: a blow, a clap, a dropped device.
    case noRotation
    /// The turning began before the data, or longer ago than the detector looks back.
    case noStart

    /// A full sentence for a person.
    public var sentence: String {
      switch self {
      case .noDeviceMotion: "Time to contact needs 200 Hz device motion from the same recording."
      case .gap: "Device motion has a gap between the start of the swing and the impact."
      case .noRotation: "There is no rotation about gravity before the impact."
      case .noStart: "The swing begins before the data or longer ago than the detector looks back."
      }
    }
  }

  /// When the specific force was largest, as the accelerometer's own time stamp says.
  public var impact: SensorInstant
  /// The magnitude of the specific force at that time, m/s²; standardGravity at rest.
  public var peak: Double
  /// The largest magnitude of the specific force's high-pass part, m/s²: what the threshold is compared with.
  public var shock: Double
  /// What came before.
  public var stroke: Stroke

  /// The moments of the stroke, where they are known.
  public var phases: Phases? {
    if case .found(let phases) = stroke { phases } else { nil }
  }

  /// From the start of the forward swing to the impact; nil where the start is not known. Plausible are 0.10…0.35 s.
  public var timeToContact: SensorDuration? { phases.map { impact - $0.start } }
}
