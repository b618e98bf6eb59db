// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The first line of a table: its separator and the names of its columns.
struct TableHeader: Sendable {
  let separator: UInt8
  let names: [String]
  private let place: SensorError.Place

  /// Comma, semicolon or tab: whichever splits the line into most fields outside quotes.
  init(_ line: some Collection<UInt8>, file: String) throws(SensorError) {
    place = SensorError.Place(file: file, line: 1)
    let bytes = Array(line)
    var separator: UInt8 = 0x2C
    var most = 0
    for candidate: UInt8 in [0x2C, 0x3B, 0x09] {
      let count = Self.ends(bytes, at: candidate).count
      if count > most { (separator, most) = (candidate, count) }
    }
    let fields = Self.split(bytes, at: separator)
    guard fields.count <= InputLimits.columns, fields.allSatisfy({ $0.count <= InputLimits.nameBytes }) else {
      throw SensorError(
        .limitExceeded,
        "The header has more than \(InputLimits.columns) columns or a name of more than \(InputLimits.nameBytes) bytes.",
        at: place)
    }
    guard !bytes.contains(0) else {
      throw SensorError(.malformed, "The header is no text.", at: place)
    }
    self.separator = separator
    names = fields.map { Self.normalized(Self.text(of: $0)) }
  }

  /// Names that are known already.
  init(_ names: [String], file: String, line: Int) {
    place = SensorError.Place(file: file, line: line)
    separator = 0x2C
    self.names = names
  }

  /// Bytes as text; what is not UTF-8 is Latin-1, whose bytes are the first 256 characters of Unicode.
  static func text(of bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    return String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The number of the column with a name, nil when there is none; a name that occurs twice is an error.
  func index(of name: String) throws(SensorError) -> Int? {
    guard let first = names.firstIndex(of: name) else { return nil }
    guard names.lastIndex(of: name) == first else {
      throw error(.malformed, "This column occurs twice; remove one of them.", column: name)
    }
    return first
  }

  /// The column whose name is `name`, or `name` with one of `units` in parentheses; nil when there is none.
  ///
  /// A unit that is not listed is an error that names the column: scale 1 is never assumed.
  func index(of name: String, units: [String]) throws(SensorError) -> Int? {
    for column in names where column.hasPrefix(name + "(") && column.hasSuffix(")") {
      let unit = column.dropFirst(name.count + 1).dropLast()
      guard units.contains(String(unit)) else {
        throw error(
          .unsupported,
          "The unit \(unit.debugDescription) is unknown here; expected \(units.joined(separator: " or ")).",
          column: column)
      }
      return try index(of: column)
    }
    return nil
  }

  /// An error at a column of the header.
  func error(_ code: SensorError.Code, _ message: String, column: String) -> SensorError {
    var place = place
    place.column = column
    return SensorError(code, message, at: place)
  }

  /// The layout of the table below it.
  var layout: TableLayout { TableLayout(separator: .byte(separator), headerLines: 1, columnCount: names.count) }

  /// The fields of a row of text, unquoted.
  fileprivate func fields(of line: some Collection<UInt8>) -> [String] {
    Self.split(Array(line), at: separator).map { Self.normalized(String(decoding: $0, as: UTF8.self)) }
  }

  private static func split(_ line: [UInt8], at separator: UInt8) -> [ArraySlice<UInt8>] {
    var start = 0
    return ends(line, at: separator).map { end in
      defer { start = end + 1 }
      return line[start..<end]
    }
  }

  /// Where the fields end: at separators outside quotes, and at the end of the line.
  private static func ends(_ line: [UInt8], at separator: UInt8) -> [Int] {
    var ends: [Int] = []
    var isQuoted = false
    for (index, byte) in line.enumerated() {
      if byte == 0x22 { isQuoted.toggle() } else if byte == separator, !isQuoted { ends.append(index) }
    }
    return ends + [line.count]
  }

  /// Without quotes and outer blanks; both micro signs become U+00B5.
  private static func normalized(_ name: String) -> String {
    var text = name[...]
    while let first = text.unicodeScalars.first, " \"\u{FEFF}".unicodeScalars.contains(first) {
      text = text.dropFirst()
    }
    while let last = text.unicodeScalars.last, " \"\r".unicodeScalars.contains(last) { text = text.dropLast() }
    return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\u{3BC}" ? "\u{B5}" : $0 }))
  }
}

extension TableHeader {
  typealias Found = (index: Int, name: String)

  /// The columns of a quantity, in the order of `names`; nil when none of them is there, an error when some are
  /// missing.
  ///
  /// The unit stands in parentheses behind the name; once one of the columns says it the others need not.
  func columns(_ names: [String], units: [String]) throws(SensorError) -> [Found]? {
    var found: [Found?] = []
    var hasUnit = false
    for name in names {
      if let index = try index(of: name, units: units) {
        found.append((index, self.names[index]))
        hasUnit = true
      } else {
        // A name that ends in a blank waits for its unit.
        let plain = name.hasSuffix(" ") ? String(name.dropLast()) : name
        found.append(try index(of: plain).map { ($0, plain) })
      }
    }
    let present = found.compactMap(\.self)
    if present.isEmpty { return nil }
    guard present.count == names.count else {
      let missing = zip(names, found).first { $0.1 == nil }?.0 ?? ""
      throw error(
        .malformed, "The header has \(present[0].name.debugDescription) but no such column.", column: missing)
    }
    guard hasUnit else {
      throw error(
        .unsupported, "The header names no unit here; expected \(units.joined(separator: " or ")) in parentheses.",
        column: present[0].name)
    }
    return present
  }
}

extension RecordingFiles {
  /// The header and the first rows of a member as text, unquoted; the last may be cut off.
  func textRows(of member: Member, count: Int) throws(SensorError) -> [[String]] {
    let lines = try firstLines(of: member, count: count)
    guard let first = lines.first else { return [] }
    let header = try TableHeader(first.utf8, file: member.place)
    return lines.map { header.fields(of: $0.utf8) }
  }
}
