// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation
import MotionHost
import MotionMath
import MotionSensing
import SimulatedSources

/// A person with a phone who walks and stands by the second, on virtual time.
struct Walker {
  /// Steps per second.
  static let cadence = 2.0

  let bench: Bench

  /// `walks`: spans of seconds in which the person walks. `steps` before a second are `truth(at:)`.
  init(walks: [Range<Double>], kinds: SensorKinds = [.inertial], policy: HostPolicy = HostPolicy()) {
    bench = Bench(
      ScriptedSource(kinds: kinds, rate: 50) { _, time in
        let seconds = time.seconds
        var force = Vector3<Device>(x: 0, y: 0, z: standardGravity)
        var rate = Vector3<Device>.zero
        if let walk = walks.first(where: { $0.contains(seconds) }) {
          // A bounce at each step, with the harmonic that makes the impact, and a sway at half the rate.
          let phase = 2 * .pi * Self.cadence * (seconds - walk.lowerBound)
          force.z += 3 * sin(phase) + 1.2 * sin(2 * phase + 0.5)
          force.x += 0.8 * sin(phase / 2)
          rate.y = 0.5 * sin(phase / 2)
        }
        var samples = [SensorSample.inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))]
        if kinds.contains(.airPressure) { samples.append(.pressure(PressureSample(time: time, pressure: 101_325))) }
        return samples
      }, policy: policy)
  }

  static func steps(_ walks: [Range<Double>]) -> Int {
    Int(walks.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) * cadence })
  }
}
