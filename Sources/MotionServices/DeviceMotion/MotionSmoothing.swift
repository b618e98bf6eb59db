// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import OrientationFusion

/// States of motion that wait until the smoother has seen what comes after them.
///
/// The smoother gives an orientation to each gyroscope sample; a state of motion takes that of its time. All the rest of a state
/// stays as it was: its accelerometer sample, the field, rest.
struct MotionSmoothing: Sendable {
  /// Longer blocks than those of a filter that corrects as it goes: half the work for a hundredth of a degree.
  static let blockDuration = 0.2

  var smoother: OrientationSmoother
  private var waiting: [DeviceMotion] = []
  private var orientations: [OrientationSmoother.Orientation] = []
  /// How many of each have been used.
  private var (usedStates, usedOrientations) = (0, 0)

  init(following filter: inout OrientationFilter) { smoother = OrientationSmoother(following: &filter) }

  /// `motion` comes out later.
  mutating func append(_ motion: DeviceMotion) { waiting.append(motion) }

  /// The next state that is final; nil while there is none.
  mutating func next() -> DeviceMotion? {
    if usedOrientations == orientations.count {
      orientations = smoother.orientations()
      usedOrientations = 0
      guard !orientations.isEmpty else { return nil }
      waiting.removeFirst(usedStates)
      usedStates = 0
    }
    while usedOrientations < orientations.count, usedStates < waiting.count {
      let time = waiting[usedStates].time.nanoseconds
      let orientation = orientations[usedOrientations]
      guard orientation.time >= time else {
        usedOrientations += 1
        continue
      }
      usedStates += 1
      var motion = waiting[usedStates - 1]
      if orientation.time == time { motion.apply(orientation) }
      return motion
    }
    return nil
  }
}

extension DeviceMotion {
  /// The orientation of a smoother in place of the filter's.
  fileprivate mutating func apply(_ orientation: OrientationSmoother.Orientation) {
    let solution = Solution(
      attitude: orientation.attitude, angularVelocity: orientation.angularVelocity, hasHeading: orientation.hasHeading,
      inclinationStandardDeviation: orientation.inclinationStandardDeviation,
      headingStandardDeviation: orientation.headingStandardDeviation)
    if nineAxis != nil { nineAxis = solution } else { sixAxis = solution }
    isSmoothed = true
  }
}
