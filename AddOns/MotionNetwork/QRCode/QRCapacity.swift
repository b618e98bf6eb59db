// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How many bytes a QR code of some version and level holds, and their error correction. Source: ISO/IEC 18004:2015,
/// table 9.
struct QRCapacity {
  let version: Int
  /// Codewords of data.
  let dataCodewords: Int
  /// Codewords of error correction of each block, and blocks.
  private let correction: Int, blocks: Int

  /// All codewords; then of level L and of level M the codewords of error correction of a block, and the blocks.
  private static let table: [(total: Int, low: (Int, Int), medium: (Int, Int))] = [
    (26, (7, 1), (10, 1)), (44, (10, 1), (16, 1)), (70, (15, 1), (26, 1)), (100, (20, 1), (18, 2)),
    (134, (26, 1), (24, 2)), (172, (18, 2), (16, 4)), (196, (20, 2), (18, 4)), (242, (24, 2), (22, 4)),
    (292, (30, 2), (22, 5)), (346, (18, 4), (26, 5)),
  ]

  /// Versions 1 to 10.
  init(_ version: Int, _ level: QRCode.Level) {
    let row = Self.table[version - 1]
    self.version = version
    (correction, blocks) = level == .low ? row.low : row.medium
    dataCodewords = row.total - correction * blocks
  }

  var lengthBits: Int { version < 10 ? 8 : 16 }

  func holds(_ bytes: Int) -> Bool { 4 + lengthBits + 8 * bytes <= 8 * dataCodewords }

  /// The data in blocks, with their error correction, in the order in which they are drawn.
  func interleaved(_ data: [UInt8]) -> [UInt8] {
    // The last blocks are one codeword longer where the data cannot be divided.
    let short = dataCodewords / blocks
    let shortBlocks = blocks - dataCodewords % blocks
    var parts: [[UInt8]] = []
    var first = 0
    for block in 0..<blocks {
      let count = short + (block < shortBlocks ? 0 : 1)
      parts.append(Array(data[first..<(first + count)]))
      first += count
    }
    let corrections = parts.map { ReedSolomon.remainder(of: $0, degree: correction) }
    return Self.columns(of: parts) + Self.columns(of: corrections)
  }

  private static func columns(of rows: [[UInt8]]) -> [UInt8] {
    (0..<(rows.map(\.count).max() ?? 0)).flatMap { column in rows.compactMap { column < $0.count ? $0[column] : nil } }
  }
}

/// Error correction over the field of 256 elements of x⁸ + x⁴ + x³ + x² + 1. Source: ISO/IEC 18004:2015, 7.5 and annex
/// A.
enum ReedSolomon {
  static func remainder(of data: [UInt8], degree: Int) -> [UInt8] {
    // The product of x − 2ⁱ, without its leading 1, highest power first.
    var generator = [UInt8](repeating: 0, count: degree)
    generator[degree - 1] = 1
    var root: UInt8 = 1
    for _ in 0..<degree {
      for index in 0..<degree {
        generator[index] = product(generator[index], root) ^ (index + 1 < degree ? generator[index + 1] : 0)
      }
      root = product(root, 2)
    }
    var rest = [UInt8](repeating: 0, count: degree)
    for byte in data {
      let factor = byte ^ rest.removeFirst()
      rest.append(0)
      for index in 0..<degree { rest[index] ^= product(generator[index], factor) }
    }
    return rest
  }

  private static func product(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var result = 0
    for bit in (0..<8).reversed() {
      result = result << 1 ^ (result >> 7) * 0x11D
      if b >> bit & 1 == 1 { result ^= Int(a) }
    }
    return UInt8(result)
  }
}
