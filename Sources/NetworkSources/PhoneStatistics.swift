// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What has happened to the messages of a phone and to their samples. Nothing is dropped in silence.
struct PhoneStatistics: Sendable, Hashable {
  /// Messages that were accepted, and samples made of them.
  var messages = 0, samples = 0
  /// Recordings of the app, and times that a phone came back after it had been silent.
  var sessions = 0, returns = 0

  // MARK: The network

  /// Messages that never came; that came after later ones and were put in order; too late; again.
  var lostMessages = 0, reorderedMessages = 0, lateMessages = 0, repeatedMessages = 0
  /// Messages that were refused: no JSON, of a second phone, or more than can be taken at once.
  var malformedMessages = 0, otherPhones = 0, overflows = 0
  /// Nanoseconds without any message, in pauses longer than ``PhoneRun/silence``.
  var silentNanoseconds: Int64 = 0

  // MARK: Readings

  /// Not numbers, or without a time; further than a minute from the others of their message.
  var unreadable = 0, implausible = 0
  /// Not later than the one of the same sensor before.
  var notAscending = 0
  /// Of a sensor that is not used, because a better one is there or because it is another device's; halves without a
  /// whole.
  var ignored = 0, unpaired = 0

  // MARK: The clock

  /// Times that the phone's clock was set to ours again, and that it was followed by the slope.
  var leaps = 0, slews = 0

  /// What was lost or refused, as one sentence; nil when nothing was.
  var losses: String? {
    let all: [(Int, String)] = [
      (lostMessages, "messages never came"), (lateMessages, "messages came too late"),
      (malformedMessages, "messages were not readable"), (otherPhones, "messages of another phone were refused"),
      (overflows, "messages were more than could be taken at once"), (unreadable, "readings were no numbers"),
      (implausible, "readings had a time that cannot be right"),
      (notAscending, "readings were not newer than the last"),
      (unpaired, "readings had no other half"), (leaps, "times the clocks were set to each other again"),
    ]
    let said = all.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return said.isEmpty ? nil : "Of \(messages) messages with \(samples) samples: \(said.joined(separator: ", "))."
  }
}
