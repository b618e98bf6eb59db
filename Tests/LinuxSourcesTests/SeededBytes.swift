// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import LinuxSystem
import MotionSensing

/// Random bytes that come again with the same seed (SplitMix64; Steele, Lea, Flood, OOPSLA 2014).
struct SeededBytes: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: next()) } }

  /// The bytes with some of them changed, cut out or doubled.
  mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
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

  /// Calls `body` with one seed after another, so many times or for the time of ``FuzzLength``; returns how often.
  static func fuzz(rounds: Int, _ body: (inout SeededBytes) throws -> Void) rethrows -> Int {
    let length = FuzzLength(rounds: rounds)
    var count = 0
    while length.hasMore(after: count) {
      var random = SeededBytes(seed: UInt64(count))
      try body(&random)
      count += 1
    }
    return count
  }
}

/// How long a test of any bytes goes on: a number of rounds, the same on every machine, or `OPENCOREMOTION_FUZZ_SECONDS` (`make fuzz`).
struct FuzzLength {
  private let rounds: Int
  private let end: ContinuousClock.Instant?

  init(rounds: Int) {
    self.rounds = rounds
    let seconds = ProcessInfo.processInfo.environment["OPENCOREMOTION_FUZZ_SECONDS"].flatMap { Double($0) }
    end = seconds.map { .now + .seconds($0) }
  }

  func hasMore(after count: Int) -> Bool { count == 0 || end.map { .now < $0 } ?? (count < rounds) }
}
