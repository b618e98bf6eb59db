// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing
import Testing

@testable import MotionRecording

/// What one input may make a process keep.
@Suite struct BudgetTests {
  private let place = SensorError.Place(file: "walk.mcap", byte: 7)

  @Test func theLimitsFollowTheSizeOfTheInput() {
    #expect(Budget(input: 0).memory == 48 << 20)
    #expect(Budget(input: 10_000_000).memory < 64_000_000)
    #expect(Budget(input: 1 << 30).memory == 5 << 30)
  }

  @Test(arguments: [Int64.max, .min, -1]) func noSizeTraps(_ input: Int64) {
    let share = Budget(input: input).share("Chunks", remedy: "write smaller ones")
    // Only the largest input may keep so much.
    for _ in 0..<2 { #expect(((try? share.keep(.max, at: place)) != nil) == (input == .max)) }
    share.giveBack()
  }

  @Test func whatIsTooMuchIsRefusedWithWhatIsKeptTheLimitAndWhatToDo() throws {
    let share = Budget(input: 2_000_000).share("The devices of the table", remedy: "fuse them in parts")
    try share.keep(48 << 20, at: place)
    let error = #expect(throws: SensorError.self) { try share.keep(1, at: place) }
    #expect(error?.code == .limitExceeded)
    #expect(error?.place == place)
    #expect(
      error?.message
        == "The devices of the table take 49 MB of memory; the limit for an input of 2 MB is 48 MB: fuse them in parts."
    )
  }

  /// Owners share what there is; what was refused is not counted.
  @Test func whatAnOwnerKeptIsThereAgainWhenItGoes() throws {
    let budget = Budget(input: 0)
    let first = budget.share("Chunks", remedy: "")
    try first.keep(20 << 20, at: place)
    var second: Budget.Share? = budget.share("Channels", remedy: "")
    try second?.keep(28 << 20, at: place)
    #expect(throws: SensorError.self) { try first.keep(1, at: place) }
    #expect(throws: SensorError.self) { try second?.keep(1, at: place) }
    second = nil
    try first.keep(28 << 20, at: place)
    first.giveBack(30 << 20)
    first.giveBack(1 << 30)
    try first.keep(48 << 20, at: place)
  }
}
