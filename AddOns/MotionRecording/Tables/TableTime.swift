// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Which columns are the time of a table, and in which unit.
///
/// A time never goes back over the rows that are looked at, nor stands still for most of them. Where its name has no
/// unit the interval decides: sensors that are worth fusing tick 4 to 4000 times a second, and the ranges that follow
/// for s, ms, µs and ns do not overlap. Days of a spreadsheet are told by their size.
struct TableTime {
  /// Of the map: `t=…`, with `date=…` where the day has a column of its own.
  var text: String
  var columns: [Int]
  /// Seconds, for the rows that are looked at; NaN where there is none.
  var seconds: [Double]
  /// How the unit is known, where the name does not say it.
  var remark: String?

  /// s; nil when there are too few rows.
  var interval: Double? { Self.median(Self.intervals(seconds)) }

  private static func intervals(_ times: [Double]) -> [Double] {
    let finite = times.filter(\.isFinite)
    return zip(finite.dropFirst(), finite).map { $0 - $1 }
  }

  static func median(_ values: [Double]) -> Double? {
    values.isEmpty ? nil : values.sorted()[values.count / 2]
  }

  /// What a search found.
  enum Finding {
    case time(TableTime)
    /// Times that most rows share, at so many rows in a second.
    case coarse(column: Int, rowsPerSecond: Double)
    /// A count of rows, one more in each: it needs a rate.
    case counter(column: Int)
    case none
  }

  /// The best column of times.
  static func find(in table: TableColumns) -> Finding {
    var found: [TableTime] = []
    var lesser = Finding.none
    var strangers: [Int] = []
    let hasHeader = table.structure.names != nil
    for column in 0..<table.structure.columnCount {
      let name = table.names[column]
      guard !hasHeader || name.kind == .time || name.kind == .unknown && name.axis == nil else { continue }
      if hasHeader, name.kind != .time, table.structure.names?[column].isEmpty == false {
        strangers.append(column)
        continue
      }
      switch time(column, table, isNamed: name.kind == .time) {
      case .time(let time): found.append(time)
      case .none: continue
      case let other: if case .none = lesser { lesser = other }
      }
    }
    // No name is one of a time: the first column that grows evenly.
    for column in strangers where found.isEmpty && growsEvenly(table.numbers(column)) {
      switch time(column, table, isNamed: false) {
      case .time(var time):
        time.remark = (time.remark ?? "the unit of its name") + ", and the time as it grows evenly"
        found.append(time)
      case .none: continue
      case let other: if case .none = lesser { lesser = other }
      }
    }
    // Of several the one that tells most rows apart, and of those the first.
    func distinct(_ time: TableTime) -> Int { intervals(time.seconds).count { $0 > 0 } }
    guard let most = found.map(distinct).max() else { return lesser }
    guard let best = found.first(where: { distinct($0) * 100 >= most * 99 }) else { return lesser }
    return .time(best)
  }

  private static func growsEvenly(_ numbers: [Double]) -> Bool {
    let steps = intervals(numbers)
    guard steps.count > 3, let middle = median(steps), middle > 0 else { return false }
    return steps.allSatisfy { $0 > 0 } && steps.count { abs($0 / middle - 1) < 0.5 } * 10 >= steps.count * 9
  }

  private static func time(_ column: Int, _ table: TableColumns, isNamed: Bool) -> Finding {
    let fields = table.rows.map { $0.count > column ? $0[column] : "" }
    guard let sample = fields.first(where: { TableCell.kind($0) != .nothing }) else { return .none }
    guard TableCell.number(sample) == nil else { return number(column, table, isNamed: isNamed) }
    guard var clock = TableCell.clock(sample) else { return .none }
    // A day behind the twelfth shows the order.
    if clock == .dateTime(.day), !fields.allSatisfy({ isReadable($0, clock) }) { clock = .dateTime(.month) }
    var text = "t=\(table.reference(column))"
    var columns = [column]
    var seconds = fields.map { Self.seconds($0, clock) }
    switch clock {
    case .dateTime(let order): text += order == .day ? "[date]" : "[mdy]"
    case .timeOfDay:
      text += "[clock]"
      let date = (0..<table.structure.columnCount).first { other in
        let row = table.rows.first ?? []
        return if row.count > other, case .date = TableCell.clock(row[other]) { true } else { false }
      }
      if let date {
        let days = table.rows.map { $0.count > date ? $0[date] : "" }
        let isDay = days.allSatisfy { $0.isEmpty || isReadable($0, .date(.day)) }
        text += " date=\(table.reference(date))[\(isDay ? "date" : "mdy")]"
        columns.append(date)
        seconds = zip(seconds, days).map { $0 + Self.seconds($1, .date(isDay ? .day : .month)) }
      }
    default: return .none
    }
    return checked(TableTime(text: text, columns: columns, seconds: seconds, remark: nil), column)
  }

  private static func isReadable(_ field: Substring, _ clock: ClockField) -> Bool {
    field.isEmpty || seconds(field, clock).isFinite
  }

  private static func seconds(_ field: Substring, _ clock: ClockField) -> Double {
    let bytes = Array(field.utf8.prefix(64))
    return clock.nanoseconds(bytes[...]).map { Double($0) * 1e-9 } ?? .nan
  }

  /// Times that do not go back, and not many of which are the same.
  private static func checked(_ time: TableTime, _ column: Int) -> Finding {
    let steps = intervals(time.seconds)
    let finite = time.seconds.filter(\.isFinite)
    guard finite.count * 10 >= time.seconds.count * 5, let first = finite.first, let last = finite.last,
      steps.count(where: { $0 < 0 }) * 50 <= steps.count
    else { return .none }
    if steps.count(where: { $0 > 0 }) * 2 < steps.count {
      guard last > first else { return .none }
      // The first and the last time may have only a part of their rows.
      let between = finite.filter { $0 > first && $0 < last }
      let span = (between.first.map { last - $0 }) ?? (last - first)
      return .coarse(column: column, rowsPerSecond: Double(between.isEmpty ? finite.count : between.count) / span)
    }
    return .time(time)
  }

  private static let units: [(name: String, seconds: Double, title: String)] = [
    ("s", 1, "seconds"), ("ms", 1e-3, "milliseconds"), ("us", 1e-6, "microseconds"), ("ns", 1e-9, "nanoseconds"),
  ]
  private static let others = ["100us": 1e-4, "min": 60, "days": 86_400]

  private static func number(_ column: Int, _ table: TableColumns, isNamed: Bool) -> Finding {
    let numbers = table.numbers(column)
    guard let first = numbers.first(where: \.isFinite), let step = median(intervals(numbers).filter { $0 > 0 }) else {
      // One row, or times that stand still: only a stated unit makes it a time.
      guard numbers.filter(\.isFinite).count == 1, isNamed else { return .none }
      let unit = table.names[column].unit ?? "s"
      return .time(
        TableTime(text: "t=\(table.reference(column))[\(unit)]", columns: [column], seconds: numbers, remark: nil))
    }
    func time(_ unit: String, _ scale: Double, _ remark: String?) -> Finding {
      checked(
        TableTime(
          text: "t=\(table.reference(column))[\(unit)]", columns: [column], seconds: numbers.map { $0 * scale },
          remark: remark), column)
    }
    let rates = 4.0...4000.0
    if let unit = table.names[column].unit, let scale = scale(unit) { return time(unit, scale, nil) }
    let isTicks = table.structure.names?[column].lowercased().filter(\.isLetter) == "sampletimefine"
    if isTicks, rates.contains(1 / (step * 1e-4)) { return time("100us", 1e-4, "ticks of 100 µs by their interval") }
    if (30_000.0...60_000).contains(first), step < 1e-4 {
      return time("days", 86_400, "days of a spreadsheet by their size")
    }
    // Times since 1970 may be whole seconds, or stand still to the digits that are left of them.
    let standsStill = intervals(numbers).count { $0 == 0 } * 2 > numbers.count
    if let unit = units.first(where: { (9e8...3e9).contains(first * $0.seconds) }),
      step * unit.seconds < 20 || standsStill
    {
      return time(unit.name, unit.seconds, "\(unit.title) since 1970 by their size")
    }
    if step == 1, intervals(numbers).allSatisfy({ $0 == 1 || !$0.isFinite }) { return .counter(column: column) }
    guard let unit = units.first(where: { rates.contains(1 / (step * $0.seconds)) }) else {
      return isNamed && step >= 0.25 && step <= 3600 && numbers.contains { $0.rounded() != $0 }
        ? time("s", 1, "seconds, as it has decimals") : .none
    }
    return time(unit.name, unit.seconds, "\(unit.title) by its interval")
  }

  private static func scale(_ unit: String) -> Double? {
    units.first { $0.name == unit }?.seconds ?? others[unit]
  }
}
