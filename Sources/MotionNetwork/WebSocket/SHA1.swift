// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// The digest of the WebSocket handshake, and of nothing else: SHA-1 is broken for signatures. Source: RFC 3174.
enum SHA1 {
  static func digest(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes.append(littleEndian: UInt64(message.count * 8).byteSwapped)

    var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    for block in stride(from: 0, to: bytes.count, by: 64) { absorb(bytes[block..<(block + 64)], &state) }
    return state.reduce(into: []) { $0.append(littleEndian: $1.byteSwapped) }
  }

  private static func absorb(_ block: ArraySlice<UInt8>, _ state: inout [UInt32]) {
    var words = [UInt32](repeating: 0, count: 80)
    for (index, byte) in block.enumerated() { words[index / 4] = words[index / 4] << 8 | UInt32(byte) }
    for index in 16..<80 {
      words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
    }
    var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
    for (index, word) in words.enumerated() {
      let (mix, constant): (UInt32, UInt32) =
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
      (a, b, c, d, e) = (rotate(a, 5) &+ mix &+ e &+ word &+ constant, a, rotate(b, 30), c, d)
    }
    for (index, value) in [a, b, c, d, e].enumerated() { state[index] &+= value }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
