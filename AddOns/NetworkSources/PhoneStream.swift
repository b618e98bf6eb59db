// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
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
  private var order = MessageOrder()
  private var counts = PhoneStatistics()
  /// The last time of each kind of sample, by its bit.
  private var lasts = [Int64](repeating: .min, count: 16)
  private var samples: [SensorSample] = []
  private var isChosen = false
  /// The recordings so far of which late messages are known, and when the present one began.
  private var sessions: [String] = []
  private var begun: SensorInstant?
  private var hasSaid = (sensors: false, doubt: false)

  private static let rememberedSessions = 8

  init(device: PhoneDevice, units: PhoneUnits) { interpreter = PhoneInterpreter(device: device, units: units) }

  /// Takes a message of the app; true when it has readings of the device. One of a recording that is over comes too late.
  mutating func receive(_ message: SensorLoggerMessage, at arrival: SensorInstant) -> Bool {
    guard let number = message.number else { return false }
    if sessions.last != message.session {
      guard !sessions.contains(message.session) else {
        counts.lateMessages += 1
        return false
      }
      if !sessions.isEmpty { restart() }
      begun = arrival
      sessions = Array((sessions + [message.session]).suffix(Self.rememberedSessions))
    }
    let isOurs = message.readings.contains { interpreter.device.sensors.contains($0.sensor) }
    // Messages of the others are numbered, too.
    receive(
      isOurs ? message.readings : [], number: number, at: arrival, hasAccuracy: isOurs && message.hasAccuracy)
    return isOurs
  }

  /// Takes the readings of a message.
  mutating func receive(
    _ readings: [PhoneReading], number: Int64, at arrival: SensorInstant, hasAccuracy: Bool = false
  ) {
    if hasAccuracy { interpreter.units.learnAccuracy() }
    let readings = plausible(readings)
    guard order.insert(readings, number: number, at: arrival) else { return }
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

  /// When ``next(at:)`` gives something without a further message; nil = only a message helps.
  var deadline: SensorInstant? { clock.isSettled ? order.deadline : nil }

  /// Another recording of the app begins: its numbers, and perhaps its sensors and settings, are new. What waited is
  /// lost.
  mutating func restart() {
    counts.lostMessages += order.restart()
    clock.restart()
    interpreter.restart()
    isChosen = false
    hasSaid = (false, false)
  }

  /// What has been delivered so far.
  var kinds: SensorKinds {
    lasts.enumerated().reduce(into: []) { if $1.element != .min { $0.insert(SensorKinds(rawValue: 1 << $1.offset)) } }
  }

  /// A sentence about units that a person should hear; nil while they are not known, or all is well.
  var doubt: String? { isChosen ? interpreter.units.doubt : nil }

  /// What a person should hear once of a recording: what the phone sends, when every sensor has had the time to, and
  /// that its units are in doubt.
  mutating func news(at now: SensorInstant) -> (notice: String?, warning: String?) {
    var news: (notice: String?, warning: String?)
    if !hasSaid.sensors, let begun, now - begun > .seconds(2), !kinds.isEmpty {
      hasSaid.sensors = true
      news.notice = "The phone sends: \(kinds.names.joined(separator: ", "))."
    }
    if !hasSaid.doubt, let doubt {
      hasSaid.doubt = true
      news.warning = doubt
    }
    return news
  }

  /// Everything that happened so far.
  var statistics: PhoneStatistics {
    var all = counts
    (all.lostMessages, all.reorderedMessages) = (all.lostMessages + order.lost, order.reordered)
    (all.lateMessages, all.repeatedMessages) = (all.lateMessages + order.late, order.repeated)
    (all.ignored, all.unpaired) = (interpreter.ignored, interpreter.unpaired)
    all.leaps = clock.leaps
    return all
  }
}

/// Brings numbered messages into their order, and counts what the network did to them.
///
/// A message whose predecessor is missing waits for it, at most ``patience`` and in a queue of at most ``capacity``;
/// then the predecessor counts as lost. In the beginning all wait until ``release()``, because the first to arrive need
/// not be the first.
struct MessageOrder: Sendable {
  /// How long a gap may stay open: longer than what Wi-Fi delays, shorter than what a person notices twice.
  static let patience = SensorDuration.milliseconds(500)
  /// Messages that wait, at most.
  static let capacity = 64

  /// Messages that arrived before a lower number; that never came; that came after they had been given up, or again.
  private(set) var reordered = 0, lost = 0, late = 0, repeated = 0

  private var waiting: [(number: Int64, arrival: SensorInstant, message: [PhoneReading])] = []
  /// The number that comes next; nil = not known yet.
  private var next: Int64?
  private var isReleased = false

  /// Takes a message; false when it is too late or there already.
  mutating func insert(_ message: [PhoneReading], number: Int64, at arrival: SensorInstant) -> Bool {
    if let next, number < next {
      guard next.clamped(minus: number) > Int64(Self.capacity) else {
        late += 1
        return false
      }
      // Far behind: the phone counts from the beginning again.
      self.next = nil
    }
    let index = waiting.lastIndex { $0.number <= number }.map { $0 + 1 } ?? 0
    if index > 0, waiting[index - 1].number == number {
      repeated += 1
      return false
    }
    if index < waiting.count { reordered += 1 }
    waiting.insert((number, arrival, message), at: index)
    return true
  }

  /// From now on messages come out.
  mutating func release() { isReleased = true }

  /// The next message, or nil when it has to wait.
  mutating func pop(at now: SensorInstant) -> [PhoneReading]? {
    guard isReleased, let first = waiting.first else { return nil }
    if let next, first.number > next {
      guard waiting.count > Self.capacity || now >= first.arrival + Self.patience else { return nil }
      lost += Int(claimed: first.number.clamped(minus: next))
    }
    next = first.number.clamped(plus: 1)
    return waiting.removeFirst().message
  }

  /// When the first message that waits is let through; nil when none waits for a lower number.
  var deadline: SensorInstant? {
    guard isReleased else { return nil }
    return waiting.first.map { $0.arrival + Self.patience }
  }

  /// Another recording begins, with numbers of its own; returns how many messages of the old one waited.
  mutating func restart() -> Int {
    defer {
      waiting = []
      next = nil
      isReleased = false
    }
    return waiting.count
  }
}

/// What has happened to the messages of a phone and to their samples. Nothing is dropped in silence.
struct PhoneStatistics: Sendable, Hashable {
  /// Messages that were accepted, and samples made of them.
  var messages = 0, samples = 0

  // MARK: The network

  /// Messages that never came; that came after later ones and were put in order; too late; again.
  var lostMessages = 0, reorderedMessages = 0, lateMessages = 0, repeatedMessages = 0
  /// Messages that were refused: not readable, of a second phone, of a page that was replaced, or more than can be taken
  /// at once.
  var malformedMessages = 0, otherPhones = 0, replacedPages = 0, overflows = 0
  /// Samples that a page had to drop (the network was away for longer than it keeps them); that came twice.
  var lostSamples = 0, repeatedSamples = 0

  // MARK: Readings

  /// Not numbers, or without a time; further than a minute from the others of their message, or beyond any sensor.
  var unreadable = 0, implausible = 0
  /// Not later than the one of the same sensor before.
  var notAscending = 0
  /// Of a sensor that is not used, because a better one is there or because it is another device's; halves without a
  /// whole; given up because their sign stayed unknown.
  var ignored = 0, unpaired = 0, undecided = 0

  // MARK: The clock and the signs

  /// Times that the phone's clock was set to ours again, and that data contradicted the signs that had been found.
  var leaps = 0, changes = 0

  /// What was lost or refused, as one sentence; nil when nothing was.
  var losses: String? {
    let all: [(Int, String)] = [
      (lostMessages, "messages never came"), (lateMessages, "messages came too late"),
      (malformedMessages, "messages were not readable"), (otherPhones, "messages of another phone were refused"),
      (replacedPages, "messages of a page that another one had replaced were refused"),
      (overflows, "messages were more than could be taken at once"),
      (lostSamples, "samples were lost on the phone while the network was away"),
      (unreadable, "readings were no numbers"), (implausible, "readings cannot be right in time or size"),
      (notAscending, "readings were not newer than the last"), (unpaired, "readings had no other half"),
      (undecided, "readings were given up because their sign was not known"),
      (leaps, "times the clocks were set to each other again"),
      (changes, "times the signs or axes were found to be others"),
    ]
    let said = all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return said.isEmpty ? nil : "Of \(messages) messages with \(samples) samples: \(said.joined(separator: ", "))."
  }
}
