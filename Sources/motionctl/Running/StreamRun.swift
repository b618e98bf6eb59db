// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreMotion
import Foundation
import MotionHost
import MotionSensing
import MotionServices

/// The samples of one service, printed as a program with `import CoreMotion` receives them: the work behind `stream` and `replay`.
struct StreamRun {
  private let options: StreamOptions
  private let selection: SourceSelection

  init(_ options: StreamOptions, _ selection: SourceSelection) {
    (self.options, self.selection) = (options, selection)
  }

  func callAsFunction() throws {
    if !options.live.targets.isEmpty { return try LiveRun(options, selection)() }
    let (service, frame, rate) = (options.service, options.frame, options.rate)
    let (isBatched, limit) = (options.batched, options.limit)
    let host = try selection.host(location: options.location)
    if service == .deviceMotion { try MotionRequirements.check(frame, of: selection, on: host) }
    StandardError.shared.say(selection.headline)
    let frameName = service == .deviceMotion ? ", frame \(frame.name)" : ""
    StandardError.shared.say("\(service.name)\(frameName), \(isBatched ? "by the second" : "\(rate)")")

    let completion = Completion()
    Interruption.begin(completion)
    let printer = try StreamPrinter(
      writer: SampleWriter(service: service, format: options.format), limit: limit, count: options.count,
      completion: completion)
    let session = try host.run { () throws -> StreamSession in
      try StreamSession(
        service: service, frame: frame, interval: isBatched ? 0 : rate.interval, isBatched: isBatched, host: host,
        printer: printer)
    }
    let used = ProcessUse()
    let patience = selection.patience(over: limit?.value)
    let started = ContinuousClock.now
    let outcome = completion.wait {
      printer.tick(session.statistics)
      // The batch that holds the last sample comes a second later.
      if let patience = patience.map({ isBatched ? $0 + 1.5 : $0 }), (ContinuousClock.now - started).seconds > patience
      {
        completion.finish(.done)
      }
    }
    let stalls = session.stop()
    StandardError.shared.endStatus()
    try finish(outcome, printer: printer) {
      summarize(printer, session, stalls)
      StandardError.shared.say("  \(used.sentence)")
    }
  }

  private func finish(
    _ outcome: Completion.Outcome, printer: StreamPrinter, summarize: () -> Void
  ) throws {
    if case .stopped(let error) = outcome {
      if error is BrokenPipe { throw error }
      summarize()
      throw error
    }
    try printer.flush()
    summarize()
    switch outcome {
    case .interrupted(let number): throw ExitCode(Interruption.exitCode(number))
    // The handler has been told, and so has the person.
    case .failed: throw ExitCode.failure
    case .done, .stopped: break
    }
  }

  private func summarize(
    _ printer: StreamPrinter, _ session: StreamSession, _ stalls: Int
  ) {
    let totals = printer.totals
    var line = Text.count(totals.count, "sample")
    if let rate = totals.rate { line += ", mean rate \(Text.decimal(rate, places: 2)) Hz" }
    line += " over \(Text.duration(totals.duration)); handler backlog at most \(totals.backlog)"
    if stalls > 0 { line += ", the source waited for it \(stalls) \(stalls == 1 ? "time" : "times")" }
    StandardError.shared.say(line)
    for line in StatisticsReport.lines(session.statistics) { StandardError.shared.say(line) }
    if let omissions = selection.omissions { StandardError.shared.say(omissions) }
  }
}
