// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// Steps, floors, distance and activity out of the samples of one device (a stub: the contract between the parts of issue 19).
package struct ActivityEstimator: Sendable {
  /// Where the device is worn: it selects the thresholds.
  package enum Placement: Sendable, Hashable {
    /// A phone in a pocket, hand or bag.
    case body
    case wrist
    case head

    /// By the kind of device.
    package init(_ deviceClass: SensorInfo.DeviceClass) {
      self =
        switch deviceClass {
        case .watch: .wrist
        case .headphones: .head
        default: .body
        }
    }
  }

  package struct Parameters: Sendable {
    package var placement = Placement.body
    /// Metres: the person's height, for the length of a step. Default 1.70.
    package var height = 1.70
    package init() {}
  }

  /// Steps per second over the last seconds; nil while nobody steps.
  package private(set) var cadence: Double?
  /// Seconds per metre; nil while nobody steps.
  package private(set) var pace: Double?
  /// The activity now; `.unknown` before the first decision.
  package private(set) var activity = ActivityChange(
    start: SensorInstant(nanoseconds: 0), activity: .unknown, confidence: .low)

  package init(parameters: Parameters = Parameters()) {}

  /// Takes the next sample in order of time: accelerometer, gyroscope, inertial, air pressure or fused motion; others are ignored.
  package mutating func update(_ sample: SensorSample) -> ActivityUpdate? { nil }

  /// The samples are over: what is still held back and certain.
  package mutating func finish() -> ActivityUpdate? { nil }
}
