// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording
import MotionSensing
import MotionServices

/// What is said at the end of a conversion. Nothing is left out without a line here.
enum ConvertSummary {
  static func lines(_ input: ConvertInput, needsMotion: Bool) -> [String] {
    var lines = input.notices
    if input.computesMotion {
      lines.append("  motion: computed from the raw sensors")
    } else if needsMotion {
      lines.append("  motion: the recording's own numbers, passed on unchanged")
    }
    lines += input.timelineStatistics.map(StatisticsReport.lines) ?? []
    return lines + [SourceSelection.omissions(input.statistics), passedOver(input.statistics)].compactMap(\.self)
  }

  /// Messages that hold no sample of what was read, such as events; nil when there are none.
  static func passedOver(_ statistics: RecordingStatistics) -> String? {
    let topics = statistics.passedOver.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
    guard let first = topics.first else { return nil }
    func words(_ topic: String) -> String { topic.isEmpty ? "other topics" : topic }
    var parts = ["\(Text.count(first.value, "message")) of \(words(first.key))"]
    parts += topics.dropFirst().prefix(7).map { "\(Text.grouped($0.value)) of \(words($0.key))" }
    let rest = topics.dropFirst(8)
    if !rest.isEmpty {
      parts.append("\(Text.grouped(rest.reduce(0) { $0 + $1.value })) of \(Text.count(rest.count, "further topic"))")
    }
    return "  not written: " + Text.list(parts)
  }

  /// What the recording holds beside its samples, and what is odd about it.
  static func lines(_ recording: Recording) -> [String] {
    let warnings = recording.warnings.map { "  warning: \($0)" }
    guard !recording.unread.isEmpty else { return warnings }
    let canKeepMotion = recording.unread[0].hasPrefix("motion ")
    return [
      "  left aside: " + Text.list(recording.unread) + (canKeepMotion ? "; --motion recorded keeps the motion" : "")
    ] + warnings
  }

  static func lines(_ counts: WriterCounts, _ format: ConvertFormat) -> [String] {
    var lines: [String] = []
    if counts.unsupported > 0, !format.needsMotion {
      lines.append("  not written: \(Text.count(counts.unsupported, "sample")) for which \(format.title) has no place")
    }
    if counts.superseded > 0 {
      lines.append(
        "  not written: \(Text.count(counts.superseded, "sample")) between the rows, or before every sensor had begun")
    }
    if counts.nonFinite > 0 {
      lines.append("  not written: \(Text.count(counts.nonFinite, "sample")) with numbers that are not finite")
    }
    return lines
  }
}
