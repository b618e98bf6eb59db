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

  private struct Sink: SampleSink, Sendable {
    var count = 0
    let body: @Sendable (Int) throws -> Bool

    mutating func take(_ sample: SensorSample) throws -> Bool {
      count += 1
      return try body(count)
    }
  }

  /// A second of a simulation; no signal of the test's own process is waited for.
  private func run(_ body: @escaping @Sendable (Int) throws -> Bool) throws -> (sink: Sink, report: RunReport) {
    let selection = try SourceSelection.open("simulate:rest?duration=1")
    return SourceRun(selection, [.accelerometer, .gyroscope], completion: Completion())(
      Sink(body: body), ProgressLine(selection, limit: nil))
  }

  @Test func aRunEndsWithItsSource() throws {
    let (sink, report) = try run { _ in true }
    guard case .done = report.outcome else { return #expect(Bool(false), "\(report.outcome)") }
    #expect(report.statistics?.accelerometer.delivered == 100 && report.statistics?.gyroscope.delivered == 100)
    #expect(sink.count == 200)
  }

  @Test func nothingIsTakenAfterEnough() throws {
    let (sink, report) = try run { $0 < 5 }
    guard case .done = report.outcome else { return #expect(Bool(false), "\(report.outcome)") }
    #expect(sink.count == 5)
  }

  @Test func anErrorOfTheWorkEndsTheRun() throws {
    let (_, report) = try run { _ in throw Refusal() }
    #expect(throws: Refusal.self) { try report.outcome.check() }
  }

  @Test func aSourceThatIsSilentEndsAtTheDeadline() throws {
    let outcome = Completion().run(every: .milliseconds(1), deadline: 0.005) {}
    guard case .silent = outcome else { return #expect(Bool(false), "\(outcome)") }
    try outcome.check()
  }
}
