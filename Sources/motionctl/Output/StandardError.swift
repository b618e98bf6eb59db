// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import Logging
import MotionHost
import MotionSensing

/// Everything that is said beside the data.
///
/// A terminal may show one status line (statistics, progress) that is drawn over and over; a line of text first takes it
/// away, so that the two never mix.
final class StandardError: Sendable {
  /// The program's; a process has one standard error.
  static let shared = StandardError()

  /// Whether a person looks at it.
  let isTerminal = isatty(STDERR_FILENO) == 1
  private let status = Lock("")

  /// One line of text.
  func say(_ line: String) {
    status.withLock { status in
      Self.write((status.isEmpty ? "" : Self.clear) + line + "\n" + status)
    }
  }

  /// Replaces the status line; does nothing without a terminal.
  func show(_ line: String) {
    guard isTerminal else { return }
    let fitting = String(line.prefix(Self.columns - 1))
    status.withLock { status in
      status = fitting
      Self.write(Self.clear + fitting)
    }
  }

  /// Takes the status line away for a moment while `body` writes to the same terminal.
  func aside(_ body: () throws -> Void) rethrows {
    try status.withLock { status in
      if !status.isEmpty { Self.write(Self.clear) }
      defer { if !status.isEmpty { Self.write(status) } }
      try body()
    }
  }

  /// Takes the status line away for good.
  func endStatus() {
    status.withLock { status in
      if !status.isEmpty { Self.write(Self.clear) }
      status = ""
    }
  }

  /// Carriage return and "erase in line" (ECMA-48).
  private static let clear = "\r\u{1B}[K"

  private static var columns: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  private static func write(_ text: String) {
    // Where standard error is closed an error can be reported nowhere.
    try? Descriptor(STDERR_FILENO).write(Array(text.utf8))
  }
}

/// The library's log as plain lines on standard error: a time stamp and a label would say nothing here.
struct StandardErrorLog: LogHandler {
  var logLevel = Logger.Level.notice
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    StandardError.shared.say("\(event.level): \(event.message)")
  }
}

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
/// is unknown before they have been read.
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
