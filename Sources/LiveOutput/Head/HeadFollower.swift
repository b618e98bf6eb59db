// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing
import MotionServices

/// From the samples of headphones to the poses that go out: hold, smooth, recentre, map, thin out.
package struct HeadFollower: Sendable {
  package struct Parameters: Sendable {
    /// Whether putting the headphones on sets straight ahead; also the first sample. Default yes.
    package var recentresOnWear = true
    /// Time constant of the slow recentring, seconds; nil, the default, = none.
    package var automaticRecentring: Double?
    /// Default: none.
    package var smoothing: PoseSmoother.Parameters?
    /// Default: every angle as it is.
    package var map = AngleMap.identity
    /// The most poses a second; nil, the default, = every one.
    package var rate: Double?

    package init() {}
  }

  /// What came of a sample.
  package struct Step: Sendable {
    package var pose: HeadPose
    /// Whether it is to be sent, or only shown: the rate wants fewer.
    package var isDue: Bool
  }

  private let parameters: Parameters
  private var reference = HeadReference()
  private var smoother: PoseSmoother?
  private var decimator: Decimator?
  private var wantsReference: Bool
  private var isWorn = true
  private var lastTime: Double?
  /// The latest pose; held while no samples come.
  package private(set) var pose: HeadPose?
  /// Samples without a usable attitude.
  package private(set) var refused = 0
  /// Samples of headphones that were not worn.
  package private(set) var frozen = 0

  package init(_ parameters: Parameters) {
    self.parameters = parameters
    smoother = parameters.smoothing.map(PoseSmoother.init)
    decimator = parameters.rate.flatMap { SensorDuration(seconds: 1 / $0) }.map(Decimator.init)
    wantsReference = parameters.recentresOnWear
  }

  /// How often straight ahead was set.
  package var recentrings: Int { reference.count }

  /// The next sample counts as straight ahead.
  package mutating func recentre() { wantsReference = true }

  /// The headphones have come or gone.
  package mutating func note(isConnected: Bool) {
    guard isConnected else { return }
    smoother?.reset()
    if parameters.recentresOnWear { wantsReference = true }
  }

  /// What the headphones say of themselves; nil = nothing. Not worn, the pose freezes: a head that wears nothing is not followed.
  package mutating func note(isWorn: Bool?) {
    let isWorn = isWorn ?? true
    if isWorn, !self.isWorn { note(isConnected: true) }
    self.isWorn = isWorn
  }

  /// Another sensor is active, or the same one was reset: what was smoothed no longer counts.
  package mutating func noteDiscontinuity() { smoother?.reset() }

  /// Updates with a sample; nil when no pose comes of it.
  package mutating func update(_ sample: HeadSample) -> Step? {
    guard var attitude = sample.attitude else {
      refused += 1
      return nil
    }
    guard isWorn else {
      frozen += 1
      return nil
    }
    if let smoothed = smoother?.update(attitude, speed: sample.speed, time: sample.time) { attitude = smoothed }
    if wantsReference {
      reference.set(attitude)
      wantsReference = false
    } else if let timeConstant = parameters.automaticRecentring, let lastTime {
      reference.follow(attitude, elapsed: sample.time - lastTime, timeConstant: timeConstant)
    }
    lastTime = sample.time
    let pose = parameters.map.applied(to: reference.relative(attitude))
    self.pose = pose
    return Step(pose: pose, isDue: decimator?.isDue(sample.instant) ?? true)
  }
}

/// What counts as straight ahead.
///
/// A pose q becomes Rz(−ψ) · q · r⁻¹ · Rz(ψ) with the reference r and its azimuth ψ: the rotation since the reference, seen from a
/// level frame that faces where the head faced then. So a turn of the head is yaw alone, also where the headphones sit askew and
/// their rest pose is not level (as with most people); r⁻¹ · q, which is what `CMAttitude.multiply(byInverseOf:)` gives, would
/// carry it into pitch and roll.
///
/// Only yaw drifts, as gravity holds the other two. So the slow recentring turns the reference about the vertical and does
/// nothing else.
struct HeadReference: Sendable {
  private(set) var attitude: Rotation<Device, NorthWestUp>?
  /// How often straight ahead was set.
  private(set) var count = 0

  mutating func set(_ attitude: Rotation<Device, NorthWestUp>) {
    self.attitude = attitude
    count += 1
  }

  /// The pose relative to the reference; as it is before there is one.
  func relative(_ attitude: Rotation<Device, NorthWestUp>) -> HeadPose {
    guard let reference = self.attitude else { return HeadPose(attitude) }
    let facing = Rotation<NorthWestUp, NorthWestUp>(aboutZ: HeadPose(reference).yaw)
    let turned = facing.inverse * (attitude * reference.inverse) * facing
    return HeadPose(turned.relabeled(from: Device.self, to: NorthWestUp.self))
  }

  /// Lets the reference follow the head's azimuth: 63 % of the way in `timeConstant` seconds.
  mutating func follow(_ attitude: Rotation<Device, NorthWestUp>, elapsed: Double, timeConstant: Double) {
    guard let reference = self.attitude, elapsed > 0, timeConstant > 0 else { return }
    let share = 1 - Scalar.exp(-min(elapsed, 1) / timeConstant)
    self.attitude = Rotation<NorthWestUp, NorthWestUp>(aboutZ: relative(attitude).yaw * share) * reference
  }
}

/// How much the pose is smoothed.
package enum Smoothing: String, CaseIterable, Sendable {
  case off, light, strong

  package var parameters: PoseSmoother.Parameters? {
    switch self {
    case .off: nil
    case .light: .init(restCutoff: 2, speedGain: 4)
    case .strong: .init(restCutoff: 0.6, speedGain: 2)
    }
  }
}

/// Removes the trembling of a pose that hardly moves, and passes one that moves.
///
/// A low-pass filter of first order whose cut-off frequency rises with the speed of the head: trembling shows at rest, lag shows in
/// movement. It is the 1€ filter (Casiez, Roussel, Vogel: “1€ Filter: A Simple Speed-based Low-pass Filter for Noisy Input in
/// Interactive Systems”, CHI 2012) on rotations: the step goes along the shortest way, and the speed is the gyroscope's, which
/// needs no differentiation. With cut-off f and step dt the share of the new value is 1 / (1 + 1 / (2π f dt)).
package struct PoseSmoother: Sendable {
  package struct Parameters: Hashable, Sendable {
    /// Hz at rest.
    var restCutoff: Double
    /// Hz per rad/s of the head.
    var speedGain: Double
  }

  private let parameters: Parameters
  private var last: (attitude: Rotation<Device, NorthWestUp>, time: Double)?
  /// Seconds without a sample after which it is reset.
  private static let longestGap = 0.5

  package init(_ parameters: Parameters) { self.parameters = parameters }

  /// Forgets: the next pose passes as it is.
  package mutating func reset() { last = nil }

  /// `speed` in rad/s, `time` in seconds.
  package mutating func update(
    _ attitude: Rotation<Device, NorthWestUp>, speed: Double, time: Double
  ) -> Rotation<Device, NorthWestUp> {
    var result = attitude
    if let last, time > last.time, time - last.time < Self.longestGap {
      let cutoff = parameters.restCutoff + parameters.speedGain * (speed.isFinite ? speed : 0)
      let share = 1 / (1 + 1 / (2 * .pi * cutoff * (time - last.time)))
      result = last.attitude.interpolated(to: attitude, fraction: share)
    }
    last = (result, time)
    return result
  }
}

/// What is followed of a sample: attitude, speed, time.
package struct HeadSample: Sendable {
  /// Head → reference frame; nil when the four numbers are no rotation.
  package var attitude: Rotation<Device, NorthWestUp>?
  /// rad/s.
  package var speed: Double
  /// Seconds on the source's clock.
  package var time: Double

  /// From numbers as they came.
  package init(w: Double, x: Double, y: Double, z: Double, speed: Double, time: Double) {
    let square = w * w + x * x + y * y + z * z
    attitude = abs(square - 1) < 0.05 && time.isFinite ? Rotation(w: w, x: x, y: y, z: z) : nil
    self.speed = speed.isFinite ? speed : 0
    self.time = time
  }

  package init(_ row: FusedMotionSample) {
    self.init(
      w: row.w, x: row.vector.x, y: row.vector.y, z: row.vector.z, speed: row.angularVelocity.length,
      time: row.time.seconds)
  }

  /// The time on the grid of nanoseconds; times beyond 285 years count as the last one.
  package var instant: SensorInstant {
    SensorInstant(nanoseconds: Int64(clamping: min(9e9, max(-9e9, time)) * 1e9))
  }
}
