// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// From samples to states of motion: the order of time, then the filters.
///
/// A value: the same samples give the same states, to the bit, at any speed.
struct MotionFusion: Sendable {
  var timeline: SampleTimeline
  var estimator: DeviceMotionEstimator

  init(info: SensorInfo, run: Int = 0) {
    timeline = SampleTimeline(reordering: info.reordering)
    estimator = DeviceMotionEstimator(info: info, run: run)
  }

  /// The next sample in order of time and the state of motion that it completes; nil when the rest has to wait.
  mutating func pop() -> (sample: SensorSample, motion: DeviceMotion?)? {
    guard let sample = timeline.pop() else { return nil }
    return (sample, estimator.solutions.isEmpty ? nil : estimator.update(sample))
  }
}
