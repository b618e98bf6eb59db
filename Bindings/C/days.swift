// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import ActivitySummary
import MotionMath
import WearAnalysis

// The functions of ocm.h for days of a worn accelerometer.

@c(ocm_activity_get_days)
public func getDays(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: Lent<ocm_day>?,
  _ count: Lent<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(activityStream(activity).pointee.dayRows, size, capacity, items, count) { ocm_day($0) }
  }
}

@c(ocm_calibrator_create)
public func createCalibrator(_ calibrator: Lent<OpaquePointer?>?) -> Int32 {
  make(calibrator) { SphereCalibrator() }
}

@c(ocm_calibrator_destroy)
public func destroyCalibrator(_ calibrator: OpaquePointer?) { deallocate(calibrator, SphereCalibrator.self) }

@c(ocm_calibrator_update)
public func updateCalibrator(_ calibrator: OpaquePointer?, _ count: Int64, _ input: Borrowed<ocm_input>?) -> Int32 {
  code { () throws(Failure) in
    let stream = try value(calibrator, SphereCalibrator.self)
    guard let input else { throw .null }
    let (rows, count) = (RowReader(input.pointee), try rows(count))
    guard count > 0 else { return }
    guard rows.accelerometer.exists else { throw .null }
    guard rows.hasTime(count), rows.accelerometer.isTypeKnown else { throw .size }
    for row in 0..<count {
      guard let force = rows.accelerometer.reading(row, limit: ActivityStream.largestForce) else { continue }
      stream.pointee.update(SIMD3(force.x, force.y, force.z), at: rows.time(row))
    }
  }
}

@c(ocm_calibrator_get)
public func getCalibration(_ calibrator: OpaquePointer?, _ calibration: Lent<ocm_calibration>?) -> Int32 {
  code { () throws(Failure) in
    let found = try value(calibrator, SphereCalibrator.self).pointee.calibration()
    try ocm_calibration(
      size: 0, outcome: Int32(found.outcome.rawValue), scale: (found.scale.x, found.scale.y, found.scale.z),
      offset: (found.offset.x, found.offset.y, found.offset.z), error_before: found.errorBefore ?? .nan,
      error_after: found.errorAfter ?? .nan, windows: Int64(found.windows)
    ).write(to: calibration)
  }
}

extension ocm_calibration: SizedStructure {
  static var firstSize: Int { 80 }
}

extension SphereCalibration {
  init(_ calibration: ocm_calibration) throws(Failure) {
    self.init()
    (scale, offset) = (SIMD3(calibration.scale), SIMD3(calibration.offset))
    for axis in 0..<3 {
      guard scale[axis] > 0.1, scale[axis] < 10, abs(offset[axis]) < 10 else { throw .parameter }
    }
  }
}

extension SIMD3<Double> {
  fileprivate init(_ values: (Double, Double, Double)) { self.init(values.0, values.1, values.2) }
}

extension ocm_day: Growing {
  static var firstSize: Int { 376 }

  init(_ summary: DaySummary) {
    self.init()
    let wear = summary.wear
    (day, start, end) = (Int64(wear.day), wear.start, wear.end)
    (samples, gaps) = (Int64(wear.samples), Int64(wear.gaps))
    (covered, worn, not_worn, clipped) = (wear.covered, wear.worn, wear.notWorn, wear.clipped)
    (enmo, mad) = (wear.enmo ?? .nan, wear.mad ?? .nan)
    (most_active, most_active_start) = (wear.mostActive?.mean ?? .nan, wear.mostActive?.start ?? .nan)
    (least_active, least_active_start) = (wear.leastActive?.mean ?? .nan, wear.leastActive?.start ?? .nan)
    (steps, distance) = (ocm_estimate(summary.steps), ocm_estimate(summary.distance))
    var parts = InlineArray<6, ocm_estimate>(repeating: ocm_estimate())
    for part in summary.minutes {
      let column = Self.column(part.activity)
      parts[column].value += part.estimate.value
      parts[column].low += part.estimate.low
      parts[column].high += part.estimate.high
    }
    minutes = recast(parts, as: type(of: minutes))
    var bands = InlineArray<8, Double>(repeating: 0)
    for (band, minutes) in wear.cadence.enumerated() where band < bands.count { bands[band] = minutes }
    cadence = recast(bands, as: type(of: cadence))
  }

  /// A car that waits is automotive.
  private static func column(_ activity: MotionActivity) -> Int {
    if activity.contains(.automotive) { return 4 }
    if activity.contains(.cycling) { return 3 }
    if activity.contains(.running) { return 2 }
    if activity.contains(.walking) { return 1 }
    return activity.contains(.stationary) ? 0 : 5
  }
}
