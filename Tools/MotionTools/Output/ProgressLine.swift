// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing
package import MotionServices

/// How far a long run is, how fast it goes and how long it still takes: on a terminal, from its second second on.
package final class ProgressLine {
  private let started = ContinuousClock.now
  private var next = ContinuousClock.now + .seconds(1)
  /// Seconds of sample time that the run will cover; nil = not known.
  private let wanted: Double?
  private let isShown: Bool

  /// - Parameters:
  ///   - wanted: seconds of sample time that the run will cover; nil = not known.
  ///   - printsRows: whether standard output gets rows meanwhile: on a terminal they are progress enough.
  package init(wanted: Double? = nil, printsRows: Bool = false) {
    self.wanted = wanted
    isShown = StandardError.shared.isTerminal && !(printsRows && isatty(STDOUT_FILENO) == 1)
  }

  /// To be called as often as it is convenient. `covered`: seconds of sample time so far.
  package func update(_ count: Int, _ noun: String, covered: Double? = nil) {
    guard isShown else { return }
    guard ContinuousClock.now >= next else { return }
    next = .now + .milliseconds(200)
    let fraction = wanted.flatMap { wanted in wanted > 0 ? covered.map { $0 / wanted } : nil }
    let elapsed = (ContinuousClock.now - started).seconds
    StandardError.shared.show(Self.line(count, noun, fraction: fraction, elapsed: elapsed))
  }

  /// The same by what a hub has delivered.
  package func update(_ statistics: TimelineStatistics) {
    let counts = statistics.named.map(\.counts)
    guard let first = counts.compactMap(\.first).min(), let last = counts.compactMap(\.last).max() else { return }
    update(counts.reduce(0) { $0 + $1.delivered }, "sample", covered: (last - first).seconds)
  }

  /// "[#####·····]  45 %  1,200,000 rows, 310,000 a second, 5 s left".
  package static func line(_ count: Int, _ noun: String, fraction: Double?, elapsed: Double) -> String {
    var line = fraction.map { bar($0) + "  " } ?? ""
    line += Text.count(count, noun)
    if elapsed > 0 { line += ", \(Text.grouped(Int(clamping: (Double(count) / elapsed).rounded()))) a second" }
    // At the very beginning an estimate jumps about.
    if let fraction, (0.01...1).contains(fraction) {
      line += ", \(Text.duration(max(1, (elapsed / fraction - elapsed).rounded()))) left"
    }
    return line
  }

  /// "[#########···········]  45 %".
  package static func bar(_ fraction: Double) -> String {
    let width = 24
    let whole = min(1, max(0, fraction))
    let filled = Int(clamping: whole * Double(width))
    let percent = Text.padded(String(Int(clamping: whole * 100)), 3)
    return "[" + String(repeating: "#", count: filled) + String(repeating: "·", count: width - filled) + "] "
      + percent + " %"
  }
}
