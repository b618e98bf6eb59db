// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The numbers of one row.
///
/// Unsafe: one allocation for as long as the object lives, read and written through spans. An array in an object is
/// checked for exclusive access and counted at every row, which made `motionctl fuse` 9 % slower.
final class RowValues {
  let numbers: UnsafeMutableBufferPointer<Double>
  /// A cell of the present row reads NaN, and nothing has been said of that yet.
  var readsNaN = false
  /// The time of the present row has an exponent and few digits.
  var hasCoarseTime = false

  init(count: Int) {
    numbers = .allocate(capacity: count)
    numbers.initialize(repeating: .nan)
  }

  deinit { numbers.deallocate() }
}

/// The cells of a table that read NaN in rows that hold something else, and what follows of its other numbers.
///
/// In many rows NaN is a program's way to write nothing, as for a sensor of a lower rate; in less than a twentieth of the
/// rows it is a reading that is lost.
final class VoidCells {
  /// Rows read so far, bad ones included: where rows have a rate, a bad one lasts as long as a good one.
  var rows: Int64 = 0
  /// By column; with the place of the first.
  var cells: [Int: (count: Int, first: SensorError.Place)] = [:]

  /// Adds what is lost; the columns of one reading are void together.
  func add(to statistics: inout RecordingStatistics) {
    var last: (count: Int, line: Int?) = (0, nil)
    for (_, void) in cells.sorted(by: { $0.key < $1.key }) where void.count < rows / 20 {
      if last != (void.count, void.first.line) { statistics.count(.nonFinite, void.count, at: void.first) }
      last = (void.count, void.first.line)
    }
  }
}

/// The rows of a table, parsed without allocating: numbers into ``RowValues``, times into `instants`.
final class TableReader {
  /// Absent instants, where the column may be empty.
  static let absent = Int64.min

  let values: RowValues
  /// The times of the present row, ns; `instants[0]` orders the rows of an ordered table.
  ///
  /// Unsafe: as the numbers of ``RowValues``, for the same reason.
  let instants: UnsafeMutableBufferPointer<Int64>
  private let lines: LineReader
  private let layout: TableLayout
  private let parser: RowParser
  private let context: ReadingContext
  private var headerLines: Int
  private var order = TimeOrder()
  /// The numbers of the row before, in an ordered table.
  private let previous: RowValues
  private let voids = VoidCells()
  /// Of a counter that starts again: its last reading, and what its full rounds amount to, ns.
  private var wrapped: (last: Int64, sum: Int64) = (0, 0)

  init(_ source: any ByteSource, name: String, layout: TableLayout, _ context: ReadingContext) {
    lines = LineReader(source, name: name)
    self.layout = layout
    values = RowValues(count: WideTable.slotCount)
    self.context = context
    parser = RowParser(layout, values)
    instants = .allocate(capacity: max(1, parser.instantCount))
    instants.initialize(repeating: Self.absent)
    headerLines = layout.headerLines
    previous = RowValues(count: values.numbers.count)
    context.voids.append(voids)
  }

  deinit { instants.deallocate() }

  /// The line of the present row.
  var place: SensorError.Place { lines.place }

  /// Reads the next good row; false at the end.
  func next() throws(SensorError) -> Bool {
    if values.readsNaN { countVoids() }
    while let line = try nextLine() {
      if headerLines > 0 {
        headerLines -= 1
        continue
      }
      if parser.isBlank(line) {
        guard layout.endsAtBlankLine else { continue }
        // Other tables follow; that there are rows is said.
        while let line = try nextLine() {
          if !parser.isBlank(line) { context.statistics.passOver("rows behind the first empty line") }
        }
        return false
      }
      voids.rows += 1
      if let filter = layout.filter { values.numbers[filter.slot] = .nan }
      (values.readsNaN, values.hasCoarseTime) = (false, false)
      let problem = parser.parse(line.bytes, instants: instants)
      // A row of another sensor need not have the columns of this one.
      if let filter = layout.filter, values.numbers[filter.slot] != filter.value,
        problem == nil || !values.numbers[filter.slot].isNaN
      {
        continue
      }
      if let problem {
        try report(problem, in: line.bytes)
      } else if try placeInTime(), try !isRounded(), try placeInOrder() {
        return true
      }
    }
    return false
  }

  /// Reports a time with an exponent of which digits are missing: rows then have the same. `1e+05` alone is exact, as R
  /// writes it.
  private func isRounded() throws(SensorError) -> Bool {
    guard values.hasCoarseTime, instants[0] == order.latest else { return false }
    var place = place
    place.column = layout.columns.first(where: \.isTime)?.name
    try context.report(
      .malformed,
      "The time is that of the row before, in the few digits that it has: a spreadsheet has rounded the time stamps; use the original file",
      at: place)
    return true
  }

  private func countVoids() {
    values.readsNaN = false
    for (index, column) in layout.columns.enumerated() {
      switch column.content {
      case .number(let slot, _), .word(let slot, _):
        if values.numbers[slot].isNaN { voids.cells[index, default: (0, place)].count += 1 }
      case .instant, .clock: break
      }
    }
  }

  private func nextLine() throws(SensorError) -> LineReader.Line? {
    do throws(SensorError) {
      guard let line = try lines.next(), !context.isCutOff(line, at: place) else { return nil }
      return line
    } catch {
      try context.endOfBytes(error)
      return nil
    }
  }

  /// Brings instant 0 onto the recording's time line; false for a row that has no time.
  private func placeInTime() throws(SensorError) -> Bool {
    switch layout.timeLine {
    case nil: return true
    case .rowNumber(let rate):
      let time = (Double(voids.rows - 1) * 1e9 / rate).rounded()
      instants[0] = try usual(Int64(exactly: time))
    case .wrapping(let unit):
      guard instants[0] != Self.absent else { return false }
      instants[0] = try usual(unwrapped(instants[0], unit: unit))
    case .dated:
      guard instants[0] != Self.absent, instants[1] != Self.absent else { return false }
      let (sum, isTooLarge) = instants[0].addingReportingOverflow(instants[1])
      instants[0] = try usual(isTooLarge ? nil : sum)
    case .updates: return instants[0] != Self.absent && instants[0] != 0 && instants[0] != order.latest
    case .pieces(let pieces):
      let time = instants[0]
      guard time != Self.absent else {
        // Columns of unequal length: a row without a time is the rest of others, unless it has numbers.
        let isRest = layout.columns.allSatisfy {
          if case .number(let slot, _) = $0.content { values.numbers[slot].isNaN } else { true }
        }
        if !isRest { context.statistics.count(.malformed, at: place) }
        return false
      }
      guard let piece = pieces.last(where: { $0.start <= time }) ?? pieces.first else { return true }
      let (sum, isTooLarge) = time.addingReportingOverflow(piece.shift)
      instants[0] = try usual(isTooLarge ? nil : sum)
    }
    return true
  }

  /// The time of a counter whose rounds are added up. A round is over where the reading falls from the end of 16, 24 or
  /// 32 bits, or of a day, to its beginning.
  private func unwrapped(_ time: Int64, unit: Int64) -> Int64? {
    if time < wrapped.last {
      let round = Self.rounds.map { $0.multipliedReportingOverflow(by: unit) }.first { round in
        !round.overflow && wrapped.last <= round.partialValue && wrapped.last > round.partialValue / 100 * 99
          && time < round.partialValue / 100
      }
      if let round { wrapped.sum = wrapped.sum.addingReportingOverflow(round.partialValue).partialValue }
    }
    wrapped.last = time
    let (sum, isTooLarge) = time.addingReportingOverflow(wrapped.sum)
    return isTooLarge ? nil : sum
  }

  /// How far counters count; the last, in seconds, is a day.
  private static let rounds: [Int64] = [1 << 16, 1 << 24, 1 << 32, 86_400]

  /// A time that was computed, where it is one that a clock can show; nil = it did not even fit.
  private func usual(_ time: Int64?) throws(SensorError) -> Int64 {
    guard let time, time.magnitude <= InputLimits.nanoseconds.magnitude else {
      throw SensorError(.limitExceeded, "The log is longer than a hundred years, so its times are wrong.", at: place)
    }
    return time
  }

  /// Brings instant 0 into the order of an ordered table; false for a row that is not used.
  private func placeInOrder() throws(SensorError) -> Bool {
    guard layout.isOrdered else { return true }
    let isRepeat =
      instants[0] == order.latest
      && zip(previous.numbers, values.numbers).allSatisfy { $0.bitPattern == $1.bitPattern }
    guard let time = try order.place(instants[0], isRepeat: isRepeat, context, at: { place }) else { return false }
    instants[0] = time
    _ = previous.numbers.update(fromContentsOf: values.numbers)
    return true
  }

  private func report(_ problem: RowParser.Problem, in line: ArraySlice<UInt8>) throws(SensorError) {
    guard layout.reportsRows || problem.kind != .missing && problem.kind != .tooManyColumns else { return }
    var place = place
    if let column = problem.column { place.column = layout.columns[column].name }
    let found = RowParser.excerpt(line.dropFirst(problem.field.lowerBound).prefix(problem.field.count))
    let message =
      switch problem.kind {
      case .notANumber: "Expected a number, found \(found)"
      case .notFinite: "Expected a finite number of usual size, found \(found)"
      case .notATime: "Expected a time, found \(found)"
      case .notAWord: "Expected \(problem.column.map { layout.columns[$0].content.noun } ?? "a word"), found \(found)"
      case .missing where problem.column == nil: "Expected \(layout.columnCount) columns, found fewer"
      case .missing: "Expected a value, but this column is empty or missing"
      case .tooManyColumns: "Expected \(layout.columnCount) columns, found more"
      }
    try context.report(problem.kind == .notFinite ? .nonFinite : .malformed, message, at: place)
  }
}
