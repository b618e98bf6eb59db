// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

// Numbers as the text formats want them.
extension JSONText {
  /// Seconds with all nine decimals, exactly: no double lies between. "5000.010000000".
  mutating func append(paddedSeconds instant: SensorInstant) {
    appendWhole(instant)
    append(".")
    appendFraction(instant, digits: 9)
  }

  /// Seconds with as many decimals as they need, at least one: "5000.01", "17.0".
  mutating func append(seconds instant: SensorInstant) {
    var digits = 9
    var fraction = instant.nanoseconds.magnitude % 1_000_000_000
    while digits > 1, fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    appendWhole(instant)
    append(".")
    appendFraction(instant, digits: digits)
  }

  private mutating func appendWhole(_ instant: SensorInstant) {
    if instant.nanoseconds < 0 { append("-") }
    append(instant.nanoseconds.magnitude / 1_000_000_000)
  }

  private mutating func appendFraction(_ instant: SensorInstant, digits: Int) {
    let fraction = instant.nanoseconds.magnitude % 1_000_000_000
    var divisor: UInt64 = 100_000_000
    for _ in 0..<digits {
      append(byte: UInt8(ascii: "0") + UInt8(fraction / divisor % 10))
      divisor /= 10
    }
  }

  /// A cell of a table: the shortest digits that read back; empty when the value is not finite.
  mutating func append(cell value: Double) {
    if value.isFinite { append(value) }
  }

  /// Three cells, each with a separator in front.
  mutating func append(cells vector: Vector3<Device>, separator: UInt8 = UInt8(ascii: ",")) {
    for value in [vector.x, vector.y, vector.z] {
      append(byte: separator)
      append(cell: value)
    }
  }

  /// Text as a cell of a CSV, quoted where it has to be (RFC 4180, section 2).
  mutating func append(csv text: String) {
    guard text.utf8.contains(where: { [0x22, 0x2C, 0x0A, 0x0D].contains($0) }) else { return append(raw: text) }
    append("\"")
    for byte in text.utf8 {
      if byte == 0x22 { append("\"") }
      append(byte: byte)
    }
    append("\"")
  }
}
