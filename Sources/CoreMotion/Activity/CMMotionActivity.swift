// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How likely it is that an activity is the right one.
public enum CMMotionActivityConfidence: Int, Sendable, BitwiseCopyable {
  case low = 0, medium = 1, high = 2
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// What the person who carries the device does, from `startDate` until the next activity begins.
///
/// The flags are independent (S71): a car that waits at a light is automotive and stationary at once, and all are false while
/// the device moves in a way that fits none. `unknown` means that no decision is possible. An object made with `init()` has
/// every flag false.
open class CMMotionActivity: CMLogItem {
  private var storedStartDate = Date.referenceDate
  private var storedConfidence = CMMotionActivityConfidence.low
  private var states: States = []

  /// The flags in one value, for makers of activities.
  package struct States: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let unknown = States(rawValue: 1 << 0), stationary = States(rawValue: 1 << 1)
    package static let walking = States(rawValue: 1 << 2), running = States(rawValue: 1 << 3)
    package static let automotive = States(rawValue: 1 << 4), cycling = States(rawValue: 1 << 5)
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

  /// An activity of the given states; `timestamp` in seconds, on the clock of the samples that it was derived from.
  package convenience init(
    timestamp: TimeInterval, startDate: Date, confidence: CMMotionActivityConfidence, states: States
  ) {
    self.init(timestamp: timestamp)
    (storedStartDate, storedConfidence, self.states) = (startDate, confidence, states)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    func flag(_ key: String, _ state: States, _ value: @autoclosure () -> Bool) {
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
