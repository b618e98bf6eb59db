// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What the person who carries the device does. The flags are independent (S71): a car that waits is automotive and
/// stationary. Empty = the device moves in a way that fits none.
package struct MotionActivity: OptionSet, Sendable, Hashable, BitwiseCopyable {
  package let rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }
  /// No decision is possible, for example just after the start.
  package static let unknown = MotionActivity(rawValue: 1 << 0)
  package static let stationary = MotionActivity(rawValue: 1 << 1)
  package static let walking = MotionActivity(rawValue: 1 << 2)
  package static let running = MotionActivity(rawValue: 1 << 3)
  package static let automotive = MotionActivity(rawValue: 1 << 4)
  package static let cycling = MotionActivity(rawValue: 1 << 5)
}

/// How likely an activity is the right one.
package enum ActivityConfidence: Int, Sendable, BitwiseCopyable, Comparable {
  case low = 0, medium = 1, high = 2
  package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// An activity, from its beginning until the next one begins.
package struct ActivityChange: Sendable, Equatable, BitwiseCopyable {
  /// When the activity began; a few seconds before it was recognised.
  package var startNanoseconds: Int64
  package var activity: MotionActivity
  package var confidence: ActivityConfidence

  package init(startNanoseconds: Int64, activity: MotionActivity, confidence: ActivityConfidence) {
    (self.startNanoseconds, self.activity, self.confidence) = (startNanoseconds, activity, confidence)
  }
}

/// The steps of a span of a few seconds. Spans never overlap; where nobody steps there is none.
package struct StepEpoch: Sendable, Equatable, BitwiseCopyable {
  /// The span. The first one of a walk reaches back to its first step, as steps are held back until certain.
  package var startNanoseconds, endNanoseconds: Int64
  /// Steps of both feet.
  package var steps: Int
  /// Metres on foot.
  package var distance: Double
  /// How far off they may be.
  package var distanceError = DistanceError()
  /// Floors of 3 m, upwards and downwards; nil without a barometer.
  package var floorsAscended, floorsDescended: Int?
  /// Seconds of the span in which the person walked or ran.
  package var activeTime: Double

  package init(
    startNanoseconds: Int64, endNanoseconds: Int64, steps: Int, distance: Double, floorsAscended: Int? = nil,
    floorsDescended: Int? = nil, activeTime: Double
  ) {
    (self.startNanoseconds, self.endNanoseconds) = (startNanoseconds, endNanoseconds)
    (self.steps, self.distance) = (steps, distance)
    (self.floorsAscended, self.floorsDescended, self.activeTime) = (floorsAscended, floorsDescended, activeTime)
  }
}

/// The steps of a longer time.
package struct StepTotals: Sendable, Equatable {
  package var steps = 0
  /// Metres on foot, and how far off they may be.
  package var distance = 0.0
  package var distanceError = DistanceError()
  /// Nil when no epoch had a barometer.
  package var floorsAscended, floorsDescended: Int?
  /// Seconds of walking or running.
  package var activeTime = 0.0

  package init() {}

  package init(_ epoch: StepEpoch) {
    (steps, distance, distanceError) = (epoch.steps, epoch.distance, epoch.distanceError)
    (floorsAscended, floorsDescended, activeTime) = (epoch.floorsAscended, epoch.floorsDescended, epoch.activeTime)
  }

  package mutating func add(_ other: StepTotals) {
    steps += other.steps
    distance += other.distance
    distanceError = distanceError + other.distanceError
    if let floors = other.floorsAscended { floorsAscended = (floorsAscended ?? 0) + floors }
    if let floors = other.floorsDescended { floorsDescended = (floorsDescended ?? 0) + floors }
    activeTime += other.activeTime
  }
}

/// A person who walked has stopped, or walks again.
package struct StepEvent: Sendable, Equatable, BitwiseCopyable {
  package enum Kind: Int, Sendable, BitwiseCopyable { case pause = 0, resume = 1 }
  /// When it was noticed (S68).
  package var nanoseconds: Int64
  package var kind: Kind

  package init(nanoseconds: Int64, kind: Kind) { (self.nanoseconds, self.kind) = (nanoseconds, kind) }
}

/// What one sample has brought; nil parts are unchanged.
package struct ActivityUpdate: Sendable, Equatable {
  /// Steps that are certain now; at most one span every 2.56 s, and only while somebody steps.
  package var steps: StepEpoch?
  package var event: StepEvent?
  package var activity: ActivityChange?
  /// Nothing new.
  package init(steps: StepEpoch? = nil, event: StepEvent? = nil, activity: ActivityChange? = nil) {
    (self.steps, self.event, self.activity) = (steps, event, activity)
  }
}
