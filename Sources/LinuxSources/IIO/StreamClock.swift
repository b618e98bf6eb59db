// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Gives each record of a buffer an instant on our clock, for every quality of the driver's time stamps.
///
/// Stamps may be good; on a clock of the device's own; shared by all samples that one interrupt brought; frozen at the
/// first event; or absent (IIO-20…23, R-time). What comes out ascends strictly; what does not is dropped and counted.
struct StreamClock: Sendable {
  /// What is done with the stamps.
  enum Mode: Sendable, Hashable {
    /// Nothing has been seen yet.
    case undecided
    /// They are on our clock.
    case own
    /// They are on another clock; this much is added.
    case foreign(offset: SensorDuration)
    /// They are not usable: the time of arrival is used.
    case arrival
  }

  /// A stamp of our clock is younger and older than this at its arrival.
  static let credible = SensorDuration.seconds(1)
  /// How far a foreign clock may drift before it is anchored again.
  static let drift = SensorDuration.milliseconds(50)
  /// Batches in a row that must show the drift: one alone was read late.
  static let patience = 3

  private(set) var mode = Mode.undecided
  /// Times that the foreign clock was anchored again.
  private(set) var anchorings = 0
  /// Records that were dropped because their stamp went back.
  private(set) var backwards = 0
  /// Distances of more than ten periods.
  private(set) var gaps = 0
  /// The nominal period, or the measured one where several samples share a stamp.
  private var period: SensorDuration
  private var lastStamp: Int64?
  private var last: SensorInstant?
  private var repeats = 0
  private var driftingBatches = 0

  /// `period`: of the rate that the device states.
  init(period: SensorDuration) { self.period = period }

  /// Appends the instants of a batch, `nil` for a record to drop. It allocates nothing where there is room.
  ///
  /// - Parameters:
  ///   - stamps: as the kernel wrote them, ns, one per record; empty = the device gives none.
  ///   - count: records in the batch.
  ///   - arrival: when the batch was read.
  mutating func append(
    to instants: inout [SensorInstant?], stamps: [Int64], count: Int, arrival: SensorInstant
  ) {
    guard count > 0 else { return }
    guard let newest = stamps.last else {
      spread(count, until: arrival, to: &instants)
      return
    }
    if lastStamp == newest, stamps.allSatisfy({ $0 == newest }) {
      repeats += 1
      // Twice the same in two reads: the driver never sets it again.
      if repeats >= 2 { mode = .arrival }
      spread(count, until: arrival, to: &instants)
      return
    }
    repeats = 0
    decide(newest: newest, first: stamps[0], arrival: arrival)
    let offset = if case .foreign(let offset) = mode { offset } else { SensorDuration.zero }
    var index = 0
    while index < count {
      var end = index + 1
      while end < count, stamps[end] == stamps[index] { end += 1 }
      let time = SensorInstant(nanoseconds: stamps[index]) + offset
      if let last, time <= last {
        backwards += end - index
        for _ in index..<end { instants.append(nil) }
      } else {
        if let last, time - last > period * 10 * Int64(end - index) { gaps += 1 }
        spread(end - index, until: time, to: &instants)
      }
      index = end
    }
    lastStamp = newest
  }

  /// Chooses the mode at the first batch, and anchors a foreign clock again when it has drifted or was reset.
  private mutating func decide(newest: Int64, first: Int64, arrival: SensorInstant) {
    let stamp = SensorInstant(nanoseconds: newest)
    let age = arrival - stamp
    switch mode {
    case .undecided, .arrival:
      mode = age.nanoseconds.magnitude <= Self.credible.nanoseconds ? .own : .foreign(offset: age)
    case .own:
      // An old stamp is no reason: a program that was stopped reads late. A stamp ahead of now is one, and so is a
      // reset.
      guard age + Self.credible < .zero || isReset(first) else { return }
      mode = .foreign(offset: age)
      anchorings += 1
    case .foreign(let offset):
      let error = age - offset
      // The offset holds the delay of the record that set it. One that came faster shows it to be too large; it is
      // corrected little by little, so that time goes on evenly.
      if error < .zero {
        mode = .foreign(offset: offset + max(error, SensorDuration(nanoseconds: 0 &- period.nanoseconds / 64)))
      }
      driftingBatches = error.nanoseconds.magnitude > Self.drift.nanoseconds ? driftingBatches + 1 : 0
      guard driftingBatches >= Self.patience || isReset(first) else { return }
      mode = .foreign(offset: age)
      driftingBatches = 0
      anchorings += 1
    }
  }

  private func isReset(_ stamp: Int64) -> Bool {
    lastStamp.map { $0 &- stamp > max(period.nanoseconds, 1).clamped(times: 10) } ?? false
  }

  /// Evenly spaced instants, the last one at `end`: what one interrupt brought was measured at the sensor's pace.
  private mutating func spread(_ count: Int, until end: SensorInstant, to instants: inout [SensorInstant?]) {
    var end = end
    var step = period.nanoseconds
    if let last {
      // Two arrivals may be less than a nanosecond a record apart: the instants ascend all the same.
      end = max(end, last + SensorDuration(nanoseconds: Int64(count)))
      let measured = (end - last).nanoseconds / Int64(count)
      // The distance to the last batch is the better measure, unless samples are missing in between.
      if count > 1, measured < step.clamped(times: 3) / 2 { step = max(1, measured) }
      step = min(step, max(1, measured))
    }
    last = end
    for index in 0..<count { instants.append(end - SensorDuration(nanoseconds: step) * Int64(count - 1 - index)) }
  }
}
