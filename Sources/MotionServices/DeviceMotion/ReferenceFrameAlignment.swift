// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Turns the estimator's east-north-up attitude into the reference frame that a service was started with.
///
/// All frames share the vertical, so the step is one turn about z:
/// * north frames: x north, y west is east-north-up turned by −90°; true north by the declination less (yaw_true = yaw − D);
/// * arbitrary frames: the turn that makes yaw 0 at the first sample (S20), then held. When the magnetometer of the corrected
///   frame finds north later, the source comes back after a pause, or samples come from the other bud of a pair of headphones,
///   the estimator's azimuth jumps; the turn removes the jump. What the device has turned since the sample before is not part of it.
struct ReferenceFrameAlignment {
  let reference: FusedMotionSample.Reference
  /// Rad; the turn of the arbitrary frames, nil before the first sample.
  private var azimuth: Double?
  private var hadHeading = false
  private var run = 0
  private var latest: Rotation<Device, NorthWestUp>?
  private var latestTime: SensorInstant?
  /// After a longer pause the device's turn is unknown.
  private static let longestStep = SensorDuration.milliseconds(100)

  init(_ reference: FusedMotionSample.Reference) { self.reference = reference }

  /// `declination` in rad, east positive; used by the true-north frame only. `run` and `time` are the state's own; without a
  /// time the device counts as still between two samples.
  mutating func attitude(
    of solution: DeviceMotion.Solution, declination: Double, run: Int = 0, time: SensorInstant? = nil
  ) -> Rotation<Device, NorthWestUp> {
    defer { latestTime = time }
    let level = solution.attitude
    switch reference {
    case .xMagneticNorth: return Self.turn(-.pi / 2) * level
    case .xTrueNorth: return Self.turn(-.pi / 2 - declination) * level
    case .xArbitrary, .xArbitraryCorrected: break
    }
    let turn: Double
    if let latest, solution.hasHeading != hadHeading || run != self.run {
      // The part about z of the way from the new azimuth to the old one.
      let way = latest * step(to: time, solution.angularVelocity) * level.inverse
      turn = 2 * Scalar.atan2(way.z, way.w)
    } else if let azimuth {
      turn = azimuth
    } else {
      turn = -Scalar.atan2(2 * (level.w * level.z - level.x * level.y), 1 - 2 * (level.x * level.x + level.z * level.z))
    }
    azimuth = turn
    (hadHeading, self.run) = (solution.hasHeading, run)
    let result = Self.turn(turn) * level
    latest = result
    return result
  }

  /// How the device has turned since the sample before, at `angularVelocity` (rad/s).
  private func step(to time: SensorInstant?, _ angularVelocity: Vector3<Device>) -> Rotation<Device, Device> {
    guard let time, let latestTime, time > latestTime, time - latestTime <= Self.longestStep else { return .identity }
    return Rotation(rotationVector: angularVelocity * (time - latestTime).seconds)
  }

  private static func turn(_ angle: Double) -> Rotation<EastNorthUp, NorthWestUp> {
    Rotation(aboutZ: angle)
  }
}
