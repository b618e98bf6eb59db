// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices
import MotionTools
import Testing

/// The loop of every command that reads a source.
@Suite struct SourceRunTests {
  private struct Refusal: Error {}

  /// A second of a simulation; no signal of the test's own process is waited for.
  private func run(
    absence: (@Sendable (SensorError) -> Void)? = nil,
    _ take: @escaping @Sendable (SensorSample) throws -> Bool
  ) throws -> (outcome: Completion.Outcome, statistics: TimelineStatistics) {
    let selection = try SourceSelection.open("simulate:rest?duration=1")
    let hub = MotionHub(source: selection.entry.source, clock: FreeRunningClock(), gate: .manual)
    return SourceRun(hub, completion: Completion())(
      [.accelerometer, .gyroscope], absence: absence, status: { _ in }
    ) { sample, _ in try take(sample) }
  }

  @Test func aRunEndsWithItsSource() throws {
    let (outcome, statistics) = try run { _ in true }
    guard case .done = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(statistics.accelerometer.delivered == 100 && statistics.gyroscope.delivered == 100)
  }

  @Test func nothingIsTakenAfterEnough() throws {
    let count = Lock(0)
    let (outcome, _) = try run { _ in
      count.withLock { count in
        count += 1
        return count < 5
      }
    }
    guard case .done = outcome else { return #expect(Bool(false), "\(outcome)") }
    #expect(count.withLock { $0 } == 5)
  }

  @Test func anErrorOfTheWorkEndsTheRun() throws {
    let (outcome, _) = try run { _ in throw Refusal() }
    #expect(throws: Refusal.self) { try outcome.check() }
  }

  @Test func aSourceThatIsSilentEndsAtTheDeadline() throws {
    let outcome = Completion().run(every: .milliseconds(1), deadline: 0.005) {}
    guard case .silent = outcome else { return #expect(Bool(false), "\(outcome)") }
    try outcome.check()
  }
}
