// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One minute of a wrist watched for dyskinesia: the fractions of that minute in which the symptom was unlikely and likely.
/// The two sum to 1 (S88).
///
/// An object made with `init()` has both fractions zero.
open class CMDyskineticSymptomResult: NSObject, NSCopying, NSSecureCoding {
  private let storedStartDate: Date
  private let storedEndDate: Date
  private let unlikely: Float
  private let likely: Float

  /// Where the span begins.
  open var startDate: Date { storedStartDate }
  /// Where the span ends.
  open var endDate: Date { storedEndDate }
  /// Fraction of the time, 0…1, in which the symptom was unlikely.
  open var percentUnlikely: Float { unlikely }
  /// Fraction of the time, 0…1, in which the symptom was likely.
  open var percentLikely: Float { likely }

  public override init() {
    storedStartDate = .referenceDate
    storedEndDate = .referenceDate
    (unlikely, likely) = (0, 0)
    super.init()
  }

  /// A result from its values; fractions of the time, 0…1.
  package init(startDate: Date, endDate: Date, unlikely: Float, likely: Float) {
    storedStartDate = startDate
    storedEndDate = endDate
    (self.unlikely, self.likely) = (unlikely, likely)
    super.init()
  }

  public required init?(coder: NSCoder) {
    guard let startDate = coder.date("startDate"), let endDate = coder.date("endDate") else { return nil }
    storedStartDate = startDate
    storedEndDate = endDate
    (unlikely, likely) = (coder.fraction("percentUnlikely"), coder.fraction("percentLikely"))
    super.init()
  }

  /// Writes dates and fractions.
  open func encode(with coder: NSCoder) {
    coder.encode(startDate, forDateKey: "startDate")
    coder.encode(endDate, forDateKey: "endDate")
    coder.encode(percentUnlikely, forKey: "percentUnlikely")
    coder.encode(percentLikely, forKey: "percentLikely")
  }

  /// The object itself: it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  open class var supportsSecureCoding: Bool { true }
}
