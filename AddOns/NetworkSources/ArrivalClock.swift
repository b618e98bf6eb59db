// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Gives the time stamps of a phone an instant on our clock, and keeps the distances between them.
///
/// ```swift
/// clock.observe(newest: stamp, at: arrival)      // once for each message, at once
/// if clock.isSettled { time = clock.instant(of: stamp) }
/// ```
///
/// What has arrived was measured before, so the message with the least delay says most about the offset between the
/// clocks: the offset is the least difference of arrival and newest stamp. In the first half second it is only looked
/// for. Then it stays as it is, so that the phone's distances come through to the nanosecond, however unevenly a
/// network delivers.
///
/// It moves in two cases only. When it has become wrong by more than ``tolerance`` (quartz clocks differ by up to 50
/// ppm, a tenth of a second in half an hour), time runs ``slope`` faster or slower until it is right. When all of a
/// window came later than that by more than ``leap``, the phone's clock stood still, and the line begins again.
///
/// A stamp that is further off, in the future or before what has come, may be one wrong reading or a clock that was set:
/// ``isPlausible(_:among:at:)`` and ``continues(_:at:)`` say so, and a ``Contest`` which of both it is.
///
/// The rule and its figures are this project's own. What cannot be seen is the least delay itself, some milliseconds.
struct ArrivalClock: Sendable {
  /// How long the offset is looked for before the first instant is given.
  static let settling = SensorDuration.milliseconds(500)
  /// Seconds over which the least delay is looked for.
  static let window: Int64 = 10
  /// An offset that is wrong by less stays as it is.
  static let tolerance = SensorDuration.milliseconds(100)
  /// Parts per million by which time runs faster or slower while the offset moves.
  static let slope: Int64 = 200
  /// An offset that is wrong by more is not moved but set.
  static let leap = SensorDuration.seconds(2)
  /// A stamp that is further from the middle one of its message is not a time of this batch.
  private static let spread = SensorDuration.seconds(60)
  /// ns since 1970 or since boot: other stamps are not times. Leaves room for sums.
  static let stamps: ClosedRange<Int64> = 0...4_000_000_000_000_000_000

  /// Times that the line began again after the first time, and times that the offset began to move.
  private(set) var leaps = 0, slews = 0
  /// True when instants may be asked for.
  private(set) var isSettled = false

  /// From here on time is `time` + (stamp − `stamp`), faster by `ppm`.
  private var line = (stamp: Int64(0), time: Int64(0), ppm: Int64(0))
  /// The arrival with which the line began; nil = nothing has arrived.
  private var begin: SensorInstant?
  /// The newest stamp of all.
  private var front = Int64.min
  /// The least difference of arrival and stamp in each second, oldest first.
  private var least: [(second: Int64, difference: Int64)] = []

  /// A message has arrived; `stamp` is the time of its newest sample on the phone's clock, within ``stamps``.
  mutating func observe(newest stamp: Int64, at arrival: SensorInstant) {
    front = max(front, stamp)
    guard let begin else { return start(stamp, arrival, isSettling: true) }
    let difference = arrival.nanoseconds - stamp
    note(difference, at: arrival)
    let floor = least.map(\.difference).min() ?? difference
    guard isSettled else {
      line = (stamp, stamp + floor, 0)
      isSettled = arrival - begin >= Self.settling
      return
    }
    let offset = instant(of: stamp).nanoseconds - stamp
    // One that comes late may have been kept on the phone.
    if floor - offset > Self.leap.nanoseconds, isKnownLongEnough(at: arrival) {
      leaps += 1
      return start(stamp, arrival, isSettling: false)
    }
    steer(error: offset - floor, stamp, at: arrival)
  }

  /// Whether a reading can be one of a message with these stamps, in order: not far from the middle one, and not ahead
  /// of both the others and the clock, because then it has not been measured yet. The others count because a network
  /// that becomes faster brings all of a message ahead of the clock.
  func isPlausible(_ stamp: Int64, among stamps: [Int64], at arrival: SensorInstant) -> Bool {
    let (quarter, middle) = (stamps[stamps.count / 4], stamps[stamps.count / 2])
    guard abs(stamp - middle) <= Self.spread.nanoseconds else { return false }
    return stamp - middle <= 2 * (middle - quarter) + Self.tolerance.nanoseconds
      || isSettled && instant(of: stamp) - arrival <= Self.tolerance
  }

  /// Whether a message may come after those that have: not before them, and ahead by less than a wrong one may cost.
  func continues(_ stamp: Int64, at arrival: SensorInstant) -> Bool {
    begin == nil
      || front - stamp <= Self.leap.nanoseconds && !(isSettled && instant(of: stamp) - arrival > Contest.patience)
  }

  /// When a sample with this stamp was measured.
  func instant(of stamp: Int64) -> SensorInstant {
    let distance = stamp - line.stamp
    return SensorInstant(nanoseconds: line.time + distance + Int64(Double(distance) * Double(line.ppm) * 1e-6))
  }

  /// Nothing that was known of the phone's clock counts.
  mutating func restart() { (begin, isSettled, front, least) = (nil, false, .min, []) }

  private mutating func start(_ stamp: Int64, _ arrival: SensorInstant, isSettling: Bool) {
    begin = arrival
    isSettled = !isSettling
    line = (stamp, arrival.nanoseconds, 0)
    least = []
    note(arrival.nanoseconds - stamp, at: arrival)
  }

  private mutating func note(_ difference: Int64, at arrival: SensorInstant) {
    let second = arrival.nanoseconds / 1_000_000_000
    if let last = least.last, last.second == second {
      least[least.count - 1].difference = min(last.difference, difference)
    } else {
      least.removeAll { $0.second <= second - Self.window }
      least.append((second, difference))
    }
  }

  /// That every message of a whole window came late says something; that a few did says nothing.
  private func isKnownLongEnough(at arrival: SensorInstant) -> Bool {
    arrival - (begin ?? arrival) > .seconds(Self.window) && least.count >= Self.window / 2
  }

  /// Positive error: instants are too late.
  private mutating func steer(error: Int64, _ stamp: Int64, at arrival: SensorInstant) {
    let ppm: Int64
    switch line.ppm {
    case 0 where error > Self.tolerance.nanoseconds: ppm = -Self.slope
    case 0 where error < -Self.tolerance.nanoseconds && isKnownLongEnough(at: arrival): ppm = Self.slope
    case ..<0 where error <= 0: ppm = 0
    case 1... where error >= 0: ppm = 0
    default: return
    }
    if line.ppm == 0 { slews += 1 }
    line = (stamp, instant(of: stamp).nanoseconds, ppm)
  }
}

/// Whether more readings are dropped than kept, counted where that is decided. One that does not go on with those before
/// it is wrong; when most do not, what came before them is: then the clock and the order begin again.
struct Contest: Sendable {
  /// How long readings are dropped before the majority counts.
  static let patience = SensorDuration.seconds(1)

  private var begin: SensorInstant?
  private var kept = 0, dropped = 0

  mutating func keep(_ readings: Int) { kept += readings }

  /// True when more was dropped than kept from the first drop until now; this one begins a new count.
  mutating func drop(_ readings: Int, at now: SensorInstant) -> Bool {
    guard readings > 0 else { return false }
    guard let begin, now - begin < Self.patience else {
      defer { (begin, kept, dropped) = (now, 0, readings) }
      return begin != nil && dropped > kept
    }
    dropped += readings
    return false
  }
}
