// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The part of a recording that is read, on the recording's own clock: from `begin` on, before `end`.
struct RecordingSpan: Sendable {
  let begin: SensorInstant
  /// Nil: to the end of the recording.
  let end: SensorInstant?
  /// "from 10 s", "before 90 s"; empty for the whole.
  let notes: [String]

  /// The part that the options choose of a recording whose first sample is at `start` and whose last one, where that is known, at `last`.
  init(_ options: RecordingOptions, start: SensorInstant, end last: SensorInstant?, path: String) throws(SensorError) {
    begin = start + options.from
    end = options.to.map { start + $0 }
    notes =
      (options.from > .zero ? ["from \(options.from.seconds) s"] : [])
      + (options.to.map { ["before \($0.seconds) s"] } ?? [])
    if let last, begin > last {
      throw SensorError(
        .invalidRequest,
        "The recording lasts \((last - start).seconds) s: there is nothing from \(options.from.seconds) s on.",
        at: .init(file: path))
    }
    if let to = options.to, to <= options.from {
      throw SensorError(
        .invalidRequest, "A part from \(options.from.seconds) s to \(to.seconds) s is empty: let to be after from.",
        at: .init(file: path))
    }
  }

  /// Of a recording whose last sample is at `last`.
  func duration(until last: SensorInstant) -> SensorDuration { (end.map { min($0, last) } ?? last) - begin }
}
