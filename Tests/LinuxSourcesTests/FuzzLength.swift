// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How long a test of any bytes goes on: a number of rounds, the same on every machine, or
/// `OPENCOREMOTION_FUZZ_SECONDS` (`make fuzz`).
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
