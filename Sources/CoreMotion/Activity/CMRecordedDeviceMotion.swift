// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Device motion out of a recording, with the batch and the wall-clock time that it belongs to.
open class CMRecordedDeviceMotion: CMDeviceMotion {
  private let storedIdentifier: UInt64
  private let storedStartDate: Date

  /// Names the batch in which the sample was recorded; later batches have greater numbers.
  open var identifier: UInt64 { storedIdentifier }
  /// When the sample was taken.
  open var startDate: Date { storedStartDate }

  public override init() {
    storedIdentifier = 0
    storedStartDate = .referenceDate
    super.init()
  }

  /// A sample of device motion, recorded in the batch `identifier` at `startDate`.
  package init(_ motion: CMDeviceMotion, identifier: UInt64, startDate: Date) {
    storedIdentifier = identifier
    storedStartDate = startDate
    super.init(DeviceMotionValue(motion))
  }

  public required init?(coder: NSCoder) {
    guard let startDate = coder.date("startDate") else { return nil }
    storedIdentifier = coder.identifier("identifier")
    storedStartDate = startDate
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(identifier, forIdentifierKey: "identifier")
    coder.encode(startDate, forDateKey: "startDate")
  }

  /// A copy with an attitude of its own. A subclass that does not override it returns itself, so that a mock stays a mock.
  open override func copy(with zone: NSZone? = nil) -> Any {
    guard type(of: self) == CMRecordedDeviceMotion.self else { return self }
    return CMRecordedDeviceMotion(self, identifier: identifier, startDate: startDate)
  }
}
