// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The wrist of a diver: in the air, a stride into the water, down, along the bottom, up with a stop, and out in the
/// air.
///
/// | time | what |
/// |---|---|
/// | 0–30 s | in the air, 0.8 m above the water |
/// | 30–32 s | the stride in, to 1.2 m |
/// | then | down at 0.2 m/s, a minute at the bottom, up at 0.15 m/s |
/// | on the way up | 60 s at 5 m when the dive is deeper than 8 m |
/// | at the end | 20 s at the surface, the wrist at the water line, then in the air |
///
/// Height 0 is the still surface. The speeds are means; at most it is 1.9 times as fast (Documentation/Behaviour.md,
/// water has 0.3–0.6 m/s).
public struct Dive: Trajectory, Hashable {
  /// One stretch between two depths.
  struct Leg: Hashable, Sendable {
    /// Seconds.
    var start, end: Double
    /// Metres up.
    var change: Double
  }

  /// Metres. Default 5.5.
  public let depth: Double
  private let legs: [Leg]

  /// Metres above the water in the air.
  static let freeboard = 0.8
  /// Seconds when the wrist meets the water, about.
  static let entry = 30.0

  /// A dive to `depth` metres, 1.5 or more.
  public init(depth: Double = 5.5) {
    let depth = max(1.5, depth)
    self.depth = depth
    var legs: [Leg] = []
    var height = Self.freeboard
    var time = Self.entry
    func move(to target: Double, seconds: Double, pause: Double = 0) {
      legs.append(Leg(start: time, end: time + seconds, change: target - height))
      (height, time) = (target, time + seconds + pause)
    }
    move(to: -1.2, seconds: 2, pause: 8)
    move(to: -depth, seconds: max(1, (depth - 1.2) / 0.2), pause: 60)
    if depth > 8 { move(to: -5, seconds: (depth - 5) / 0.15, pause: 60) }
    move(to: -0.05, seconds: -(height + 0.05) / 0.15, pause: 20)
    move(to: Self.freeboard, seconds: 3)
    self.legs = legs
  }

  /// Seconds after which the device is in the air for good.
  package var duration: Double { legs.last?.end ?? 0 }

  /// Level, its top edge to the north; only the height changes.
  public func state(at seconds: Double) -> TrajectoryState {
    var up = Jet(Self.freeboard)
    for leg in legs where seconds > leg.start {
      up = up + Jet.smoothStep(from: leg.start, to: leg.end, at: seconds) * leg.change
    }
    return TrajectoryState(TurningRotation(), up: up)
  }
}
