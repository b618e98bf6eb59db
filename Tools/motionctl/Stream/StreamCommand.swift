// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl stream`: the samples of one service as a program with `import CoreMotion` receives them.
struct StreamCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stream", abstract: "Print the samples of a motion service as they come.",
    discussion: """
      The samples go through CMMotionManager, so what is printed is what a client gets. Data goes to standard output; \
      the source's name, live statistics (on a terminal) and the summary go to standard error. On a terminal the table has the columns \
      that fit, and titles stand out unless NO_COLOR is set.

      Examples:
        motionctl stream simulate:handheld --for 5
        motionctl stream walk.csv --frame magnetic --rate 20
        motionctl stream simulate:spin --service gyro --format csv --for 1
        motionctl stream 'replay:walk.csv?speed=max' --format ndjson | jq .heading
        motionctl stream 'simulate:shake?rate=800' --service accelerometer --batched --for 5
        MOTION_SOURCE=simulate:rest motionctl stream --service accelerometer
        motionctl stream simulate:handheld --to foxglove
      """)

  @OptionGroup
  var options: StreamOptions

  func run() throws { try StreamRun(options, SourceSelection.open(options.input.source))() }
}

/// What of a source is streamed, and how: the options of `stream` and `replay`.
struct StreamOptions: ParsableArguments {
  @OptionGroup var input: SourceOptions

  @Option(help: "What to print.")
  var service: MotionService = .deviceMotion

  @OptionGroup var form: FormatOption
  @OptionGroup var pace: RateOption
  @OptionGroup var frame: FrameOptions

  @Flag(help: "Take the samples by the second, every one of them (accelerometer and device-motion).")
  var batched = false

  @OptionGroup(title: "Live views")
  var live: LiveOptions

  var format: SampleFormat { form.format ?? .table }
  var rate: SampleRate { pace.rate ?? .hertz(100) }

  /// Whether anything is asked for that only printing or showing has: not the limit, nor the place.
  var choosesOutput: Bool {
    guard case .hertz(100) = rate else { return true }
    return service != .deviceMotion || format != .table || (frame.frame ?? .arbitrary) != .arbitrary || batched
      || !live.targets.isEmpty
  }

  var table: MotionTable {
    MotionTable(
      service, width: Terminal.columns(of: STDOUT_FILENO), isStyled: Terminal.hasColour(STDOUT_FILENO))
  }

  func validate() throws {
    if !live.targets.isEmpty {
      guard service == .deviceMotion, format == .table, !batched else {
        throw ValidationError(
          "--to shows every service in its own form: leave --service, --format and --batched out.")
      }
    }
    if batched, ![.accelerometer, .deviceMotion].contains(service) {
      throw ValidationError("--batched is for the services accelerometer and device-motion.")
    }
    if batched, (frame.frame ?? .arbitrary) != .arbitrary {
      throw ValidationError("Batches have no reference frame to choose: leave --frame out.")
    }
  }
}

/// The samples of one service, printed as a program with `import CoreMotion` receives them: the work behind `stream`
/// and `replay`.
struct StreamRun {
  private let options: StreamOptions
  private let selection: SourceSelection

  init(_ options: StreamOptions, _ selection: SourceSelection) {
    (self.options, self.selection) = (options, selection)
  }

  func callAsFunction() throws {
    if !options.live.targets.isEmpty {
      return try LiveRun(
        options.live, selection, frame: options.frame, rate: options.rate, limit: options.input.range.limit)()
    }
    let (service, frame, rate) = (options.service, options.frame.frame ?? .arbitrary, options.rate)
    let (isBatched, limit) = (options.batched, options.input.range.limit)
    let host = try selection.host(location: options.frame.location)
    if service == .deviceMotion { try MotionRequirements.check(frame, of: selection, at: host.location) }
    StandardError.shared.say(selection.headline)
    let frameName = service == .deviceMotion ? ", frame \(frame.name)" : ""
    StandardError.shared.say("\(service.name)\(frameName), \(isBatched ? "by the second" : "\(rate)")")

    let completion = Completion.endedBySignals()
    let printer = try StreamPrinter(
      // Motion that a recording holds keeps its own frame, which a handler does not receive.
      writer: SampleWriter(
        service: service, format: options.format, table: options.table,
        hidesFrame: selection.info.kinds.contains(.motion)), limit: limit, completion: completion)
    let session = try host.run { () throws -> StreamSession in
      try StreamSession(
        service: service, frame: frame, interval: isBatched ? 0 : rate.interval, isBatched: isBatched, host: host,
        printer: printer)
    }
    let used = ProcessUse()
    // The batch that holds the last sample comes a second later.
    let deadline = selection.timeout(over: limit?.value).map { isBatched ? $0 + 1.5 : $0 }
    let outcome = completion.run(deadline: deadline) { printer.tick(session.hub.statistics) }
    let stalls = session.stop()
    if case .stopped(let error) = outcome {
      if error is BrokenPipe { throw error }
    } else {
      try printer.flush()
    }
    let report = RunReport(outcome, of: session.hub, selection, used: used)
    StandardError.shared.say([summary(printer.totals, stalls)] + report.lines)
    // The handler has received it, and it has been printed.
    if case .failed = outcome { throw ProgramEnd.failure }
    try report.check(isEmpty: printer.totals.count == 0)
  }

  private func summary(_ totals: StreamPrinter.Totals, _ stalls: Int) -> String {
    var line = Text.count(totals.count, "sample")
    if let rate = totals.rate { line += ", mean rate \(Text.decimal(rate, places: 2)) Hz" }
    line += " over \(Text.duration(totals.duration)); handler backlog at most \(totals.backlog)"
    if stalls > 0 { line += ", the source waited for it \(stalls) \(stalls == 1 ? "time" : "times")" }
    return line
  }
}
