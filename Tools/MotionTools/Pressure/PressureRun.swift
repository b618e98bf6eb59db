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
    var run = SourceRun(selection, [stream], limit: limit)
    (run.interval, run.runsFreely, run.printsRows) = (interval, false, true)
    StandardError.shared.say(selection.headline)
    try OutputFile.drawing(path, readingFrom: selection.recordingPath) { picture in
      try OutputFile.standardOutput.write(Array(Log.header.utf8))
      let (sink, report) = run(Self(log, limit: limit))
      try report.finish(sink.log.summary, isEmpty: sink.time.isEmpty)
      try picture?.draw(sink.log.chart(title: selection.info.name))
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

/// What a climb amounts to so far, and its lines.
package struct AltitudeLog: PressureLog {
  private let hasReference: Bool
  private var estimator: AltitudeEstimator
  private var climb = ClimbEstimator()
  private var times: [Double] = []
  private var heights: [Double] = []
  private var pressures: [Double] = []

  package init(_ parameters: AltitudeEstimator.Parameters) {
    hasReference = parameters.reference != nil
    estimator = AltitudeEstimator(parameters: parameters)
  }

  package static let header =
    "  time (s)    height (m)  pressure (kPa)    above sea (m)  climb (m)  descent (m)  floors\n"

  package mutating func append(_ sample: PressureSample, _ elapsed: Double) -> (lines: String, notices: [String]) {
    guard let altitude = estimator.update(sample) else { return ("", []) }
    climb.update(altitude.relative)
    times.append(elapsed)
    heights.append(altitude.relative)
    pressures.append(altitude.pressure / 1000)
    let line = String(
      format: "%10.1f  %+12.2f  %14.3f  %9.1f ± %4.1f  %9.1f  %11.1f  %6d\n", elapsed, altitude.relative,
      altitude.pressure / 1000, altitude.absolute, altitude.accuracy, climb.ascent, climb.descent, climb.floors)
    return (line, [])
  }

  package var summary: [String] {
    let doubt = "above the sea: no reference, so the weather decides; give --height or --sea-level-pressure"
    return [sentence] + (hasReference ? [] : [doubt])
  }

  private var sentence: String {
    guard let last = heights.last else { return "no height: too few samples" }
    return
      "height \(String(format: "%+.2f", last)) m from the start, climbed \(Text.decimal(climb.ascent, places: 1)) m "
      + "(\(Text.count(climb.floors, "floor"))), descended \(Text.decimal(climb.descent, places: 1)) m"
  }

  package func chart(title: String) -> Chart {
    Chart(
      title: title, subtitle: sentence, times: times,
      panels: [
        Chart.Panel(
          title: "Relative height", unit: "m",
          series: [Chart.Series(name: "height", color: .ink, values: heights)], leastSpan: 2),
        Chart.Panel(
          title: "Pressure", unit: "kPa",
          series: [Chart.Series(name: "pressure", color: .ink, values: pressures)], leastSpan: 0.05),
      ])
  }
}
