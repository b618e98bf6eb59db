// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A report for people.
extension InfoReport {
  var lines: [String] {
    var lines = ["\(file): \(format)" + (bytes.map { ", \(Text.bytes($0))" } ?? "")]
    lines.append("  device       \(name)" + (origin == "simulation" ? " (a simulation, no sensor was read)" : ""))
    if let source { lines.append("  source       \(source)") }
    if let recordedBy { lines.append("  recorded by  \(recordedBy)") }
    if let clock { lines.append("  clock        \(clock)" + (began.map { ", began \($0)" } ?? "")) }
    lines.append(
      "  length       \(Text.duration(duration)), \(Text.count(samples, "sample"))" + state)
    lines += streams.map { "  " + $0.line }
    for (topic, count) in (events ?? [:]).merging(otherTopics ?? [:], uniquingKeysWith: +).sorted(by: {
      $0.key < $1.key
    }) {
      lines.append("  \(topic.isEmpty ? "other topics" : topic): \(Text.count(count, "message"))")
    }
    for (reason, count) in omitted.sorted(by: { $0.key < $1.key }) {
      lines.append(
        "  left out: \(Text.grouped(count)) \(reason)" + (omittedFirst[reason].map { ", the first in \($0)" } ?? ""))
    }
    if let leftAside { lines.append("  left aside: " + Text.list(leftAside)) }
    if let restShare {
      let gravity = gravityAtRest.map { ", where gravity reads \(Text.decimal($0, places: 3)) m/s²" } ?? ""
      lines.append("  at rest      \(Text.decimal(restShare * 100, places: 1)) % of the time\(gravity)")
    }
    lines += (warnings ?? []).map { "  warning: \($0)" }
    lines.append("  quality      \(verdict.line)")
    return lines
  }

  private var state: String {
    var words: [String] = []
    if let compression { words.append(compression == "none" ? "not compressed" : "compressed with \(compression)") }
    if isFinished == false { words.append("UNFINISHED: read up to its last whole chunk") }
    if calibrated == true { words.append("with a calibration beside it") }
    return words.map { ", " + $0 }.joined()
  }
}

extension InfoReport.Verdict {
  var line: String {
    reasons.isEmpty
      ? "\(grade): no gaps, no clock jumps, nothing left out" : "\(grade): \(reasons.joined(separator: "; "))"
  }
}

extension InfoReport.Stream {
  /// "gyroscope: 6,000 samples, 100 Hz, every 10 ms (9.9 to 10.1), no gaps".
  var line: String {
    var parts = [Text.count(samples, "sample")]
    if let rate { parts.append("\(Text.decimal(rate, places: 2)) Hz") }
    if let interval {
      let words = interval.map { Text.decimal($0 * 1000, places: 3) }
      parts.append("every \(words[1]) ms" + (words[0] == words[2] ? "" : " (\(words[0]) to \(words[2]))"))
    }
    if gaps == 0 {
      parts.append("no gaps")
    } else {
      parts.append("\(Text.count(gaps, "gap")), \(Text.duration(gapTime)) together")
      if let longestGap {
        parts.append("the longest \(Text.duration(longestGap.duration)) after \(Text.duration(longestGap.at))")
      }
    }
    if clockJumps > 0 {
      let place = firstClockJump.map {
        ", the first after \(Text.duration($0.at)) by \(Text.decimal($0.duration, places: 3)) s"
      }
      parts.append("\(Text.count(clockJumps, "clock jump"))\(place ?? "")")
    }
    if repeats > 0 { parts.append("\(Text.grouped(repeats)) repeat a time") }
    if outOfOrder > 0 { parts.append("\(Text.grouped(outOfOrder)) out of order") }
    if saturatedShare > 0 { parts.append("\(Text.decimal(saturatedShare * 100, places: 2)) % at the end of the range") }
    return "\(kind): \(parts.joined(separator: ", "))"
  }
}
