// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A QR code of a short text, for an address that a phone's camera opens.
///
/// ```swift
/// if let code = QRCode("http://192.168.1.5:8000/") { print(code.terminalText(hasColors: true)) }
/// ```
///
/// Byte mode, versions 1 to 10, error correction M where it fits into the same size as L: up to 271 bytes. The mask is
/// the one with the least penalty. Source: ISO/IEC 18004:2015.
///
/// It is code of our own: libqrencode would be a package to install for each computer that a phone is to be a sensor
/// of, also in a program that only imports Core Motion, to save 340 lines that will not change any more.
package struct QRCode: Sendable, Hashable {
  /// How much may be damaged: about 7 % or 15 %.
  package enum Level: Int, Sendable { case low = 1, medium = 0 }

  package let version: Int
  package let level: Level
  package let mask: Int
  /// Modules of a side.
  package var size: Int { modules.size }
  private let modules: QRModules

  /// Nil when the text is longer than 271 bytes.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard let low = (1...10).first(where: { QRCapacity($0, .low).holds(bytes.count) }) else { return nil }
    self.init(bytes, version: low, level: QRCapacity(low, .medium).holds(bytes.count) ? .medium : .low, mask: nil)
  }

  /// With everything said; `mask` nil = the best. Nil when the text does not fit.
  init?(_ bytes: [UInt8], version: Int, level: Level, mask: Int?) {
    let capacity = QRCapacity(version, level)
    guard capacity.holds(bytes.count) else { return nil }
    let codewords = capacity.interleaved(Self.dataCodewords(bytes, capacity))
    var plain = QRModules(version: version)
    plain.place(codewords)
    let candidates = (mask.map { [$0] } ?? Array(0..<8)).map { mask in
      (mask, plain.masked(mask, formatBits: Self.formatBits(level, mask: mask)))
    }
    guard let best = candidates.min(by: { $0.1.penalty < $1.1.penalty }) else { return nil }
    (self.version, self.level, self.mask, modules) = (version, level, best.0, best.1)
  }

  /// Whether a module is dark; outside, in the quiet zone, none is.
  package func isDark(row: Int, column: Int) -> Bool {
    (0..<size).contains(row) && (0..<size).contains(column) && modules[row, column]
  }

  /// Mode, length, text, terminator, and filling to the capacity.
  private static func dataCodewords(_ text: [UInt8], _ capacity: QRCapacity) -> [UInt8] {
    var bits: [Bool] = []
    func append(_ value: Int, _ count: Int) {
      for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    append(0b0100, 4)
    append(text.count, capacity.lengthBits)
    for byte in text { append(Int(byte), 8) }
    append(0, min(4, capacity.dataCodewords * 8 - bits.count))
    append(0, (8 - bits.count % 8) % 8)
    var codewords = stride(from: 0, to: bits.count, by: 8).map { first in
      bits[first..<(first + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    var filler: UInt8 = 0xEC
    while codewords.count < capacity.dataCodewords {
      codewords.append(filler)
      filler ^= 0xEC ^ 0x11
    }
    return codewords
  }

  /// 15 bits: level and mask, protected by a BCH code.
  static func formatBits(_ level: Level, mask: Int) -> Int {
    let data = level.rawValue << 3 | mask
    var rest = data
    for _ in 0..<10 { rest = rest << 1 ^ (rest >> 9) * 0x537 }
    return (data << 10 | rest) ^ 0x5412
  }
}

// A terminal's characters are about twice as high as wide: two rows of modules in each line.
extension QRCode {
  /// Modules around the code that must be light.
  private static let quietZone = 4

  /// Lines for a terminal. With colours (ANSI escapes) it is black on white on any background; without, light modules
  /// are the filled ones, which is right on a dark background, and which most cameras read on a light one, too.
  package func terminalText(hasColors: Bool) -> String {
    let range = -Self.quietZone..<(size + Self.quietZone)
    return stride(from: range.lowerBound, to: range.upperBound, by: 2).map { row in
      let line = range.map { column -> Character in
        let isUpper = isDark(row: row, column: column) == hasColors
        let isLower = isDark(row: row + 1, column: column) == hasColors && (hasColors || row + 1 < range.upperBound)
        return isUpper ? (isLower ? "█" : "▀") : (isLower ? "▄" : " ")
      }
      return hasColors ? "\u{1B}[38;5;16;48;5;231m\(String(line))\u{1B}[0m" : String(line)
    }.joined(separator: "\n")
  }
}

extension QRCode {
  /// The dark modules as the data of an SVG path, each 1 × 1, without the quiet zone.
  package var svgPath: String {
    var data = ""
    for row in 0..<size {
      var column = 0
      while column < size {
        let run = (column..<size).prefix { isDark(row: row, column: $0) }.count
        if run > 0 { data += "M\(column) \(row)h\(run)v1h-\(run)z" }
        column += run + 1
      }
    }
    return data
  }
}
