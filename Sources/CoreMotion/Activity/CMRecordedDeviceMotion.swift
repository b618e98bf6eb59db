// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Device motion out of a recording, with the batch and the wall-clock time that it belongs to.
open class CMRecordedDeviceMotion: CMDeviceMotion {
  private var place = RecordedPlace()

  /// Names the batch in which the sample was recorded; later batches have greater numbers.
  open var identifier: UInt64 { place.identifier }
  /// When the sample was taken.
  open var startDate: Date { place.startDate }

  /// A sample of device motion, recorded in the batch `identifier` at `startDate`.
  package convenience init(_ motion: CMDeviceMotion, identifier: UInt64, startDate: Date) {
    self.init(of: motion)
    place = RecordedPlace(identifier: identifier, startDate: startDate)
  }

  /// A copy with an attitude of its own. A subclass that does not override it returns itself: a mock stays a mock.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CMRecordedDeviceMotion.self else { return self }
    return CMRecordedDeviceMotion(self, identifier: identifier, startDate: startDate)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code(identifier, startDate) { place = $0 }
  }
}
