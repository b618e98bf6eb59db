// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A device that somebody turns slowly through all directions in one place, as to calibrate its magnetometer.
///
/// It turns over its right edge once in seven seconds, and meanwhile about its long axis once in fifty: within fifty seconds every
/// direction of the device has pointed nearly everywhere.
public struct Tumble: Trajectory, Hashable {
  /// The only one there is.
  public init() {}

  /// Two turns at constant rates, one after the other, in device axes.
  public func state(at seconds: Double) -> TrajectoryState {
    let time = Jet.time(max(0, seconds))
    var rotation = TurningRotation()
    rotation.turn(by: time * (2 * .pi / 7), about: .unitX)
    rotation.turn(by: time * (2 * .pi / 50), about: .unitY)
    return TrajectoryState(rotation)
  }
}
