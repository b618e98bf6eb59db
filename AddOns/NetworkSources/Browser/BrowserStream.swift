// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// From the batches of one page after the other to samples on our clock, SI, with this package's signs. A value: the
/// same batches at the same times give the same samples.
///
/// Samples wait until the clock is settled (half a second) and the sign of the acceleration is known
/// (``BrowserSigns``); then all of them come.
struct BrowserStream: Sendable {
  /// Samples that wait for a sign, at most: ten seconds of them.
  static let patience = 600

  private(set) var signs = BrowserSigns()
  private var clock = ArrivalClock()
  private var counts = PhoneStatistics()
  private var contest = Contest()
  private var heard: SensorInstant?
  /// Samples that a page can have measured in a second.
  private static let fastest = 1000.0
  private var pastChanges = 0
  private var session: UInt64?
  private var next: UInt32 = 0
  private var last = Int64.min
  private var waiting: [BrowserReading] = []

  /// The samples that are ready after a batch.
  mutating func receive(_ batch: BrowserBatch, at arrival: SensorInstant) -> [SensorSample] {
    counts.received += batch.readings.count
    if batch.session != session {
      // Another page, perhaps of another browser.
      (session, next) = (batch.session, batch.first)
      restart()
    }
    if !goesOn(batch, at: arrival) {
      guard drop(batch.readings.count, at: arrival) else {
        counts.implausible += batch.readings.count
        return []
      }
      next = batch.first
    }
    counts.messages += 1
    heard = arrival
    var readings = batch.readings[...]
    // The page sends again what was not answered. Numbers go round after two years.
    let ahead = ahead(batch)
    counts.lostSamples += max(0, ahead)
    readings = readings.dropFirst(max(0, -ahead))
    counts.repeated += batch.readings.count - readings.count
    guard !readings.isEmpty else { return [] }
    next = batch.first &+ UInt32(batch.readings.count)
    let (count, stamps) = (readings.count, readings.filter(Self.isPlausible).map(Self.stamp).sorted())
    readings.removeAll { !Self.isPlausible($0) || !clock.isPlausible(Self.stamp($0), among: stamps, at: arrival) }
    counts.implausible += count - readings.count
    _ = drop(count - readings.count, at: arrival)
    guard let newest = readings.last else { return [] }
    clock.observe(newest: Self.stamp(newest), at: arrival)
    for reading in readings {
      signs.update(reading)
      if batch.isFaceUp { signs.lieFaceUp(reading) }
    }
    waiting += readings
    return ready(at: arrival)
  }

  private func ahead(_ batch: BrowserBatch) -> Int { Int(Int32(truncatingIfNeeded: batch.first &- next)) }

  /// Whether the page can have counted that far, and measured then.
  private func goesOn(_ batch: BrowserBatch, at arrival: SensorInstant) -> Bool {
    let most = Double(Self.patience) + Self.fastest * (heard.map { arrival - $0 } ?? .zero).seconds
    let times = batch.readings.filter(Self.isPlausible).map(Self.stamp).sorted()
    return abs(Double(ahead(batch))) <= most && (times.isEmpty || clock.continues(times[times.count / 2], at: arrival))
  }

  /// Everything that happened so far.
  var statistics: PhoneStatistics {
    var all = counts
    all.waiting = waiting.count
    (all.changes, all.leaps) = (pastChanges + signs.changes, clock.leaps)
    return all
  }

  /// Readings are not kept; when most are not, all begins again: true.
  private mutating func drop(_ readings: Int, at now: SensorInstant) -> Bool {
    guard contest.drop(readings, at: now) else { return false }
    counts.restarts += 1
    restart()
    return true
  }

  private mutating func restart() {
    counts.undecided += waiting.count
    pastChanges += signs.changes
    (waiting, signs) = ([], BrowserSigns())
    clock.restart()
    contest = Contest()
  }

  private mutating func ready(at now: SensorInstant) -> [SensorSample] {
    guard clock.isSettled, signs.acceleration != .unknown else {
      let surplus = max(0, waiting.count - Self.patience)
      counts.undecided += surplus
      waiting.removeFirst(surplus)
      return []
    }
    let samples = waiting.compactMap { reading -> SensorSample? in
      let time = clock.instant(of: Self.stamp(reading))
      guard time.nanoseconds > last, let (rate, force) = signs.inertial(reading) else { return nil }
      last = time.nanoseconds
      return .inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))
    }
    let dropped = waiting.count - samples.count
    waiting.removeAll(keepingCapacity: true)
    counts.notAscending += dropped
    counts.samples += samples.count
    counts.taken += samples.count
    contest.keep(samples.count)
    _ = drop(dropped, at: now)
    return samples
  }

  private static func stamp(_ reading: BrowserReading) -> Int64 { Int64(reading.time * 1e6) }

  /// Finite; a time within a century of the page; within what phones can measure: 100 g and ten turns a second.
  private static func isPlausible(_ reading: BrowserReading) -> Bool {
    let a = reading.acceleration
    return reading.time >= 0 && reading.time < 3e12
      && [a.x, a.y, a.z].allSatisfy { abs($0) < 1000 }
      && [reading.alpha, reading.beta, reading.gamma].allSatisfy { abs($0) < 3600 }
  }
}
