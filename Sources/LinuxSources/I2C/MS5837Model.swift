// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The two members of the family: the same chip and bus, other ranges and other arithmetic.
public enum MS5837Model: String, Sendable, Hashable, CaseIterable {
  /// MS5837-30BA, to 30 bar: 0.2 mbar steps, 2 mm of water.
  case thirtyBar = "30ba"
  /// MS5837-02BA, to 2 bar: air and ten metres of water, in finer steps.
  case twoBar = "02ba"

  /// "MS5837-30BA".
  var name: String { "MS5837-" + rawValue.uppercased() }

  /// Pascal: the end of the range (`spec/water.md` 5, and the model's name).
  var range: Double { self == .thirtyBar ? 3_000_000 : 200_000 }

  /// The version in bits 5…11 of the memory's first word, as the data sheets have it: 0x1A = 30BA26, 0x15 = 02BA21, 0x00 = 02BA01.
  /// Nil for any other: the MS5637 of a weather station has the same address and the same checksum.
  init?(version: UInt8) {
    switch version {
    case 0x1A: self = .thirtyBar
    case 0x15, Self.unversioned: self = .twoBar
    default: return nil
    }
  }

  /// What the first 02BA bears, and any chip whose maker left the field empty: a hint, no proof.
  static let unversioned: UInt8 = 0x00
}
