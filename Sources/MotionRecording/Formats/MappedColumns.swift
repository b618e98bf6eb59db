// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The columns of a table that a map speaks of, by name or by number.
struct MappedColumns {
  let place: String
  /// Without columns as yet.
  let layout: TableLayout
  /// Nil: the first line is a row.
  private let header: TableHeader?

  init(_ files: RecordingFiles, _ member: RecordingFiles.Member) throws(SensorError) {
    place = member.place
    let line = try files.firstLine(of: member)
    if let numbers = NumericLine(String(decoding: line, as: UTF8.self), acceptsDecimalComma: true) {
      header = nil
      var layout = TableLayout(separator: numbers.separator, hasHeader: false, columnCount: numbers.count, columns: [])
      layout.acceptsDecimalComma = numbers.separator == .byte(0x3B) || numbers.separator == .byte(0x09)
      self.layout = layout
    } else {
      let header = try TableHeader(line, file: member.place)
      self.header = header
      var layout = header.layout([])
      // As half of Europe's spreadsheets write them.
      layout.acceptsDecimalComma = header.separator != 0x2C
      self.layout = layout
    }
  }

  func column(_ entry: ColumnMap.Entry) throws(SensorError) -> TableHeader.Found {
    switch entry.column {
    case .index(let index):
      guard index < layout.columnCount else {
        throw SensorError(
          .invalidRequest, "The map asks for column #\(index + 1), and the table has \(layout.columnCount).",
          at: .init(file: place, line: 1))
      }
      return (index, header?.names[index] ?? "#\(index + 1)")
    case .name(let name):
      guard let header else {
        throw SensorError(
          .invalidRequest,
          "The table has no header, so the map cannot name \(name.debugDescription): write the number of the column, as in \(entry.target)=#2.",
          at: .init(file: place, line: 1))
      }
      // A unit in the column's own name need not be repeated.
      let unit = entry.unit?.name ?? ""
      for candidate in [name, "\(name)[\(unit)]", "\(name) [\(unit)]"] {
        if let index = try header.index(of: candidate) { return (index, header.names[index]) }
      }
      let names = header.names.prefix(40).map(\.debugDescription).joined(separator: ", ")
      throw SensorError(
        .invalidRequest, "The table has no column \(name.debugDescription); it has \(names).",
        at: .init(file: place, line: 1))
    }
  }
}

/// A map to start from, guessed from the names of the columns; what cannot be guessed is left open.
struct MapSuggestion {
  private let header: TableHeader
  private let hasNames: Bool

  init(_ header: TableHeader, _ hasNames: Bool) {
    self.header = header
    self.hasNames = hasNames
  }

  /// `motionctl fuse log.csv --map "t=Time[s] …" --sign reaction`.
  func text(file: String) -> String {
    var parts: [String] = []
    var missing = ""
    if let time = column({ name in
      ["t", "ts"].contains(name) || ["time", "t_s", "t_ms", "stamp"].contains { name.contains($0) }
    }) {
      parts.append("t=\(time)[\(unit(of: time, "s", [("ns", "ns"), ("us", "us"), ("µs", "us"), ("ms", "ms")]))]")
    } else {
      missing = " --rate HZ"
    }
    let sensors: [(String, [String], String, [(String, String)])] = [
      ("a", ["acc"], "g", [("m/s", "m/s^2"), ("mps", "m/s^2"), ("mg", "mg"), ("g", "g")]),
      ("g", ["gyr", "rotation", "omega", "angular"], "deg/s", [("rad", "rad/s"), ("mdeg", "mdeg/s"), ("d", "deg/s")]),
      ("m", ["mag"], "uT", [("nt", "nT"), ("mt", "mT"), ("ut", "uT"), ("µt", "uT"), ("mg", "mG"), ("g", "G")]),
    ]
    for (prefix, stems, fallback, units) in sensors {
      let found = ["x", "y", "z"].compactMap { axis in
        column { name in stems.contains { name.contains($0) } && Self.isAxis(axis, name) }
      }
      if found.count == 3 {
        let unit = unit(of: found[0], fallback, units)
        parts.append("\(prefix)x=\(found[0])[\(unit)] \(prefix)y=\(found[1]) \(prefix)z=\(found[2])")
      } else if prefix != "m" {
        parts.append("\(prefix)x=COLUMN[\(fallback)] \(prefix)y=COLUMN \(prefix)z=COLUMN")
      }
    }
    return "motionctl fuse \(file) --map \"\(parts.joined(separator: " "))\" --sign reaction\(missing)"
  }

  private func column(_ holds: (String) -> Bool) -> String? {
    guard hasNames else { return nil }
    return header.names.prefix(200).first { $0.utf8.count <= 80 && !$0.contains("\"") && holds($0.lowercased()) }
  }

  /// The letter stands alone: "acc_x_g", "AccX", "Accelerometer X (g)".
  private static func isAxis(_ axis: String, _ name: String) -> Bool {
    let bare = name.prefix { $0 != "(" && $0 != "[" }
    return bare.split { !$0.isLetter }.contains { $0 == axis } || (bare.hasSuffix(axis) && !bare.contains("_"))
  }

  /// The unit that stands in the name's last word or brackets.
  private func unit(of name: String, _ fallback: String, _ units: [(String, String)]) -> String {
    let words = name.lowercased().split { "_ ([)]".contains($0) }
    guard words.count > 1, let last = words.last else { return fallback }
    return units.first { last.hasPrefix($0.0) }?.1 ?? fallback
  }
}
