// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How far a heart rate can be trusted.
public enum CMHighFrequencyHeartRateDataConfidence: Int, Sendable, BitwiseCopyable {
  case low = 0, medium = 1, high = 2, highest = 3
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// A heart rate, one per second, as a watch's optical sensor gives it. No service of this module delivers it.
open class CMHighFrequencyHeartRateData: CMLogItem {
  private var storedHeartRate = 0.0
  private var storedConfidence = CMHighFrequencyHeartRateDataConfidence.low
  private var storedDate: Date?

  /// Beats per minute.
  open var heartRate: Double { storedHeartRate }
  /// How far `heartRate` can be trusted.
  open var confidence: CMHighFrequencyHeartRateDataConfidence { storedConfidence }
  /// When it was measured; nil = not known.
  open var date: Date? { storedDate }

  /// A sample from its values: seconds, beats per minute, and the wall-clock time if it is known.
  package convenience init(
    timestamp: TimeInterval, heartRate: Double, confidence: CMHighFrequencyHeartRateDataConfidence, date: Date?
  ) {
    self.init(timestamp: timestamp)
    (storedHeartRate, storedConfidence, storedDate) = (heartRate, confidence, date)
  }

  override func code(_ archive: SampleArchive) {
    super.code(archive)
    archive.code("heartRate", heartRate, or: 0) { storedHeartRate = $0 }
    archive.code("confidence", confidence) { storedConfidence = $0 }
    archive.codeOptional("date", date) { storedDate = $0 }
  }
}
