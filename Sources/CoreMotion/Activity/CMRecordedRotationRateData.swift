// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A rate of rotation out of a recording, with its wall-clock time.
open class CMRecordedRotationRateData: CMRotationRateData {
  private var storedStartDate = Date.referenceDate

  /// When the sample was taken.
  open var startDate: Date { storedStartDate }

  /// A sample from its values: seconds, rad/s, and the wall-clock time.
  package convenience init(timestamp: TimeInterval, rotationRate: CMRotationRate, startDate: Date) {
    self.init(timestamp: timestamp, vector: rotationRate.vector)
    storedStartDate = startDate
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("startDate", startDate) { storedStartDate = $0 }
  }
}
