// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A date with a time of day as text: ISO 8601, or with a blank where the T stands, and with or without a zone.
struct WallTime: Hashable {
  /// Since 1970-01-01 00:00 UTC; without a zone as if it were universal time.
  let nanoseconds: Int64
  /// What the last digit is worth.
  let resolution: Int64
  let hasZone: Bool

  init?(_ text: String) {
    let bytes = Array(text.utf8)
    func number(_ start: Int, _ count: Int, _ range: ClosedRange<Int64>) -> Int64? {
      guard start + count <= bytes.count, bytes[start..<start + count].allSatisfy({ (0x30...0x39).contains($0) }) else {
        return nil
      }
      let value = bytes[start..<start + count].reduce(0) { $0 * 10 + Int64($1 - 0x30) }
      return range.contains(value) ? value : nil
    }
    guard bytes.count >= 19, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54 || bytes[10] == 0x20,
      bytes[13] == 0x3A, bytes[16] == 0x3A, let year = number(0, 4, 1970...2090), let month = number(5, 2, 1...12),
      let day = number(8, 2, 1...31), let hour = number(11, 2, 0...23), let minute = number(14, 2, 0...59),
      let second = number(17, 2, 0...60)
    else { return nil }
    var rest = bytes[19...]
    var fraction: Int64 = 0
    var unit: Int64 = 1_000_000_000
    if rest.first == 0x2E || rest.first == 0x2C {
      rest = rest.dropFirst()
      while let digit = rest.first, (0x30...0x39).contains(digit) {
        if unit > 1 {
          unit /= 10
          fraction += Int64(digit - 0x30) * unit
        }
        rest = rest.dropFirst()
      }
    }
    while rest.first == 0x20 { rest = rest.dropFirst() }
    var zone: Int64 = 0
    if let sign = rest.first, sign == 0x2B || sign == 0x2D {
      let start = rest.startIndex + 1
      guard let hours = number(start, 2, 0...14) else { return nil }
      let colon = start + 2 < bytes.count && bytes[start + 2] == 0x3A ? 1 : 0
      let minutes = start + 2 + colon < bytes.count ? number(start + 2 + colon, 2, 0...59) : 0
      guard let minutes else { return nil }
      zone = (hours * 3600 + minutes * 60) * (sign == 0x2D ? -1 : 1)
    } else if !rest.isEmpty, !rest.elementsEqual("Z".utf8) {
      return nil
    }
    hasZone = !rest.isEmpty
    resolution = unit
    let days = Self.days(year, month, day)
    nanoseconds = (days * 86_400 + hour * 3600 + minute * 60 + second - zone) * 1_000_000_000 + fraction
  }

  /// The same of numbers, of a year from 1970 to 2262; nil where there is no such date or time.
  static func nanoseconds(
    year: Int64, month: Int64, day: Int64, hour: Int64, minute: Int64, second: Int64
  ) -> Int64? {
    guard (1970...2261).contains(year), (1...12).contains(month), (0...23).contains(hour), (0...59).contains(minute),
      (0...59).contains(second), day >= 1,
      days(year, month, day) < days(month == 12 ? year + 1 : year, month == 12 ? 1 : month + 1, 1)
    else { return nil }
    return (days(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second) * 1_000_000_000
  }

  /// Days since 1970 of a Gregorian date. Source: Hinnant, "chrono-Compatible Low-Level Date Algorithms",
  /// days_from_civil.
  static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}
