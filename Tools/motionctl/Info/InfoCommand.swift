// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing
import MotionTools

/// `motionctl info`: what recordings hold, and how good they are.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what a recording holds: sensors, rates, gaps, clock, saturation, rest, and its quality.",
    discussion: """
      Any recording that can be read: an MCAP file, also one that was never finished, or the logs of phone apps and of data sets. It is \
      read once from beginning to end, whatever its length, in a few megabytes of memory. Damage is counted, not fatal. Times are seconds of the \
      recording's own clock; a rate is that of the median interval. A gyroscope or accelerometer CLIPS where its readings reach the \
      stated range, or stay at the largest magnitude of an axis with a slope before and behind: what the device did beyond is lost.

      Examples:
        motionctl info walk.mcap
        motionctl info *.mcap --json
        motionctl info recording/
        motionctl info --formats
        motionctl info log.csv --map 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ' --sign reaction
      """)

  @Argument(help: "Recordings: files or folders, or addresses with options, such as 'log.csv?map=…&sign=apple'.")
  var paths: [String] = []

  @Flag(
    help: "List the formats that are read and written, and how each is recognised: by its content, not by its name.")
  var formats = false

  @OptionGroup var json: JSONOption

  @OptionGroup var table: TableOptions

  func validate() throws {
    if formats != paths.isEmpty { throw ValidationError("Name recordings, or say --formats.") }
  }

  func run() throws {
    if formats { return try OutputFile.standardOutput.print(Self.formatLines) }
    var choices = ReadingChoices()
    table.add(to: &choices)
    let completion = Completion.endedBySignals()
    try Inputs.forEach(paths) { path in
      try completion.check()
      let inspection = try RecordingInspection(path, choices)
      let progress = ProgressLine()
      defer { StandardError.shared.endStatus() }
      let report = try inspection.report { count in
        progress.update(count, "sample")
        return !completion.isFinished
      }
      guard let report else { return try completion.check() }
      try json.print(report, or: report.lines)
    }
    try completion.check()
  }

  /// Names are those of convert --from and of the option format= in an address.
  private static var formatLines: [String] {
    var rows = [("Read:", "", "")]
    rows += RecordingFormat.readable.map { ("  \($0.rawValue)", $0.title, $0.summary) }
    rows.append(("Written, by convert --to:", "", ""))
    rows += ConvertFormat.allCases.map { ("  \($0.rawValue)", $0.title, "") }
    let listed = rows.filter { !$0.1.isEmpty }
    let widths = [listed.map { $0.0.count }, listed.map { $0.1.count }].map { ($0.max() ?? 0) + 2 }
    let lines = rows.map { name, title, summary in
      let cells = [(name, widths[0]), (title, widths[1])].map { Text.padded($0, $1, toRight: false) }
      return title.isEmpty ? name : summary.isEmpty ? cells[0] + title : cells.joined() + summary
    }
    return lines + ["Not read as it is:"] + RecordingFormat.convertible.map { "  \($0.what): \($0.way)" }
  }
}
