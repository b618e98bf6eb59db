// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The square of a QR code: patterns that are always there, the data between them, the mask. Source: ISO/IEC
/// 18004:2015, 6 and 7.7–7.8.
struct QRModules: Sendable, Hashable {
  let size: Int
  private var dark: [Bool]
  /// Patterns and format, which no mask touches.
  private var isFixed: [Bool]

  subscript(row: Int, column: Int) -> Bool { dark[row * size + column] }

  /// The patterns of a version.
  init(version: Int) {
    size = 17 + 4 * version
    dark = Array(repeating: false, count: size * size)
    isFixed = dark
    for index in 0..<size {
      fix(6, index, index % 2 == 0)
      fix(index, 6, index % 2 == 0)
    }
    for (row, column) in [(3, 3), (3, size - 4), (size - 4, 3)] { addFinder(row, column) }
    let centres = Self.alignment[version - 1]
    for row in centres {
      for column in centres where !isCorner(row, column, centres) { addSquare(row, column, radius: 2) }
    }
    setFormat(0)
    if version >= 7 { addVersion(version) }
  }

  private static let alignment = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
  ]

  private mutating func fix(_ row: Int, _ column: Int, _ isDark: Bool) {
    guard (0..<size).contains(row), (0..<size).contains(column) else { return }
    dark[row * size + column] = isDark
    isFixed[row * size + column] = true
  }

  /// A finder with the light line around it, which lies partly outside.
  private mutating func addFinder(_ row: Int, _ column: Int) { addSquare(row, column, radius: 4) }

  /// Rings: dark in the middle, light at 2 of a finder or 1 of an alignment pattern, and light at 4.
  private mutating func addSquare(_ row: Int, _ column: Int, radius: Int) {
    for y in -radius...radius {
      for x in -radius...radius {
        let ring = max(abs(x), abs(y))
        fix(row + y, column + x, radius == 4 ? ring != 2 && ring != 4 : ring != 1)
      }
    }
  }

  /// Where the finders are.
  private func isCorner(_ row: Int, _ column: Int, _ centres: [Int]) -> Bool {
    let last = centres.last ?? 6
    return (row, column) == (6, 6) || (row, column) == (6, last) || (row, column) == (last, 6)
  }

  /// The 15 bits, twice, and the module that is always dark.
  private mutating func setFormat(_ bits: Int) {
    func isSet(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
    for bit in 0..<15 {
      let (row, column) = bit < 6 ? (bit, 8) : bit < 8 ? (bit + 1, 8) : bit == 8 ? (8, 7) : (8, 14 - bit)
      fix(row, column, isSet(bit))
      let (otherRow, otherColumn) = bit < 8 ? (8, size - 1 - bit) : (size - 15 + bit, 8)
      fix(otherRow, otherColumn, isSet(bit))
    }
    fix(size - 8, 8, true)
  }

  /// 18 bits, twice: the version and its error correction.
  private mutating func addVersion(_ version: Int) {
    var rest = version
    for _ in 0..<12 { rest = rest << 1 ^ (rest >> 11) * 0x1F25 }
    let bits = version << 12 | rest
    for bit in 0..<18 {
      let (far, near) = (size - 11 + bit % 3, bit / 3)
      fix(near, far, bits >> bit & 1 == 1)
      fix(far, near, bits >> bit & 1 == 1)
    }
  }

  /// Draws the data: two columns at a time from the right, up and down in turn.
  mutating func place(_ codewords: [UInt8]) {
    var bit = 0
    for pair in 0..<(size / 2) {
      // The column of the timing pattern is passed over.
      let right = size - 1 - 2 * pair
      let column = right <= 6 ? right - 1 : right
      for step in 0..<size {
        let row = pair % 2 == 0 ? size - 1 - step : step
        for x in [column, column - 1] where !isFixed[row * size + x] && bit < codewords.count * 8 {
          dark[row * size + x] = codewords[bit / 8] >> (7 - bit % 8) & 1 == 1
          bit += 1
        }
      }
    }
  }

  /// With a mask over the data, and with the format.
  func masked(_ mask: Int, formatBits: Int) -> QRModules {
    var result = self
    for y in 0..<size {
      for x in 0..<size where !isFixed[y * size + x] && Self.isInverted(mask, x, y) {
        result.dark[y * size + x].toggle()
      }
    }
    result.setFormat(formatBits)
    return result
  }

  private static func isInverted(_ mask: Int, _ x: Int, _ y: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// How hard it is to read: long runs, blocks, what looks like a finder, and more of one colour than of the other.
  var penalty: Int {
    var sum = 0
    for index in 0..<size {
      sum += Self.penalty((0..<size).map { self[index, $0] }) + Self.penalty((0..<size).map { self[$0, index] })
    }
    for row in 0..<(size - 1) {
      for column in 0..<(size - 1) {
        let first = self[row, column]
        if first == self[row, column + 1], first == self[row + 1, column], first == self[row + 1, column + 1] {
          sum += 3
        }
      }
    }
    let share = dark.count(where: \.self) * 100 / dark.count
    return sum + abs(share - 50) / 5 * 10
  }

  private static let finderLike: [[Bool]] = ["10111010000", "00001011101"].map { $0.map { $0 == "1" } }

  /// Of one line.
  private static func penalty(_ line: [Bool]) -> Int {
    var sum = 0
    var length = 0
    for index in line.indices {
      length = index > 0 && line[index] == line[index - 1] ? length + 1 : 1
      if length == 5 { sum += 3 } else if length > 5 { sum += 1 }
    }
    for first in 0...(line.count - 11) {
      for pattern in finderLike where line[first..<(first + 11)].elementsEqual(pattern) { sum += 40 }
    }
    return sum
  }
}
