// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

// The map, and lines to choose from.
extension TableInference {
  func mapText(choosing unit: String?, of prefix: String) -> String {
    var parts: [String] = []
    if let sensorColumn { parts.append("sensor=\(table.reference(sensorColumn))") }
    if let time { parts.append(time.text) }
    for entry in units {
      let own = entry.prefix == prefix ? unit ?? entry.choices[0] : entry.choices[0]
      parts.append(entries(entry.group, entry.prefix, own))
    }
    return parts.joined(separator: " ")
  }

  func entries(_ group: Group, _ prefix: String, _ unit: String) -> String {
    let targets = group.kind == .pressure ? [prefix] : ["x", "y", "z"].map { prefix + $0 }
    return zip(targets, group.columns).enumerated().map { index, pair in
      let sensor = index == 0 ? group.sensor.map { "{\($0)}" } ?? "" : ""
      return "\(pair.0)=\(table.reference(pair.1))\(sensor)\(index == 0 ? "[\(unit)]" : "")"
    }.joined(separator: " ")
  }

  func line(_ map: String) -> String {
    "--map \"\(map)\"" + (sign.map { " --sign \($0.rawValue)" } ?? "")
      + (time == nil ? " --rate \(rate.map(Self.text) ?? "HZ")" : "")
  }

  func line(choosing unit: String?, of prefix: String) -> String {
    line(mapText(choosing: unit, of: prefix))
  }

  func line(adding group: Group, _ prefix: String, _ unit: String) -> String {
    line(mapText(choosing: nil, of: "") + " " + entries(group, prefix, unit)) + (sign == nil ? " --sign reaction" : "")
  }

  func withoutTime(_ finding: TableTime.Finding) -> String {
    let reason =
      switch finding {
      case .coarse(let column, let rate):
        "most rows share their time with others (\(table.title(column))), about \(Self.text(rate)) in a second"
      case .counter(let column): "\(table.title(column)) counts rows, and nothing says how many come in a second"
      default: "no column is a time, and nothing says how many rows come in a second"
      }
    return "The rows of this table have no time: \(reason). Give their rate:\n  \(line(choosing: nil, of: ""))"
  }

  /// The rate that stands above the rows, Hz: a number behind a word for it.
  var statedRate: Double? {
    let preamble = table.structure.preamble
    if table.structure.endsAtBlankLine, preamble.count > 1 {
      return Double(preamble[1].filter { !",;\t ".contains($0) }).flatMap { Self.rates.contains($0) ? $0 : nil }
    }
    for line in preamble.prefix(200) {
      let lower = line.lowercased()
      for word in ["rate", "frequency", "freq", "fs", "sampling"] {
        guard let found = lower.firstRange(of: word) else { continue }
        let behind = lower[found.upperBound...].drop { !$0.isNumber }
        let number = behind.prefix { $0.isNumber || $0 == "." }
        if let rate = Double(number), Self.rates.contains(rate) { return rate }
      }
    }
    return nil
  }

  /// Hz; those of the option.
  static let rates = 0.1...100_000
}
