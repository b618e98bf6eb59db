// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionServices

/// How likely it is that an activity is the right one.
public enum CMMotionActivityConfidence: Int, Sendable, BitwiseCopyable {
  case low = 0, medium = 1, high = 2
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// What the person who carries the device does, from `startDate` until the next activity begins.
///
/// The flags are independent (S71): a car that waits at a light is automotive and stationary at once, and all are false
/// while the device moves in a way that fits none. `unknown` means that no decision is possible. An object made with
/// `init()` has every flag false.
open class CMMotionActivity: CMLogItem {
  private var storedStartDate = Date.referenceDate
  private var storedConfidence = CMMotionActivityConfidence.low
  private var states: MotionActivity = []

  /// What a ``CMMotionActivity`` is made from.
  package struct Values: Sendable {
    /// Seconds, on the clock of the samples that it was derived from.
    package var timestamp: TimeInterval
    /// When the activity began.
    package var startDate: Date
    /// How likely it is.
    package var confidence: CMMotionActivityConfidence
    /// The flags.
    package var states: MotionActivity

    package init(
      timestamp: TimeInterval, startDate: Date, confidence: CMMotionActivityConfidence, states: MotionActivity
    ) {
      (self.timestamp, self.startDate, self.confidence, self.states) = (timestamp, startDate, confidence, states)
    }
  }

  /// How likely this activity is the right one.
  open var confidence: CMMotionActivityConfidence { storedConfidence }
  /// When the activity began.
  open var startDate: Date { storedStartDate }
  /// No decision is possible, for example just after the start.
  open var unknown: Bool { states.contains(.unknown) }
  /// The device does not move.
  open var stationary: Bool { states.contains(.stationary) }
  /// On a walking person.
  open var walking: Bool { states.contains(.walking) }
  /// On a running person.
  open var running: Bool { states.contains(.running) }
  /// In a car or another vehicle.
  open var automotive: Bool { states.contains(.automotive) }
  /// On a person who rides a bicycle.
  open var cycling: Bool { states.contains(.cycling) }

  /// An activity from its values.
  package convenience init(_ values: Values) {
    self.init(timestamp: values.timestamp)
    (storedStartDate, storedConfidence, states) = (values.startDate, values.confidence, values.states)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    func flag(_ key: String, _ state: MotionActivity, _ value: @autoclosure () -> Bool) {
      archive.code(key, value()) { if $0 { states.insert(state) } }
    }
    archive.code("startDate", startDate) { storedStartDate = $0 }
    archive.code("confidence", confidence) { storedConfidence = $0 }
    flag("unknown", .unknown, unknown)
    flag("stationary", .stationary, stationary)
    flag("walking", .walking, walking)
    flag("running", .running, running)
    flag("automotive", .automotive, automotive)
    flag("cycling", .cycling, cycling)
  }
}

extension CMMotionActivityConfidence {
  init(_ confidence: ActivityConfidence) { self = Self(rawValue: confidence.rawValue) ?? .low }
}
