// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
package import MotionSensing

/// The stretches in which a device lay still, by the rule of `motionctl info`, in seconds from the first sample.
package struct RestSpans: Sendable {
  package private(set) var spans: [ClosedRange<Double>] = []
  private var meter = RestMeter()

  package init() {}

  /// Processes a sample; what lies before `earliest` is left out.
  package mutating func update(_ sample: SensorSample, since start: SensorInstant, earliest: Double = -.infinity) {
    switch sample {
    case .accelerometer(let sample): note(meter.update(force: sample.specificForce, at: sample.time), start, earliest)
    case .gyroscope(let sample): note(meter.update(rate: sample.angularVelocity, at: sample.time), start, earliest)
    case .inertial(let pair):
      note(meter.update(force: pair.specificForce, at: pair.time), start, earliest)
      note(meter.update(rate: pair.angularVelocity, at: pair.time), start, earliest)
    default: break
    }
  }

  private mutating func note(_ second: RestMeter.Second?, _ start: SensorInstant, _ earliest: Double) {
    guard let second, second.isAtRest else { return }
    let from = (second.start - start).seconds
    guard from + 1 > earliest else { return }
    if let last = spans.last, from - last.upperBound < 0.1 {
      spans[spans.count - 1] = last.lowerBound...from + 1
    } else {
      spans.append(max(from, earliest)...from + 1)
    }
  }
}
