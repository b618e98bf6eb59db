// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

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
