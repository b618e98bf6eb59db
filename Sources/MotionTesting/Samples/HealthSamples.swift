// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
public import Foundation

extension CMOdometerData {
  /// A piece of way with given values; accuracies are negative, the default, where a number is not valid.
  ///
  /// - Parameters:
  ///   - gpsDate: the time of the position fix; nil = the end.
  ///   - deltaDistance: metres.
  ///   - speed: metres per second.
  ///   - deltaAltitude: metres, up positive.
  ///   - slope: degrees, uphill positive; `maxAbsSlope`: the steepest, without sign.
  public convenience init(
    from startDate: Date, to endDate: Date, gpsDate: Date? = nil, deltaDistance: CLLocationDistance,
    deltaDistanceAccuracy: CLLocationAccuracy = -1, speed: CLLocationSpeed = 0,
    speedAccuracy: CLLocationSpeedAccuracy = -1, deltaAltitude: CLLocationDistance = 0,
    verticalAccuracy: CLLocationAccuracy = -1, originDevice: CMOdometerOriginDevice = .unknown, slope: Double? = nil,
    maxAbsSlope: Double? = nil
  ) {
    var values = Values(startDate: startDate, endDate: endDate, gpsDate: gpsDate ?? endDate)
    (values.deltaDistance, values.deltaDistanceAccuracy) = (deltaDistance, deltaDistanceAccuracy)
    (values.speed, values.speedAccuracy) = (speed, speedAccuracy)
    (values.deltaAltitude, values.verticalAccuracy) = (deltaAltitude, verticalAccuracy)
    (values.originDevice, values.slopeDegrees, values.steepestSlopeDegrees) = (originDevice, slope, maxAbsSlope)
    self.init(values)
  }
}

extension CMHighFrequencyHeartRateData {
  /// A heart rate with given values: beats per minute; nil date = not known.
  public convenience init(
    heartRate: Double, confidence: CMHighFrequencyHeartRateDataConfidence = .high, date: Date?,
    at timestamp: TimeInterval = 0
  ) {
    self.init(timestamp: timestamp, heartRate: heartRate, confidence: confidence, date: date)
  }
}

extension CMTremorResult {
  /// A minute of tremor with given fractions of the time, 0…1; what they leave of 1 is unknown.
  public convenience init(
    minuteFrom startDate: Date, none: Float = 0, slight: Float = 0, mild: Float = 0, moderate: Float = 0,
    strong: Float = 0
  ) {
    self.init(
      startDate: startDate, endDate: startDate + 60,
      fractions: Fractions(
        unknown: max(0, 1 - (none + slight + mild + moderate + strong)), none: none, slight: slight, mild: mild,
        moderate: moderate, strong: strong))
  }
}

extension CMDyskineticSymptomResult {
  /// A minute with the fraction of the time, 0…1, in which dyskinesia was likely; the rest is unlikely.
  public convenience init(minuteFrom startDate: Date, likely: Float) {
    self.init(startDate: startDate, endDate: startDate + 60, unlikely: 1 - likely, likely: likely)
  }
}

extension CMFallDetectionEvent {
  /// A fall with given values.
  public convenience init(resolution: UserResolution, at date: Date) { self.init(date: date, resolution: resolution) }
}
