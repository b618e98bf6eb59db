// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The name of a file about a device, made from what tells it from others.
enum DeviceFileName {
  /// Bytes; file systems allow 255.
  private static let longest = 180

  /// What a file name cannot hold is written as %XX; a name too long for a file system ends in a number made of the whole.
  static func json(for identity: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)
    var name = ""
    for byte in identity.utf8 {
      if plain.contains(byte) {
        name.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        name += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    if name.utf8.count > longest { name = "\(name.prefix(longest))-\(number(identity))" }
    return name + ".json"
  }

  /// FNV-1a, 64 bit (Fowler, Noll and Vo), in hexadecimal digits.
  private static func number(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
