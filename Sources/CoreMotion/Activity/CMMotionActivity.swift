// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What the person who carries the device does, from `startDate` until the next activity begins.
///
/// The flags are independent (S71): a car that waits at a light is automotive and stationary at once, and all are false while
/// the device moves in a way that fits none. `unknown` means that no decision is possible. An object made with `init()` has
/// every flag false.
open class CMMotionActivity: CMLogItem {
  private let storedStartDate: Date
  private let storedConfidence: CMMotionActivityConfidence
  private let states: States

  /// The flags in one value, for makers of activities.
  package struct States: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let unknown = States(rawValue: 1 << 0)
    package static let stationary = States(rawValue: 1 << 1)
    package static let walking = States(rawValue: 1 << 2)
    package static let running = States(rawValue: 1 << 3)
    package static let automotive = States(rawValue: 1 << 4)
    package static let cycling = States(rawValue: 1 << 5)
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

  public override init() {
    storedStartDate = .referenceDate
    storedConfidence = .low
    states = []
    super.init()
  }

  /// An activity of the given states; `timestamp` in seconds, on the clock of the samples that it was derived from.
  package init(timestamp: TimeInterval, startDate: Date, confidence: CMMotionActivityConfidence, states: States) {
    storedStartDate = startDate
    storedConfidence = confidence
    self.states = states
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    guard let startDate = coder.date("startDate"),
      let confidence = CMMotionActivityConfidence(rawValue: coder.decodeInteger(forKey: "confidence"))
    else { return nil }
    storedStartDate = startDate
    storedConfidence = confidence
    states = Self.flags.reduce(into: []) { states, flag in
      if coder.decodeBool(forKey: flag.key) { states.insert(flag.state) }
    }
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(startDate, forDateKey: "startDate")
    coder.encode(confidence.rawValue, forKey: "confidence")
    for flag in Self.flags { coder.encode(self[keyPath: flag.path], forKey: flag.key) }
  }

  /// Each flag with its key in an archive.
  private static var flags: [(key: String, state: States, path: KeyPath<CMMotionActivity, Bool>)] {
    [
      ("unknown", .unknown, \.unknown), ("stationary", .stationary, \.stationary), ("walking", .walking, \.walking),
      ("running", .running, \.running), ("automotive", .automotive, \.automotive), ("cycling", .cycling, \.cycling),
    ]
  }
}
