// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import ActivitySummary
import MotionMath

/// The estimator of steps and activities with what it has found, fed with rows: what an `ocm_activity` points to.
struct ActivityStream {
  private let skipsMissing: Int32
  private let placement: Placement
  private var estimator: ActivityEstimator
  private(set) var tally = ActivityTally()
  private(set) var counts = ocm_counts()
  /// Of the latest error; −1 when there is none.
  private(set) var errorRow: Int64 = -1
  private var latestPressure: Int64?
  private var isFinished = false

  init(_ parameters: ocm_activity_parameters) throws(Failure) {
    var settings = ActivityEstimator.Parameters()
    let places = Placement.allCases  // as OCM_BODY …
    guard places.indices.contains(Int(parameters.placement)) else { throw .parameter }
    settings.placement = places[Int(parameters.placement)]
    if !parameters.height.isNaN {
      guard (0.5...2.5).contains(parameters.height) else { throw .parameter }
      settings.height = parameters.height
    }
    (placement, skipsMissing) = (settings.placement, parameters.skips_missing)
    estimator = ActivityEstimator(parameters: settings)
    tally.keepsEpochs = true
  }

  // Far beyond real sensors: the estimator's own limits.
  private static var largestForce: Double { 9999.99 }
  private static func isTime(_ time: Int64) -> Bool {
    (-4_000_000_000_000_000_000...4_000_000_000_000_000_000).contains(time)
  }

  mutating func update(_ count: Int, _ rows: RowReader, _ pressures: PressureReader) throws(Failure) {
    guard !isFinished else { throw .finished }
    try check(count, rows, pressures)
    var next = 0
    for row in 0..<count {
      let time = rows.time(row)
      while next < pressures.count, pressures.time(next) < time {
        update(pressures, next)
        next += 1
      }
      counts.rows += 1
      guard tally.last.map({ time > $0 }) ?? true else {
        counts.late += 1
        continue
      }
      let force = rows.accelerometer[row]
      guard force.isWithin(Self.largestForce), Self.isTime(time) else {
        counts.accelerometer += 1
        continue
      }
      tally.append(atNanoseconds: time, estimator.update(specificForce: force, atNanoseconds: time))
    }
    while next < pressures.count {
      update(pressures, next)
      next += 1
    }
  }

  private mutating func update(_ pressures: PressureReader, _ row: Int) {
    let time = pressures.time(row)
    guard latestPressure.map({ time > $0 }) ?? true else { return counts.late += 1 }
    latestPressure = time
    estimator.update(airPressure: pressures[row], atNanoseconds: time)
  }

  mutating func finish() {
    guard !isFinished else { return }
    isFinished = true
    tally.finish(estimator.finish())
  }

  /// Finds what is wrong before anything has changed.
  private mutating func check(_ count: Int, _ rows: RowReader, _ pressures: PressureReader) throws(Failure) {
    errorRow = -1
    if count > 0 {
      guard rows.hasTime, rows.accelerometer.exists else { throw .null }
      guard rows.accelerometer.isTypeKnown else { throw .size }
    }
    guard skipsMissing != 1 else { return }
    let mayMiss = skipsMissing != 0
    var latest = tally.last
    for row in 0..<count {
      errorRow = Int64(row)
      let (time, force) = (rows.time(row), rows.accelerometer[row])
      let isSaidTwice = mayMiss && row > 0 && time == latest && force == rows.accelerometer[row - 1]
      guard latest.map({ time > $0 }) ?? true || isSaidTwice, Self.isTime(time) else { throw .time }
      latest = time
      guard force.isWithin(Self.largestForce) || (force.isMissing && mayMiss) else { throw .accelerometer }
    }
    latest = latestPressure
    for row in 0..<pressures.count {
      errorRow = Int64(row)
      let time = pressures.time(row)
      guard pressures[row].isFinite, latest.map({ time > $0 }) ?? true, Self.isTime(time) else {
        throw .pressure
      }
      latest = time
    }
    errorRow = -1
  }
}

extension ActivityStream {
  var summary: ocm_activity_summary {
    var summary = ocm_activity_summary()
    let walk = tally.walk
    (summary.start, summary.end) = (tally.first ?? 0, tally.last ?? 0)
    (summary.duration, summary.covered) = (tally.duration, tally.covered)
    summary.steps = ocm_estimate(ActivityErrors.steps(tally, placement))
    summary.distance = ocm_estimate(ActivityErrors.distance(walk))
    if let up = walk.floorsAscended, let down = walk.floorsDescended {
      summary.has_floors = 1
      summary.floors_up = ocm_estimate(ActivityErrors.floors(up))
      summary.floors_down = ocm_estimate(ActivityErrors.floors(down))
    }
    (summary.active_time, summary.cadence) = (walk.activeTime, tally.cadence ?? .nan)
    return summary
  }

  var shares: [ocm_activity_share] {
    tally.shares().map { share in
      ocm_activity_share(
        activity: Int32(share.activity.rawValue), spans: Int32(tally.spans.count { $0.activity == share.activity }),
        seconds: share.seconds,
        minutes: ocm_estimate(ActivityErrors.minutes(share.activity, seconds: share.seconds, tally)))
    }
  }
}

extension ocm_estimate {
  init(_ estimate: Estimate) { self.init(value: estimate.value, low: estimate.low, high: estimate.high) }
}

extension ocm_step_epoch {
  init(_ epoch: StepEpoch) {
    let interval = epoch.distanceError.interval(around: epoch.distance)
    self.init(
      start: epoch.startNanoseconds, end: epoch.endNanoseconds, steps: Int64(epoch.steps), distance: epoch.distance,
      distance_low: interval.lowerBound, distance_high: interval.upperBound,
      distance_common_sd: epoch.distanceError.common, distance_variance: epoch.distanceError.variance,
      active_time: epoch.activeTime, floors_up: Int32(truncatingIfNeeded: epoch.floorsAscended ?? 0),
      floors_down: Int32(truncatingIfNeeded: epoch.floorsDescended ?? 0))
  }
}

/// Readings of a barometer, where the caller has them.
struct PressureReader {
  let count: Int
  private let times, values: Place
  private let timeStride, valueStride: Int

  /// None where `pressure` is null.
  init(_ pressure: ocm_pressure?) throws(Failure) {
    guard let pressure, pressure.count != 0 else {
      (count, times, values, timeStride, valueStride) = (0, .nowhere, .nowhere, 0, 0)
      return
    }
    guard let count = Int(exactly: pressure.count), count > 0 else { throw .size }
    guard let times = Place(pressure.time), let values = Place(pressure.value) else { throw .null }
    (self.count, self.times, self.values) = (count, times, values)
    timeStride = Int(truncatingIfNeeded: pressure.time_stride)
    valueStride = Int(truncatingIfNeeded: pressure.value_stride)
  }

  /// ns.
  func time(_ row: Int) -> Int64 { times.number(row &* timeStride, Int64.self) }

  /// Pa.
  subscript(row: Int) -> Double { values.number(row &* valueStride, Double.self) }
}
