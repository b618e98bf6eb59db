// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

@_exported public import ActivityEstimation
package import MotionMath
package import MotionSensing

extension ActivityEstimator {
  /// Takes the next sample in order of time: accelerometer, inertial, air pressure or fused motion; others are
  /// ignored.
  package mutating func update(_ sample: SensorSample) -> ActivityUpdate? {
    if let (force, kind) = sample.specificForce {
      return update(specificForce: force, stream: kind.rawValue, atNanoseconds: sample.time.nanoseconds)
    }
    lastFeatures = nil
    if case .pressure(let sample) = sample, sample.medium == .air {
      update(airPressure: sample.pressure, atNanoseconds: sample.time.nanoseconds)
    }
    return nil
  }
}

extension SensorSample {
  /// The specific force in the device's frame, m/s², and the kind of sample that gives it; nil for a sample without one.
  package var specificForce: (force: Vector3<Device>, kind: SensorKinds)? {
    switch self {
    case .accelerometer(let sample): (sample.specificForce, .accelerometer)
    case .inertial(let sample): (sample.specificForce, .inertial)
    case .motion(let sample):
      ((sample.gravity + sample.linearAcceleration) * sample.accelerationUnit.scale, .motion)
    case .gyroscope, .magnetometer, .pressure, .temperature: nil
    }
  }
}

// Layer 0 counts nanoseconds; above it they are times of a source's clock.

extension ActivityChange {
  /// When the activity began; a few seconds before it was recognised.
  package var start: SensorInstant { SensorInstant(nanoseconds: startNanoseconds) }

  package init(start: SensorInstant, activity: MotionActivity, confidence: ActivityConfidence) {
    self.init(startNanoseconds: start.nanoseconds, activity: activity, confidence: confidence)
  }
}

extension StepEpoch {
  package var start: SensorInstant { SensorInstant(nanoseconds: startNanoseconds) }
  package var end: SensorInstant { SensorInstant(nanoseconds: endNanoseconds) }

  package init(
    start: SensorInstant, end: SensorInstant, steps: Int, distance: Double, floorsAscended: Int? = nil,
    floorsDescended: Int? = nil, activeTime: Double
  ) {
    self.init(
      startNanoseconds: start.nanoseconds, endNanoseconds: end.nanoseconds, steps: steps, distance: distance,
      floorsAscended: floorsAscended, floorsDescended: floorsDescended, activeTime: activeTime)
  }
}

extension StepEvent {
  package var time: SensorInstant { SensorInstant(nanoseconds: nanoseconds) }

  package init(time: SensorInstant, kind: Kind) { self.init(nanoseconds: time.nanoseconds, kind: kind) }
}
