// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// The attitude of a bud, with the digits that its report has lost.
///
/// A report holds x, y, z of a unit quaternion in steps of 2⁻¹⁵; w follows from them. Where w is small, that is where
/// the bud is turned by about half a turn from where its own world begins, w = √(1 − x² − y² − z²) is badly known: a
/// step costs 2⁻¹⁵ / w radians about the axis (x, y, z), up to 0.8° at w = 0. The other two directions keep their
/// digits.
///
/// The rates in the same reports bridge the place: the attitude before is turned by the mean rate, and the reported
/// quaternion corrects it, in each direction as far as its rounding lets it. This is an extended Kalman filter whose
/// error is the small rotation δ between the estimate and the truth (Solà, "Quaternion kinematics for the error-state
/// Kalman filter", arXiv:1711.02508): x, y, z of q ⊗ δ change by ½(w δ + v × δ), which has gain ½ across v = (x, y, z)
/// and w/2 along it. Where w is large the report decides alone. What comes out always rounds to what was reported, but
/// for one step; where it does not, the rates and the reports do not belong together, and the report is used as it is.
///
/// At rest nothing can tell what was rounded away, and what motion has taught fades in seconds. The words of gravity in
/// the report could tell some of it, but disagree with the quaternion by up to 0.7° in captures of real buds, which is
/// more than there is to gain.
struct BudAttitude: Sendable {
  struct Parameters: Sendable, Hashable {
    /// Standard deviation of a rate, rad/s: the rounding to 1/512, spread evenly.
    var rateNoise = 1 / 512 / 12.0.squareRoot()
    /// By which part of itself a rate may be wrong; 508…514 counts for a rad/s were fitted to captures.
    var rateScaleError = 0.01
    /// By which part of its change between two reports the mean rate may be wrong.
    var rateChangeError = 0.05
    /// Standard deviation of a component of the quaternion: the rounding to 2⁻¹⁵, spread evenly.
    var quaternionNoise = 1 / 32768 / 12.0.squareRoot()
    /// How far a component may lie from what was reported.
    var largestResidual = 1 / 32768.0
    /// Seconds; after more without a report it is reset.
    var longestStep = 0.25
  }

  private struct State: Sendable {
    var attitude: Rotation<Chip, NorthWestUp>
    /// Of the error rotation, bud axes, rad².
    var covariance: Matrix3
    var rate: Vector3<Chip>
    /// µs.
    var time: UInt64
  }

  private let parameters: Parameters
  private var state: State?

  init(parameters: Parameters = Parameters()) { self.parameters = parameters }

  /// Another bud is active, or the same one again.
  mutating func reset() { state = nil }

  /// The attitude at the time of a report.
  mutating func update(_ report: MotionReport) -> Rotation<Chip, NorthWestUp> {
    let (seconds, isLater) = state.map { Self.step(from: $0.time, to: report.sensorTime) } ?? (0, false)
    guard let state, isLater, seconds <= parameters.longestStep, let next = corrected(state, by: report, after: seconds)
    else {
      self.state = first(report)
      return report.attitude
    }
    self.state = next
    return next.attitude
  }

  private static func step(from old: UInt64, to new: UInt64) -> (seconds: Double, isLater: Bool) {
    new > old ? (Double(new - old) / 1e6, true) : (0, false)
  }

  /// What a report says without one before.
  private func first(_ report: MotionReport) -> State {
    let v = report.attitude.vector
    // Nearer to 0 the rounding of v · v takes over: half a step in three components.
    let w = max(abs(report.attitude.w), (2 * parameters.quaternionNoise).squareRoot())
    let variance = 4 * parameters.quaternionNoise * parameters.quaternionNoise
    return State(
      attitude: report.attitude, covariance: (.identity + Matrix3(outer: v, v) * (1 / (w * w) - 1)) * variance,
      rate: report.angularVelocity, time: report.sensorTime)
  }

  /// Nil where the report and the rates do not belong together.
  private func corrected(_ state: State, by report: MotionReport, after seconds: Double) -> State? {
    let rate = (state.rate + report.angularVelocity) / 2
    let change = report.angularVelocity - state.rate
    let turn = Rotation<Chip, Chip>(rotationVector: rate * seconds)
    var attitude = state.attitude * turn
    let back = turn.inverse.matrix
    let scale = parameters.rateScaleError * seconds
    let noise = parameters.rateNoise * seconds
    let bend = parameters.rateChangeError * seconds
    var covariance = back * state.covariance * back.transpose
    covariance = covariance + Matrix3(outer: rate, rate) * (scale * scale)
    covariance = covariance + .identity * (noise * noise + change.dot(change) * bend * bend)

    // q and −q are the same attitude; the bud sends the one with w ≥ 0.
    let reported = report.attitude.vector * (attitude.vector.dot(report.attitude.vector) < 0 ? -1 : 1)
    let gain = (.identity * attitude.w + Matrix3(skew: attitude.vector)) * 0.5
    let uncertainty =
      gain * covariance * gain.transpose
      + .identity * (parameters.quaternionNoise * parameters.quaternionNoise)
    guard let inverse = uncertainty.inverse else { return nil }
    let weight = covariance * gain.transpose * inverse
    let error: Vector3<Chip> = weight * (reported - attitude.vector)
    attitude = attitude * Rotation<Chip, Chip>(rotationVector: error)
    covariance = (.identity - weight * gain) * covariance
    // Symmetric but for rounding, which must not grow.
    covariance = (covariance + covariance.transpose) * 0.5
    let residual = reported - attitude.vector
    guard covariance.isFinite,
      max(abs(residual.x), abs(residual.y), abs(residual.z)) <= parameters.largestResidual
    else { return nil }
    return State(
      attitude: attitude, covariance: covariance, rate: report.angularVelocity, time: report.sensorTime)
  }
}

extension Rotation<Chip, NorthWestUp> {
  /// x, y, z of the quaternion.
  fileprivate var vector: Vector3<Chip> { Vector3(x: x, y: y, z: z) }
}
