// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

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

  /// The options that read it so.
  func arguments(_ map: String) -> String {
    "--map \"\(map)\"" + (sign.map { " --sign \($0.rawValue)" } ?? "")
      + (time == nil ? " --rate \(rate.map(Self.text) ?? "HZ")" : "")
  }

  /// The command that does.
  func line(_ map: String) -> String {
    let file = "'\(path.replacing("'", with: "'\\''"))'"
    let isOf = { (prefix: String) in map.contains(" \(prefix)x=") || map.hasPrefix("\(prefix)x=") }
    let command = isOf("a") || isOf("grav") ? isOf("g") ? "fuse" : "steps" : "info"
    return "motionctl \(command) \(file) \(arguments(map))"
  }

  func line(choosing unit: String?, of prefix: String) -> String {
    line(mapText(choosing: unit, of: prefix))
  }

  func line(adding group: Group, _ prefix: String, _ unit: String) -> String {
    line(mapText(choosing: nil, of: "") + " " + entries(group, prefix, unit)) + (sign == nil ? " --sign reaction" : "")
  }

  mutating func withoutTime() -> String {
    var reason =
      switch finding {
      case .coarse(let column, let rate):
        "most rows share their time with others (\(table.title(column))), about \(Self.text(rate)) in a second"
      case .counter(let column): "\(table.title(column)) counts rows, and nothing says how many come in a second"
      default: "no column is a time, and nothing says how many rows come in a second"
      }
    let rounded = table.names.indices.first { column in
      table.names[column].kind == .time
        && table.rows.contains { $0.count > column && $0[column].contains { "eE".contains($0) } }
    }
    if let rounded {
      reason = "a spreadsheet has rounded its time stamps (\(table.title(rounded))): use the original file"
    } else if case .coarse(_, let perSecond) = finding {
      rate = perSecond.rounded()
    }
    if rate == nil, let turning = turningRate {
      rate = turning
      reason += ". By the turning of gravity they come at about \(Self.text(turning)) Hz"
    }
    let advice =
      rate != nil ? "Give their rate:" : "Give the rate at which they were logged, which nothing here shows, for HZ:"
    return "The rows of this table have no time: \(reason). \(advice)\n  \(line(choosing: nil, of: ""))"
  }

  /// Hz: a usual rate, at which the gyroscope turns gravity as the accelerometer sees it turn; its unit must be known.
  private var turningRate: Double? {
    guard let force = groups.first(where: { $0.kind == .accelerometer }),
      let gyroscope = units.first(where: { $0.prefix == "g" }), gyroscope.choices.count == 1,
      let unit = ColumnMap.unit(gyroscope.choices[0], of: "gx")
    else { return nil }
    var rate = 100.0
    for _ in 0..<6 {
      let forces = rows(of: force).vectors(force.columns).map { (time: Double($0.row) / rate, vector: $0.vector) }
      let rates = rows(of: gyroscope.group).vectors(gyroscope.group.columns).map {
        (time: Double($0.row) / rate, vector: $0.vector * unit.scale)
      }
      guard let turning = TableEvidence.turning(forces, rates), turning.fit > 0.6, turning.factor > 0 else {
        return nil
      }
      rate = min(4000, max(4, rate / turning.factor))
    }
    let usual: [Double] = [
      10, 20, 25, 30, 40, 50, 60, 64, 80, 100, 104, 120, 125, 128, 148, 160, 200, 208, 240, 250, 256, 400, 416, 500,
      512, 800, 1000, 2000,
    ]
    let near = usual.min { abs($0 / rate - 1) < abs($1 / rate - 1) } ?? rate
    return abs(near / rate - 1) < 0.05 ? near : rate.rounded()
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
    // "at 100 Hz"
    for line in preamble.prefix(200) {
      let lower = line.lowercased()
      guard let found = lower.firstRange(of: "hz") else { continue }
      let number = lower[..<found.lowerBound].reversed().drop { $0 == " " }.prefix { $0.isNumber || $0 == "." }
      if let rate = Double(String(number.reversed())), Self.rates.contains(rate) { return rate }
    }
    return nil
  }

  /// Hz; those of the option.
  static let rates = 0.1...100_000
}
