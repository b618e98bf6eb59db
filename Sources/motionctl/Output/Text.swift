// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Numbers and lists for people; data files have ``TextBuffer``.
enum Text {
  /// At most `places` decimals, zeros at the end left out: 100, 59.97.
  static func decimal(_ value: Double, places: Int) -> String {
    var text = String(format: "%.\(places)f", value)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// "1 sample", "2 samples", thousands set apart by thin commas: "60,000 samples".
  static func count(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  static func grouped(_ count: Int) -> String {
    var groups: [Substring] = []
    var rest = Substring(String(count))
    while rest.count > 3 {
      groups.insert(rest.suffix(3), at: 0)
      rest = rest.dropLast(3)
    }
    groups.insert(rest, at: 0)
    return groups.joined(separator: ",")
  }

  /// "35 ms", "4.2 s", "12 min 5 s", "1 h 3 min".
  static func duration(_ seconds: Double) -> String {
    let whole = Int(seconds.rounded())
    return switch seconds {
    case ..<0.1: "\(decimal(seconds * 1000, places: 0)) ms"
    case ..<60: "\(decimal(seconds, places: seconds < 10 ? 2 : 1)) s"
    case ..<3600: "\(whole / 60) min \(whole % 60) s"
    default: "\(whole / 3600) h \(whole % 3600 / 60) min"
    }
  }

  /// "a, b and c".
  static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}
