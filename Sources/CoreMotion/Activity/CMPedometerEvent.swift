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
open class CMPedometerEvent: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  private var storedDate = Date.referenceDate
  private var storedType = CMPedometerEventType.pause

  /// When the change was noticed.
  open var date: Date { storedDate }
  /// What changed.
  open var type: CMPedometerEventType { storedType }

  public override init() { super.init() }

  /// An event from its values.
  package convenience init(date: Date, type: CMPedometerEventType) {
    self.init()
    (storedDate, storedType) = (date, type)
  }

  func code(_ archive: SampleArchive) {
    archive.code("date", date) { storedDate = $0 }
    archive.code("type", type) { storedType = $0 }
  }

  public required init?(coder: NSCoder) {
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes date and type.
  open func encode(with coder: NSCoder) { write(to: coder) }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { fieldDescription }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
