// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import OrientationFusion

#if SINGLE_PRECISION
import OrientationFusionFloat
#endif

// How a stream leaves its lane and comes back.
extension OrientationFilterLanes {
  /// Seconds between two times of each stream, made as the single filter makes them.
  @inline(__always)
  static func seconds(from start: LaneTimes, to end: LaneTimes) -> Lanes {
    // Added to the bits of 1.5 · 2⁵², an integer of up to 51 bits is that number's fraction: subtracted again, a number.
    // Beyond them, or where the difference wraps round, what comes out is negative, no number, or centuries: never an
    // ordinary interval, and the single filter judges.
    let large = 6_755_399_441_055_744.0
    let bits = (end &- start) &+ LaneTimes(repeating: Int64(bitPattern: large.bitPattern))
    let seconds = (unsafeBitCast(bits, to: LaneDoubles.self) - large) * 1e-9
    return Lanes(LaneNumbers(seconds))
  }

  /// The streams of `set` that stay in their lanes; those for which the reading is out of the ordinary leave.
  @inline(__always)
  mutating func stay(_ set: LaneSet, where isOrdinary: Mask) -> LaneSet {
    let active = set.intersection(aboard)
    guard !active.isEmpty else { return [] }
    let ordinary = all(isOrdinary) ? LaneSet.all : isOrdinary.set
    guard !active.isSubset(of: ordinary) else { return active }
    active.subtracting(ordinary).forEach { leave($0) }
    return active.intersection(ordinary)
  }

  /// Notes the times of the streams of `set`.
  @inline(__always)
  static func take(_ times: LaneTimes, of set: LaneSet, into latest: inout LaneTimes) {
    for lane in 0..<LaneSet.count where set.contains(LaneSet(lane: lane)) { latest[lane] = times[lane] }
  }

  /// Moves a stream from its lane into its own filter.
  @inline(never)
  mutating func leave(_ lane: Int) {
    let bit = LaneSet(lane: lane)
    guard aboard.contains(bit) else { return }
    aboard.subtract(bit)
    waiting.subtract(bit)
    var numbers = InlineArray<800, LaneNumber>(repeating: 0)
    var masks = InlineArray<4, Bool>(repeating: false)
    var (n, m) = (0, 0)
    filter.state.visit(
      number: {
        numbers[n] = $0[lane]
        n += 1
      },
      mask: {
        masks[m] = $0[lane]
        m += 1
      })
    (n, m) = (0, 0)
    singles[lane].visit(
      number: {
        $0 = numbers[n]
        n += 1
      },
      mask: {
        $0 = masks[m]
        m += 1
      })
    singles[lane].take(
      SingleFilter.SampleTimes(
        gyroscope: gyroscopeTime[lane], specificForce: specificForceTime[lane],
        magneticField: magneticFieldTime[lane]))
  }

  /// Moves a stream from its own filter into its lane, if it is fit for that.
  @inline(never)
  mutating func board(_ lane: Int) {
    guard let times = singles[lane].timesForLane else { return }
    aboard.insert(LaneSet(lane: lane))
    gyroscopeTime[lane] = times.gyroscope
    specificForceTime[lane] = times.specificForce
    magneticFieldTime[lane] = times.magneticField
    var numbers = InlineArray<800, LaneNumber>(repeating: 0)
    var masks = InlineArray<4, Bool>(repeating: false)
    var (n, m) = (0, 0)
    singles[lane].visit(
      number: {
        numbers[n] = $0
        n += 1
      },
      mask: {
        masks[m] = $0
        m += 1
      })
    (n, m) = (0, 0)
    filter.state.visit(
      number: {
        $0[lane] = numbers[n]
        n += 1
      },
      mask: {
        $0[lane] = masks[m]
        m += 1
      })
  }
}
