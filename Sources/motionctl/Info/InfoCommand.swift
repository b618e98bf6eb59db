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
        motionctl info log.csv --map 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ' --sign reaction
      """)

  @Argument(help: "Recordings: files or folders, or addresses with options, such as 'log.csv?map=…&sign=apple'.")
  var paths: [String]

  @OptionGroup var json: JSONOption

  @OptionGroup var table: TableOptions

  func run() throws {
    let completion = Completion.endedBySignals()
    try Inputs.forEach(paths) { path in
      try completion.check()
      let inspection = try RecordingInspection(path, ReadingChoices(table: table.choices))
      let progress = ProgressLine(reading: inspection.path)
      defer { StandardError.shared.endStatus() }
      let report = try inspection.report { count in
        progress.update(count, "sample")
        return !completion.isFinished
      }
      guard let report else { return try completion.check() }
      let out = OutputFile.standardOutput
      if json.isOn { try out.write(JSONLine.bytes(report)) } else { try out.print(report.lines) }
    }
    try completion.check()
  }
}
