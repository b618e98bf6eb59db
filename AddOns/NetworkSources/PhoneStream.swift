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

  private(set) var interpreter: PhoneInterpreter
  private var clock = ArrivalClock()
  private var order = MessageOrder()
  private var counts = PhoneStatistics()
  /// The last time of each kind of sample, by its bit.
  private var lasts = [Int64](repeating: .min, count: 16)
  private var samples: [SensorSample] = []
  private var isChosen = false
  /// The present recording, when it began, and when the last of its messages was taken.
  private var session: String?
  private var begun: SensorInstant?, heard: SensorInstant?
  private var contest = Contest()
  private var beginning: String?
  private var hasSaid = (sensors: false, doubt: false)

  init(device: PhoneDevice, units: PhoneUnits) { interpreter = PhoneInterpreter(device: device, units: units) }

  /// Takes what a message of the app has of the device; false when it is refused, or nothing of it is kept.
  mutating func receive(_ message: SensorLoggerMessage, at arrival: SensorInstant) -> Bool {
    guard let number = message.number, let session = message.session else { return false }
    let own = message.readings.filter { interpreter.device.sensors.contains($0.sensor) }
    // Messages of the others are numbered, too.
    return receive(own, number: number, of: session, at: arrival, hasAccuracy: !own.isEmpty && message.hasAccuracy)
  }

  /// Takes the readings of a message.
  @discardableResult mutating func receive(
    _ readings: [PhoneReading], number: Int64, of session: String = "", at arrival: SensorInstant,
    hasAccuracy: Bool = false
  ) -> Bool {
    counts.received += readings.count
    let sorted = readings.sorted { $0.stamp < $1.stamp }
    let silence = heard.map { arrival - $0 } ?? .zero
    if self.session == nil {
      (self.session, begun) = (session, arrival)
    } else if session != self.session, silence >= ArrivalClock.settling {
      restart(session, at: arrival, "Another recording of the phone begins")
    } else if let refusal = refusal(number, session, silence) {
      guard drop(sorted.count, of: session, at: arrival) else {
        counts[keyPath: refusal] += sorted.count
        return refusal == \.repeated
      }
    }
    var kept = plausible(sorted, number, at: arrival)
    if drop(sorted.count - kept.count, of: session, at: arrival) { kept = plausible(sorted, number, at: arrival) }
    if hasAccuracy { interpreter.units.learnAccuracy() }
    counts.implausible += sorted.count - kept.count
    // Without readings, too: its number has come.
    order.insert(kept, number: number, at: arrival)
    counts.messages += 1
    heard = arrival
    guard let newest = kept.last else { return false }
    if !clock.isSettled { interpreter.learn(kept) }
    clock.observe(newest: newest.stamp, at: arrival)
    return true
  }

  /// Why a message does not go on with those that were taken, as what its readings are counted; nil when it does.
  private func refusal(
    _ number: Int64, _ session: String, _ silence: SensorDuration
  ) -> WritableKeyPath<PhoneStatistics, Int>? {
    if session != self.session { return \.otherSession }
    if order.isLate(number) { return \.late }
    if order.holds(number) { return \.repeated }
    return order.mayCome(number, after: silence) ? nil : \.implausible
  }

  /// The readings whose stamps can be right.
  private func plausible(_ sorted: [PhoneReading], _ number: Int64, at arrival: SensorInstant) -> [PhoneReading] {
    let stamps = sorted.map(\.stamp)
    guard !order.isLast(number) || stamps.isEmpty || clock.continues(stamps[stamps.count / 2], at: arrival) else {
      return []
    }
    return sorted.filter { clock.isPlausible($0.stamp, among: stamps, at: arrival) }
  }

  /// Readings are not kept; when most are not, all begins again: true.
  private mutating func drop(_ readings: Int, of session: String, at now: SensorInstant) -> Bool {
    guard contest.drop(readings, at: now) else { return false }
    counts.restarts += 1
    restart(session, at: now, "Most of what the phone sends did not go on with what came before")
    return true
  }

  /// The samples of the next message, or nil when it has to wait. May be empty.
  mutating func next(at now: SensorInstant) -> [SensorSample]? {
    guard clock.isSettled else { return nil }
    if !isChosen {
      isChosen = true
      interpreter.choose()
    }
    guard let session, let readings = order.pop(at: now) else { return nil }
    var (result, dropped): ([SensorSample], Int) = ([], 0)
    for reading in readings {
      samples.removeAll(keepingCapacity: true)
      let used = interpreter.append(reading, to: &samples)
      let before = result.count
      for sample in samples {
        let time = clock.instant(of: sample.time.nanoseconds)
        let kind = sample.kinds.rawValue.trailingZeroBitCount
        guard time.nanoseconds > lasts[kind] else { continue }
        lasts[kind] = time.nanoseconds
        result.append(sample.moved(to: time))
      }
      if result.count > before || samples.isEmpty { counts.taken += used } else { dropped += used }
    }
    counts.samples += result.count
    counts.notAscending += dropped
    contest.keep(readings.count - dropped)
    _ = drop(dropped, of: session, at: now)
    return result
  }

  /// When ``next(at:)`` gives something without a further message; nil = only a message helps.
  var deadline: SensorInstant? { clock.isSettled ? order.deadline : nil }

  /// The clock, the order of the numbers, and perhaps the sensors and settings are new. What waited is lost.
  private mutating func restart(_ session: String, at arrival: SensorInstant, _ reason: String) {
    counts.late += order.waitingReadings
    counts.lostMessages += order.lost
    counts.reorderedMessages += order.reordered
    order = MessageOrder()
    clock.restart()
    interpreter.restart()
    isChosen = false
    hasSaid = (false, false)
    (self.session, begun, contest) = (session, arrival, Contest())
    beginning = "\(reason): its clock and the order of its messages start again."
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
    if let beginning {
      self.beginning = nil
      return (beginning, nil)
    }
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
    all.lostMessages += order.lost
    all.reorderedMessages += order.reordered
    (all.ignored, all.unpaired) = (interpreter.ignored, interpreter.unpaired)
    all.waiting = order.waitingReadings + interpreter.waiting
    all.leaps = clock.leaps
    return all
  }
}

/// Brings numbered messages into their order, and counts what the network did to them.
///
/// A message whose predecessor is missing waits for it, at most ``patience`` and in a queue of at most ``capacity``;
/// then the predecessor counts as lost. In the beginning all wait until the clock is settled, because the first to
/// arrive need not be the first.
struct MessageOrder: Sendable {
  /// How long a gap may stay open: longer than what Wi-Fi delays, shorter than what a person notices twice.
  static let patience = SensorDuration.milliseconds(500)
  /// Messages that wait, at most.
  static let capacity = 64
  /// Messages that a phone can have sent in a second: an app sends a few.
  static let fastest = 200.0

  /// Messages that arrived before a lower number, and that never came.
  private(set) var reordered = 0, lost = 0

  private var waiting: [(number: Int64, arrival: SensorInstant, message: [PhoneReading])] = []
  /// The number that comes next; nil = not known yet.
  private var next: Int64?

  var waitingReadings: Int { waiting.reduce(0) { $0 + $1.message.count } }

  /// Whether a message comes after it was given up.
  func isLate(_ number: Int64) -> Bool { next.map { number < $0 } ?? false }

  /// Whether a number is that of the newest message.
  func isLast(_ number: Int64) -> Bool { waiting.last.map { number > $0.number } ?? true }

  /// Whether a phone can have counted that far after so long without a message: what is missing counts as lost.
  func mayCome(_ number: Int64, after silence: SensorDuration) -> Bool {
    guard let known = next ?? waiting.first?.number else { return true }
    return Double(max(number, known).clamped(minus: min(number, known))) <= Self.fastest * (2 + silence.seconds)
  }

  /// Whether a message with this number waits.
  func holds(_ number: Int64) -> Bool { waiting.contains { $0.number == number } }

  /// Takes a message that is new.
  mutating func insert(_ message: [PhoneReading], number: Int64, at arrival: SensorInstant) {
    let index = waiting.lastIndex { $0.number < number }.map { $0 + 1 } ?? 0
    if index < waiting.count { reordered += 1 }
    waiting.insert((number, arrival, message), at: index)
  }

  /// The next message, or nil when it has to wait.
  mutating func pop(at now: SensorInstant) -> [PhoneReading]? {
    guard let first = waiting.first else { return nil }
    if let next, first.number > next {
      guard waiting.count > Self.capacity || now >= first.arrival + Self.patience else { return nil }
      lost += Int(claimed: first.number.clamped(minus: next))
    }
    next = first.number.clamped(plus: 1)
    return waiting.removeFirst().message
  }

  /// When the first message that waits is let through; nil when none waits for a lower number.
  var deadline: SensorInstant? { waiting.first.map { $0.arrival + Self.patience } }
}
