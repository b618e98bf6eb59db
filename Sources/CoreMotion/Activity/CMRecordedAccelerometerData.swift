// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A sample of the accelerometer out of a recording, as ``CMSensorDataList`` yields it (S75, S76).
open class CMRecordedAccelerometerData: CMAccelerometerData {
  private var place = RecordedPlace()

  /// Names the batch in which the sample was recorded; later batches have greater numbers.
  open var identifier: UInt64 { place.identifier }
  /// When the sample was taken.
  open var startDate: Date { place.startDate }

  /// A sample recorded in the batch `identifier` at `startDate`; `timestamp` in seconds, `acceleration` in g with Core
  /// Motion's signs (face up: z = −1).
  package convenience init(
    timestamp: TimeInterval, acceleration: CMAcceleration, identifier: UInt64, startDate: Date
  ) {
    self.init(timestamp: timestamp, vector: acceleration.vector)
    place = RecordedPlace(identifier: identifier, startDate: startDate)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code(identifier, startDate) { place = $0 }
  }
}

/// Where a sample stands in a recording: its batch, and the time of day.
struct RecordedPlace {
  var identifier: UInt64 = 0
  var startDate = Date.referenceDate
}

extension SampleArchive {
  func code(
    _ identifier: @autoclosure () -> UInt64, _ startDate: @autoclosure () -> Date, read: (RecordedPlace) -> Void
  ) {
    var place = RecordedPlace()
    code("identifier", identifier()) { place.identifier = $0 }
    code("startDate", startDate()) { place.startDate = $0 }
    // Writing must not change the sample.
    if isReading { read(place) }
  }
}
