// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionSensing
package import MotionServices

/// How far a long run is, how fast it goes and how long it still takes: on a terminal, from its second second on.
package final class ProgressLine {
  private let started = ContinuousClock.now
  private var next = ContinuousClock.now + .seconds(1)
  /// Seconds of sample time that the run will cover; nil = not known.
  private let wanted: Double?
  private let path: String?
  /// From the first update on: what was read to open the recording is no progress.
  private lazy var reader = path.map(InputPosition.init)
  private let isShown: Bool

  /// - Parameters:
  ///   - wanted: seconds of sample time that the run will cover; nil = not known, and the position in the files tells.
  ///   - path: the recording that is read.
  ///   - printsRows: whether standard output gets rows meanwhile: on a terminal they are progress enough.
  package init(wanted: Double? = nil, reading path: String? = nil, printsRows: Bool = false) {
    self.wanted = wanted
    self.path = path
    isShown = StandardError.shared.isTerminal && !(printsRows && isatty(STDOUT_FILENO) == 1)
  }

  package convenience init(_ selection: SourceSelection, limit: Seconds?, printsRows: Bool = false) {
    let uri = selection.entry.uri
    self.init(
      wanted: limit?.value ?? selection.duration, reading: uri.scheme == "replay" ? uri.path : nil,
      printsRows: printsRows)
  }

  /// To be called as often as it is convenient. `covered`: seconds of sample time so far.
  package func update(_ count: Int, _ noun: String, covered: Double? = nil) {
    guard isShown else { return }
    let position = reader
    guard ContinuousClock.now >= next else { return }
    next = .now + .milliseconds(200)
    let known = wanted.flatMap { wanted in wanted > 0 ? covered.map { $0 / wanted } : nil }
    let fraction = known ?? position?.fraction
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

/// How far the files of a recording have been read, as the kernel sees it: for large compressed ones, whose length in
/// time is unknown before they have been read.
///
/// Every descriptor of this process has its position in `/proc/self/fdinfo` (proc(5)), so no reader has to count,
/// whatever the format, compressed or not. A reader that jumps about (`pread`) leaves the position where it is: for it
/// count the bytes that the process has read since the beginning, `rchar` in `/proc/self/io`.
struct InputPosition {
  private let root: String
  private let begin = Self.bytesRead

  init(path: String) { root = URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

  private static var bytesRead: Double {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").first { $0.hasPrefix("rchar:") }.flatMap { Double($0.dropFirst(7)) } ?? 0
  }

  /// 0…1; nil while no file of the recording is open.
  var fraction: Double? {
    // A file may be open more than once.
    var files: [String: (position: Double, size: Double)] = [:]
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
        target == root || target.hasPrefix(root + "/"),
        let details = try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8),
        let line = details.split(separator: "\n").first(where: { $0.hasPrefix("pos:") }),
        let position = Double(line.dropFirst(4).trimmingCharacters(in: .whitespaces)),
        let attributes = try? FileManager.default.attributesOfItem(atPath: target),
        let size = attributes[.size] as? Int
      else { continue }
      files[target] = (max(position, files[target]?.position ?? 0), Double(size))
    }
    let read = files.values.reduce(0) { $0 + $1.position }
    let whole = files.values.reduce(0) { $0 + $1.size }
    return whole > 0 ? min(1, max(read, Self.bytesRead - begin) / whole) : nil
  }
}
