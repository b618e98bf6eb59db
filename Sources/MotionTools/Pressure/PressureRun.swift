// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
package import MotionHost
package import MotionSensing
package import MotionServices

/// What the samples of a pressure sensor amount to: lines, a summary, a picture.
package protocol PressureLog: Sendable {
  static var header: String { get }
  /// Appends a sample; returns the lines that it completes, for standard output and for the person.
  mutating func append(_ sample: PressureSample, _ elapsed: Double) -> (lines: String, notices: [String])
  var summary: [String] { get }
  func chart(title: String) -> Chart
}

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

  /// Runs with the lines of a log on standard output, its notices and its summary on standard error, and its picture in
  /// a file if one is wanted.
  package func print<Log: PressureLog>(_ log: Log, picture path: String?) throws {
    StandardError.shared.say(selection.headline)
    let log = Lock(log)
    let out = OutputFile.standardOutput
    try PictureFile.drawing(path, readingFrom: selection.recordingPath) { picture in
      try out.write(Array(Log.header.utf8))
      let (outcome, statistics) = try self { sample, elapsed in
        let (lines, notices) = log.withLock { $0.append(sample, elapsed) }
        StandardError.shared.say(notices)
        if !lines.isEmpty { try out.write(Array(lines.utf8)) }
      }
      let (summary, chart) = log.withLock { ($0.summary, $0.chart(title: selection.info.name)) }
      try picture?.finish(outcome) { chart }
      try selection.finish(outcome, statistics, summary: summary)
    }
  }

  /// Runs; `process` receives every sample, with its seconds since the first, on the source's thread and may throw to
  /// end the run.
  func callAsFunction(
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
