// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionRecording

/// Text for people in columns.
extension JSONText {
  mutating func append(_ text: String) { append(raw: text) }

  /// Rounded to `places` decimals and set to the right in `width` columns.
  mutating func append(_ value: Double, places: Int, width: Int) {
    guard value.isFinite, abs(value) < 1e9 else { return append("–", width: width) }
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = Int64((abs(value) * scale).rounded())
    let unit = Int64(scale)
    var text = "\(scaled / unit)"
    if places > 0 {
      let fraction = String(scaled % unit)
      text += "." + String(repeating: "0", count: places - fraction.count) + fraction
    }
    // No minus in front of a zero.
    if value < 0, scaled != 0 { text = "-" + text }
    append(text, width: width)
  }

  /// Set to the right in `width` columns.
  mutating func append(_ text: String, width: Int) {
    append(raw: String(repeating: " ", count: max(0, width - text.count)) + text)
  }
}
