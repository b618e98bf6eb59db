// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
package import MotionRecording
import MotionSensing

/// Recordings in one format in, the same in another out: what was asked for.
package struct ConvertJob {
  package var format: ConvertFormat
  /// Writes over what is there.
  package var force = false
  package var reading = ReadingChoices()
  package var frame: ReferenceFrame?
  package var location: LocationArgument?
  package var mcap = MCAPChoices()

  package init(format: ConvertFormat) { self.format = format }

  /// The name of standard input, which can be read only if a file has been redirected there.
  private static func standardInput() throws -> String {
    guard FileIdentity(descriptor: STDIN_FILENO) != nil else {
      throw CommandFailure(
        "Recordings are read more than once, so they cannot come through a pipe: write the recording to a file first, or redirect one to standard input with <."
      )
    }
    return "/dev/stdin"
  }

  /// Opens a recording with the options that belong to reading.
  package func open(_ path: String) throws -> (selection: SourceSelection, recording: Recording) {
    let selection = try SourceSelection.open(path == "-" ? Self.standardInput() : path, reading)
    guard let recording = selection.recording, selection.calibrated == nil else {
      throw CommandFailure(
        "\(path) is no recording, or has a calibration over it: convert takes recordings as they are.")
    }
    return (selection, recording)
  }
}

/// What `motionctl convert` writes.
package enum ConvertFormat: String, CaseIterable {
  case mcap, ndjson, tidy

  private var words: (title: String, noun: String) {
    switch self {
    case .mcap: ("MCAP", "item")
    case .ndjson: ("NDJSON", "line")
    case .tidy: ("tidy CSV", "row")
    }
  }

  /// As people call it.
  package var title: String { words.title }
  /// What a row of it is, for counting.
  package var noun: String { words.noun }

  /// What the endings of names say.
  package static let endings: [(text: String, format: ConvertFormat)] = [
    (".mcap", .mcap), (".ndjson", .ndjson), (".jsonl", .ndjson), (".csv", .tidy),
  ]

  /// By the name of the output; nil when it does not say.
  package init?(path: String) {
    let name = path.lowercased()
    guard let found = Self.endings.first(where: { name.hasSuffix($0.text) }) else { return nil }
    self = found.format
  }
}
