// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing
import MotionServices

/// What `MOTION_STRICT=1` does: a source that cannot be opened, fails, ends early or drops samples ends the process.
///
/// A test that waits for no sample is green without any; in CI a missing or damaged recording has to be red.
package struct Strictness: Sendable {
  /// Receives one sentence. By default it is logged, and the process ends with status 1.
  let fail: @Sendable (String) -> Void

  init(fail: @escaping @Sendable (String) -> Void = Self.endProcess) { self.fail = fail }

  private static func endProcess(_ sentence: String) {
    HostLog.error("\(sentence) The program ends because MOTION_STRICT is set.")
    exit(EXIT_FAILURE)
  }

  /// What a hub has to tell of a source.
  func watch(_ source: any SensorSource) -> @Sendable (MotionHub.Incident) -> Void {
    let replay = ((source as? CalibratedSource)?.base ?? source) as? ReplaySource
    let name = source.info.name
    return { incident in
      switch incident {
      case .dropped(let sample):
        fail(
          "The \(name) has dropped a sample of the \(sample.kinds.names.joined(separator: " and ")) at \(sample.time.seconds) s: it was late, a duplicate or not finite."
        )
      case .over(let error?): fail("The \(name) has failed: \(error)")
      case .over(nil): if let replay, let problem = Self.problem(replay.statistics) { fail("The \(name) \(problem)") }
      }
    }
  }

  /// What is wrong with a recording that was read, continuing a sentence; nil when it is whole. A repeated time stamp is not counted: many
  /// loggers write such rows.
  private static func problem(_ statistics: RecordingStatistics) -> String? {
    if let cut = statistics.omissions[.truncated] { return "ends early: it is cut off at \(cut.firstPlace)." }
    let dropped: [RecordingStatistics.Reason] = [.malformed, .nonFinite, .outOfOrder, .clockRestart]
    for reason in dropped {
      guard let rows = statistics.omissions[reason] else { continue }
      return "drops \(rows.count) rows that are \(reason.rawValue), the first at \(rows.firstPlace)."
    }
    guard statistics.missing > 0 else { return nil }
    return "lacks \(statistics.missing) messages, in \(statistics.gaps) gaps: its recorder has lost them."
  }
}
