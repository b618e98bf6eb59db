// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Gives reports without a time of their own an instant: that of their arrival, with the jitter of the radio taken out.
///
/// The device measures evenly; the reports arrive late by a delay that varies. The one with the least delay is the most
/// precise, so a time falls back to the arrival at once, and rises only slowly towards later ones; in between, time
/// goes on by the measured period. Bluetooth repeats what was lost, so reports come in bursts but are not missing; when
/// they stay late, one was missing, and the line is anchored again.
///
/// The rule and its figures are this project's own; what cannot be seen is the least delay itself, some tens of
/// milliseconds.
struct ArrivalClock: Sendable {
  /// Reports over which the period is measured, and the least delay looked for.
  static let window = 32
  /// After a pause like this the line is anchored again.
  static let pause = SensorDuration.milliseconds(400)
  /// ns: periods that are believed. A descriptor can say anything, also centuries, that no sum of instants would hold.
  static let periods: ClosedRange<Int64> = 1_000_000...1_000_000_000

  /// Times that the line was anchored again.
  private(set) var anchorings = 0
  private let nominal: Int64
  private var period: Int64
  private var last: SensorInstant?
  private var arrivals: [Int64] = []
  private var excesses: [Int64] = []

  /// `period`: the interval that the device was asked for.
  init(period: SensorDuration) {
    nominal = min(max(period.nanoseconds, Self.periods.lowerBound), Self.periods.upperBound)
    self.period = nominal
  }

  /// When a report was measured; ascends strictly.
  mutating func instant(arrival: SensorInstant) -> SensorInstant {
    let previous = last
    defer { arrivals.append(arrival.nanoseconds) }
    guard let previous, let before = arrivals.last,
      arrival.nanoseconds - before < Self.pause.nanoseconds
    else { return anchored(arrival, after: previous) }
    measure(arrival)
    var time = previous.nanoseconds + period
    let excess = arrival.nanoseconds - time
    excesses = Array((excesses + [excess]).suffix(Self.window))
    let least = excesses.min() ?? excess
    var shift: Int64 = 0
    if excess < 0 {
      shift = excess
    } else if excesses.count == Self.window, least > period * 3 / 2 {
      shift = least
      anchorings += 1
    } else if excesses.count == Self.window {
      // Towards the least delay of the window, not towards this one.
      shift = min(max(least, 0), period / 50)
    }
    time += shift
    if shift != 0 { for index in excesses.indices { excesses[index] -= shift } }
    let instant = SensorInstant(nanoseconds: max(time, previous.nanoseconds + 1))
    last = instant
    return instant
  }

  private mutating func anchored(_ arrival: SensorInstant, after previous: SensorInstant?) -> SensorInstant {
    if previous != nil { anchorings += 1 }
    let instant = previous.map { max(arrival, $0 + SensorDuration(nanoseconds: 1)) } ?? arrival
    last = instant
    arrivals = []
    excesses = []
    return instant
  }

  /// The mean distance of the last arrivals is the period: bursts do not change it, once there are many. Until then the
  /// interval that was asked for counts more, unless the device clearly does as it likes.
  private mutating func measure(_ arrival: SensorInstant) {
    arrivals = arrivals.suffix(4 * Self.window)
    guard arrivals.count >= Self.window / 4, let first = arrivals.first else { return }
    let mean = (arrival.nanoseconds - first) / Int64(arrivals.count)
    let isObeyed = abs(mean - nominal) <= nominal / 5
    let measured = isObeyed ? nominal + (mean - nominal) * Int64(arrivals.count) / Int64(4 * Self.window) : mean
    period = max(Self.periods.lowerBound, measured)
  }
}
