// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHost
package import MotionSensing
package import MotionServices

/// A pressure sensor listened to until its end, a limit or a signal: the work behind `depth` and `altitude`.
///
/// A recording is read as fast as it goes; anything else runs on the clock that its address asks for.
package struct PressureRun {
  package let policy: HostPolicy
  private let stream: HubStream
  private let limit: Seconds?
  private let selection: SourceSelection
  private let run: SourceRun

  /// From here on a signal ends the run, not the program. `variables` are settings in the form of the environment,
  /// which they are stronger than.
  package init(
    _ selection: SourceSelection, stream: HubStream, limit: Seconds?, needsEnd: Bool, variables: [String: String?]
  ) throws {
    self.stream = stream
    self.limit = limit
    guard stream.isServed(by: selection.info.kinds) else {
      let what = stream == .waterPressure ? "pressure of water" : "pressure of air"
      throw CommandFailure("\(selection.info.name) does not measure the \(what).")
    }
    if needsEnd { try selection.requireEnd(limit: limit) }
    var policy = HostPolicy()
    let set = variables.compactMapValues { $0 }
    let environment = ProcessInfo.processInfo.environment.merging(set) { $1 }
    if let mistake = HostEnvironment(environment).readPressure(into: &policy).first { throw mistake }
    self.policy = policy
    self.selection = selection
    run = SourceRun(selection, runsFreely: selection.info.origin == .recording)
  }

  /// Runs; `process` receives every sample, with its seconds since the first, on the source's thread and may throw to
  /// end the run.
  package func callAsFunction(
    process: @escaping @Sendable (PressureSample, Double) throws -> Void
  ) throws -> (outcome: Completion.Outcome, statistics: TimelineStatistics) {
    let limit = limit
    let first = Lock<SensorInstant?>(nil)
    let line = ProgressLine(selection, limit: limit, printsRows: true)
    return run([stream], interval: .milliseconds(40), status: line.update) { sample, _ in
      guard case .pressure(let sample) = sample else { return true }
      let start = first.withLock { first -> SensorInstant in
        let start = first ?? sample.time
        first = start
        return start
      }
      let elapsed = (sample.time - start).seconds
      if let limit, limit.isOver(after: elapsed) { return false }
      try process(sample, elapsed)
      return true
    }
  }
}
