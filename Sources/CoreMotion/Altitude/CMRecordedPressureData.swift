// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A reading of a pressure sensor out of a history, with its place there.
///
/// Nothing of this package records pressure for later: the class is here for programs that name it, and for tests.
open class CMRecordedPressureData: CMAmbientPressureData {
  private let storedIdentifier: UInt64
  private let storedStartDate: Date

  /// The number of the batch that the reading belongs to; ascending.
  open var identifier: UInt64 { storedIdentifier }
  /// When the reading was taken.
  open var startDate: Date { storedStartDate }

  /// Batch 0, at the reference date of `Date`.
  public override init() {
    (storedIdentifier, storedStartDate) = (0, Date(timeIntervalSinceReferenceDate: 0))
    super.init()
  }

  /// `pressure` in kPa, `temperature` in °C.
  package init(
    timestamp: TimeInterval, pressure: Double, temperature: Double, identifier: UInt64, startDate: Date
  ) {
    (storedIdentifier, storedStartDate) = (identifier, startDate)
    super.init(timestamp: timestamp, pressure: pressure, temperature: temperature)
  }

  public required init?(coder: NSCoder) {
    storedIdentifier = UInt64(bitPattern: coder.decodeInt64(forKey: "identifier"))
    guard let startDate = coder.date("startDate") else { return nil }
    storedStartDate = startDate
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(Int64(bitPattern: identifier), forKey: "identifier")
    coder.encode(startDate, forDateKey: "startDate")
  }
}
