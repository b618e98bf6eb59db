// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A message of Open Sound Control 1.0 whose arguments are floats: address, type tags and arguments, texts ended by a zero and
/// filled up to four bytes, numbers big endian (opensoundcontrol.stanford.edu/spec-1_0.html).
struct OSCMessage: Hashable, Sendable {
  var address: String
  var arguments: [Float]

  var bytes: [UInt8] {
    var packet: [UInt8] = []
    Self.append(address, to: &packet)
    Self.append("," + String(repeating: "f", count: arguments.count), to: &packet)
    for argument in arguments { packet.append(bigEndian: argument.bitPattern) }
    return packet
  }

  private static func append(_ text: String, to packet: inout [UInt8]) {
    packet.append(contentsOf: text.utf8)
    // At least one zero.
    repeat { packet.append(0) } while !packet.count.isMultiple(of: 4)
  }

  /// Whether a text can be the address of a message: it begins with a slash and is printable ASCII without the characters that
  /// the format keeps for patterns and lists.
  static func isAddress(_ text: some StringProtocol) -> Bool {
    text.hasPrefix("/") && text.utf8.count > 1 && text.utf8.count <= 256
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && !"#*,?[]{}".utf8.contains($0) }
  }
}
