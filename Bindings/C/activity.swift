// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import ActivitySummary
import MotionMath

// The functions of ocm.h that count steps and name activities.

extension ocm_activity_parameters: SizedStructure {
  static var firstSize: Int { 24 }
  static var standard: Self {
    ocm_activity_parameters(size: 0, placement: Int32(OCM_BODY), skips_missing: 0, reserved: 0, height: .nan)
  }
}

extension ocm_counts: SizedStructure { static var firstSize: Int { 48 } }
extension ocm_activity_summary: SizedStructure { static var firstSize: Int { 152 } }
extension ocm_step_epoch: Growing { static var firstSize: Int { 80 } }
extension ocm_step_event: Growing { static var firstSize: Int { 16 } }
extension ocm_activity_span: Growing { static var firstSize: Int { 24 } }
extension ocm_activity_share: Growing { static var firstSize: Int { 40 } }

@c(ocm_activity_parameters_init)
public func initializeActivity(_ parameters: Lent<ocm_activity_parameters>?, _ size: Int32) -> Int32 {
  code { () throws(Failure) in
    guard let parameters else { throw .null }
    try ocm_activity_parameters.standard.write(to: parameters, size)
  }
}

@c(ocm_placement)
public func placement(_ words: Borrowed<CChar>?) -> Int32 {
  // In the order of ocm.h.
  Int32(words.flatMap { Placement(words: text(at: $0)) }.flatMap(Placement.allCases.firstIndex(of:)) ?? -1)
}

@c(ocm_activity_create)
public func createActivity(
  _ parameters: Borrowed<ocm_activity_parameters>?, _ activity: Lent<OpaquePointer?>?
) -> Int32 {
  make(activity) { () throws(Failure) in try ActivityStream(parameters.value() ?? .standard) }
}

@c(ocm_activity_destroy)
public func destroyActivity(_ activity: OpaquePointer?) { deallocate(activity, ActivityStream.self) }

func activityStream(_ activity: OpaquePointer?) throws(Failure) -> Lent<ActivityStream> {
  try value(activity, ActivityStream.self)
}

@c(ocm_activity_update)
public func updateActivity(
  _ activity: OpaquePointer?, _ count: Int64, _ input: Borrowed<ocm_input>?, _ pressure: Borrowed<ocm_pressure>?
) -> Int32 {
  code { () throws(Failure) in
    let stream = try activityStream(activity)
    guard let input else { throw .null }
    try stream.pointee.update(rows(count), RowReader(input.pointee), PressureReader(pressure?.pointee))
  }
}

@c(ocm_activity_finish)
public func finishActivity(_ activity: OpaquePointer?) -> Int32 {
  code { () throws(Failure) in try activityStream(activity).pointee.finish() }
}

@c(ocm_activity_error_row)
public func activityErrorRow(_ activity: OpaquePointer?) -> Int64 {
  (try? activityStream(activity).pointee.errorRow) ?? -1
}

@c(ocm_activity_get_counts)
public func getActivityCounts(_ activity: OpaquePointer?, _ counts: Lent<ocm_counts>?) -> Int32 {
  code { () throws(Failure) in try activityStream(activity).pointee.counts.write(to: counts) }
}

@c(ocm_activity_get_summary)
public func getActivitySummary(_ activity: OpaquePointer?, _ summary: Lent<ocm_activity_summary>?) -> Int32 {
  code { () throws(Failure) in try activityStream(activity).pointee.summary.write(to: summary) }
}

@c(ocm_activity_get_epochs)
public func getEpochs(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: Lent<ocm_step_epoch>?, _ count: Lent<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(activityStream(activity).pointee.tally.epochs, size, capacity, items, count) { ocm_step_epoch($0) }
  }
}

@c(ocm_activity_get_events)
public func getEvents(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: Lent<ocm_step_event>?, _ count: Lent<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(activityStream(activity).pointee.tally.events, size, capacity, items, count) {
      ocm_step_event(time: $0.nanoseconds, is_walking: $0.kind == .resume ? 1 : 0, reserved: 0)
    }
  }
}

@c(ocm_activity_get_spans)
public func getSpans(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: Lent<ocm_activity_span>?,
  _ count: Lent<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(activityStream(activity).pointee.tally.spans, size, capacity, items, count) {
      ocm_activity_span(
        start: $0.start, end: $0.end, activity: Int32($0.activity.rawValue), confidence: Int32($0.confidence.rawValue))
    }
  }
}

@c(ocm_activity_get_shares)
public func getShares(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: Lent<ocm_activity_share>?,
  _ count: Lent<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(activityStream(activity).pointee.shares, size, capacity, items, count) { $0 }
  }
}
