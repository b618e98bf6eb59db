// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Columns of a header that make one quantity: their names in the order of the quantity's numbers.
struct ColumnPreset: Sendable {
  var quantity: WideTable.Quantity
  var names: [String]
  /// The unit stands in parentheses behind the name and must be one of these; empty: the names have none.
  var units: [String] = []

  init(_ quantity: WideTable.Quantity, _ names: [String], units: [String] = []) {
    (self.quantity, self.names, self.units) = (quantity, names, units)
  }

  /// `prefix` + x, y, z.
  init(
    _ quantity: WideTable.Quantity, axes prefix: String, _ suffixes: [String] = ["x", "y", "z"], units: [String] = []
  ) {
    self.init(quantity, suffixes.map { prefix + $0 }, units: units)
  }
}

extension WideTable {
  /// Adds the quantities of which the header has the columns; an error when it has some columns of a quantity and not
  /// others.
  mutating func add(_ presets: [ColumnPreset], from header: TableHeader) throws(SensorError) {
    for preset in presets {
      guard let found = try header.columns(preset.names, units: preset.units) else { continue }
      add(preset.quantity, found)
    }
  }
}
