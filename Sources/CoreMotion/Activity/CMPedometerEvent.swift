// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What happened to the steps of a person who walks.
public enum CMPedometerEventType: Int, Sendable, BitwiseCopyable {
  case pause = 0
  case resume = 1
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// A pause, or the end of one, with the time at which it was noticed (S68).
open class CMPedometerEvent: NSObject, NSCopying, NSSecureCoding {
  private let storedDate: Date
  private let storedType: CMPedometerEventType

  /// When the change was noticed.
  open var date: Date { storedDate }
  /// What changed.
  open var type: CMPedometerEventType { storedType }

  public override init() {
    storedDate = .referenceDate
    storedType = .pause
    super.init()
  }

  /// An event from its values.
  package init(date: Date, type: CMPedometerEventType) {
    storedDate = date
    storedType = type
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let date = coder.date("date"), let type = CMPedometerEventType(rawValue: coder.decodeInteger(forKey: "type"))
    else { return nil }
    storedDate = date
    storedType = type
    super.init()
  }

  /// Writes date and type.
  open func encode(with coder: NSCoder) {
    coder.encode(date, forDateKey: "date")
    coder.encode(type.rawValue, forKey: "type")
  }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
