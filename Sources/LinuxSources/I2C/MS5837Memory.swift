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
/// Source: the data sheets of the MS5837-30BA and -02BA; `spec/water.md` 5 uses the coefficients by these names.
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

  /// "1A4088A2…": tells this chip from another, because each is calibrated by itself.
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
