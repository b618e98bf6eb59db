// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Tells that the device went into the water or came out of it.
open class CMWaterSubmersionEvent: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  /// Whether the device is under water.
  public enum State: Int, Sendable, BitwiseCopyable {
    /// Not known yet, or not any more: the sensor has just started, or has failed.
    case unknown = 0
    case notSubmerged = 1
    case submerged = 2
    /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
    @available(*, unavailable) case _unlisted = -999
  }

  private var storedDate = Date.referenceDate
  private var storedState = State.unknown

  /// When the state began, or was asked for.
  open var date: Date { storedDate }
  /// The state from then on.
  open var state: State { storedState }

  /// An unknown state at the reference date of `Date`.
  public override init() { super.init() }

  /// A state that began at `date`.
  package convenience init(date: Date, state: State) {
    self.init()
    (storedDate, storedState) = (date, state)
  }

  func code(_ archive: SampleArchive) {
    archive.code("date", date) { storedDate = $0 }
    archive.code("state", state, or: .unknown) { storedState = $0 }
  }

  public required init?(coder: NSCoder) {
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes date and state.
  open func encode(with coder: NSCoder) { write(to: coder) }

  /// The event itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { fieldDescription }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
