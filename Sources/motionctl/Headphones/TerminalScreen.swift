// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionSensing

/// The terminal while something is drawn on it and keys are read: what is changed is put back at the end.
///
/// Lines are drawn over those of the time before (cursor movement of ECMA-48), below what the terminal holds, so that nothing of
/// it is lost.
final class TerminalScreen: Sendable {
  private let drawn = Lock(0)
  private let settings = Lock<termios?>(nil)

  /// Whether a person looks at standard output, in front.
  static var isUsable: Bool { isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb" }

  /// Whether keys can be read: a program in the background must not touch the terminal, or it is stopped.
  static var hasKeys: Bool { isatty(STDIN_FILENO) == 1 && tcgetpgrp(STDIN_FILENO) == getpgrp() }

  static var columns: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Keys come at once and are not shown; Ctrl-C stays what it is. Ctrl-Z and Ctrl-\ do nothing, since a program that is stopped or killed
  /// would leave the terminal like this.
  func readKeys(_ take: @escaping @Sendable (UInt8) -> Void) {
    guard Self.hasKeys else { return }
    var changed = termios()
    guard tcgetattr(STDIN_FILENO, &changed) == 0 else { return }
    let old = changed
    settings.withLock { $0 = old }
    changed.c_lflag &= ~tcflag_t(ICANON | ECHO)
    // _POSIX_VDISABLE of Linux is 0.
    withUnsafeMutableBytes(of: &changed.c_cc) { ($0[Int(VSUSP)], $0[Int(VQUIT)]) = (0, 0) }
    tcsetattr(STDIN_FILENO, TCSANOW, &changed)
    Thread.detachNewThread {
      var key: UInt8 = 0
      while read(STDIN_FILENO, &key, 1) == 1 { take(key) }
    }
  }

  func draw(_ lines: [String]) {
    drawn.withLock { drawn in
      var text = drawn == 0 ? "\u{1B}[?25l" : "\u{1B}[\(drawn)A"
      for line in lines { text += "\r\(line)\u{1B}[K\n" }
      // A drawing that has become smaller leaves nothing behind.
      text += "\u{1B}[J"
      drawn = lines.count
      try? Descriptor(STDOUT_FILENO).write(Array(text.utf8))
    }
  }

  /// Puts the cursor and the keys back. May be called more than once.
  func restore() {
    drawn.withLock { drawn in
      if drawn > 0 { try? Descriptor(STDOUT_FILENO).write(Array("\u{1B}[?25h".utf8)) }
      drawn = 0
    }
    settings.withLock { settings in
      if var old = settings { tcsetattr(STDIN_FILENO, TCSANOW, &old) }
      settings = nil
    }
  }
}
