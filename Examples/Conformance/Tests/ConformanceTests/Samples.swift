// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

@testable import Conformance

/// A device that turns as Behaviour.md has it, for two seconds at 100 Hz.
let rightSamples: [MotionSample] = {
  let rate = Vector(x: 0.7, y: -0.5, z: 0.9)
  let step = Quaternion(rotationVector: 0.01 * rate)
  var attitude = Quaternion(x: 0, y: 0, z: 0, w: 1)
  return (0..<200).map { number in
    if number > 0 { attitude = attitude * step }
    return MotionSample(time: 12.345_678 + Double(number) * 0.010_003, attitude: attitude, rate: rate)
  }
}()

/// One that lies and turns slowly about the vertical, in a north frame.
let lyingSamples: [MotionSample] = (0..<100).map {
  let attitude = Quaternion(rotationVector: Vector(x: 0, y: 0, z: 1 + 0.001 * Double($0)))
  return MotionSample(time: Double($0) * 0.01, attitude: attitude, rate: Vector(x: 0, y: 0, z: 0.1))
}

/// One that stands nearly upright and turns.
let standingSamples: [MotionSample] = (0..<100).map {
  let attitude =
    Quaternion(rotationVector: Vector(x: 0, y: 0, z: 1 + 0.001 * Double($0)))
    * Quaternion(rotationVector: Vector(x: 1.3, y: 0, z: 0)) * Quaternion(rotationVector: Vector(x: 0, y: 0.3, z: 0))
  return MotionSample(time: Double($0) * 0.01, attitude: attitude, rate: Vector(x: 0, y: 0.1, z: 0))
}

/// Raw readings that belong to `rightSamples`.
let rightObservation: Observation = {
  var observation = Observation(began: 12.3, ended: 14.5, motion: rightSamples)
  for sample in rightSamples {
    observation.accelerometer.append(Reading(time: sample.time, value: sample.gravity))
    observation.gyroscope.append(Reading(time: sample.time, value: sample.rate + Vector(x: 0.01, y: 0, z: 0)))
    observation.magnetometer.append(Reading(time: sample.time, value: sample.field + Vector(x: 30, y: 0, z: 0)))
  }
  return observation
}()

extension Quaternion {
  init(rotationVector: Vector) {
    let half = rotationVector.length / 2
    let factor = half > 0 ? sin(half) / (2 * half) : 0.5
    self.init(x: factor * rotationVector.x, y: factor * rotationVector.y, z: factor * rotationVector.z, w: cos(half))
  }
}

extension [MotionSample] {
  /// The samples with something changed in each.
  func changed(_ change: (inout MotionSample) -> Void) -> [MotionSample] {
    map {
      var sample = $0
      change(&sample)
      return sample
    }
  }
}

extension [Finding] {
  var agree: Bool { !isEmpty && allSatisfy(\.agrees) }
}
