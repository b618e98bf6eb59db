// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Gives each record of a buffer an instant on our clock, whatever the driver's time stamps are worth.
///
/// Stamps may be good; on a clock of the device's own; shared by all samples that one interrupt brought; frozen at the first event; or
/// absent (spec IIO-20…23, R-time). What comes out ascends strictly, or is left out and counted.
struct StreamClock: Sendable {
  /// What is done with the stamps.
  enum Mode: Sendable, Hashable {
    /// Nothing has been seen yet.
    case undecided
    /// They are on our clock.
    case own
    /// They are on another clock; this much is added.
    case foreign(offset: SensorDuration)
    /// They tell nothing: the time of arrival counts.
    case arrival
  }

  /// A stamp of our clock is younger and older than this at its arrival.
  static let credible = SensorDuration.seconds(1)
  /// How far a foreign clock may drift before it is anchored anew.
  static let drift = SensorDuration.milliseconds(50)
  /// Batches in a row that must show the drift: one alone was read late.
  static let patience = 3

  private(set) var mode = Mode.undecided
  /// Times that the foreign clock was anchored anew.
  private(set) var anchorings = 0
  /// Stamps that went back, left out.
  private(set) var backwards = 0
  /// Distances of more than ten periods.
  private(set) var gaps = 0
  /// The nominal period, or the measured one where several samples share a stamp.
  private var period: SensorDuration
  private var lastStamp: Int64?
  private var last: SensorInstant?
  private var repeats = 0
  private var strays = 0

  /// `period`: of the rate that the device says it runs at.
  init(period: SensorDuration) { self.period = period }

  /// The instants of a batch, `nil` for a record to leave out.
  ///
  /// - Parameters:
  ///   - stamps: as the kernel wrote them, ns; nil = the device gives none.
  ///   - count: records in the batch.
  ///   - arrival: when the batch was read.
  mutating func instants(of stamps: [Int64]?, count: Int, arrival: SensorInstant) -> [SensorInstant?] {
    guard count > 0 else { return [] }
    guard let stamps, let newest = stamps.last else { return spread(count, until: arrival).map { $0 } }
    if lastStamp == newest, stamps.allSatisfy({ $0 == newest }) {
      repeats += 1
      // Twice the same in two reads: the driver never sets it again.
      if repeats >= 2 { mode = .arrival }
      return spread(count, until: arrival).map { $0 }
    }
    repeats = 0
    decide(newest: newest, first: stamps[0], arrival: arrival)
    let offset = if case .foreign(let offset) = mode { offset } else { SensorDuration.zero }
    var result: [SensorInstant?] = []
    result.reserveCapacity(count)
    var index = 0
    while index < count {
      let end = stamps[index...].firstIndex { $0 != stamps[index] } ?? count
      let time = SensorInstant(nanoseconds: stamps[index]) + offset
      if let last, time <= last {
        backwards += end - index
        result += Array(repeating: nil, count: end - index)
      } else {
        if let last, (time - last).nanoseconds > 10 * Int64(end - index) * period.nanoseconds { gaps += 1 }
        result += spread(end - index, until: time).map { $0 }
      }
      index = end
    }
    lastStamp = newest
    return result
  }

  /// Chooses the mode at the first batch, and anchors a foreign clock anew when it has drifted or begun again.
  private mutating func decide(newest: Int64, first: Int64, arrival: SensorInstant) {
    let stamp = SensorInstant(nanoseconds: newest)
    let age = arrival - stamp
    switch mode {
    case .undecided, .arrival:
      mode = abs(age.nanoseconds) <= Self.credible.nanoseconds ? .own : .foreign(offset: age)
    case .own:
      // Old is no reason: whoever was stopped reads late. Ahead of now is one, and so is a clock that begins again.
      guard age.nanoseconds < -Self.credible.nanoseconds || hasBegunAgain(first) else { return }
      mode = .foreign(offset: age)
      anchorings += 1
    case .foreign(let offset):
      let error = age - offset
      // The offset holds the delay of the record that set it. One that came faster shows it to be too large; it is mended little by
      // little, so that time goes on evenly.
      if error < .zero {
        mode = .foreign(offset: offset + max(error, SensorDuration(nanoseconds: -period.nanoseconds / 64)))
      }
      strays = abs(error.nanoseconds) > Self.drift.nanoseconds ? strays + 1 : 0
      guard strays >= Self.patience || hasBegunAgain(first) else { return }
      mode = .foreign(offset: age)
      strays = 0
      anchorings += 1
    }
  }

  private func hasBegunAgain(_ stamp: Int64) -> Bool {
    lastStamp.map { $0 - stamp > 10 * max(period.nanoseconds, 1) } ?? false
  }

  /// Evenly spaced instants, the last one at `end`: what one interrupt brought was measured at the sensor's pace.
  private mutating func spread(_ count: Int, until end: SensorInstant) -> [SensorInstant] {
    var end = end
    var step = period.nanoseconds
    if let last {
      // Arrival may be read twice within a nanosecond's reach: time goes on all the same.
      end = max(end, last + SensorDuration(nanoseconds: Int64(count)))
      let measured = (end - last).nanoseconds / Int64(count)
      // The distance to the last batch is the better measure, unless samples are missing in between.
      if count > 1, measured < step * 3 / 2 { step = max(1, measured) }
      step = min(step, max(1, measured))
    }
    last = end
    return (0..<count).map { end - SensorDuration(nanoseconds: step * Int64(count - 1 - $0)) }
  }
}
