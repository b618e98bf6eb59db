// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One minute of a wrist watched for tremor: the fractions of that minute per strength. The six sum to 1 (S88).
///
/// An object made with `init()` has every fraction zero.
open class CMTremorResult: NSObject, NSCopying, NSSecureCoding {
  /// Fractions of the time, 0…1, per strength of the tremor.
  package struct Fractions: Sendable, Hashable {
    package var unknown: Float = 0
    package var none: Float = 0
    package var slight: Float = 0
    package var mild: Float = 0
    package var moderate: Float = 0
    package var strong: Float = 0

    /// Fractions as they are given.
    package init(
      unknown: Float = 0, none: Float = 0, slight: Float = 0, mild: Float = 0, moderate: Float = 0, strong: Float = 0
    ) {
      (self.unknown, self.none, self.slight) = (unknown, none, slight)
      (self.mild, self.moderate, self.strong) = (mild, moderate, strong)
    }
  }

  private let storedStartDate: Date
  private let storedEndDate: Date
  private let fractions: Fractions

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

  public override init() {
    storedStartDate = .referenceDate
    storedEndDate = .referenceDate
    fractions = Fractions()
    super.init()
  }

  /// A result from its values.
  package init(startDate: Date, endDate: Date, fractions: Fractions) {
    storedStartDate = startDate
    storedEndDate = endDate
    self.fractions = fractions
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let startDate = coder.date("startDate"), let endDate = coder.date("endDate") else { return nil }
    storedStartDate = startDate
    storedEndDate = endDate
    fractions = Fractions(
      unknown: coder.fraction("percentUnknown"), none: coder.fraction("percentNone"),
      slight: coder.fraction("percentSlight"), mild: coder.fraction("percentMild"),
      moderate: coder.fraction("percentModerate"), strong: coder.fraction("percentStrong"))
    super.init()
  }

  /// Writes dates and fractions.
  open func encode(with coder: NSCoder) {
    coder.encode(startDate, forDateKey: "startDate")
    coder.encode(endDate, forDateKey: "endDate")
    coder.encode(percentUnknown, forKey: "percentUnknown")
    coder.encode(percentNone, forKey: "percentNone")
    coder.encode(percentSlight, forKey: "percentSlight")
    coder.encode(percentMild, forKey: "percentMild")
    coder.encode(percentModerate, forKey: "percentModerate")
    coder.encode(percentStrong, forKey: "percentStrong")
  }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
