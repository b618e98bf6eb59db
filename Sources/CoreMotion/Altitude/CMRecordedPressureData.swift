// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A reading of a pressure sensor out of a history, with its place there.
///
/// Nothing of this package records pressure for later: the class is here for programs that name it, and for tests.
open class CMRecordedPressureData: CMAmbientPressureData {
  private var place = RecordedPlace()

  /// The number of the batch that the reading belongs to; ascending.
  open var identifier: UInt64 { place.identifier }
  /// When the reading was taken.
  open var startDate: Date { place.startDate }

  /// `pressure` in kPa, `temperature` in °C.
  package convenience init(
    timestamp: TimeInterval, pressure: Double, temperature: Double, identifier: UInt64, startDate: Date
  ) {
    self.init(timestamp: timestamp, pressure: pressure, temperature: temperature)
    place = RecordedPlace(identifier: identifier, startDate: startDate)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code(identifier, startDate) { place = $0 }
  }
}
