// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A sample of the accelerometer out of a recording, as ``CMSensorDataList`` yields it (S75, S76).
open class CMRecordedAccelerometerData: CMAccelerometerData {
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

  /// A sample recorded in the batch `identifier` at `startDate`; `timestamp` in seconds, `acceleration` in g with Core
  /// Motion's signs (face up: z = −1).
  package init(timestamp: TimeInterval, acceleration: CMAcceleration, identifier: UInt64, startDate: Date) {
    storedIdentifier = identifier
    storedStartDate = startDate
    super.init(timestamp: timestamp, acceleration: acceleration)
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
}
