// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionSensing
import MotionServices

/// `motionctl altitude`: relative height, climb, descent and floors, live or from a recording.
struct AltitudeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "altitude", abstract: "Print relative and absolute height, climb, descent and floors; draw them.",
    discussion: """
      The source must measure the pressure of air. A recording is read at full speed. One line a second goes to standard \
      output, the summary to standard error. Weather moves the height by up to metres an hour.

      Examples:
        motionctl altitude simulate:stairs --for 60
        motionctl altitude walk.zip --height 520
        motionctl altitude 'simulate:stairs?speed=max' --for 140 -o stairs.svg
      """)

  @Argument(help: "The address of a source or the path of a recording (default: MOTION_SOURCE).")
  var source: String?

  @Option(
    help: ArgumentHelp(
      "Height above the sea at the start, with its accuracy if known (default: MOTION_HEIGHT).",
      valueName: "metres[,metres]"))
  var height: String?

  @Option(
    help: ArgumentHelp(
      "Pressure reduced to sea level (default: MOTION_SEA_LEVEL_PRESSURE).", valueName: "hectopascal"))
  var seaLevelPressure: String?

  @Option(name: .customLong("for"), help: ArgumentHelp("Stop after this much sample time.", valueName: "seconds"))
  var limit: Seconds?

  @Option(name: [.short, .long], help: "A picture of the height to write besides; its name ends with .png or .svg.")
  var output: String?

  func validate() throws {
    if let output, !PictureFile.isPicture(output) {
      throw ValidationError("“\(output)” names no kind of picture: end it with .png or .svg.")
    }
  }

  /// What has come so far.
  private struct Log {
    var estimator: AltitudeEstimator
    var climb = ClimbEstimator()
    var times: [Double] = []
    var heights: [Double] = []
    var pressures: [Double] = []

    mutating func append(_ sample: PressureSample, _ elapsed: Double) -> String? {
      guard let altitude = estimator.update(sample) else { return nil }
      climb.update(altitude.relative)
      times.append(elapsed)
      heights.append(altitude.relative)
      pressures.append(altitude.pressure / 1000)
      return String(
        format: "%10.1f  %+12.2f  %14.3f  %9.1f ± %4.1f  %9.1f  %11.1f  %6d\n", elapsed, altitude.relative,
        altitude.pressure / 1000, altitude.absolute, altitude.accuracy, climb.ascent, climb.descent, climb.floors)
    }

    var summary: String {
      guard let last = heights.last else { return "no height: too few samples" }
      return
        "height \(String(format: "%+.2f", last)) m from the start, climbed \(Text.decimal(climb.ascent, places: 1)) m "
        + "(\(Text.count(climb.floors, "floor"))), descended \(Text.decimal(climb.descent, places: 1)) m"
    }

    func chart(title: String) -> Chart {
      Chart(
        title: title, subtitle: summary, times: times,
        panels: [
          Chart.Panel(
            title: "Relative height", unit: "m",
            series: [Chart.Series(name: "height", color: .blue, values: heights)], leastSpan: 2),
          Chart.Panel(
            title: "Pressure", unit: "kPa",
            series: [Chart.Series(name: "pressure", color: .vermilion, values: pressures)], leastSpan: 0.05),
        ])
    }
  }

  func run() throws {
    let selection = try SourceSelection.open(source)
    let run = try PressureRun(
      selection, stream: .airPressure, limit: limit, needsEnd: output != nil,
      variables: ["MOTION_HEIGHT": height, "MOTION_SEA_LEVEL_PRESSURE": seaLevelPressure])
    let picture = try PictureFile.open(output, readingFrom: selection.recordingPath)
    StandardError.shared.say(selection.headline)
    var parameters = AltitudeEstimator.Parameters()
    parameters.reference = run.policy.altitudeReference
    let log = Lock(Log(estimator: AltitudeEstimator(parameters: parameters)))
    let out = OutputFile.standardOutput
    do {
      let header = "  time (s)    height (m)  pressure (kPa)    above sea (m)  climb (m)  descent (m)  floors\n"
      try out.write(Array(header.utf8))
      let (outcome, statistics) = try run { sample, elapsed in
        if let line = log.withLock({ $0.append(sample, elapsed) }) { try out.write(Array(line.utf8)) }
      }
      let (summary, chart) = log.withLock { ($0.summary, $0.chart(title: selection.info.name)) }
      if case .done = outcome { try picture?.write(chart) } else { picture?.discard() }
      var lines = [summary]
      if parameters.reference == nil {
        lines.append("above the sea: no reference, so the weather decides; give --height or --sea-level-pressure")
      }
      try selection.finish(outcome, statistics, summary: lines)
    } catch {
      picture?.discard()
      throw error
    }
  }
}

/// A pressure sensor listened to until its end, a limit or a signal: the work behind `depth` and `altitude`.
///
/// A recording is read as fast as it goes; anything else runs on the clock that its address asks for.
struct PressureRun {
  private let selection: SourceSelection
  let policy: HostPolicy
  private let stream: HubStream
  private let limit: Seconds?
  private let completion = Completion()

  /// From here on a signal ends the run, not the program. `variables` are settings in the form of the environment, which they
  /// are stronger than.
  init(
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
  func callAsFunction(
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
