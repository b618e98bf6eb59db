// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The address of a source: `scheme:path?option=value&option=value`.
///
/// ```
/// simulate:handheld?rate=200&seed=7
/// replay:walk.csv?speed=max&loop=yes
/// ```
///
/// A path may contain everything but an unescaped `?`; `%3F`, `%26`, `%25` and other percent escapes are decoded in
/// path and values.
public struct SourceURI: Sendable, Hashable, CustomStringConvertible {
  /// What kind of source: "simulate", "replay". Lower case.
  public var scheme: String
  /// What follows the colon, unescaped.
  public var path: String
  /// What follows the question mark, unescaped.
  public var options: [String: String]

  /// An address from its parts.
  public init(scheme: String, path: String, options: [String: String] = [:]) {
    self.scheme = scheme
    self.path = path
    self.options = options
  }

  /// Parses an address; a text without a scheme is refused with a sentence that shows the form.
  public init(_ text: String) throws(SensorError) {
    guard let colon = text.firstIndex(of: ":"), colon != text.startIndex else {
      throw SensorError(
        .invalidRequest,
        "“\(text)” is not the address of a motion source. The form is iio:, evdev:, simulate:NAME or replay:PATH, with options behind a “?”."
      )
    }
    scheme = text[..<colon].lowercased()
    let rest = text[text.index(after: colon)...]
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = try Self.unescaped(parts[0])
    options = [:]
    guard parts.count == 2 else { return }
    for option in parts[1].split(separator: "&") {
      let pair = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, !pair[0].isEmpty else {
        throw SensorError(.invalidRequest, "The option “\(option)” in “\(text)” has no value; write name=value.")
      }
      options[try Self.unescaped(pair[0])] = try Self.unescaped(pair[1])
    }
  }

  /// The address as text, escaped, its options in the order of their names.
  public var description: String {
    let text = options.sorted { $0.key < $1.key }.map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
    return "\(scheme):\(Self.escaped(path))" + (text.isEmpty ? "" : "?" + text.joined(separator: "&"))
  }

  private static func unescaped(_ text: Substring) throws(SensorError) -> String {
    guard text.contains("%") else { return String(text) }
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      // A lone per cent sign is taken literally: file names hold them.
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard digits.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
        bytes.append(byte)
        continue
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let decoded = String(validating: bytes, as: UTF8.self) else {
      throw SensorError(.invalidRequest, "“\(text)” does not decode to UTF-8.")
    }
    return decoded
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("?", with: "%3F").replacing("&", with: "%26").replacing("=", with: "%3D")
  }
}
