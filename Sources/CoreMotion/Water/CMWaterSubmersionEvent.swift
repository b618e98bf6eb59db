// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Tells that the device went into the water or came out of it.
open class CMWaterSubmersionEvent: NSObject, NSCopying, NSSecureCoding {
  /// Whether the device is under water.
  public enum State: Int, Sendable, BitwiseCopyable {
    /// Not known yet, or not any more: the sensor has just started, or has failed.
    case unknown = 0
    case notSubmerged = 1
    case submerged = 2
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  private let storedDate: Date
  private let storedState: State

  /// When the state began, or was asked for.
  open var date: Date { storedDate }
  /// The state from then on.
  open var state: State { storedState }

  /// An unknown state at the reference date of `Date`.
  public override init() {
    (storedDate, storedState) = (Date(timeIntervalSinceReferenceDate: 0), .unknown)
    super.init()
  }

  /// A state that began at `date`.
  package init(date: Date, state: State) {
    (storedDate, storedState) = (date, state)
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let date = coder.date("date") else { return nil }
    storedDate = date
    storedState = State(rawValue: coder.decodeInteger(forKey: "state")) ?? .unknown
    super.init()
  }

  /// Writes date and state.
  open func encode(with coder: NSCoder) {
    coder.encode(date, forDateKey: "date")
    coder.encode(state.rawValue, forKey: "state")
  }

  /// The event itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
