// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// Brings numbered messages into their order, and counts what the network did to them.
///
/// A message whose predecessor is missing waits for it, at most ``patience`` and in a queue of at most ``capacity``;
/// then the predecessor counts as lost. In the beginning all wait until ``release()``, because the first to arrive need
/// not be the first.
struct MessageOrder<Message: Sendable>: Sendable {
  /// How long a gap may stay open: longer than what Wi-Fi delays, shorter than what a person notices twice.
  static var patience: SensorDuration { .milliseconds(500) }
  /// Messages that wait, at most.
  static var capacity: Int { 64 }

  /// Messages that arrived before a lower number; that never came; that came after they had been given up, or again.
  private(set) var reordered = 0, lost = 0, late = 0, repeated = 0
  /// Times that the numbers began again.
  private(set) var restarts = 0

  private var waiting: [(number: Int64, arrival: SensorInstant, message: Message)] = []
  /// The number that comes next; nil = not known yet.
  private var next: Int64?
  private var isReleased = false

  /// Takes a message; false when it is too late or there already.
  mutating func insert(_ message: Message, number: Int64, at arrival: SensorInstant) -> Bool {
    if let next, number < next {
      guard next.clamped(minus: number) > Int64(Self.capacity) else {
        late += 1
        return false
      }
      // Far behind: the phone counts from the beginning again.
      restarts += 1
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
  mutating func pop(at now: SensorInstant) -> Message? {
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

  /// Another recording begins, with numbers of its own. What waits of the old one comes out, in order.
  mutating func restart() -> [Message] {
    defer {
      waiting = []
      next = nil
      isReleased = false
    }
    return waiting.map(\.message)
  }
}
