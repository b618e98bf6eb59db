// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionMath

/// How much the pose is smoothed.
enum Smoothing: String, ExpressibleByArgument, CaseIterable, Sendable {
  case off, light, strong

  var parameters: PoseSmoother.Parameters? {
    switch self {
    case .off: nil
    case .light: .init(restCutoff: 2, speedGain: 4)
    case .strong: .init(restCutoff: 0.6, speedGain: 2)
    }
  }
}

/// Takes the trembling out of a pose that hardly moves, and lets one that moves through.
///
/// A low-pass filter of first order whose cut-off frequency rises with the speed of the head: trembling shows at rest, lag shows in
/// movement. It is the 1€ filter (Casiez, Roussel, Vogel: “1€ Filter: A Simple Speed-based Low-pass Filter for Noisy Input in
/// Interactive Systems”, CHI 2012) on rotations: the step goes along the shortest way, and the speed is the gyroscope's, which
/// needs no differentiation. With cut-off f and step dt the share of the new value is 1 / (1 + 1 / (2π f dt)).
struct PoseSmoother: Sendable {
  struct Parameters: Hashable, Sendable {
    /// Hz at rest.
    var restCutoff: Double
    /// Hz per rad/s of the head.
    var speedGain: Double
  }

  private let parameters: Parameters
  private var last: (attitude: Rotation<Device, NorthWestUp>, time: Double)?
  /// Seconds without a sample after which it begins anew.
  private static let longestGap = 0.5

  init(_ parameters: Parameters) { self.parameters = parameters }

  /// Forgets: the next pose passes as it is.
  mutating func reset() { last = nil }

  /// `speed` in rad/s, `time` in seconds.
  mutating func update(
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
