// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One minute of a wrist watched for tremor: the fractions of that minute per strength. The six sum to 1 (S88).
///
/// An object made with `init()` has every fraction zero.
open class CMTremorResult: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  /// Fractions of the time, 0…1, per strength of the tremor.
  package struct Fractions: Sendable, Hashable {
    package var unknown, none, slight, mild, moderate, strong: Float

    /// Fractions as they are given.
    package init(
      unknown: Float = 0, none: Float = 0, slight: Float = 0, mild: Float = 0, moderate: Float = 0, strong: Float = 0
    ) {
      (self.unknown, self.none, self.slight) = (unknown, none, slight)
      (self.mild, self.moderate, self.strong) = (mild, moderate, strong)
    }
  }

  private var storedStartDate = Date.referenceDate
  private var storedEndDate = Date.referenceDate
  private var fractions = Fractions()

  /// Where the span begins.
  open var startDate: Date { storedStartDate }
  /// Where the span ends.
  open var endDate: Date { storedEndDate }
  /// Fraction of the time, 0…1, in which nothing could be decided.
  open var percentUnknown: Float { fractions.unknown }
  /// Fraction of the time, 0…1, without tremor.
  open var percentNone: Float { fractions.none }
  /// Fraction of the time, 0…1, with slight tremor.
  open var percentSlight: Float { fractions.slight }
  /// Fraction of the time, 0…1, with mild tremor.
  open var percentMild: Float { fractions.mild }
  /// Fraction of the time, 0…1, with moderate tremor.
  open var percentModerate: Float { fractions.moderate }
  /// Fraction of the time, 0…1, with strong tremor.
  open var percentStrong: Float { fractions.strong }

  public override init() { super.init() }

  /// A result from its values.
  package convenience init(startDate: Date, endDate: Date, fractions: Fractions) {
    self.init()
    (storedStartDate, storedEndDate, self.fractions) = (startDate, endDate, fractions)
  }

  func code(_ archive: SampleArchive) {
    archive.code("startDate", startDate) { storedStartDate = $0 }
    archive.code("endDate", endDate) { storedEndDate = $0 }
    archive.code("percentUnknown", percentUnknown, or: 0) { fractions.unknown = $0 }
    archive.code("percentNone", percentNone, or: 0) { fractions.none = $0 }
    archive.code("percentSlight", percentSlight, or: 0) { fractions.slight = $0 }
    archive.code("percentMild", percentMild, or: 0) { fractions.mild = $0 }
    archive.code("percentModerate", percentModerate, or: 0) { fractions.moderate = $0 }
    archive.code("percentStrong", percentStrong, or: 0) { fractions.strong = $0 }
  }

  public required init?(coder: NSCoder) {
    super.init()
    guard read(from: coder) else { return nil }
  }

  /// Writes dates and fractions.
  open func encode(with coder: NSCoder) { write(to: coder) }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The class and its values by name; for people, not for programs.
  open override var description: String { fieldDescription }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
