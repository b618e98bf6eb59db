// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A deflate and gzip writer for fixtures, independent of zlib: RFC 1951 with the fixed code, runs of one byte as
/// matches of distance 1.
enum Compressor {
  static func deflate(_ bytes: [UInt8]) -> [UInt8] {
    var bits = BitWriter()
    bits.put(0b011, 3)  // last block, fixed code
    var position = 0
    while position < bytes.count {
      var run = 0
      if position > 0 {
        while run < 258, position + run < bytes.count, bytes[position + run] == bytes[position - 1] { run += 1 }
      }
      if run == 258 {
        bits.putCode(285 - 280 + 0b1100_0000, 8)  // length 258, no extra bits
        bits.putCode(0, 5)  // distance 1
        position += run
      } else {
        let byte = Int(bytes[position])
        if byte < 144 { bits.putCode(0x30 + byte, 8) } else { bits.putCode(0x190 + byte - 144, 9) }
        position += 1
      }
    }
    bits.putCode(0, 7)  // end of block
    return bits.finish()
  }

  static func gzip(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + deflate(bytes)
    result.append(number: Int(crc32(bytes)), count: 4)
    result.append(number: bytes.count, count: 4)
    return result
  }

  /// A gzip of line ends, one and then 258 for each 2 bits: about 1000 : 1.
  ///
  /// A block with a code of its own: match of length 258 = `0`, line end = `10`, end of block = `11`, distance 1 = `0`.
  static func bomb(matches: Int) -> [UInt8] {
    var bits = BitWriter()
    bits.put(0b101, 3)  // last block, dynamic code
    bits.put(286 - 257, 5)
    bits.put(1 - 1, 5)
    bits.put(18 - 4, 4)
    // Lengths of the code for lengths, in the order 16 17 18 0 8 7 9 6 10 5 11 4 12 3 13 2 14 1: four symbols of 2
    // bits.
    for index in 0..<18 { bits.put([1, 2, 15, 17].contains(index) ? 2 : 0, 3) }
    let (one, two, zerosShort, zerosLong) = (0, 1, 2, 3)
    bits.putCode(zerosShort, 2)
    bits.put(10 - 3, 3)
    bits.putCode(two, 2)  // 10, the line end
    bits.putCode(zerosLong, 2)
    bits.put(138 - 11, 7)
    bits.putCode(zerosLong, 2)
    bits.put(107 - 11, 7)
    bits.putCode(two, 2)  // 256, the end of the block
    bits.putCode(zerosLong, 2)
    bits.put(28 - 11, 7)
    bits.putCode(one, 2)  // 285, length 258
    bits.putCode(one, 2)  // distance 1
    bits.putCode(0b10, 2)
    for _ in 0..<matches { bits.put(0b00, 2) }
    bits.putCode(0b11, 2)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + bits.finish()
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc = UInt32.max
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return ~crc
  }

  private struct BitWriter {
    private var bytes: [UInt8] = []
    private var pending: UInt32 = 0
    private var count = 0

    mutating func put(_ value: Int, _ width: Int) {
      pending |= UInt32(value) << UInt32(count)
      count += width
      while count >= 8 {
        bytes.append(UInt8(truncatingIfNeeded: pending))
        pending >>= 8
        count -= 8
      }
    }

    /// Huffman codes go most significant bit first.
    mutating func putCode(_ code: Int, _ width: Int) {
      var reversed = 0
      for bit in 0..<width where code >> bit & 1 == 1 { reversed |= 1 << (width - 1 - bit) }
      put(reversed, width)
    }

    mutating func finish() -> [UInt8] {
      if count > 0 { put(0, 8 - count) }
      return bytes
    }
  }
}

extension [UInt8] {
  /// A little-endian number of `count` bytes.
  mutating func append(number: Int, count: Int) {
    for index in 0..<count { append(UInt8(truncatingIfNeeded: number >> (index * 8))) }
  }

  /// Little-endian numbers, each given as (value, bytes).
  mutating func append(_ numbers: (Int, Int)...) {
    for (number, count) in numbers { append(number: number, count: count) }
  }
}
