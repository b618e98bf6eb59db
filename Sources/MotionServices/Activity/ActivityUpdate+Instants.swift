// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

// Layer 0 counts nanoseconds; above it they are times of a source's clock.

extension ActivityChange {
  /// When the activity began; a few seconds before it was recognised.
  package var start: SensorInstant {
    get { SensorInstant(nanoseconds: startNanoseconds) }
    set { startNanoseconds = newValue.nanoseconds }
  }

  package init(start: SensorInstant, activity: MotionActivity, confidence: ActivityConfidence) {
    self.init(startNanoseconds: start.nanoseconds, activity: activity, confidence: confidence)
  }
}

extension StepEpoch {
  /// The span. The first one of a walk reaches back to its first step, as steps are held back until certain.
  package var start: SensorInstant {
    get { SensorInstant(nanoseconds: startNanoseconds) }
    set { startNanoseconds = newValue.nanoseconds }
  }
  package var end: SensorInstant {
    get { SensorInstant(nanoseconds: endNanoseconds) }
    set { endNanoseconds = newValue.nanoseconds }
  }

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
  /// When it was noticed (S68).
  package var time: SensorInstant { SensorInstant(nanoseconds: nanoseconds) }

  package init(time: SensorInstant, kind: Kind) { self.init(nanoseconds: time.nanoseconds, kind: kind) }
}
