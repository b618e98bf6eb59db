// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost

/// How far a long run is, on a terminal, from its second second on.
final class ProgressLine {
  private let started = ContinuousClock.now
  private let wanted: Double?
  private let reader: InputPosition?

  init(_ selection: SourceSelection, limit: Seconds?) {
    let uri = selection.entry.uri
    wanted = limit?.value ?? selection.duration
    reader = uri.scheme == "replay" ? InputPosition(path: uri.path) : nil
  }

  /// `covered`: seconds of sample time so far.
  func update(rows: Int, covered: Double) {
    guard StandardError.shared.isTerminal, ContinuousClock.now - started > .seconds(1) else { return }
    var line = ""
    if let fraction = wanted.map({ covered / $0 }) ?? reader?.fraction {
      line += Self.bar(fraction) + " "
    }
    StandardError.shared.show("\(line)\(Text.count(rows, "row")), \(Text.duration(covered))")
  }

  /// "[#########···········]  45 %".
  static func bar(_ fraction: Double) -> String {
    let width = 24
    let whole = min(1, max(0, fraction))
    let filled = Int(whole * Double(width))
    let percent = String(Int(whole * 100))
    return "[" + String(repeating: "#", count: filled) + String(repeating: "·", count: width - filled) + "] "
      + String(repeating: " ", count: 3 - percent.count) + percent + " %"
  }
}

/// How far the files of a recording have been read, as the kernel sees it: for large compressed ones, whose length in time
/// nobody knows before they have been read.
///
/// Every descriptor of this process has its position in `/proc/self/fdinfo` (proc(5)), so no reader has to count, whatever the
/// format, compressed or not.
struct InputPosition {
  private let root: String

  init(path: String) { root = URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

  /// 0…1; nil while no file of the recording is open.
  var fraction: Double? {
    var read = 0.0
    var whole = 0.0
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"),
        target == root || target.hasPrefix(root + "/"),
        let details = try? String(contentsOfFile: "/proc/self/fdinfo/\(name)", encoding: .utf8),
        let line = details.split(separator: "\n").first(where: { $0.hasPrefix("pos:") }),
        let position = Double(line.dropFirst(4).trimmingCharacters(in: .whitespaces)),
        let attributes = try? FileManager.default.attributesOfItem(atPath: target),
        let size = attributes[.size] as? Int
      else { continue }
      read += position
      whole += Double(size)
    }
    return whole > 0 ? read / whole : nil
  }
}
