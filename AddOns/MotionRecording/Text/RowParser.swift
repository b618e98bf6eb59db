// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import PhoneFormats

/// Finds the wanted fields of one line and converts them, in one pass over the bytes.
struct RowParser {
  /// What is wrong with a row.
  struct Problem {
    enum Kind: Equatable {
      case notANumber, notFinite, notATime, notAWord, missing, tooManyColumns
    }
    var kind: Kind
    /// Index into the layout's columns.
    var column: Int?
    /// Where in the line.
    var field: Range<Int>
  }

  /// A column without its name: plain bits, so that the loop over the columns counts no references.
  private struct Step {
    var index: Int
    var content: TableLayout.Content
    var isOptional: Bool
  }

  let instantCount: Int
  private let steps: [Step]
  private let columnCount: Int
  /// 0 = blanks.
  let separator: UInt8
  /// The comma where it separates decimals, else the point.
  private let otherPoint: UInt8
  /// Where it is noted that a cell of the row reads NaN.
  private let values: RowValues

  init(_ layout: TableLayout, _ values: RowValues) {
    self.values = values
    steps = layout.columns.map { Step(index: $0.index, content: $0.content, isOptional: $0.isOptional) }
    columnCount = layout.columnCount
    if case .byte(let byte) = layout.separator { separator = byte } else { separator = 0 }
    otherPoint = layout.acceptsDecimalComma ? 0x2C : 0x2E
    instantCount = layout.columns.count(where: \.isTime)
  }

  /// True for empty lines, and for comments where fields are separated by blanks.
  func isBlank(_ line: LineReader.Line) -> Bool {
    let start = skipBlanks(0, line.bytes.span)
    return start == line.bytes.count || (separator == 0 && line.bytes.span[start] == 0x23)
  }

  /// Converts the wanted fields of a line; nil = all went well.
  ///
  /// Unsafe: the buffers of ``RowValues``, which have a place for each slot of the layout.
  func parse(
    _ bytes: ArraySlice<UInt8>, instants: UnsafeMutableBufferPointer<Int64>
  ) -> Problem? {
    let (line, numbers) = (bytes.span, values.numbers)
    var cursor = 0
    // The field that begins at the cursor.
    var index = 0
    for position in 0..<steps.count {
      let step = steps[position]
      while index < step.index {
        guard skipField(&cursor, line) else { return missing(position, line) }
        index += 1
      }
      cursor = skipBlanks(cursor, line)
      let field = cursor
      let kind: Problem.Kind? =
        switch step.content {
        case .number(let slot, let scale):
          readNumber(&cursor, line, into: &numbers[slot], by: scale, isOptional: step.isOptional)
        case .instant(let slot, let decimals):
          readInstant(&cursor, line, decimals, into: &instants[slot], isOptional: step.isOptional)
        case .clock(let slot, let form): readClock(&cursor, bytes, form, into: &instants[slot])
        case .word(let slot, let vocabulary): readWord(&cursor, line, vocabulary, into: &numbers[slot])
        }
      if let kind { return Problem(kind: kind, column: position, field: fieldRange(field, line)) }
      if cursor < line.count {
        cursor += separator == 0 ? 0 : 1
        index += 1
      } else if index < columnCount - 1, position < steps.count - 1 {
        return missing(position + 1, line)
      } else {
        return index == columnCount - 1 ? nil : missing(nil, line)
      }
    }
    return checkRest(cursor, line, index)
  }

  /// The fields behind the last wanted one: as many as the header says; more only when they are empty.
  private func checkRest(_ start: Int, _ line: Span<UInt8>, _ first: Int) -> Problem? {
    var cursor = start
    var index = first
    while index < columnCount {
      if separator == 0, skipBlanks(cursor, line) == line.count { return missing(nil, line) }
      guard skipField(&cursor, line) else { return index == columnCount - 1 ? nil : missing(nil, line) }
      index += 1
    }
    while cursor < line.count {
      guard line[cursor] == separator || line[cursor] == 0x20 || line[cursor] == 0x09 else {
        return Problem(kind: .tooManyColumns, column: nil, field: fieldRange(cursor, line))
      }
      cursor += 1
    }
    return nil
  }

  private func missing(_ column: Int?, _ line: Span<UInt8>) -> Problem {
    Problem(kind: .missing, column: column, field: line.count..<line.count)
  }

  /// The beginning of a field's text: behind a quotation mark, where there is one.
  @inline(__always)
  private func openField(_ cursor: inout Int, _ line: Span<UInt8>) -> (start: Int, isQuoted: Bool) {
    let isQuoted = cursor < line.count && line[cursor] == 0x22
    if isQuoted { cursor += 1 }
    return (cursor, isQuoted)
  }

  /// What is wrong with a field that holds no number; nil where it is empty and may be.
  private func problem(
    of start: Int, _ cursor: inout Int, _ line: Span<UInt8>, _ isQuoted: Bool, isOptional: Bool, otherwise: Problem.Kind
  ) -> Problem.Kind? {
    if isQuoted { cursor = start - 1 }
    if isAbsent(&cursor, line, isOptional: isOptional) { return isOptional ? nil : .missing }
    return isNotFinite(start, line) ? .notFinite : otherwise
  }

  /// Reads a number up to the separator, which the cursor then shows.
  @inline(__always)
  private func readNumber(
    _ cursor: inout Int, _ line: Span<UInt8>, into number: inout Double, by scale: Double, isOptional: Bool
  ) -> Problem.Kind? {
    let (start, isQuoted) = openField(&cursor, line)
    guard let decimal = DecimalNumber(line, at: &cursor, otherPoint: otherPoint) else {
      number = .nan
      return problem(of: start, &cursor, line, isQuoted, isOptional: isOptional, otherwise: .notANumber)
    }
    guard let value = decimal.double(text: line.extracting(start..<cursor)),
      closeField(&cursor, line, isQuoted)
    else { return .notANumber }
    guard value.magnitude <= InputLimits.magnitude else { return .notFinite }
    number = value * scale
    return nil
  }

  @inline(__always)
  private func readInstant(
    _ cursor: inout Int, _ line: Span<UInt8>, _ decimals: Int, into instant: inout Int64, isOptional: Bool
  ) -> Problem.Kind? {
    let (start, isQuoted) = openField(&cursor, line)
    guard let decimal = DecimalNumber(line, at: &cursor, otherPoint: otherPoint) else {
      instant = TableReader.absent
      return problem(of: start, &cursor, line, isQuoted, isOptional: isOptional, otherwise: .notATime)
    }
    guard let value = decimal.nanoseconds(decimals: decimals), closeField(&cursor, line, isQuoted) else {
      return .notATime
    }
    // The last digit is worth more than a millisecond.
    if decimal.hasExponent, decimal.exponent + decimals > 6 { values.hasCoarseTime = true }
    instant = value
    return nil
  }

  private func readClock(
    _ cursor: inout Int, _ line: ArraySlice<UInt8>, _ form: ClockField, into instant: inout Int64
  ) -> Problem.Kind? {
    let field = fieldRange(cursor, line.span)
    cursor += field.count
    instant = TableReader.absent
    guard let value = form.nanoseconds(line.dropFirst(field.lowerBound).prefix(field.count)) else { return .notATime }
    instant = value
    return nil
  }

  private func readWord(
    _ cursor: inout Int, _ line: Span<UInt8>, _ vocabulary: TableLayout.Vocabulary, into number: inout Double
  ) -> Problem.Kind? {
    let field = fieldRange(cursor, line)
    cursor += field.count
    let letters = field.prefix(64).map { line[$0] }.filter { $0 != 0x22 && $0 != 0x20 }
    let word = String(decoding: letters, as: UTF8.self).lowercased()
    number = .nan
    if word == "nan" { values.readsNaN = true }
    if word.isEmpty || word == "null" || word == "nan" { return nil }
    guard let value = vocabulary.number(of: word) else { return .notAWord }
    number = Double(value)
    return nil
  }
}

// Where fields begin and end; what an empty one looks like.
extension RowParser {
  /// Moves behind a closing quote and blanks; true when a separator or the end follows.
  @inline(__always)
  func closeField(_ cursor: inout Int, _ line: Span<UInt8>, _ isQuoted: Bool) -> Bool {
    if isQuoted {
      guard cursor < line.count, line[cursor] == 0x22 else { return false }
      cursor += 1
    }
    if cursor == line.count { return true }
    if separator == 0 { return line[cursor] == 0x20 || line[cursor] == 0x09 }
    if line[cursor] == separator { return true }
    cursor = skipBlanks(cursor, line)
    return cursor == line.count || line[cursor] == separator
  }

  /// True for an empty field and for `null`; the cursor then shows its end. `NaN` is one more way to write nothing,
  /// where there may be nothing: programs that save a table again write it into empty cells.
  func isAbsent(_ cursor: inout Int, _ line: Span<UInt8>, isOptional: Bool) -> Bool {
    let field = fieldRange(cursor, line)
    let text = field.map { line[$0] }.filter { $0 != 0x22 && $0 != 0x20 }
    let isNaN = isOptional && text.count == 3 && text.map { $0 | 0x20 }.elementsEqual("nan".utf8)
    if isNaN { values.readsNaN = true }
    guard separator != 0, isNaN || text.isEmpty || text.elementsEqual("null".utf8) else { return false }
    cursor += field.count
    return true
  }

  func isNotFinite(_ start: Int, _ line: Span<UInt8>) -> Bool {
    var text = fieldRange(start, line).prefix(16).map { line[$0] | 0x20 }
    if text.first == 0x2D || text.first == 0x2B { text.removeFirst() }
    return text.starts(with: "nan".utf8) || text.starts(with: "inf".utf8)
  }

  /// Moves behind the separator that ends the present field; false when the line ends first.
  func skipField(_ cursor: inout Int, _ line: Span<UInt8>) -> Bool {
    if separator == 0 {
      cursor = skipBlanks(cursor, line)
      while cursor < line.count, line[cursor] != 0x20, line[cursor] != 0x09 { cursor += 1 }
      return cursor < line.count
    }
    if cursor < line.count, line[cursor] == 0x22 {
      cursor += fieldRange(cursor, line).count
    } else {
      while cursor < line.count, line[cursor] != separator { cursor += 1 }
    }
    guard cursor < line.count else { return false }
    cursor += 1
    return true
  }

  @inline(__always)
  func skipBlanks(_ start: Int, _ line: Span<UInt8>) -> Int {
    var cursor = start
    while cursor < line.count, line[cursor] == 0x20 || (line[cursor] == 0x09 && separator != 0x09) { cursor += 1 }
    return cursor
  }

  /// The field from `start` to its separator; separators inside quotes belong to it.
  func fieldRange(_ start: Int, _ line: Span<UInt8>) -> Range<Int> {
    var cursor = start
    var isQuoted = false
    while cursor < line.count {
      let byte = line[cursor]
      if byte == 0x22 { isQuoted.toggle() }
      if !isQuoted, separator == 0 ? byte == 0x20 || byte == 0x09 : byte == separator { break }
      cursor += 1
    }
    return start..<cursor
  }

  /// A field as a message shows it: quoted, at most 40 characters.
  static func excerpt(_ field: ArraySlice<UInt8>) -> String {
    guard !field.isEmpty else { return "nothing" }
    let text = String(decoding: field.prefix(40), as: UTF8.self)
    return text.debugDescription + (field.count > 40 ? "…" : "")
  }
}
