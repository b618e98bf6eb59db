// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How far a heart rate can be trusted.
public enum CMHighFrequencyHeartRateDataConfidence: Int, Sendable, BitwiseCopyable {
  case low = 0
  case medium = 1
  case high = 2
  case highest = 3
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// A heart rate, one per second, as a watch's optical sensor gives it. No service of this module delivers it.
open class CMHighFrequencyHeartRateData: CMLogItem {
  private let storedHeartRate: Double
  private let storedConfidence: CMHighFrequencyHeartRateDataConfidence
  private let storedDate: Date?

  /// Beats per minute.
  open var heartRate: Double { storedHeartRate }
  /// How far `heartRate` can be trusted.
  open var confidence: CMHighFrequencyHeartRateDataConfidence { storedConfidence }
  /// When it was measured; nil = not known.
  open var date: Date? { storedDate }

  public override init() {
    storedHeartRate = 0
    storedConfidence = .low
    storedDate = nil
    super.init()
  }

  /// A sample from its values: seconds, beats per minute, and the wall-clock time if it is known.
  package init(
    timestamp: TimeInterval, heartRate: Double, confidence: CMHighFrequencyHeartRateDataConfidence, date: Date?
  ) {
    storedHeartRate = heartRate
    storedConfidence = confidence
    storedDate = date
    super.init(timestamp: timestamp)
  }

  public required init?(coder: NSCoder) {
    guard
      let confidence = CMHighFrequencyHeartRateDataConfidence(rawValue: coder.decodeInteger(forKey: "confidence"))
    else { return nil }
    storedHeartRate = coder.number("heartRate")
    storedConfidence = confidence
    storedDate = coder.date("date")
    super.init(coder: coder)
  }

  open override func encode(with coder: NSCoder) {
    super.encode(with: coder)
    coder.encode(heartRate, forKey: "heartRate")
    coder.encode(confidence.rawValue, forKey: "confidence")
    if let date { coder.encode(date, forDateKey: "date") }
  }
}
