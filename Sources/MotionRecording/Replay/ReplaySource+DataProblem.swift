// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension ReplaySource: DataChecking {
  /// What is wrong with a recording that was read, continuing a sentence; nil when it is whole. A repeated time stamp is not counted: many
  /// loggers write such rows.
  package var dataProblem: String? {
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
