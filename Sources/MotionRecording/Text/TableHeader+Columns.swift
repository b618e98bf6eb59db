// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

extension TableHeader {
  typealias Found = (index: Int, name: String)

  /// The columns of a quantity, in the order of `names`; nil when none of them is there, an error when some are missing.
  ///
  /// With `units` the unit stands in parentheses behind the name; once one of the columns says it the others need not (OxIOD
  /// names it with the x axis only).
  func columns(_ names: [String], units: [String] = []) throws(SensorError) -> [Found]? {
    var found: [Found?] = []
    var hasUnit = units.isEmpty
    for name in names {
      if !units.isEmpty, let index = try index(of: name, units: units) {
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

  /// `prefix` + x, y, z.
  func axes(_ prefix: String, _ suffixes: [String] = ["x", "y", "z"], units: [String] = []) throws(SensorError)
    -> [Found]?
  {
    try columns(suffixes.map { prefix + $0 }, units: units)
  }

  /// The column of the times; an error that names it when it is missing.
  func time(
    _ name: String, units: [String] = [], decimals: Int, isOptional: Bool = false
  ) throws(SensorError) -> TableLayout.Column {
    guard let column = try columns([name], units: units)?.first else {
      throw error(.malformed, "The header has no such column, and without it the rows have no time.", column: name)
    }
    return .init(
      index: column.index, name: column.name, content: .instant(slot: 0, decimals: decimals), isOptional: isOptional)
  }
}
