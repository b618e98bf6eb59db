// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing

/// `motionctl info`: what recordings hold, and how good they are.
struct InfoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "info",
    abstract: "Say what a recording holds: sensors, rates, gaps, clock, saturation, rest, and its quality.",
    discussion: """
      Any recording that can be read: an MCAP file, also one that was never finished, or the logs of phone apps and of data sets. It is \
      read once from beginning to end, whatever its length, in a few megabytes of memory. Damage is counted, not fatal. Times are seconds of the \
      recording's own clock; a rate is that of the median interval.

      Examples:
        motionctl info walk.mcap
        motionctl info *.mcap --json
        motionctl info recording/
      """)

  @Argument(help: "Recordings: files or folders, or addresses with options, such as 'log.csv?map=…&sign=apple'.")
  var paths: [String]

  @Flag(help: "One JSON object per recording and line.")
  var json = false

  func run() throws {
    let completion = Completion()
    Interruption.begin(completion)
    var hasFailed = false
    for path in paths {
      do {
        let report = try RecordingInspection(path).report { !completion.isFinished }
        guard let report else { break }
        try print(report)
      } catch  where paths.count > 1 && (error is SensorError || error is CommandFailure) {
        // One that cannot be read does not stop the others.
        StandardError.shared.say("Error: \(error)")
        hasFailed = true
      }
    }
    if completion.isFinished, case .interrupted(let number) = completion.wait(tick: {}) {
      throw ExitCode(Interruption.exitCode(number))
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func print(_ report: InfoReport) throws {
    var text: [UInt8]
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      text = Array(try encoder.encode(report))
    } else {
      text = Array(report.lines.joined(separator: "\n").utf8)
    }
    text.append(UInt8(ascii: "\n"))
    try OutputFile.standardOutput.write(text)
  }
}
