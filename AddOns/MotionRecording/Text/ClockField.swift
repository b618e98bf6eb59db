// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import PhoneFormats

/// A time as people and spreadsheets write it into one field.
///
/// A date has its year in front (`2024-05-01`, `20240501`) or behind (`1.5.2024`, `05/01/2024`, `1-May-2024`), then
/// a time of day (`10:00:00.123`, also with a comma, a colon or AM and PM), then a zone or none;
/// without a zone times are universal. Spreadsheets count days since the end of 1899.
enum ClockField: Sendable, Hashable {
  /// What comes first in a date whose year stands behind.
  enum Order: Sendable, Hashable { case day, month }

  /// A date and a time of day: ns since 1970.
  case dateTime(Order)
  /// A date alone: ns since 1970.
  case date(Order)
  /// A time of day alone: ns since midnight.
  case timeOfDay
  /// Days since 1899-12-30, as Excel counts them: ns since 1970.
  case days
  /// Minutes.
  case minutes

  /// The time in a field; nil when it is none.
  func nanoseconds(_ field: ArraySlice<UInt8>) -> Int64? {
    var text = Cursor(field)
    switch self {
    case .days:
      // A day is 864 · 10¹¹ ns; the first day of 1970 has the number 25569.
      guard let days = text.number(decimals: 11) else { return nil }
      let (since, isFar) = (days &- 25_569 * 100_000_000_000).multipliedReportingOverflow(by: 864)
      return isFar ? nil : since
    case .minutes:
      guard let minutes = text.number(decimals: 9) else { return nil }
      let (time, isFar) = minutes.multipliedReportingOverflow(by: 60)
      return isFar ? nil : time
    case .timeOfDay:
      guard let time = text.timeOfDay(), text.isAtEnd else { return nil }
      return time
    case .date(let order):
      guard let days = text.days(order), text.isAtEnd else { return nil }
      return days * Self.day
    case .dateTime(let order):
      return text.wallTime(order)?.nanoseconds
    }
  }

  private static let day: Int64 = 86_400_000_000_000
}

/// A date with a time of day, its year in front: ISO 8601, or with a blank where the T stands, with or without a zone.
struct WallTime: Hashable {
  /// Since 1970-01-01 00:00 UTC; without a zone as if it were universal time.
  let nanoseconds: Int64
  /// What the last digit is worth, ns.
  let resolution: Int64
  let hasZone: Bool
}

extension WallTime {
  init?(_ text: String) {
    var cursor = ClockField.Cursor(Array(text.utf8)[...])
    guard text.utf8.prefix(4).allSatisfy({ $0 &- 0x30 < 10 }), let time = cursor.wallTime(.day) else { return nil }
    self = time
  }
}

extension ClockField {
  /// Where a field has been read to.
  fileprivate struct Cursor {
    private var rest: ArraySlice<UInt8>
    /// What the last digit of the time of day is worth, ns.
    private var resolution: Int64 = 1_000_000_000

    init(_ field: ArraySlice<UInt8>) {
      var text = field
      while let first = text.first, first == 0x20 || first == 0x22 { text = text.dropFirst() }
      while let last = text.last, last == 0x20 || last == 0x22 { text = text.dropLast() }
      rest = text
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }

    /// A decimal number that fills the field.
    mutating func number(decimals: Int) -> Int64? {
      var cursor = 0
      guard let number = DecimalNumber(rest.span, at: &cursor, otherPoint: 0x2C), cursor == rest.count else {
        return nil
      }
      return number.nanoseconds(decimals: decimals)
    }

    /// Digits, and how many; at most nine of them count.
    private mutating func digits() -> (value: Int64, count: Int)? {
      var value: Int64 = 0
      var count = 0
      while let byte = rest.first, byte &- 0x30 < 10, count < 9 {
        value = value * 10 + Int64(byte - 0x30)
        count += 1
        rest = rest.dropFirst()
      }
      return count > 0 ? (value, count) : nil
    }

    /// Days since 1970.
    mutating func days(_ order: Order) -> Int64? {
      guard let first = digits() else { return nil }
      if first.count == 8 { return Self.days(first.value / 10_000, first.value / 100 % 100, first.value % 100) }
      guard let mark = rest.first, [0x2D, 0x2E, 0x2F].contains(mark) else { return nil }
      rest = rest.dropFirst()
      guard let second = monthByName() ?? digits(), rest.first == mark else { return nil }
      rest = rest.dropFirst()
      guard let third = digits() else { return nil }
      if first.count == 4 { return Self.days(first.value, second.value, third.value) }
      guard third.count == 4 || third.count == 2 else { return nil }
      let year = third.count == 2 ? 2000 + third.value : third.value
      return order == .day
        ? Self.days(year, second.value, first.value) : Self.days(year, first.value, second.value)
    }

    /// The three letters of a month, as MATLAB writes them: `13-Feb-2024`.
    private mutating func monthByName() -> (value: Int64, count: Int)? {
      let word = String(decoding: rest.prefix(3), as: UTF8.self).lowercased()
      let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
      guard let month = months.firstIndex(of: word) else { return nil }
      rest = rest.dropFirst(3)
      return (Int64(month) + 1, 3)
    }

    /// Source: Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64? {
      guard (1970...2090).contains(year), (1...12).contains(month), (1...31).contains(day) else { return nil }
      let shifted = month <= 2 ? year - 1 : year
      let era = shifted / 400
      let yearOfEra = shifted - era * 400
      let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
      return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// A date and a time of day.
    mutating func wallTime(_ order: Order) -> WallTime? {
      guard let days = days(order) else { return nil }
      skip { $0 == 0x20 || $0 == 0x54 || $0 == 0x74 || $0 == 0x5F || $0 == 0x2C }
      guard let time = timeOfDay() else { return nil }
      skip { $0 == 0x20 }
      let hasZone = !isAtEnd
      guard let zone = zone(), isAtEnd else { return nil }
      return WallTime(nanoseconds: days * ClockField.day + time - zone, resolution: resolution, hasZone: hasZone)
    }

    /// Nanoseconds since midnight.
    mutating func timeOfDay() -> Int64? {
      guard var hour = digits() else { return nil }
      // As pandas writes a span of time: `0 days 10:00:00.5`.
      let days = rest.starts(with: " days ".utf8) ? hour.value : 0
      if rest.starts(with: " days ".utf8) {
        rest = rest.dropFirst(6)
        guard let next = digits(), days < 40_000 else { return nil }
        hour = next
      }
      guard hour.value < 24, rest.first == 0x3A else { return nil }
      rest = rest.dropFirst()
      guard let minute = digits(), minute.value < 60 else { return nil }
      var time = days * 86_400 + hour.value * 3600 + minute.value * 60
      var fraction: Int64 = 0
      if rest.first == 0x3A {
        rest = rest.dropFirst()
        guard let second = digits(), second.value <= 60 else { return nil }
        time += second.value
        // A third colon stands before milliseconds.
        if let mark = rest.first, mark == 0x2E || mark == 0x2C || mark == 0x3A {
          rest = rest.dropFirst()
          guard let part = digits() else { return nil }
          fraction = part.value
          for _ in part.count..<9 { fraction *= 10 }
          for _ in 0..<part.count { resolution /= 10 }
          skip { $0 &- 0x30 < 10 }
        }
      }
      skip { $0 == 0x20 }
      if let letter = rest.first, let m = rest.dropFirst().first, m | 0x20 == 0x6D {
        let isAfternoon = letter | 0x20 == 0x70
        guard isAfternoon || letter | 0x20 == 0x61, hour.value <= 12 else { return nil }
        rest = rest.dropFirst(2)
        // Twelve is the hour 0 of its half of the day.
        time += (isAfternoon ? 43_200 : 0) - (hour.value == 12 ? 43_200 : 0)
      }
      return time * 1_000_000_000 + fraction
    }

    /// How far the zone is ahead of universal time, ns; none is universal time.
    mutating func zone() -> Int64? {
      guard let first = rest.first else { return 0 }
      if first == 0x5A || first == 0x7A {
        rest = rest.dropFirst()
        return 0
      }
      if rest.elementsEqual("UTC".utf8) || rest.elementsEqual("GMT".utf8) {
        rest = rest.dropFirst(3)
        return 0
      }
      guard first == 0x2B || first == 0x2D else { return nil }
      rest = rest.dropFirst()
      guard let hours = digits(), hours.count > 1 else { return nil }
      var minutes = hours.count == 4 ? hours.value / 100 * 60 + hours.value % 100 : hours.value * 60
      if rest.first == 0x3A {
        rest = rest.dropFirst()
        guard let more = digits() else { return nil }
        minutes += more.value
      }
      guard minutes <= 14 * 60 else { return nil }
      return minutes * (first == 0x2D ? -60_000_000_000 : 60_000_000_000)
    }
  }
}
