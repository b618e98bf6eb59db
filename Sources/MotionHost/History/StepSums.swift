// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionServices

/// Counts of epochs, whole or in parts: steps, millimetres, milliseconds, floors.
///
/// What has been counted up to a date grows evenly within an epoch, and is rounded at the date: the answer about a
/// range is the difference of two such counts, and an edge that two ranges share is rounded once. So ranges that adjoin
/// add up.
package struct StepSums: Sendable {
  package var steps = 0.0, millimetres = 0.0, active = 0.0
  /// Nil = no epoch had a barometer.
  package var floorsUp, floorsDown: Double?

  /// Nothing.
  package init() {}

  /// As a history keeps an epoch: to the millimetre and the millisecond.
  package init(_ epoch: StepEpoch) {
    (steps, floorsUp, floorsDown) =
      (Double(epoch.steps), epoch.floorsAscended.map { Double($0) }, epoch.floorsDescended.map { Double($0) })
    (millimetres, active) = ((epoch.distance * 1000).rounded(), (epoch.activeTime * 1000).rounded())
  }

  package mutating func add(_ other: StepSums) {
    steps += other.steps
    millimetres += other.millimetres
    active += other.active
    if let floors = other.floorsUp { floorsUp = (floorsUp ?? 0) + floors }
    if let floors = other.floorsDown { floorsDown = (floorsDown ?? 0) + floors }
  }

  /// What an epoch of these counts that lasts from `start` to `end` has counted before a time.
  package func part(before time: Int64, from start: Int64, to end: Int64) -> StepSums {
    guard start < end, start < time else { return StepSums() }
    let factor = Double(time - start) / Double(end - start)
    var sums = self
    (sums.steps, sums.millimetres, sums.active) = (steps * factor, millimetres * factor, active * factor)
    (sums.floorsUp, sums.floorsDown) = (floorsUp.map { $0 * factor }, floorsDown.map { $0 * factor })
    return sums
  }

  /// What was counted between two edges, with these whole epochs.
  package func totals(from before: StepSums, to after: StepSums) -> StepTotals {
    func difference(_ value: Double, _ before: Double, _ after: Double) -> Double {
      value + (after + 0.5).rounded(.down) - (before + 0.5).rounded(.down)
    }
    func floors(_ path: KeyPath<StepSums, Double?>) -> Int? {
      guard self[keyPath: path] ?? before[keyPath: path] ?? after[keyPath: path] != nil else { return nil }
      return Int(
        exactly: difference(self[keyPath: path] ?? 0, before[keyPath: path] ?? 0, after[keyPath: path] ?? 0))
    }
    var totals = StepTotals()
    totals.steps = Int(exactly: difference(steps, before.steps, after.steps)) ?? 0
    totals.distance = difference(millimetres, before.millimetres, after.millimetres) / 1000
    totals.activeTime = difference(active, before.active, after.active) / 1000
    (totals.floorsAscended, totals.floorsDescended) = (floors(\.floorsUp), floors(\.floorsDown))
    return totals
  }
}
