// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing
import MotionTools

/// The orientation filter against truth.
@main
struct AccuracyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "motion-accuracy", abstract: "Run the orientation filter over trials with known truth.",
    discussion: """
      Each folder is searched, and each trial is recognised by its content:
        BROAD layout      .f32 files with optical truth: RMS over the movement
        gravity.txt       Apple's gravity beside raw sensors: mean angle, in 6D
        qualisys.csv      motion capture and raw sensors: medians
      Errors are in degrees: total, heading (about the vertical), inclination.
      The time is processor time per update: one reading of each sensor. On
      phones it includes the calibration of the magnetometer.

      A trial of the BROAD layout is run as its authors run filters: the
      magnetometer is calibrated, and the gyroscope's stamps are known to be half
      an interval late. --as-user tells the filter neither: it has the samples,
      through the same code as “motionctl fuse --frame magnetic” (--6d: arbitrary),
      and so no heading before it has calibrated the magnetometer itself. Total
      and heading are then RMS over the rows of movement that have a heading;
      “known %” is their share, “first s” the time from the start of the trial to
      the first heading, and a trial without any is left out of those means.
      Inclination counts every row of movement. Phones are always run so.

      The filter states one standard deviation with each row. “incl. 95 %” and
      “head. 95 %” are the shares of rows whose error is within 1.73 deviations of
      the inclination and 1.96 of the heading: an honest filter has 95 there. The
      last line has all rows of all trials together. “> 45° %” is the share of
      rows with a heading that is wrong by more than 45°.

      --smooth looks back, too: no filter that answers at once can do that. A
      second set of errors, beside the first and never instead of it, is that with
      --reference-delay: BROAD's sensors are some 4 ms behind its cameras, which no
      filter can see. The truth is compared with the orientation so much earlier.

      --parameter runs the filter on trials of the BROAD layout with another value
      of one of its parameters, to see what the parameter is worth: nothing else
      takes such values. --list-parameters prints all of them.

      --json prints one line, with null for what does not exist (total and
      heading without a magnetometer; the mean over different layouts):
        {"mean":{"total":…,"heading":…,"inclination":…,"known":…,
          "firstHeading":…,"headingBeyond45":…,"inclinationWithin95":…,
          "headingWithin95":…},       with --reference-delay also delayedTotal …
         "trials":[{"name":…,"total":…,…},…],"nanosecondsPerUpdate":…}

      Examples:
        motion-accuracy data/broad
        motion-accuracy data/broad --as-user
        motion-accuracy data/broad --6d --json
        motion-accuracy data/broad --smooth --reference-delay 4ms
        motion-accuracy data/broad --parameter velocityNoise=0.2
        motion-accuracy data/iphone --plot errors
      """)

  /// How errors over time are drawn.
  @Argument(help: "Folders with trials, or .f32 files.")
  var folders: [String]

  @Flag(name: .customLong("6d"), help: "Gyroscope and accelerometer only: no magnetometer, so no heading.")
  var isSixAxis = false

  @Flag(help: "BROAD: nothing is told to the filter that a user's table does not say.")
  var asUser = false

  @Flag(help: "The smoother of “motionctl fuse --smooth”, which knows the whole trial, in place of the filter.")
  var smooth = false

  @Option(
    help: ArgumentHelp(
      "BROAD: print beside each error what it is if the sensors' stamps are late by this much.",
      valueName: "milliseconds"))
  var referenceDelay: Delay?

  @Flag(help: "One line of JSON instead of the tables.")
  var json = false

  @Option(
    name: .customLong("parameter"),
    help: ArgumentHelp(
      "BROAD: another value of one of the filter's parameters; may be repeated.", valueName: "name=value"))
  var parameters: [String] = []

  @Flag(help: "Print the filter's parameters and their values on the first trial, and run nothing.")
  var listParameters = false

  @Option(help: ArgumentHelp("Draw the error over time of each trial into this folder.", valueName: "folder"))
  var plot: String?

  private var options: TrialOptions {
    var options = TrialOptions()
    (options.usesMagnetometer, options.asUser) = (!isSixAxis, asUser)
    (options.smooths, options.referenceDelay) = (smooth, referenceDelay?.seconds)
    return options
  }

  func run() throws {
    var trials: [any AccuracyTrial] = []
    let changes = try FilterParameters(parameters)
    for folder in folders {
      let search = try TrialSearch(path: folder, parameters: changes)
      for notice in search.notices { StandardError.shared.say("left out: \(notice)") }
      trials += search.trials
    }
    if listParameters || !changes.isEmpty { try checkParameters(trials) }
    if listParameters {
      try writeParameters(of: trials)
      return
    }
    if let plot { try FileManager.default.createDirectory(atPath: plot, withIntermediateDirectories: true) }
    defer { StandardError.shared.endStatus() }
    var results: [TrialResult] = []
    var names: [String: Int] = [:]
    let started = ContinuousClock.now
    for trial in trials {
      Self.show(results.count, trials.count, trial.name, since: started)
      let result = try trial.measure(options)
      if let plot {
        names[result.name, default: 0] += 1
        let number = names[result.name, default: 1]
        let path = "\(plot)/\(result.name)\(number == 1 ? "" : "-\(number)").svg"
        try OutputFile.drawing(path) { try $0?.draw(Chart(result), height: 900) }
      }
      results.append(result)
    }
    let report = AccuracyReport(results: results, options: options)
    var buffer = JSONText()
    if json {
      if report.isMixed {
        StandardError.shared.say(
          "The mean is null: RMS errors, medians and differences to Apple do not mix; name one kind of data.")
      }
      report.appendJSON(to: &buffer)
    } else {
      report.appendTables(to: &buffer)
    }
    StandardError.shared.endStatus()
    // The names of trials are those of files.
    let bytes = json ? buffer.bytes : Array(String(decoding: buffer.bytes, as: UTF8.self).printable().utf8)
    try OutputFile.standardOutput.write(bytes)
    if let plot { StandardError.shared.say("\(Text.count(results.count, "picture")) in \(plot)") }
  }

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch  where exitCode(for: error).isSuccess {
      exit(withError: error)
    } catch {
      // The sentence may name what stands in a file.
      StandardError.shared.say(fullMessage(for: error))
      Foundation.exit(exitCode(for: error).rawValue)
    }
  }

  private func checkParameters(_ trials: [any AccuracyTrial]) throws {
    guard !asUser, trials.allSatisfy({ $0 is BroadTrial }) else {
      throw CommandFailure(
        "--parameter and --list-parameters are for the filter alone, on trials of the BROAD layout: leave --as-user and phones out."
      )
    }
  }

  /// A line for each: name, value.
  private func writeParameters(of trials: [any AccuracyTrial]) throws {
    let named = try (trials.first as? BroadTrial)?.namedParameters() ?? []
    try OutputFile.standardOutput.write(Array(named.map { "\($0.name) \($0.value)\n" }.joined().utf8))
  }

  private static func show(_ done: Int, _ count: Int, _ name: String, since started: ContinuousClock.Instant) {
    let fraction = Double(done) / Double(count)
    let left = done > 0 ? (ContinuousClock.now - started).seconds * (1 / fraction - 1) : nil
    StandardError.shared.show(
      "\(ProgressLine.bar(fraction))  \(done + 1) of \(count)"
        + (left.map { ", \(Text.duration(max(1, $0.rounded()))) left" } ?? "") + ": \(name)")
  }
}

/// A short time, 0…1000 ms: "4ms" or "4".
struct Delay: ExpressibleByArgument {
  let seconds: Double

  init?(argument: String) {
    let number = argument.hasSuffix("ms") ? String(argument.dropLast(2)) : argument
    guard let value = Double(number), value >= 0, value <= 1000 else { return nil }
    seconds = value * 1e-3
  }
}
