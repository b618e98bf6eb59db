// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ActivityEstimation
import ActivitySummary
import MotionMath

// The functions of ocm.h that count steps and name activities.

extension ocm_activity_parameters {
  static var standard: Self {
    ocm_activity_parameters(
      size: Int32(MemoryLayout<Self>.size), placement: Int32(OCM_BODY), skips_missing: 0,
      days: Int32(OCM_NO_DAYS), height: .nan, range: .nan, local_offset: 0)
  }
}

@c(ocm_activity_parameters_init)
public func initializeActivity(_ parameters: UnsafeMutablePointer<ocm_activity_parameters>?, _ size: Int32) -> Int32 {
  guard let parameters else { return Failure.null.rawValue }
  guard size == MemoryLayout<ocm_activity_parameters>.size else { return Failure.size.rawValue }
  parameters.pointee = .standard
  return 0
}

@c(ocm_activity_create)
public func createActivity(
  _ parameters: UnsafePointer<ocm_activity_parameters>?, _ calibration: UnsafePointer<ocm_calibration>?,
  _ activity: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  guard let activity else { return Failure.null.rawValue }
  activity.pointee = nil
  return code { () throws(Failure) in
    activity.pointee = try allocate(ActivityStream(parameters?.pointee ?? .standard, calibration?.pointee))
  }
}

/// A value that a pointer of C stands for.
func allocate<Value>(_ value: Value) throws(Failure) -> OpaquePointer {
  var memory: UnsafeMutableRawPointer?
  let alignment = max(MemoryLayout<Value>.alignment, MemoryLayout<Int>.size)
  guard posix_memalign(&memory, alignment, MemoryLayout<Value>.size) == 0, let memory else { throw .memory }
  memory.initializeMemory(as: Value.self, to: value)
  return OpaquePointer(memory)
}

func deallocate<Value>(_ pointer: OpaquePointer?, _ type: Value.Type) {
  guard let pointer else { return }
  UnsafeMutablePointer<Value>(pointer).deinitialize(count: 1)
  free(UnsafeMutableRawPointer(pointer))
}

@c(ocm_activity_destroy)
public func destroyActivity(_ activity: OpaquePointer?) { deallocate(activity, ActivityStream.self) }

private func stream(_ activity: OpaquePointer?) throws(Failure) -> UnsafeMutablePointer<ActivityStream> {
  guard let activity else { throw .null }
  return UnsafeMutablePointer(activity)
}

@c(ocm_activity_update)
public func updateActivity(
  _ activity: OpaquePointer?, _ count: Int64, _ input: UnsafePointer<ocm_input>?,
  _ pressure: UnsafePointer<ocm_pressure>?
) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(activity)
    guard let input else { throw .null }
    guard count >= 0, let count = Int(exactly: count) else { throw .size }
    try stream.pointee.update(count, RowReader(input.pointee), PressureReader(pressure?.pointee))
  }
}

@c(ocm_activity_finish)
public func finishActivity(_ activity: OpaquePointer?) -> Int32 {
  code { () throws(Failure) in try stream(activity).pointee.finish() }
}

@c(ocm_activity_error_row)
public func activityErrorRow(_ activity: OpaquePointer?) -> Int64 {
  guard let activity else { return -1 }
  return UnsafeMutablePointer<ActivityStream>(activity).pointee.errorRow
}

@c(ocm_activity_get_counts)
public func getActivityCounts(_ activity: OpaquePointer?, _ counts: UnsafeMutablePointer<ocm_counts>?) -> Int32 {
  code { () throws(Failure) in
    let stream = try stream(activity)
    guard let counts else { throw .null }
    guard counts.pointee.size == MemoryLayout<ocm_counts>.size else { throw .size }
    counts.pointee = stream.pointee.counts
  }
}

@c(ocm_activity_get_summary)
public func getActivitySummary(_ activity: OpaquePointer?, _ summary: UnsafeMutablePointer<ocm_activity_summary>?)
  -> Int32
{
  code { () throws(Failure) in
    let stream = try stream(activity)
    guard let summary else { throw .null }
    guard summary.pointee.size == MemoryLayout<ocm_activity_summary>.size else { throw .size }
    summary.pointee = stream.pointee.summary
  }
}

/// Writes as many items as fit, and how many there are.
func write<Source, Item>(
  _ items: [Source], _ size: Int32, _ capacity: Int64, _ memory: UnsafeMutablePointer<Item>?,
  _ count: UnsafeMutablePointer<Int64>?, _ convert: (Source) -> Item
) throws(Failure) {
  guard let count else { throw .null }
  guard size == MemoryLayout<Item>.stride, capacity >= 0 else { throw .size }
  count.pointee = Int64(items.count)
  guard let memory else { return }
  for index in 0..<min(items.count, Int(clamping: capacity)) { memory[index] = convert(items[index]) }
}

@c(ocm_activity_get_epochs)
public func getEpochs(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: UnsafeMutablePointer<ocm_step_epoch>?,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(stream(activity).pointee.tally.epochs, size, capacity, items, count) { ocm_step_epoch($0) }
  }
}

@c(ocm_activity_get_events)
public func getEvents(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: UnsafeMutablePointer<ocm_step_event>?,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(stream(activity).pointee.tally.events, size, capacity, items, count) {
      ocm_step_event(time: $0.nanoseconds, is_walking: $0.kind == .resume ? 1 : 0, reserved: 0)
    }
  }
}

@c(ocm_activity_get_spans)
public func getSpans(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: UnsafeMutablePointer<ocm_activity_span>?,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(stream(activity).pointee.tally.spans, size, capacity, items, count) {
      ocm_activity_span(
        start: $0.start, end: $0.end, activity: Int32($0.activity.rawValue), confidence: Int32($0.confidence.rawValue))
    }
  }
}

@c(ocm_activity_get_shares)
public func getShares(
  _ activity: OpaquePointer?, _ size: Int32, _ capacity: Int64, _ items: UnsafeMutablePointer<ocm_activity_share>?,
  _ count: UnsafeMutablePointer<Int64>?
) -> Int32 {
  code { () throws(Failure) in
    try write(stream(activity).pointee.shares, size, capacity, items, count) { $0 }
  }
}
