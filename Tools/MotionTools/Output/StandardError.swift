// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import Logging
import MotionHost
import MotionSensing

/// Everything that is said beside the data.
///
/// A terminal may show one status line (statistics, progress) that is drawn over and over; a line of text first takes
/// it away, so that the two never mix. Names in a text come from files and devices: nothing in them acts on the
/// terminal.
package final class StandardError: Sendable {
  /// The program's; a process has one standard error.
  package static let shared = StandardError()

  /// Whether a person looks at it.
  package let isTerminal = isatty(STDERR_FILENO) == 1
  private let hasColour = Terminal.hasColour(STDERR_FILENO)
  private let status = Lock("")

  /// One line of text.
  package func say(_ line: String) {
    status.withLock { status in
      Self.write((status.isEmpty ? "" : Self.clear) + line.printable() + "\n" + status)
    }
  }

  /// Several of them.
  package func say(_ lines: [String]) { for line in lines { say(line) } }

  /// Replaces the status line; does nothing without a terminal.
  package func show(_ line: String) {
    guard isTerminal else { return }
    let cut = String(line.printable(keepingLines: false).prefix((Terminal.columns(of: STDERR_FILENO) ?? 80) - 1))
    let fitting = hasColour ? Terminal.styled(cut, .faint) : cut
    status.withLock { status in
      status = fitting
      Self.write(Self.clear + fitting)
    }
  }

  /// Takes the status line away for a moment while `body` writes to the same terminal.
  package func aside(_ body: () throws -> Void) rethrows {
    try status.withLock { status in
      if !status.isEmpty { Self.write(Self.clear) }
      defer { if !status.isEmpty { Self.write(status) } }
      try body()
    }
  }

  /// Takes the status line away for good.
  package func endStatus() {
    status.withLock { status in
      if !status.isEmpty { Self.write(Self.clear) }
      status = ""
    }
  }

  /// Carriage return and "erase in line" (ECMA-48).
  private static let clear = "\r\u{1B}[K"

  private static func write(_ text: String) {
    // Where standard error is closed an error can be reported nowhere.
    try? Descriptor(STDERR_FILENO).write(Array(text.utf8))
  }
}

/// The library's log as plain lines on standard error: a time stamp and a label would say nothing here.
package struct StandardErrorLog: LogHandler {
  package var logLevel = Logger.Level.notice
  package var metadata: Logger.Metadata = [:]

  package init() {}

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    StandardError.shared.say("\(event.level): \(event.message)")
  }
}

/// What a stream of output is shown on.
package enum Terminal {
  /// How many columns it has; nil = it is no terminal. One that does not say has 80.
  package static func columns(of descriptor: Int32) -> Int? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    return ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  /// Whether a person sees colours there and has not asked for none (https://no-color.org).
  package static func hasColour(_ descriptor: Int32) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    return isatty(descriptor) == 1 && environment["TERM"] != "dumb" && environment["NO_COLOR", default: ""].isEmpty
  }

  /// Renditions of ECMA-48.
  enum Style: String {
    case bold = "1"
    case faint = "2"
  }

  static func styled(_ text: String, _ style: Style) -> String { "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" }
}
