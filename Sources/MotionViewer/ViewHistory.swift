// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The messages of the last minute, for pages that join: a strip that begins empty shows nothing of what has just
/// happened.
struct ViewHistory: Sendable {
  /// How far it goes back.
  static let duration = SensorDuration.seconds(60)
  /// Bytes that it keeps at most, the oldest given up first: a minute of one view with a magnetometer at 700 Hz.
  static let limit = 4 << 20
  /// Bytes that a message costs beside its own.
  private static let overhead = 64

  private var messages: [(sent: SensorInstant, frame: [UInt8])] = []
  /// Messages of the array that were given up.
  private var gone = 0
  private(set) var bytes = 0

  mutating func append(_ frame: [UInt8], at now: SensorInstant) {
    messages.append((now, frame))
    bytes += frame.count + Self.overhead
    trim(at: now)
  }

  /// WebSocket frames, oldest first.
  mutating func frames(at now: SensorInstant) -> [[UInt8]] {
    trim(at: now)
    return messages[gone...].map(\.frame)
  }

  private mutating func trim(at now: SensorInstant) {
    while gone < messages.count, bytes > Self.limit || now - messages[gone].sent > Self.duration {
      bytes -= messages[gone].frame.count + Self.overhead
      messages[gone].frame = []
      gone += 1
    }
    guard gone > 256, gone * 2 > messages.count else { return }
    messages.removeFirst(gone)
    gone = 0
  }
}
