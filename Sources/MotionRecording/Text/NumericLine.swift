// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// A line of nothing but numbers: what a table without a header begins with.
struct NumericLine {
  let separator: TableLayout.Separator
  let count: Int

  /// Nil when a field is no number, or when there are more than any table has. Separators are comma, semicolon, tab, else blanks.
  /// `acceptsDecimalComma`: a comma separates decimals where it does not separate fields.
  init?(_ line: some StringProtocol, acceptsDecimalComma: Bool = false) {
    var text = String(line.filter { $0 != "\r" && $0 != "\u{FEFF}" })
    if acceptsDecimalComma, text.contains(where: { $0 == ";" || $0 == "\t" }) {
      text = text.replacing(",", with: ".")
    }
    for (byte, character) in [(0x2C, ","), (0x3B, ";"), (0x09, "\t")] as [(UInt8, Character)] {
      let fields = text.split(separator: character, omittingEmptySubsequences: false)
      guard fields.count > 1 else { continue }
      guard fields.count <= InputLimits.columns,
        fields.allSatisfy({ Double($0.filter { $0 != " " })?.isFinite == true })
      else { return nil }
      separator = .byte(byte)
      count = fields.count
      return
    }
    let fields = text.split(separator: " ")
    guard !fields.isEmpty, fields.count <= InputLimits.columns, fields.allSatisfy({ Double($0)?.isFinite == true })
    else { return nil }
    separator = .blanks
    count = fields.count
  }
}

/// Times since 1970 tell their unit by their size, from 1973 to the year 5000.
enum EpochTime {
  /// Decimals of a second of a column's times: 9 for seconds, 6 milliseconds, 3 microseconds, 0 nanoseconds.
  static func decimals(
    of column: Int, _ header: TableHeader, in files: RecordingFiles, _ member: RecordingFiles.Member
  ) throws(SensorError) -> Int {
    let rows = try files.firstLines(of: member, count: 2)
    guard rows.count > 1 else { return 9 }
    let fields = TableHeader.fields(of: Array(rows[1].utf8), separator: header.separator)
    guard column < fields.count, let time = Double(fields[column])?.magnitude else { return 9 }
    return time < 1e11 ? 9 : time < 1e14 ? 6 : time < 1e17 ? 3 : 0
  }
}
