// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import MotionSensing

/// A length of time as people write it: `90` (seconds), `2.5s`, `10m`, `1h30m`, `250ms`.
struct TimeSpan: ExpressibleByArgument {
  let duration: SensorDuration

  init?(argument: String) {
    guard let duration = Self.parse(argument[...]) else { return nil }
    self.duration = duration
  }

  private static let units: [(name: String, seconds: Double)] = [
    ("ms", 1e-3), ("h", 3600), ("min", 60), ("m", 60), ("s", 1),
  ]

  /// A number without unit is seconds; with units they come once each, the larger first.
  private static func parse(_ text: Substring) -> SensorDuration? {
    if let seconds = Double(text), text.first?.isLetter == false {
      guard (0...9e9).contains(seconds) else { return nil }
      return SensorDuration(seconds: seconds)
    }
    var rest = text
    var total = 0.0
    var smallest = Double.infinity
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isNumber || $0 == "." }
      guard let value = Double(digits) else { return nil }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { $0.isLetter }
      guard let unit = units.first(where: { $0.name == name }), unit.seconds < smallest else { return nil }
      smallest = unit.seconds
      total += value * unit.seconds
      rest = rest.dropFirst(name.count)
    }
    guard smallest.isFinite, total <= 9e9 else { return nil }
    return SensorDuration(seconds: total)
  }
}

/// A number of bytes as people write it: `500000`, `100MB` (10⁶), `64MiB` (2²⁰).
struct ByteSize: ExpressibleByArgument {
  let bytes: Int64

  init?(argument: String) {
    let digits = argument.prefix { $0.isNumber || $0 == "." }
    let units: [String: Double] = [
      "": 1, "b": 1, "kb": 1e3, "mb": 1e6, "gb": 1e9, "k": 1e3, "m": 1e6, "g": 1e9,
      "kib": 1024, "mib": 1_048_576, "gib": 1_073_741_824,
    ]
    guard let value = Double(digits), let unit = units[argument.dropFirst(digits.count).lowercased()],
      (1...1e15).contains(value * unit)
    else { return nil }
    bytes = Int64(value * unit)
  }
}
