// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The reflected CRC of Ethernet and zip (polynomial EDB88320), bit by bit: packets are 100 bytes long.
func crc32(_ bytes: some Sequence<UInt8>) -> UInt32 {
  var value = UInt32.max
  for byte in bytes {
    value ^= UInt32(byte)
    for _ in 0..<8 { value = value >> 1 ^ (value & 1 == 0 ? 0 : 0xEDB8_8320) }
  }
  return ~value
}
