// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import OrientationFusion

extension OrientationFilterLanes {
  /// Offers each stream its next event and takes those that it can; returns the streams whose event is done.
  ///
  /// For streams that do not go in step. Offer the same event again until it is done; then ``reading(lane:)`` says what came
  /// of it. A stream whose block is full is done with the event that filled it when all others have come so far or have
  /// nothing more: so the correction is made for all at once, whatever the rates.
  ///
  /// Every call makes at least one stream's event done or corrects those that wait.
  public mutating func advance(_ events: borrowing LaneArray<OrientationEvent?>) -> LaneSet {
    var (rates, forces, fields, orders) = (LaneSet(), LaneSet(), LaneSet(), LaneSet())
    var (x, y, z) = (LaneNumbers.zero, LaneNumbers.zero, LaneNumbers.zero)
    var deviation = LaneNumbers.zero
    var times = LaneTimes.zero
    for lane in 0..<Self.count {
      let bit = LaneSet(lane: lane)
      guard let event = events[lane], !waiting.contains(bit) else { continue }
      switch event {
      case .angularVelocity(let v, let time):
        rates.insert(bit)
        (x[lane], y[lane], z[lane], times[lane]) = (LaneNumber(v.x), LaneNumber(v.y), LaneNumber(v.z), time)
      case .specificForce(let v, let time):
        forces.insert(bit)
        (x[lane], y[lane], z[lane], times[lane]) = (LaneNumber(v.x), LaneNumber(v.y), LaneNumber(v.z), time)
      case .magneticField(let v, let remaining, let time):
        fields.insert(bit)
        (x[lane], y[lane], z[lane], times[lane]) = (LaneNumber(v.x), LaneNumber(v.y), LaneNumber(v.z), time)
        deviation[lane] = LaneNumber(remaining)
      case .forgottenHeading: orders.insert(bit)
      }
    }
    let ready = rates.union(forces).union(fields).union(orders)
    guard !ready.isEmpty else {
      let done = waiting
      closeBlocks()
      return done
    }
    if !rates.isEmpty { update(angularVelocity: x, y, z, atNanoseconds: times, in: rates) }
    // The rest is for streams that do not wait: their blocks are open.
    if !forces.isEmpty { update(specificForce: x, y, z, atNanoseconds: times, in: forces) }
    if !fields.isEmpty {
      update(magneticField: x, y, z, hardIronDeviation: deviation, atNanoseconds: times, in: fields)
    }
    orders.forEach { forgetHeading(lane: $0) }
    return ready.subtracting(waiting)
  }
}
