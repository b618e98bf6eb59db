// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A rate of rotation out of a recording, with its wall-clock time.
open class CMRecordedRotationRateData: CMRotationRateData {
  private let storedStartDate: Date

  /// When the sample was taken.
  open var startDate: Date { storedStartDate }

  public override init() {
    storedStartDate = .referenceDate
    super.init()
  }

  /// A sample from its values: seconds, rad/s, and the wall-clock time.
  package init(timestamp: TimeInterval, rotationRate: CMRotationRate, startDate: Date) {
    storedStartDate = startDate
    super.init(timestamp: timestamp, rotationRate: rotationRate)
  }

  public required init?(coder: NSCoder) {
    guard let startDate = coder.date("startDate") else { return nil }
    storedStartDate = startDate
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(startDate, forDateKey: "startDate")
  }
}
