// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The chip's read-only memory: seven words of 16 bits, written at the factory.
///
/// | word | holds |
/// |---|---|
/// | 0 | checksum in bits 12…15, version in bits 5…11 |
/// | 1 | C1, sensitivity of the pressure |
/// | 2 | C2, offset of the pressure |
/// | 3 | C3, sensitivity against temperature |
/// | 4 | C4, offset against temperature |
/// | 5 | C5, reference temperature |
/// | 6 | C6, temperature against its reading |
///
/// Source: the data sheets of the MS5837-30BA and -02BA; Documentation/Behaviour.md, water uses the coefficients by these names.
struct MS5837Memory: Sendable, Hashable {
  static let wordCount = 7

  /// Seven words.
  let words: [UInt16]

  /// Nil unless there are seven.
  init?(words: [UInt16]) {
    guard words.count == Self.wordCount else { return nil }
    self.words = words
  }

  /// C1…C6.
  func coefficient(_ number: Int) -> Double { Double(words[number]) }

  /// Bits 5…11 of the first word.
  var version: UInt8 { UInt8(words[0] >> 5 & 0x7F) }
  /// As written at the factory.
  var storedChecksum: UInt8 { UInt8(words[0] >> 12) }
  /// As the words have it.
  var checksum: UInt8 { Self.checksum(words) }

  /// Whether the words are what the factory wrote. Bus wires that hang in the air read as all ones or all zeros; the zeros would
  /// pass the checksum.
  var isIntact: Bool { storedChecksum == checksum && words.dropFirst().contains { $0 != 0 } }

  /// "1A4088A2…": identifies this chip, because each has its own calibration.
  var text: String {
    words.map { word in
      let digits = String(word, radix: 16, uppercase: true)
      return String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// The remainder of the words, the checksum's own bits taken for zero and an empty word behind the last.
  static func checksum(_ words: [UInt16]) -> UInt8 {
    var words = words + [0]
    words[0] &= 0x0FFF
    return remainder(of: words)
  }

  /// Four bits by x⁴ + x + 1.
  ///
  /// Source: TE application note AN520, which all chips of the family follow: the register has 16 bits, a byte enters at its low end,
  /// and the remainder is its top four bits.
  static func remainder(of words: [UInt16]) -> UInt8 {
    var remainder: UInt16 = 0
    for word in words {
      for byte in [word >> 8, word & 0xFF] {
        remainder ^= byte
        for _ in 0..<8 { remainder = remainder << 1 ^ (remainder & 0x8000 == 0 ? 0 : 0x3000) }
      }
    }
    return UInt8(remainder >> 12)
  }
}

/// From the numbers of the converter to pascal and °C.
///
/// The chip measures a bridge that depends on pressure and temperature, and a temperature; six factory coefficients
/// separate the two. A first order serves near 20 °C, a second one corrects it in the cold (30BA: in the warm, too).
/// Source: Documentation/Behaviour.md, water, which has the formulas of both data sheets; the names are theirs. The
/// arithmetic is in floating point, so that steps finer than the data sheets' whole 0.1 mbar are not cut off.
struct MS5837Compensation: Sendable, Hashable {
  let model: MS5837Model
  let memory: MS5837Memory

  /// A reading in SI.
  struct Reading: Sendable, Hashable {
    /// Pascal, absolute, and °C.
    var pressure, temperature: Double
  }

  /// - Parameters:
  ///   - d1: the converted pressure, 24 bits.
  ///   - d2: the converted temperature, 24 bits.
  func callAsFunction(d1: UInt32, d2: UInt32) -> Reading {
    let difference = Double(d2) - memory.coefficient(5) * 256
    // 0.01 °C.
    let first = 2000 + difference * memory.coefficient(6) / 0x1p23
    let second = secondOrder(first, difference)
    // 0.1 mbar, or 0.01 mbar.
    let (scale, unit) = model == .thirtyBar ? (0x1p13, 10.0) : (0x1p15, 1.0)
    let (offset, sensitivity) = firstOrder(difference)
    let pressure =
      (Double(d1) * (sensitivity - second.sensitivity) / 0x1p21 - (offset - second.offset)) / scale * unit
    return Reading(pressure: pressure, temperature: (first - second.temperature) / 100)
  }

  private func firstOrder(_ difference: Double) -> (offset: Double, sensitivity: Double) {
    let offset = memory.coefficient(4) * difference
    let sensitivity = memory.coefficient(3) * difference
    switch model {
    case .thirtyBar:
      return (memory.coefficient(2) * 0x1p16 + offset / 0x1p7, memory.coefficient(1) * 0x1p15 + sensitivity / 0x1p8)
    case .twoBar:
      return (memory.coefficient(2) * 0x1p17 + offset / 0x1p6, memory.coefficient(1) * 0x1p16 + sensitivity / 0x1p7)
    }
  }

  /// What the first order has too much.
  private func secondOrder(
    _ temperature: Double, _ difference: Double
  ) -> (temperature: Double, offset: Double, sensitivity: Double) {
    let squared = difference * difference
    let warm = (temperature - 2000) * (temperature - 2000)
    switch (model, temperature < 2000) {
    case (.thirtyBar, true):
      var (offset, sensitivity) = (3 * warm / 2, 5 * warm / 8)
      if temperature < -1500 {
        let cold = (temperature + 1500) * (temperature + 1500)
        offset += 7 * cold
        sensitivity += 4 * cold
      }
      return (3 * squared / 0x1p33, offset, sensitivity)
    case (.thirtyBar, false): return (2 * squared / 0x1p37, warm / 16, 0)
    case (.twoBar, true): return (11 * squared / 0x1p35, 31 * warm / 8, 63 * warm / 32)
    case (.twoBar, false): return (0, 0, 0)
    }
  }
}
