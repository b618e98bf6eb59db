// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// From the messages of a phone, as the network delivers them, to samples in order and on our clock. A value: the same
/// messages at the same times give the same samples.
///
/// ```swift
/// stream.receive(readings, number: 17, at: arrival)
/// while let samples = stream.next(at: now) { … }
/// ```
///
/// The steps: implausible stamps out, clock, order by number, units, order by time, and no sensor's time goes back.
struct PhoneStream: Sendable {
  /// Between samples of different sensors: an app sends each sensor's share of a batch, and not all are equally fresh.
  static let reordering = SensorDuration.milliseconds(100)
  /// A stamp that is further from the middle one of its message is not a time of this batch.
  private static let spread: Int64 = 60_000_000_000

  private(set) var interpreter: PhoneInterpreter
  private var clock = ArrivalClock()
  private var order = MessageOrder<[PhoneReading]>()
  private var counts = PhoneStatistics()
  /// The last time of each kind of sample, by its bit.
  private var lasts = [Int64](repeating: .min, count: 16)
  /// For transports without numbers.
  private var count: Int64 = 0
  private var samples: [SensorSample] = []

  init(device: PhoneDevice, units: PhoneUnits) { interpreter = PhoneInterpreter(device: device, units: units) }

  /// Takes a message; without a number it follows the one before.
  mutating func receive(
    _ readings: [PhoneReading], number: Int64? = nil, at arrival: SensorInstant, hasAccuracy: Bool = false
  ) {
    if hasAccuracy { interpreter.units.learnAccuracy() }
    let readings = plausible(readings)
    defer { count += 1 }
    guard order.insert(readings, number: number ?? count, at: arrival) else { return }
    counts.messages += 1
    guard let newest = readings.last else { return }
    if !clock.isSettled { interpreter.learn(readings) }
    clock.observe(newest: newest.stamp, at: arrival)
  }

  /// The readings in order of time, without those whose stamp cannot be right.
  private mutating func plausible(_ readings: [PhoneReading]) -> [PhoneReading] {
    let sorted = readings.sorted { $0.stamp < $1.stamp }
    guard let first = sorted.first, let last = sorted.last, last.stamp - first.stamp > Self.spread else {
      return sorted
    }
    let middle = sorted[sorted.count / 2].stamp
    let kept = sorted.filter { abs($0.stamp - middle) <= Self.spread }
    counts.implausible += sorted.count - kept.count
    return kept
  }

  /// The samples of the next message, or nil when it has to wait. May be empty.
  mutating func next(at now: SensorInstant) -> [SensorSample]? {
    guard clock.isSettled else { return nil }
    if !isChosen {
      isChosen = true
      interpreter.choose()
      order.release()
    }
    guard let readings = order.pop(at: now) else { return nil }
    samples.removeAll(keepingCapacity: true)
    for reading in readings { interpreter.append(reading, to: &samples) }
    return samples.compactMap { sample in
      let time = clock.instant(of: sample.time.nanoseconds)
      let kind = sample.kinds.rawValue.trailingZeroBitCount
      guard time.nanoseconds > lasts[kind] else {
        counts.notAscending += 1
        return nil
      }
      lasts[kind] = time.nanoseconds
      counts.samples += 1
      return sample.moved(to: time)
    }
  }
  private var isChosen = false

  /// When ``next(at:)`` gives something without a further message; nil = only a message helps.
  var deadline: SensorInstant? { clock.isSettled ? order.deadline : nil }

  /// Another recording of the app begins: its numbers, and perhaps its sensors and settings, are new. What waited is
  /// lost.
  mutating func restart() {
    counts.lostMessages += order.restart().count
    clock.restart()
    interpreter.restart()
    isChosen = false
  }

  /// What has been delivered so far.
  var kinds: SensorKinds {
    lasts.enumerated().reduce(into: []) { if $1.element != .min { $0.insert(SensorKinds(rawValue: 1 << $1.offset)) } }
  }

  /// A sentence about units that a person should hear; nil while they are not known, or all is well.
  var doubt: String? { isChosen ? interpreter.units.doubt : nil }

  /// Everything that happened so far.
  var statistics: PhoneStatistics {
    var all = counts
    (all.lostMessages, all.reorderedMessages) = (all.lostMessages + order.lost, order.reordered)
    (all.lateMessages, all.repeatedMessages) = (order.late, order.repeated)
    (all.ignored, all.unpaired) = (interpreter.ignored, interpreter.unpaired)
    (all.leaps, all.slews) = (clock.leaps, clock.slews)
    return all
  }
}
