// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// What has happened to the samples of a phone's browser. Nothing is dropped in silence.
struct BrowserStatistics: Sendable, Hashable {
  /// Batches that were taken, samples made of them, and pages that sent.
  var batches = 0, samples = 0, pages = 0
  /// Samples that the page had to drop (the network was away for longer than it keeps them); that came twice.
  var lost = 0, repeated = 0
  /// Readings that were not finite or beyond any sensor, and those not later than the one before.
  var implausible = 0, notAscending = 0
  /// Samples given up because their sign stayed unknown.
  var undecided = 0
  /// Batches that were not readable, of a second phone, of a page that was replaced, and more than could be taken.
  var malformed = 0, otherPhones = 0, replacedPages = 0, overflows = 0
  /// Times that data contradicted the signs or the order of axes that had been found, and that the clock was set again.
  var changes = 0, leaps = 0

  /// What was lost or refused, as one sentence; nil when nothing was.
  var losses: String? {
    let all: [(Int, String)] = [
      (lost, "samples were lost on the phone while the network was away"),
      (implausible, "samples were no motion that a sensor measures"),
      (notAscending, "samples were not later than the last"),
      (undecided, "samples were given up because their sign was not known"),
      (malformed, "batches were not readable"), (otherPhones, "batches of another phone were refused"),
      (replacedPages, "batches of a page that another one had replaced were refused"),
      (overflows, "batches were more than could be taken at once"),
      (changes, "times the signs or axes were found to be others"),
      (leaps, "times the clocks were set to each other"),
    ]
    let said = all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return said.isEmpty ? nil : "Of \(samples) samples in \(batches) batches: \(said.joined(separator: ", "))."
  }
}

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
  private var counts = BrowserStatistics()
  private var pastChanges = 0
  private var session: UInt64?
  private var next: UInt32 = 0
  private var last = Int64.min
  private var waiting: [BrowserReading] = []

  /// The samples that are ready after a batch.
  mutating func receive(_ batch: BrowserBatch, at arrival: SensorInstant) -> [SensorSample] {
    if batch.session != session { begin(batch) }
    counts.batches += 1
    var readings = batch.readings[...]
    // The page sends again what was not answered. Numbers go round after two years.
    let ahead = Int(Int32(truncatingIfNeeded: batch.first &- next))
    if ahead > 0 { counts.lost += ahead }
    if ahead < 0 {
      counts.repeated += min(-ahead, readings.count)
      readings = readings.dropFirst(-ahead)
    }
    guard !readings.isEmpty else { return [] }
    next = batch.first &+ UInt32(batch.readings.count)
    readings.removeAll { reading in
      guard !Self.isPlausible(reading) else { return false }
      counts.implausible += 1
      return true
    }
    guard let newest = readings.last else { return [] }
    clock.observe(newest: Self.stamp(newest), at: arrival)
    for reading in readings {
      signs.update(reading)
      if batch.isFaceUp { signs.lieFaceUp(reading) }
    }
    waiting += readings
    return ready()
  }

  /// Everything that happened so far.
  var statistics: BrowserStatistics {
    var all = counts
    (all.changes, all.leaps) = (pastChanges + signs.changes, clock.leaps)
    return all
  }

  /// Another page, perhaps of another browser.
  private mutating func begin(_ batch: BrowserBatch) {
    counts.pages += 1
    counts.undecided += waiting.count
    pastChanges += signs.changes
    (session, next, waiting, signs) = (batch.session, batch.first, [], BrowserSigns())
    clock.restart()
  }

  private mutating func ready() -> [SensorSample] {
    guard clock.isSettled, signs.acceleration != .unknown else {
      let surplus = max(0, waiting.count - Self.patience)
      counts.undecided += surplus
      waiting.removeFirst(surplus)
      return []
    }
    defer { waiting.removeAll(keepingCapacity: true) }
    return waiting.compactMap { reading in
      let time = clock.instant(of: Self.stamp(reading))
      guard time.nanoseconds > last, let (rate, force) = signs.inertial(reading) else {
        counts.notAscending += 1
        return nil
      }
      last = time.nanoseconds
      counts.samples += 1
      return .inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))
    }
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
