// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A bud's description of one of its services: a name, its own serial number, the largest report.
package struct ServiceDescriptor: Sendable, Hashable {
  /// Six bits.
  package var id: UInt8
  package var properties: [PropertyList.Pair]
  /// Bytes of the properties that were not understood.
  package var bytesLeft: Int

  /// The name of the service that sends motion.
  package static let motionService = "devmotion6"

  package init(id: UInt8, properties bytes: ArraySlice<UInt8>) {
    self.id = id
    var list = PropertyList(bytes)
    properties = list.pairs()
    bytesLeft = list.bytesLeft
  }

  /// What the service is called.
  package var name: String? { text("AccessoryService") }
  /// The serial number of the bud that sends.
  package var serialNumber: String? { text("SerialNumber") }

  private func text(_ key: String) -> String? {
    for pair in properties where pair.key == key {
      if case .text(let text) = pair.value { return text }
    }
    return nil
  }

  /// An identifier behaves as six bits: some captures have 0x40 added.
  package static func id(_ number: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: number) & 0x3F }
}

/// A dictionary in the binary form of Apple's open kernel sources (XNU, libkern's OSSerializeBinary).
///
/// Words of 32 bits: a size or count in the low 24, the type in the next 7, and the last bit set on the last element of
/// a collection. Texts and data are filled up to whole words, with bytes that mean nothing.
package struct PropertyList {
  package enum Value: Sendable, Hashable {
    case number(UInt64)
    case text(String)
    case data([UInt8])
    case flag(Bool)
  }

  package struct Pair: Sendable, Hashable {
    package var key: String
    package var value: Value
  }

  /// More pairs than this are not read; 12 were seen.
  static let mostPairs = 256

  private var bytes: PacketBytes

  package init(_ bytes: ArraySlice<UInt8>) { self.bytes = PacketBytes(bytes) }

  /// Bytes that have not been read.
  package var bytesLeft: Int { bytes.count }

  /// The pairs up to the first thing that is not understood.
  package mutating func pairs() -> [Pair] {
    guard bytes.number(UInt32.self) == 0xD3, let head = bytes.number(UInt32.self), head >> 24 & 0x7F == 1 else {
      return []
    }
    var pairs: [Pair] = []
    // A pair has at least two words, whatever count is declared.
    for _ in 0..<min(Int(head & 0xFF_FFFF), bytes.count / 8, Self.mostPairs) {
      guard case .text(let key) = value(), let value = value() else { return pairs }
      pairs.append(Pair(key: key, value: value))
    }
    return pairs
  }

  private mutating func value() -> Value? {
    guard let word = bytes.number(UInt32.self) else { return nil }
    let size = Int(word & 0xFF_FFFF)
    switch word >> 24 & 0x7F {
    case 4: return bytes.number(UInt64.self).map(Value.number)
    case 8, 9:
      guard let text = bytes.read(size) else { return nil }
      bytes.skip((4 - size & 3) & 3)
      // A symbol counts its closing NUL.
      return .text(String(decoding: text.prefix { $0 != 0 }, as: UTF8.self))
    case 0xA:
      guard let data = bytes.read(size) else { return nil }
      bytes.skip((4 - size & 3) & 3)
      return .data(Array(data))
    case 0xB: return .flag(size != 0)
    default: return nil
    }
  }
}
