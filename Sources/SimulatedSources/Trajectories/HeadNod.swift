// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A head that says yes, says no and looks about; the device is worn on it.
///
/// Every eight seconds: one of rest, two and a half of nodding (±15° of pitch, 0.8 Hz), a short rest, three of slow looking
/// about to the left and right (±45° of yaw). The device sits 12 cm above the joint of the neck and moves with it: +z up,
/// +y forward.
public struct HeadNod: Trajectory, Hashable {
  /// Metres from the joint of the neck up to the device. Default 0.12.
  public var neck: Double

  /// A head on a neck of `neck` metres.
  public init(neck: Double = 0.12) { self.neck = neck }

  /// Yaw about the vertical, then pitch about the ears.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let phase = t - (t / 8).rounded(.down) * 8
    let nodding = Jet.window(from: 1, to: 3.5, edge: 0.4, at: phase)
    let looking = Jet.window(from: 4.5, to: 7.5, edge: 0.8, at: phase)
    let pitch = nodding * .wave(0.26, frequency: 0.8, at: phase - 1)
    let yaw = looking * .wave(0.8, frequency: 1 / 3.0, at: phase - 4.5)
    var rotation = TurningRotation()
    rotation.turn(by: yaw, about: .unitZ)
    rotation.turn(by: pitch, about: .unitX)
    // The device's own up axis, seen from the earth, times the length of the neck.
    return TrajectoryState(
      rotation, east: yaw.sine * pitch.sine * neck, north: yaw.cosine * pitch.sine * -neck,
      up: (pitch.cosine - Jet(1)) * neck)
  }
}
