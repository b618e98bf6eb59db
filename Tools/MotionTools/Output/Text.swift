// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MotionRecording
import MotionSensing
import MotionServices

/// Numbers and lists for people; data files have ``JSONText``.
package enum Text {
  /// At most `places` decimals, zeros at the end left out: 100, 59.97.
  package static func decimal(_ value: Double, places: Int) -> String {
    var text = String(format: "%.\(places)f", value)
    guard text.contains(".") else { return text }
    while text.last == "0" { text.removeLast() }
    if text.last == "." { text.removeLast() }
    return text == "-0" ? "0" : text
  }

  /// "1 sample", "2 samples", thousands set apart by thin commas: "60,000 samples".
  package static func count(_ count: Int, _ noun: String, plural: String? = nil) -> String {
    "\(grouped(count)) \(count == 1 ? noun : plural ?? noun + "s")"
  }

  package static func grouped(_ count: Int) -> String { count.formatted(.number.locale(Locale(identifier: "en_US"))) }

  /// "35 ms", "4.2 s", "12 min 5 s", "1 h 3 min".
  package static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<0.1: return "\(decimal(seconds * 1000, places: 0)) ms"
    case ..<59.95: return "\(decimal(seconds, places: seconds < 10 ? 2 : 1)) s"
    default: break
    }
    let whole = Int(clamping: min(seconds, 1e15).rounded())
    let (large, small) = whole < 3600 ? (whole / 60, whole % 60) : (whole / 3600, whole % 3600 / 60)
    let (unit, part) = whole < 3600 ? ("min", "s") : ("h", "min")
    return "\(large) \(unit)" + (small == 0 ? "" : " \(small) \(part)")
  }

  /// "512 bytes", "1.5 kB", "2.3 GB": powers of ten, as disks are sold.
  package static func bytes(_ count: Int64) -> String {
    let units: [(Double, String)] = [(1e9, "GB"), (1e6, "MB"), (1e3, "kB")]
    guard let (size, name) = units.first(where: { Double(count) >= $0.0 }) else { return "\(count) bytes" }
    let value = Double(count) / size
    return "\(decimal(value, places: value < 100 ? 1 : 0)) \(name)"
  }

  /// "2026-11-21", in universal time.
  package static func date(_ date: Date) -> String { date.formatted(.iso8601.year().month().day()) }

  /// Set to the right, or to the left, in `width` columns.
  package static func padded(_ text: String, _ width: Int, toRight: Bool = true) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return toRight ? blanks + text : text + blanks
  }

  /// "a, b and c".
  package static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }
}

/// Text for people in columns.
extension JSONText {
  package mutating func append(_ text: String) { append(raw: text) }

  /// Rounded to `places` decimals and set to the right in `width` columns.
  package mutating func append(_ value: Double, places: Int, width: Int) {
    guard value.isFinite, abs(value) < 1e9 else { return append("–", width: width) }
    let digits = String(format: "%.\(places)f", value)
    // No minus in front of a zero.
    let text = digits.contains { ("1"..."9").contains($0) } ? digits : digits.replacing("-", with: "")
    append(text, width: width)
  }

  /// Set to the right in `width` columns.
  package mutating func append(_ text: String, width: Int) {
    append(raw: Text.padded(text, width))
  }
}
