// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionServices

/// From the samples of headphones to the poses that go out: hold, smooth, recentre, map, thin out.
struct HeadFollower: Sendable {
  struct Parameters: Sendable {
    /// Whether putting the headphones on sets straight ahead; also the first sample. Default yes.
    var recentresOnWear = true
    /// Time constant of the slow recentring, seconds; nil, the default, = none.
    var automaticRecentring: Double?
    /// Default: none.
    var smoothing: PoseSmoother.Parameters?
    /// Default: every angle as it is.
    var map = AngleMap.identity
    /// The most poses a second; nil, the default, = every one.
    var rate: Double?
  }

  /// What came of a sample.
  struct Step: Sendable {
    var pose: HeadPose
    /// Whether it is to be sent, or only shown: the rate wants fewer.
    var isDue: Bool
  }

  private let parameters: Parameters
  private var reference = HeadReference()
  private var smoother: PoseSmoother?
  private var decimator: Decimator?
  private var wantsReference: Bool
  private var isWorn = true
  private var lastTime: Double?
  /// The latest pose; held while no samples come.
  private(set) var pose: HeadPose?
  /// Samples without a usable attitude.
  private(set) var refused = 0
  /// Samples of headphones that nobody wore.
  private(set) var frozen = 0

  init(_ parameters: Parameters) {
    self.parameters = parameters
    smoother = parameters.smoothing.map(PoseSmoother.init)
    decimator = parameters.rate.flatMap { SensorDuration(seconds: 1 / $0) }.map(Decimator.init)
    wantsReference = parameters.recentresOnWear
  }

  /// How often straight ahead was set.
  var recentrings: Int { reference.count }

  /// The next sample counts as straight ahead.
  mutating func recentre() { wantsReference = true }

  /// The headphones have come or gone.
  mutating func note(isConnected: Bool) {
    guard isConnected else { return }
    smoother?.reset()
    if parameters.recentresOnWear { wantsReference = true }
  }

  /// What the headphones say of themselves; nil = nothing. Not worn, the pose freezes: a head that wears nothing is not followed.
  mutating func note(isWorn: Bool?) {
    let isWorn = isWorn ?? true
    if isWorn, !self.isWorn { note(isConnected: true) }
    self.isWorn = isWorn
  }

  /// Another sensor speaks, or the same one began anew: what was smoothed is of another time.
  mutating func noteDiscontinuity() { smoother?.reset() }

  /// Takes a sample; nil when no pose comes of it.
  mutating func update(_ sample: HeadSample) -> Step? {
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
