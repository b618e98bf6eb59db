// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The times of samples of a logger that notes the time of one sample in each block.
///
/// A crystal runs a few per cent beside the rate that the device is set to, and warmth moves it; its clock is better.
/// So the times lie on straight lines from the noted time of one block, its anchor, to that of the next. Where two
/// anchors do not belong together, because of a pause or a restart, each block goes on at the last rate known.
/// Times are ns, intervals are ns · 2¹⁶, so that nothing is rounded on the way and nothing is converted.
struct BlockClock {
  /// A time that was noted and the sample, counted from the first of its block, at which it held.
  struct Anchor {
    var time: Int64
    var sample: Int64
  }

  /// Between samples, as the device was set.
  let interval: Int64
  /// By which the way between two anchors may differ from the set rate beyond a tenth: the grain of the noted times.
  let grain: Int64

  /// `rate` in Hz, 1…100000. Nil beyond it.
  init?(rate: Double, grain: Int64) {
    guard (1...100_000).contains(rate), let interval = Int64(exactly: (65_536e9 / rate).rounded()) else { return nil }
    (self.interval, self.grain) = (interval, grain)
  }

  /// The interval between two anchors of which the second block begins `samples` after the first; nil where they do not
  /// belong together.
  func interval(from first: Anchor, to second: Anchor, samples: Int64) -> Int64? {
    let count = samples &+ second.sample &- first.sample
    let time = second.time &- first.time
    // An hour: 3.6e12 ns · 2¹⁶ is far below 2⁶³.
    guard count > 0, count < 1 << 24, time > 0, time < 3_600_000_000_000 else { return nil }
    let expected = count.multipliedReportingOverflow(by: interval >> 16)
    guard !expected.overflow,
      (time &- expected.partialValue).magnitude <= (expected.partialValue / 10 &+ grain).magnitude
    else { return nil }
    return time << 16 / count
  }

  /// The time of a sample at `interval` from the anchor.
  static func time(_ sample: Int64, _ anchor: Anchor, _ interval: Int64) -> Int64 {
    anchor.time &+ ((sample &- anchor.sample) &* interval) >> 16
  }

  /// The times of a block: `before` its anchor one interval, `after` it another.
  static func fill(_ times: inout [Int64], count: Int, _ anchor: Anchor, before: Int64, after: Int64) {
    var places = times.mutableSpan
    let (count, bend) = (min(count, places.count), Int(clamping: anchor.sample))
    for index in 0..<max(0, min(bend, count)) { places[index] = time(Int64(index), anchor, before) }
    for index in max(0, min(bend, count))..<count { places[index] = time(Int64(index), anchor, after) }
  }
}

/// Gives the blocks of a logger their times; each must wait for the one behind it.
struct BlockTimes {
  /// What a block says of its place.
  struct Mark {
    var anchor: BlockClock.Anchor
    var count: Int
    /// Blocks of one session are numbered.
    var session: UInt32
    var number: Int64
  }

  /// The interval from the block before to this one, where they belong together.
  private var before: Int64?
  /// The last interval that was measured.
  private var last: Int64?

  /// Fills in the times of a block whose successor is known, nil = none; `newest` is the last time that was given.
  mutating func fill(
    _ times: inout [Int64], _ mark: Mark, next: Mark?, clock: BlockClock, newest: Int64
  ) {
    let after = next.flatMap { Self.interval(from: mark, to: $0, clock) }
    let usual = last ?? clock.interval
    var first = before ?? after ?? usual
    // A block after a pause or a restart is placed by the set rate only: it must not reach back into what was before it.
    let room = mark.anchor.time.subtractingReportingOverflow(newest)
    if mark.anchor.sample > 0, !room.overflow, room.partialValue > 0, room.partialValue < 60_000_000_000 {
      first = min(first, room.partialValue << 16 / (mark.anchor.sample &+ 1))
    }
    BlockClock.fill(&times, count: mark.count, mark.anchor, before: first, after: after ?? before ?? usual)
    last = after ?? last
    before = after
  }

  /// The interval between the anchors of two blocks of one session, of which some between may be lost.
  private static func interval(from first: Mark, to second: Mark, _ clock: BlockClock) -> Int64? {
    let blocks = second.number &- first.number
    guard first.session == second.session, blocks > 0, blocks < 1 << 16 else { return nil }
    return clock.interval(from: first.anchor, to: second.anchor, samples: blocks &* Int64(first.count))
  }
}
