// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What has become of the readings and messages of a phone: in all, or by one push. Each reading counts once.
struct PhoneStatistics: Sendable, Hashable {
  /// Messages that were accepted, and samples made of them.
  var messages = 0, samples = 0

  // MARK: Readings: all that came, those that samples are made of, and those of which that is not known yet

  var received = 0, taken = 0, waiting = 0
  /// Of messages that came when a later one had been passed on; that came twice before it was; of another recording than
  /// the present one.
  var late = 0, repeated = 0, otherSession = 0
  /// Without a number or a time; of a time, a size or a message number that cannot be right.
  var unreadable = 0, implausible = 0
  /// Not later than the one of the same sensor before.
  var notAscending = 0
  /// Of a sensor that is not used, because a better one is there or because it is another device's; halves without a
  /// whole; given up because their sign stayed unknown.
  var ignored = 0, unpaired = 0, undecided = 0

  // MARK: What is no reading that came

  /// Messages that never came; that came after later ones and were put in order; samples that a page had to drop.
  var lostMessages = 0, reorderedMessages = 0, lostSamples = 0
  /// Messages that were refused: not readable, of a second phone, of a page that was replaced, or more than can be taken
  /// at once.
  var malformedMessages = 0, otherPhones = 0, replacedPages = 0, overflows = 0
  /// Times that the phone's clock stood still; that the clock and the order began again, because most was refused; that
  /// data contradicted the signs that had been found.
  var leaps = 0, restarts = 0, changes = 0

  private typealias Count = any WritableKeyPath<Self, Int> & Sendable

  /// What readings can have become, as an answer names it, and as a sentence says it.
  private static let fates: [(name: String, count: Count, sentence: String?)] = [
    ("received", \.received, nil), ("taken", \.taken, nil), ("waiting", \.waiting, nil),
    ("late", \.late, "came too late or again"), ("repeated", \.repeated, nil),
    ("otherSession", \.otherSession, "were of another recording than the present one"),
    ("unreadable", \.unreadable, "were no numbers"),
    ("implausible", \.implausible, "cannot be right in time, size or number"),
    ("notAscending", \.notAscending, "were not newer than the last"), ("unused", \.ignored, nil),
    ("unpaired", \.unpaired, "had no other half"),
    ("undecided", \.undecided, "were given up because their sign was not known"),
  ]

  private static let events: [(count: Count, sentence: String)] = [
    (\.lostMessages, "messages never came"), (\.malformedMessages, "messages were not readable"),
    (\.otherPhones, "messages of another phone were refused"),
    (\.replacedPages, "messages of a page that another one had replaced were refused"),
    (\.overflows, "messages were more than could be taken at once"),
    (\.lostSamples, "samples were lost on the phone while the network was away"),
    (\.leaps, "times the clocks were set to each other again"),
    (\.restarts, "times the clock and the order began again"),
    (\.changes, "times the signs or axes were found to be others"),
  ]

  /// The counts of both.
  static func + (a: Self, b: Self) -> Self { a.combined(with: b, +) }

  /// What has happened since; what waits is a state.
  func since(_ past: Self) -> Self {
    var all = combined(with: past, -)
    all.waiting = waiting
    return all
  }

  private func combined(with other: Self, _ operation: (Int, Int) -> Int) -> Self {
    var all = self
    for count in Self.fates.map(\.count) + Self.events.map(\.count) + [\.messages, \.samples, \.reorderedMessages] {
      all[keyPath: count] = operation(all[keyPath: count], other[keyPath: count])
    }
    return all
  }

  /// The counts of readings, for who has sent them: the members of a JSON object.
  var members: String { Self.fates.map { "\"\($0.name)\":\(self[keyPath: $0.count])" }.joined(separator: ",") }

  /// Which readings were not taken, and why: "20 readings came too late".
  var omissions: [String] {
    Self.fates.compactMap { fate in
      fate.sentence.flatMap { self[keyPath: fate.count] > 0 ? "\(self[keyPath: fate.count]) readings \($0)" : nil }
    }
  }

  /// What was lost or refused, as one sentence; nil when nothing was.
  var losses: String? {
    let events = Self.events.filter { self[keyPath: $0.count] > 0 }.map { "\(self[keyPath: $0.count]) \($0.sentence)" }
    let said = omissions + (waiting > 0 ? ["\(waiting) readings still waited"] : []) + events
    guard !said.isEmpty else { return nil }
    return "Of \(received) readings in \(messages) messages \(taken) were taken: \(said.joined(separator: ", "))."
  }
}
