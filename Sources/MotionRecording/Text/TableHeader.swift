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
    guard let text = String(validating: bytes, as: UTF8.self), !text.contains("\0") else {
      throw SensorError(.malformed, "The header is not UTF-8 text; save or export the file as UTF-8.", at: place)
    }
    self.separator = separator
    names = fields.map { Self.normalized(String(decoding: $0, as: UTF8.self)) }
  }

  /// The number of the column with a name, nil when there is none; a name that occurs twice is an error.
  func index(of name: String) throws(SensorError) -> Int? {
    guard let first = names.firstIndex(of: name) else { return nil }
    guard names.lastIndex(of: name) == first else {
      var place = place
      place.column = name
      throw SensorError(.malformed, "This column occurs twice, and nothing says which one counts.", at: place)
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
        var place = place
        place.column = column
        throw SensorError(
          .unsupported,
          "The unit \(unit.debugDescription) is unknown here; expected \(units.joined(separator: " or ")).",
          at: place)
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

  /// The table's layout with the given columns.
  func layout(_ columns: [TableLayout.Column], isOrdered: Bool = true) -> TableLayout {
    TableLayout(
      separator: .byte(separator), hasHeader: true, columnCount: names.count,
      columns: columns.sorted { $0.index < $1.index }, isOrdered: isOrdered)
  }

  /// The fields of a row of text, unquoted.
  static func fields(of line: some Collection<UInt8>, separator: UInt8) -> [String] {
    split(Array(line), at: separator).map { normalized(String(decoding: $0, as: UTF8.self)) }
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
    line.withUnsafeBufferPointer { bytes in
      var ends: [Int] = []
      var isQuoted = false
      for index in 0..<bytes.count {
        let byte = bytes[index]
        if byte == 0x22 { isQuoted.toggle() } else if byte == separator, !isQuoted { ends.append(index) }
      }
      return ends + [bytes.count]
    }
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
