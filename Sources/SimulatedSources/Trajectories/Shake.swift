// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// A phone that is shaken hard, two seconds out of every four, from one side to the other along its x axis.
///
/// It begins with a second of rest. At 4 Hz and ±5 cm the acceleration reaches about 3 g; the wrist turns the phone by ±0.3 rad
/// as well.
public struct Shake: Trajectory, Hashable {
  /// Shakes to and fro a second. Default 4.
  public var frequency: Double
  /// Metres to either side. Default 0.05.
  public var amplitude: Double

  /// A shaking at `frequency` hertz by `amplitude` metres.
  public init(frequency: Double = 4, amplitude: Double = 0.05) {
    self.frequency = frequency
    self.amplitude = amplitude
  }

  /// Bursts of a wave.
  public func state(at seconds: Double) -> TrajectoryState {
    let t = max(0, seconds)
    let phase = t - (t / 4).rounded(.down) * 4
    let burst = Jet.window(from: 1, to: 3, edge: 0.4, at: phase)
    let wave = Jet.wave(1, frequency: frequency, at: t)
    var rotation = TurningRotation(.raised(by: 0.6))
    rotation.turn(by: burst * wave * 0.3, about: .unitZ)
    return TrajectoryState(rotation, east: burst * wave * amplitude)
  }
}
