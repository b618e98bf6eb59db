// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import OrientationFusion

/// States of motion that wait until the smoother has seen what comes after them.
///
/// The smoother gives an orientation to each gyroscope sample; a state of motion takes that of its time. All the rest
/// of a state stays as it was: its accelerometer sample, the field, rest.
struct MotionSmoothing: Sendable {
  var smoother: OrientationSmoother
  private var waiting: [DeviceMotion] = []
  /// How many of them have been emitted.
  private var used = 0
  /// One that is later than the state that waits.
  private var latest: OrientationSmoother.Orientation?

  init(following filter: inout OrientationFilter) { smoother = OrientationSmoother(following: &filter) }

  /// `motion` is emitted later.
  mutating func append(_ motion: DeviceMotion) { waiting.append(motion) }

  /// The next state that is final; nil while there is none.
  mutating func next() -> DeviceMotion? {
    guard used < waiting.count else { return nil }
    let time = waiting[used].time.nanoseconds
    // Before the first state there may be orientations without an accelerometer sample.
    while (latest?.time ?? .min) < time {
      guard let orientation = smoother.next() else { return nil }
      latest = orientation
    }
    var motion = waiting[used]
    used += 1
    if let latest, latest.time == time { motion.apply(latest) }
    if used >= 4096 {
      waiting.removeFirst(used)
      used = 0
    }
    return motion
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
