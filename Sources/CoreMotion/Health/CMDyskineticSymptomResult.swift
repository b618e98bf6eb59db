// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// One minute of a wrist watched for dyskinesia: the fractions of that minute in which the symptom was unlikely and
/// likely. The two sum to 1 (S88).
///
/// An object made with `init()` has both fractions zero.
open class CMDyskineticSymptomResult: NSObject, NSCopying, NSSecureCoding, ArchivedSample {
  private var storedStartDate = Date.referenceDate
  private var storedEndDate = Date.referenceDate
  private var unlikely: Float = 0
  private var likely: Float = 0

  /// Where the span begins.
  open var startDate: Date { storedStartDate }
  /// Where the span ends.
  open var endDate: Date { storedEndDate }
  /// Fraction of the time, 0…1, in which the symptom was unlikely.
  open var percentUnlikely: Float { unlikely }
  /// Fraction of the time, 0…1, in which the symptom was likely.
  open var percentLikely: Float { likely }

  public override init() { super.init() }

  /// A result from its values; fractions of the time, 0…1.
  package convenience init(startDate: Date, endDate: Date, unlikely: Float, likely: Float) {
    self.init()
    (storedStartDate, storedEndDate) = (startDate, endDate)
    (self.unlikely, self.likely) = (unlikely, likely)
  }

  func code(_ archive: SampleArchive) {
    archive.code("startDate", startDate) { storedStartDate = $0 }
    archive.code("endDate", endDate) { storedEndDate = $0 }
    archive.code("percentUnlikely", percentUnlikely, or: 0) { unlikely = $0 }
    archive.code("percentLikely", percentLikely, or: 0) { likely = $0 }
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
