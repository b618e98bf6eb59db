// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The queue of one client: answers, which are kept; what came before it, which it gets first; and data, of which the
/// oldest is dropped when the client is too slow.
struct Outbox {
  /// Bytes that a frame costs beside its own.
  private static let overhead = 48

  let limits: WebLimits
  private var answers: [[UInt8]] = []
  private var answerBytes = 0
  /// Whole frames from before the client came, oldest first. Other clients and the sender have the same ones: they take
  /// no memory of their own.
  private var history: ArraySlice<[UInt8]> = []
  private var frames: [[UInt8]] = []
  /// Frames of the array that were sent.
  private var gone = 0
  private var frameBytes = 0
  /// Frames that were dropped since the client came.
  private(set) var dropped = 0
  /// How many of them were reported to the client.
  private var told = 0

  init(limits: WebLimits) { self.limits = limits }

  /// Whether ``pop(_:mayTell:to:notice:)`` has something to give.
  var isEmpty: Bool { answers.isEmpty && history.isEmpty && gone == frames.count }
  /// Whether there are dropped frames that were not reported to the client.
  var owesNotice: Bool { told != dropped }
  var queuedBytes: Int { frameBytes + answerBytes }
  /// Data frames that were handed on.
  private(set) var passed = 0

  /// False when the client asks without ever reading.
  mutating func pushAnswer(_ frame: [UInt8]) -> Bool {
    answers.append(frame)
    answerBytes += frame.count + Self.overhead
    return answerBytes <= limits.answerBytes
  }

  /// Gives what came before the client, before its first data. All but the last frame may be dropped.
  mutating func begin(with frames: [[UInt8]]) { history = frames[...] }

  mutating func push(_ frame: [UInt8]) {
    frames.append(frame)
    frameBytes += frame.count + Self.overhead
    if frameBytes > limits.queueBytes, history.count > 1, let last = history.last {
      dropped += history.count - 1
      history = [last]
    }
    while frameBytes > limits.queueBytes {
      frameBytes -= frames[gone].count + Self.overhead
      frames[gone] = []
      gone += 1
      dropped += 1
    }
    compact()
  }

  /// Moves about `count` bytes of whole frames behind `bytes`: answers first, then `notice` of what was dropped (asked
  /// for only when `mayTell`), then data.
  mutating func pop(_ count: Int, mayTell: Bool, to bytes: inout [UInt8], notice: (Int) -> [UInt8]) {
    for answer in answers { bytes += answer }
    answers = []
    answerBytes = 0
    if told != dropped, mayTell {
      bytes += notice(dropped)
      told = dropped
    }
    while bytes.count < count, let frame = history.popFirst() {
      bytes += frame
      passed += 1
    }
    while bytes.count < count, gone < frames.count {
      bytes += frames[gone]
      passed += 1
      frameBytes -= frames[gone].count + Self.overhead
      frames[gone] = []
      gone += 1
    }
    compact()
  }

  private mutating func compact() {
    guard gone > 256, gone * 2 > frames.count else { return }
    frames.removeFirst(gone)
    gone = 0
  }
}
