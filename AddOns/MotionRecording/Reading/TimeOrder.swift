// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// The order of the times in one stream of a recording, ns.
///
/// Time only goes forward. A row whose time is before that of an earlier one is damage, or comes late; but a logger
/// whose clock started again, after a crash or a new start of the device, writes everything that follows with small
/// times. Two rows tell these apart: the first is more than two seconds too early, the second follows the first.
///
/// Readings that waited for a radio may share the stamp of their arrival. They keep their order, a nanosecond apart; only
/// a row that repeats the one before is left out.
struct TimeOrder {
  /// The latest time as it stands in the file.
  private(set) var latest: Int64
  /// Where a clock may have started again: its time and place.
  private var beginning: (time: Int64, place: SensorError.Place)?
  /// How often it has started again.
  private var restarts = 0
  /// The latest time on the recording's time line.
  private var placed = Int64.min

  init(latest: Int64 = .min) { self.latest = latest }

  /// A step back of more than this is no delay: the loggers that we know lag by tenths of a second. ns.
  private static var leastStep: Int64 { 2_000_000_000 }
  /// The time that is shown between the parts, of which nothing is known. Longer than any gap that the filter bridges.
  /// ns.
  private static var pause: Int64 { 10_000_000_000 }

  /// `time` on the recording's time line; nil for a row that is not used: repeats are counted, steps back reported, and
  /// where a clock has started again what follows is kept.
  mutating func place(
    _ time: Int64, isRepeat: Bool, _ context: ReadingContext, at place: () -> SensorError.Place
  ) throws(SensorError) -> Int64? {
    if time < latest, try !startsAgain(at: time, context, place) { return nil }
    guard time != latest || !isRepeat else {
      context.statistics.count(.duplicate, at: place())
      return nil
    }
    var shifted = restarts == 0 ? time : time.addingReportingOverflow(context.shifts[restarts - 1]).partialValue
    if restarts == 0 || time == latest { shifted = max(shifted, placed.clamped(plus: 1)) }
    (latest, beginning) = (time, nil)
    guard restarts == 0 || shifted > placed && shifted.magnitude <= UInt64(InputLimits.nanoseconds) else {
      // Another stream has started again much earlier than this one.
      context.statistics.count(.outOfOrder, at: place())
      return nil
    }
    placed = shifted
    context.newest = max(context.newest, shifted)
    return shifted
  }

  /// A step back: reported, unless it is the second row of a clock that has started again.
  private mutating func startsAgain(
    at time: Int64, _ context: ReadingContext, _ place: () -> SensorError.Place
  ) throws(SensorError) -> Bool {
    if context.damage == .skip, let first = beginning, time > first.time {
      context.statistics.recountRestart(at: first.place)
      restarts += 1
      if context.shifts.count < restarts {
        let (begin, isTooLarge) = context.newest.addingReportingOverflow(Self.pause)
        let (shift, isFar) = begin.subtractingReportingOverflow(first.time)
        guard !isTooLarge, !isFar else {
          throw SensorError(.limitExceeded, "Time goes backwards here by centuries.", at: place())
        }
        context.shifts.append(shift)
      }
      return true
    }
    // Unsigned: the difference of any two times fits.
    let step = UInt64(bitPattern: latest &- time)
    let place = place()
    beginning = step > UInt64(Self.leastStep) ? (time, place) : nil
    let seconds = SensorInstant(nanoseconds: latest) - SensorInstant(nanoseconds: time)
    try context.report(.outOfOrder, "Time goes backwards here, by \(seconds.seconds) s", at: place)
    return false
  }
}

extension ReadingContext {
  /// A sample on the recording's time line; nil when it is not used.
  func place(
    _ sample: SensorSample, in order: inout TimeOrder, at place: @autoclosure () -> SensorError.Place
  ) throws(SensorError) -> SensorSample? {
    let time = sample.time.nanoseconds
    guard let placed = try order.place(time, isRepeat: true, self, at: place) else { return nil }
    return placed == time ? sample : sample.moved(to: SensorInstant(nanoseconds: placed))
  }
}
