// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Random numbers that come again with the same seed: SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom
/// Number Generators", OOPSLA 2014).
package struct SeededRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  package mutating func below(_ count: Int) -> Int { Int(next() % UInt64(count)) }
  package mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// The bytes with some of them changed, cut out or doubled.
  package mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
    var bytes = bytes
    for _ in 0..<Int.random(in: 1...8, using: &self) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &self)
      switch Int.random(in: 0..<5, using: &self) {
      case 0: bytes[place] = UInt8(truncatingIfNeeded: next())
      case 1: bytes[place] = [0, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
      case 2: bytes.remove(at: place)
      case 3: bytes.insert(contentsOf: self.bytes(Int.random(in: 1...4, using: &self)), at: place)
      default: bytes.removeLast(min(bytes.count, Int.random(in: 1...16, using: &self)))
      }
    }
    return bytes
  }

  /// Rounds of a test of damage: a hundredth, unless this is the long run (`make fuzz`).
  package static func rounds(_ long: Int) -> Int { seconds == nil ? max(1, long / 100) : long }

  private static let seconds = ProcessInfo.processInfo.environment["OPENCOREMOTION_FUZZ_SECONDS"].flatMap { Double($0) }

  /// Calls `body` with one seed after another: so many times, the same on every machine, or for
  /// `OPENCOREMOTION_FUZZ_SECONDS` (`make fuzz`); returns how often.
  @discardableResult
  package static func fuzz(rounds: Int, _ body: (inout SeededRandom) throws -> Void) rethrows -> Int {
    let end = seconds.map { ContinuousClock.now + .seconds($0) }
    var count = 0
    while count == 0 || end.map({ .now < $0 }) ?? (count < rounds) {
      var random = SeededRandom(seed: UInt64(count))
      try body(&random)
      count += 1
    }
    return count
  }
}
