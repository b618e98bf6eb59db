// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// A device that lies still.
public struct Rest: Trajectory, Hashable {
  /// Device → earth, the same for ever.
  public var attitude: Rotation<Device, EastNorthUp>

  /// At rest in any pose; face up, its top edge to the north, when none is given.
  public init(attitude: Rotation<Device, EastNorthUp> = .identity) { self.attitude = attitude }

  /// The same state at every time.
  public func state(at seconds: Double) -> TrajectoryState { TrajectoryState(attitude: attitude) }
}
