// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension HeadTrackerOptions.Direction {
  /// The attitude that a rotation vector stands for.
  func attitude(_ rotation: Vector3<Device>) -> Rotation<Device, NorthWestUp> {
    let turn = Rotation<Device, NorthWestUp>(rotationVector: rotation)
    return self == .headToReference ? turn : Rotation(nearUnitW: turn.w, x: -turn.x, y: -turn.y, z: -turn.z)
  }
}

extension HeadTrackerReport {
  /// The motion of the head as the rest of the house takes it.
  ///
  /// The device tells no acceleration, so the linear one is zero, and gravity is where the attitude says that down is.
  func sample(at time: SensorInstant, direction: HeadTrackerOptions.Direction) -> FusedMotionSample {
    let attitude = direction.attitude(rotation)
    return FusedMotionSample(
      time: time, w: attitude.w, vector: Vector3(x: attitude.x, y: attitude.y, z: attitude.z), reference: .xArbitrary,
      angularVelocity: angularVelocity, gravity: FusedMotionSample.gravity(at: attitude), linearAcceleration: .zero,
      accelerationUnit: .metresPerSecondSquared)
  }

  /// Whether every number is finite and no faster or larger than any head: a broken report is left out.
  var isPlausible: Bool {
    [rotation, angularVelocity].allSatisfy { $0.dot($0).isFinite }
      && rotation.dot(rotation) < 1000 && angularVelocity.dot(angularVelocity) < 1e6
  }
}

/// Looks which way round the rotation vector is meant, by comparing how it changes with the angular velocity beside it.
///
/// From one report to the next the head turns by ω·Δt about its own axes. If the vector leads from the head to the reference, that
/// turn is q₁⁻¹q₂, and if it leads back, q₁q₂⁻¹; only one of the two agrees with ω. A second at 1 rad/s decides. (Shuster, "A
/// Survey of Attitude Representations", J. Astronaut. Sci. 41(4), 1993, on kinematics; the test is this project's own.)
struct DirectionWitness: Sendable {
  private var before: (rotation: Rotation<Device, NorthWestUp>, rate: Vector3<Device>, time: SensorInstant)?
  /// rad² / s: agreement of the two readings with the angular velocity, and what full agreement would be.
  private var agreement = (forward: 0.0, backward: 0.0, full: 0.0)

  /// What the motion so far says; nil = too little of it, or neither.
  var verdict: HeadTrackerOptions.Direction? {
    guard agreement.full > 1 else { return nil }
    if agreement.forward > 0.8 * agreement.full, agreement.backward < 0.5 * agreement.full { return .headToReference }
    if agreement.backward > 0.8 * agreement.full, agreement.forward < 0.5 * agreement.full { return .referenceToHead }
    return nil
  }

  /// A report and its time; `isContinuous` false = the reference has jumped in between.
  mutating func take(_ report: HeadTrackerReport, at time: SensorInstant, isContinuous: Bool) {
    let now = Rotation<Device, NorthWestUp>(rotationVector: report.rotation)
    defer { before = (now, report.angularVelocity, time) }
    guard let before, isContinuous else { return }
    let span = (time - before.time).seconds
    // Across a gap the shortest way is not the way that the head went.
    guard span > 0.001, span < 0.25 else { return }
    let rate = (before.rate + report.angularVelocity) * 0.5
    let forward = (before.rotation.inverse * now).rotationVector
    let back = (before.rotation * now.inverse).rotationVector
    let backward = Vector3<Device>(x: back.x, y: back.y, z: back.z)
    agreement.forward += forward.dot(rate)
    agreement.backward += backward.dot(rate)
    agreement.full += rate.dot(rate) * span
  }
}
