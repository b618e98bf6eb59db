// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

extension String {
  /// The text as it may be given to a terminal or a log: what would act on it instead of being seen stands as `\u{1B}`.
  ///
  /// Names come from files and devices, whose makers decide what is in them. An escape sequence clears the
  /// screen, changes the window's title or, on some terminals, types a command; a bidirectional override lets a name
  /// look like another. Escaped are the control characters C0 (but tab and line feed), DEL and C1, the separators of
  /// lines and paragraphs, and the marks that change the direction of text (UAX #9). A text without any, and a text
  /// that has been through here, stays as it is.
  ///
  /// - Parameter keepingLines: false escapes tab and line feed too, where a text is one line of several: a name must
  ///   not add one.
  package func printable(keepingLines: Bool = true) -> String {
    func isKept(_ scalar: Unicode.Scalar) -> Bool {
      !scalar.actsOnTerminals || keepingLines && (scalar == "\n" || scalar == "\t")
    }
    guard !unicodeScalars.allSatisfy(isKept) else { return self }
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if isKept(scalar) {
        text.append(scalar)
      } else {
        text.append(contentsOf: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}".unicodeScalars)
      }
    }
    return String(text)
  }
}

extension Unicode.Scalar {
  fileprivate var actsOnTerminals: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
