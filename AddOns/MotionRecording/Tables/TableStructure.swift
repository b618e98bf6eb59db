// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// How a text is a table: what separates its fields and decimals, where its rows begin, what stands above them.
///
/// The rows decide. Of the ways to split the lines, the right one makes most fields numbers; the first line whose
/// fields are of the same kind as those of the bulk is the first row. What stands directly above, with as many fields
/// and no numbers, is the header: of its lines the one with most known names, below it one of units, or of formats and
/// units (Shimmer); a line of devices may stand above (Vicon, pandas). Everything before is the preamble.
struct TableStructure {
  var separator: TableLayout.Separator
  var acceptsDecimalComma: Bool
  /// How many fields a row has.
  var columnCount: Int
  /// Lines before the first row.
  var firstRow: Int
  /// Nil: there is no header.
  var names: [String]?
  /// What stands above the names: devices. Empty strings where nothing does.
  var groups: [String] = []
  /// What a line below the names says of units.
  var units: [String] = []
  /// The lines above the header.
  var preamble: [String]
  /// The fields of the first rows.
  var rows: [[Substring]]
  var endsAtBlankLine = false

  /// Bytes that are looked at.
  static let headBytes = 256 << 10
  /// Rows that are looked at: ten seconds at 400 Hz.
  static let mostRows = 4096

  /// The table in a member of a recording; nil when its beginning is none.
  init?(_ files: RecordingFiles, _ member: RecordingFiles.Member) throws(SensorError) {
    let head = try files.open(member).bytes(limit: Self.headBytes)
    guard !head.contains(0), !head.starts(with: [0xFF, 0xFE]), !head.starts(with: [0xFE, 0xFF]) else { return nil }
    var bytes = head[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Self.text(of: $0) }
    // What was cut off in the middle is no line.
    if head.count >= Self.headBytes { lines.removeLast() }
    while lines.last?.isEmpty == true { lines.removeLast() }
    let isVicon = Self.isVicon(lines)
    if isVicon, let end = lines.dropFirst(5).firstIndex(where: { $0.allSatisfy { ",;\t ".contains($0) } }) {
      lines.removeSubrange(end...)
    }
    guard let form = Self.form(of: lines.suffix(300)) else { return nil }
    let bulk = lines.suffix(300).map { form.fields(of: $0) }.filter { form.matches($0) }
    let kinds = Self.kinds(bulk, count: form.count)
    guard let first = lines.firstIndex(where: { Self.isRow(form.fields(of: $0), form, kinds) }) else { return nil }
    (separator, acceptsDecimalComma, columnCount) = (form.separator, form.acceptsDecimalComma, form.count)
    (firstRow, endsAtBlankLine) = (first, isVicon)
    rows = lines[first...].prefix(Self.mostRows).map { form.fields(of: $0) }.filter { form.matches($0) }
    preamble = []
    readHeader(lines[..<first], form)
    readRates()
  }

  /// Empatica's two rows in front: when each column begins, and how many rows a second it has.
  private mutating func readRates() {
    func number(_ row: [Substring]) -> Double? {
      let numbers = Set(row.map { TableCell.number($0) })
      return numbers.count == 1 ? numbers.first.flatMap(\.self) : nil
    }
    guard names == nil, rows.count > 2, let start = number(rows[0]), (9e8...3e9).contains(start),
      let rate = number(rows[1]), (0.1...4000).contains(rate)
    else { return }
    preamble += ["start \(start)", "rate \(rate)"]
    rows.removeFirst(2)
    firstRow += 2
  }

  private static func text(of line: ArraySlice<UInt8>) -> String {
    var line = line
    while line.last == 0x0D { line.removeLast() }
    return TableHeader.text(of: line)
  }

  /// The form of Vicon's exports: the kind of a block, its rate, then devices, names and units.
  private static func isVicon(_ lines: [String]) -> Bool {
    guard lines.count > 5, ["Devices", "Trajectories", "Model Outputs"].contains(where: lines[0].hasPrefix) else {
      return false
    }
    return Double(lines[1].filter { !",;\t ".contains($0) }) != nil
  }

  private static func isRow(_ fields: [Substring], _ form: Form, _ kinds: [TableCell.Kind]) -> Bool {
    guard form.matches(fields) else { return false }
    var numbers = 0
    for (field, kind) in zip(fields, kinds) where kind == .number || kind == .time {
      switch TableCell.kind(field) {
      case .number, .time: numbers += 1
      case .nothing: continue
      case .text: return false
      }
    }
    return numbers > 0
  }

  /// What most fields of each column are.
  private static func kinds(_ rows: [[Substring]], count: Int) -> [TableCell.Kind] {
    (0..<count).map { column in
      var counts: [TableCell.Kind: Int] = [:]
      for row in rows where column < row.count { counts[TableCell.kind(row[column]), default: 0] += 1 }
      let filled = counts.filter { $0.key != .nothing }
      return filled.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key ?? .nothing
    }
  }
}

extension TableStructure {
  /// A way to split lines into fields.
  fileprivate struct Form {
    var separator: TableLayout.Separator
    var acceptsDecimalComma: Bool
    var count = 0

    func fields(of line: String) -> [Substring] {
      let fields: [Substring]
      switch separator {
      case .blanks: fields = line.split { $0 == " " || $0 == "\t" }
      case .byte(let byte):
        let mark = Character(Unicode.Scalar(byte))
        if line.utf8.contains(0x22) {
          var isQuoted = false
          fields = line.split(omittingEmptySubsequences: false) { character in
            if character == "\"" { isQuoted.toggle() }
            return character == mark && !isQuoted
          }
        } else {
          fields = line.split(separator: mark, omittingEmptySubsequences: false)
        }
      }
      return fields.prefix(InputLimits.columns + 1).map { field in
        var field = field
        while let first = field.first, first == " " || first == "\"" { field = field.dropFirst() }
        while let last = field.last, last == " " || last == "\"" { field = field.dropLast() }
        return field
      }
    }

    /// As many fields as rows have, or more that are empty.
    func matches(_ fields: [Substring]) -> Bool {
      fields.count >= count && fields.dropFirst(count).allSatisfy(\.isEmpty)
    }
  }

  /// The way that makes most fields numbers or times, and how many fields a row then has.
  private static func form(of lines: some Sequence<String>) -> Form? {
    let lines = Array(lines)
    func score(_ separator: TableLayout.Separator, _ comma: Bool) -> (form: Form, score: Int)? {
      var form = Form(separator: separator, acceptsDecimalComma: comma)
      var rows: [Int: (score: Int, lines: Int)] = [:]
      // With the empty fields at the end of a row: how many lines, and the most fields up to the last filled one.
      var whole: [Int: (lines: Int, filled: Int)] = [:]
      for line in lines {
        var fields = form.fields(of: line)
        let length = fields.count
        while fields.last?.isEmpty == true { fields.removeLast() }
        var value = 0
        var numbers = 0
        for field in fields {
          switch TableCell.kind(field, acceptsComma: comma) {
          case .number, .time: (value, numbers) = (value + 1, numbers + 1)
          case .text: value -= 1
          case .nothing: continue
          }
        }
        let known = whole[length] ?? (0, 0)
        whole[length] = (known.lines + 1, max(known.filled, fields.count))
        if numbers > 1 { rows[fields.count, default: (0, 0)].score += value }
        if numbers > 1 { rows[fields.count, default: (0, 0)].lines += 1 }
      }
      // A row may lack its last fields: those with more decide, where they are a tenth of all.
      let most = rows.values.map(\.lines).max() ?? 0
      guard let count = rows.filter({ $0.value.lines * 10 >= most }).keys.max(), count <= InputLimits.columns else {
        return nil
      }
      // A sensor that is slower than the others leaves the last fields of most rows empty.
      let usual = whole.max { ($0.value.lines, $0.key) < ($1.value.lines, $1.key) }?.value.filled ?? 0
      form.count = min(max(count, usual), InputLimits.columns)
      return (form, rows.values.reduce(0) { $0 + $1.score })
    }
    let bytes: [(form: Form, score: Int)] = [
      score(.byte(0x2C), false), score(.byte(0x3B), true), score(.byte(0x09), true), score(.byte(0x7C), true),
    ].compactMap(\.self)
    var best = bytes.first
    for candidate in bytes.dropFirst() where candidate.score > best?.score ?? 0 { best = candidate }
    // Blanks stand within times too.
    for blanks in [score(.blanks, false), score(.blanks, true)].compactMap(\.self)
    where 2 * blanks.score > 3 * (best?.score ?? 0) { best = blanks }
    guard let best, best.score > 0 else { return nil }
    return best.form
  }

  /// The lines directly above the first row that have as many fields and no numbers.
  private mutating func readHeader(_ above: ArraySlice<String>, _ form: Form) {
    var rest = above
    while rest.last?.allSatisfy(\.isWhitespace) == true { rest.removeLast() }
    var header: [[Substring]] = []
    var index: Substring?
    while header.count < 4, let line = rest.last {
      var fields = form.fields(of: Self.withoutCommentMark(line))
      // R and pandas number the rows, and leave the numbers without a name.
      if fields.count == columnCount - 1, rowsAreNumbered { fields.insert("", at: 0) }
      let filled = fields.filter { !$0.isEmpty }
      // Below two lines of names pandas has one for the name of the first column.
      if header.isEmpty, index == nil, columnCount > 2, fields.count == columnCount, filled.count == 1,
        let first = fields.first, TableCell.kind(first) == .text
      {
        index = first
        rest.removeLast()
        continue
      }
      guard form.matches(fields), filled.count > 1, filled.contains(where: { TableCell.kind($0) != .number }),
        filled.count(where: { TableCell.kind($0) == .number }) * 2 <= filled.count
      else { break }
      header.insert(fields.prefix(columnCount).map(\.self), at: 0)
      rest.removeLast()
    }
    // Devices above the names fill a part of their line.
    if endsAtBlankLine, header.count < 3, let line = rest.last {
      var fields = form.fields(of: line)
      if fields.contains(where: \.isEmpty) {
        fields += Array(repeating: "", count: max(0, columnCount - fields.count))
        header.insert(Array(fields.prefix(columnCount)), at: 0)
        rest.removeLast()
      }
    }
    preamble = Array(rest)
    // The lowest of those with most names that are known.
    let known = header.map { line in line.count { ColumnName(String($0)).kind != .unknown } }
    guard let place = known.lastIndex(of: known.max() ?? 0) else { return }
    if place < header.count - 1, let last = header.last { units = last.map(String.init) }
    names = header[place].map { String($0).replacing("\u{3BC}", with: "\u{B5}") }
    if let index, names?.first?.isEmpty == true { names?[0] = String(index) }
    guard place > 0, case let line = header[place - 1] else { return }
    var group = ""
    groups = line.map { field in
      if !field.isEmpty { group = String(field) }
      return group
    }
  }

  private var rowsAreNumbered: Bool {
    let numbers = rows.prefix(3).map { TableCell.number($0.first ?? "") }
    return numbers == [0, 1, 2] || numbers == [1, 2, 3]
  }

  private static func withoutCommentMark(_ line: String) -> String {
    let text = line.drop { $0 == " " }
    for mark in ["//", "#", "%"] where text.hasPrefix(mark) {
      return String(text.dropFirst(mark.count).drop { $0 == " " || $0 == "#" })
    }
    return line
  }
}

/// A field of a row: what it may be, as text.
enum TableCell {
  enum Kind: Int { case nothing, number, time, text }

  static func kind(_ field: Substring, acceptsComma: Bool = true) -> Kind {
    if field.isEmpty { return .nothing }
    if number(field, acceptsComma: acceptsComma) != nil { return .number }
    let word = field.count <= 4 ? field.lowercased() : ""
    if ["nan", "null", "na", "n/a"].contains(word) { return .nothing }
    return clock(field) == nil ? .text : .time
  }

  /// A finite number, in the ways that rows are read.
  static func number(_ field: Substring, acceptsComma: Bool = true) -> Double? {
    guard let first = field.utf8.first, first &- 0x30 < 10 || [0x2D, 0x2B, 0x2E, 0x2C].contains(first) else {
      return nil
    }
    var text = String(field)
    if text.utf8.contains(0x2C) {
      guard acceptsComma, text.utf8.last != 0x2C else { return nil }
      text = text.replacing(",", with: ".")
    }
    guard text.utf8.allSatisfy({ $0 &- 0x30 < 10 || [0x2D, 0x2B, 0x2E, 0x65, 0x45].contains($0) }),
      let value = Double(text), value.isFinite
    else { return nil }
    return value
  }

  /// Which way a field is a time; nil when it is none.
  static func clock(_ field: Substring) -> ClockField? {
    guard let first = field.utf8.first, first &- 0x30 < 10 else { return nil }
    let bytes = Array(field.utf8.prefix(64))[...]
    return [.dateTime(.day), .dateTime(.month), .timeOfDay, .date(.day), .date(.month)].first {
      // Eight digits are a number.
      $0.nanoseconds(bytes) != nil && bytes.contains { $0 == 0x3A || $0 == 0x2D || $0 == 0x2F || $0 == 0x2E }
    }
  }
}
