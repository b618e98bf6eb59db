// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
public import SimulatedSources

/// A motion told in words, compiled to a trajectory whose truth is known exactly.
///
/// ```swift
/// let script: MotionScript = [.rest(1), .tilt(degrees: 30, .right, for: 0.5), .shake(2)]
/// let same = try MotionScript("rest 1 s, tilt 30° right in 0.5 s, shake 2 s")
/// ```
///
/// The device begins at rest in the `start` pose, and rests in its last pose after the last step.
public struct MotionScript: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The steps in order.
  public var steps: [MotionStep]
  /// Device → earth at the beginning. Default: face up, the top edge to the north.
  public var start: Rotation<Device, EastNorthUp>

  /// A script of the given steps.
  public init(_ steps: [MotionStep], start: Rotation<Device, EastNorthUp> = .identity) {
    self.steps = steps
    self.start = start
  }

  /// A script of the given steps that begins face up.
  public init(arrayLiteral elements: MotionStep...) { self.init(elements) }

  /// Seconds from the first step to the end of the last one.
  public var duration: Double { steps.reduce(0) { $0 + $1.duration } }

  /// The exact motion. `trajectory.state(at:)` is the truth at any second of the script.
  public var trajectory: any Trajectory { ScriptedTrajectory(self) }

  /// The steps of both, one after the other.
  public static func + (a: Self, b: Self) -> Self { Self(a.steps + b.steps, start: a.start) }
}
