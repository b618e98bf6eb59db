// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What the readers of one pass share: how strict to be, and the counters.
final class ReadingContext {
  let skipsErrors: Bool
  var statistics = RecordingStatistics()
  /// What a recording says of the connection, in its order, until somebody takes it; nil = nobody will.
  var connections: [RecordedConnection]?
  private let problemLimit: Int

  /// `problemLimit`: after so many skipped rows even a lenient pass fails, with the error of that row.
  init(skipsErrors: Bool, problemLimit: Int = .max) {
    self.skipsErrors = skipsErrors
    self.problemLimit = problemLimit
  }

  /// Even a lenient pass has met more than it puts up with.
  var hasGivenUp: Bool { skipsErrors && statistics.omitted >= problemLimit }

  /// Damage: thrown, or counted when errors are skipped.
  func report(_ reason: RecordingStatistics.Reason, _ error: SensorError) throws(SensorError) {
    guard skipsErrors, statistics.omitted < problemLimit, let place = error.place else { throw error }
    statistics.count(reason, at: place)
  }

  /// Keeps a report of the connection for whoever asked for them, else counts it as passed over.
  func take(_ event: RecordingEvent, topic: Topic) {
    guard connections != nil, let state = event.connection else {
      statistics.passOver(topic.name)
      return
    }
    // A file may hold nothing but reports: of a thousand between two samples the last ones matter.
    if connections?.count == 1000 { connections?.removeFirst() }
    connections?.append(RecordedConnection(time: event.time, state: state))
  }

  /// The bytes of a stream broke off: the stream ends there, or the error is thrown.
  ///
  /// A compressed file that was cut off costs its last line and no more, as a plain one does; damage within is damage.
  func endOfBytes(_ error: SensorError) throws(SensorError) {
    if error.code == .cutOff, let place = error.place { return statistics.count(.truncated, at: place) }
    guard error.code == .malformed else { throw error }
    try report(.truncated, error)
  }
}

/// A report of the connection and when it was made, on the recording's clock.
struct RecordedConnection {
  var time: SensorInstant
  var state: ConnectionState
}

extension SensorError.Code {
  /// A file was cut off; nothing else is known to be wrong with it.
  static let cutOff = SensorError.Code(rawValue: "cut-off")
}

extension SensorError {
  /// What to do about damage in a recording.
  static let skipHint = "\"?errors=skip\" (on the command line --skip-errors) uses the rest."
}
