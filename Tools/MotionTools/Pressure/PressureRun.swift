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

extension HostEnvironment {
  /// What the environment says of water and air; a mistake in it is thrown.
  package func pressurePolicy() throws -> HostPolicy {
    var policy = HostPolicy()
    if let mistake = readPressure(into: &policy).first { throw mistake }
    return policy
  }
}

/// A pressure sensor read until its end, a limit or a signal: the work behind `depth` and `altitude`.
///
/// A recording is read as fast as it goes; anything else runs on the clock that its address asks for.
package struct PressureRun<Log: PressureLog>: SampleSink, Sendable {
  private var log: Log
  private var time: RunTime
  /// As often as it is looked at live.
  private var decimator = Decimator(interval: Self.interval)
  private static var interval: SensorDuration { .milliseconds(40) }

  private init(_ log: Log, limit: Seconds?) { (self.log, time) = (log, RunTime(limit: limit)) }

  /// Runs with the lines of a log on standard output, its notices and its summary on standard error, and its picture in
  /// a file if one is wanted. From here on a signal ends the run, not the program.
  package static func print(
    _ log: Log, of stream: HubStream, in selection: SourceSelection, limit: Seconds?, picture path: String?
  ) throws {
    guard stream.isServed(by: selection.info.kinds) else {
      let what = stream == .waterPressure ? "pressure of water" : "pressure of air"
      throw CommandFailure("\(selection.info.name) does not measure the \(what).")
    }
    if path != nil { try selection.requireEnd(limit: limit) }
    var run = SourceRun(selection, [stream])
    (run.interval, run.runsFreely) = (interval, false)
    StandardError.shared.say(selection.headline)
    try PictureFile.drawing(path, readingFrom: selection.recordingPath) { picture in
      try OutputFile.standardOutput.write(Array(Log.header.utf8))
      let (sink, report) = run(Self(log, limit: limit), ProgressLine(selection, limit: limit, printsRows: true))
      try picture?.finish(report.outcome) { sink.log.chart(title: selection.info.name) }
      try report.finish(sink.log.summary)
    }
  }

  package mutating func take(_ sample: SensorSample) throws -> Bool {
    guard case .pressure(let sample) = sample, decimator.isDue(sample.time) else { return true }
    guard let elapsed = time.pass(sample.time) else { return false }
    let (lines, notices) = log.append(sample, elapsed)
    StandardError.shared.say(notices)
    if !lines.isEmpty { try OutputFile.standardOutput.write(Array(lines.utf8)) }
    return true
  }
}
