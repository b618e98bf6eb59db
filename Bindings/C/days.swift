// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import ActivitySummary
import MotionMath
import WearAnalysis

// The functions of ocm.h for days of a worn accelerometer.

@c(ocm_activity_get_days)
public func getDays(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: UnsafeMutablePointer<ocm_day>?,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    guard let activity else { throw .null }
    let stream = UnsafeMutablePointer<ActivityStream>(activity)
    try write(stream.pointee.dayRows, size, capacity, items, count) { ocm_day($0) }
  }
}

@c(ocm_calibrator_create)
public func createCalibrator(_ calibrator: UnsafeMutablePointer<OpaquePointer?>?) -> Int32 {
  guard let calibrator else { return Failure.null.rawValue }
  calibrator.pointee = nil
  return code { () throws(Failure) in calibrator.pointee = try allocate(SphereCalibrator()) }
}

@c(ocm_calibrator_destroy)
public func destroyCalibrator(_ calibrator: OpaquePointer?) { deallocate(calibrator, SphereCalibrator.self) }

@c(ocm_calibrator_update)
public func updateCalibrator(_ calibrator: OpaquePointer?, _ count: Int64, _ input: UnsafePointer<ocm_input>?) -> Int32
{
  code { () throws(Failure) in
    guard let calibrator, let input else { throw .null }
    guard count >= 0, let count = Int(exactly: count) else { throw .size }
    let rows = RowReader(input.pointee)
    guard count > 0 else { return }
    guard rows.accelerometer.exists else { throw .null }
    guard rows.hasTime(count), rows.accelerometer.isTypeKnown else { throw .size }
    let stream = UnsafeMutablePointer<SphereCalibrator>(calibrator)
    for row in 0..<count {
      guard let force = rows.accelerometer.reading(row, limit: ActivityStream.largestForce) else { continue }
      stream.pointee.update(SIMD3(force.x, force.y, force.z), at: rows.time(row))
    }
  }
}

@c(ocm_calibrator_get)
public func getCalibration(_ calibrator: OpaquePointer?, _ calibration: UnsafeMutablePointer<ocm_calibration>?) -> Int32
{
  code { () throws(Failure) in
    guard let calibrator, let calibration else { throw .null }
    guard calibration.pointee.size == MemoryLayout<ocm_calibration>.size else { throw .size }
    let found = UnsafeMutablePointer<SphereCalibrator>(calibrator).pointee.calibration()
    calibration.pointee = ocm_calibration(
      size: calibration.pointee.size, outcome: Int32(found.outcome.rawValue),
      scale: (found.scale.x, found.scale.y, found.scale.z), offset: (found.offset.x, found.offset.y, found.offset.z),
      error_before: found.errorBefore ?? .nan, error_after: found.errorAfter ?? .nan, windows: Int64(found.windows))
  }
}

extension SphereCalibration {
  init(_ calibration: ocm_calibration) throws(Failure) {
    guard calibration.size == MemoryLayout<ocm_calibration>.size else { throw .size }
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

extension ocm_day {
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
    withUnsafeMutableBytes(of: &minutes) { bytes in
      let minutes = bytes.bindMemory(to: ocm_estimate.self)
      for part in summary.minutes {
        let column = Self.column(part.activity)
        minutes[column].value += part.estimate.value
        minutes[column].low += part.estimate.low
        minutes[column].high += part.estimate.high
      }
    }
    withUnsafeMutableBytes(of: &cadence) { bytes in
      let cadence = bytes.bindMemory(to: Double.self)
      for (band, minutes) in wear.cadence.enumerated() where band < cadence.count { cadence[band] = minutes }
    }
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
