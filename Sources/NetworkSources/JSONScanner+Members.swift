// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Objects and arrays, member by member. `body` must read the value.
extension JSONScanner {
  mutating func members(
    _ body: (String, inout JSONScanner) throws(JSONScanner.Failure) -> Void
  ) throws(JSONScanner.Failure) {
    try expect(UInt8(ascii: "{"))
    if skip(UInt8(ascii: "}")) { return }
    repeat {
      let key = try string()
      try expect(UInt8(ascii: ":"))
      try body(key, &self)
    } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
  }

  mutating func elements(
    _ body: (inout JSONScanner) throws(JSONScanner.Failure) -> Void
  ) throws(JSONScanner.Failure) {
    try expect(UInt8(ascii: "["))
    if skip(UInt8(ascii: "]")) { return }
    repeat { try body(&self) } while skip(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
  }

  /// A number, rounded once; nil for `null`, and for one that no double holds.
  mutating func double() throws(JSONScanner.Failure) -> Double? {
    guard let (decimal, text) = try number() else { return nil }
    return decimal.double(text: text)
  }

  /// A whole number, digit for digit: nanoseconds since 1970 do not fit into a double. Nil for `null`, for text and for a
  /// number that is too large.
  mutating func whole() throws(JSONScanner.Failure) -> Int64? {
    guard peek() != UInt8(ascii: "\"") else {
      return try text().flatMap { Int64($0) }
    }
    guard let (decimal, _) = try number() else { return nil }
    return decimal.nanoseconds(decimals: 0)
  }
}
