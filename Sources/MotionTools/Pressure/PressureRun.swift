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
  private let selection: SourceSelection
  package let policy: HostPolicy
  private let stream: HubStream
  private let limit: Seconds?
  private let completion = Completion()

  /// From here on a signal ends the run, not the program. `variables` are settings in the form of the environment, which they
  /// are stronger than.
  package init(
    _ selection: SourceSelection, stream: HubStream, limit: Seconds?, needsEnd: Bool, variables: [String: String?]
  ) throws {
    self.selection = selection
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
    Interruption.begin(completion)
  }

  /// Runs; `process` receives every sample, with its seconds since the first, on the source's thread and may throw to end the
  /// run.
  package func callAsFunction(
    process: @escaping @Sendable (PressureSample, Double) throws -> Void
  ) throws -> (outcome: Completion.Outcome, statistics: TimelineStatistics) {
    let isRecording = selection.info.origin == .recording
    let hub = MotionHub(
      source: selection.entry.source, clock: isRecording ? FreeRunningClock() : selection.entry.clock,
      rate: isRecording ? 1 : selection.entry.rate, gate: selection.entry.gate)
    let (completion, limit) = (completion, limit)
    let first = Lock<SensorInstant?>(nil)
    let subscription = hub.subscribe(stream, interval: .milliseconds(40)) { event, _ in
      guard !completion.isFinished else { return }
      switch event {
      case .ended: completion.finish(.done)
      case .failed(let error): completion.finish(.failed(error))
      case .pressure(let sample):
        let start = first.withLock { first -> SensorInstant in
          let start = first ?? sample.time
          first = start
          return start
        }
        let elapsed = (sample.time - start).seconds
        if let limit, limit.isOver(after: elapsed) { return completion.finish(.done) }
        do { try process(sample, elapsed) } catch { completion.finish(.stopped(error)) }
      default: break
      }
    }
    let progress = ProgressLine(selection, limit: limit, printsRows: true)
    defer { StandardError.shared.endStatus() }
    let outcome = completion.wait { progress.update(hub.statistics) }
    subscription.cancel()
    return (outcome, hub.statistics)
  }
}
