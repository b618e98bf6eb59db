// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionAnalysis
import MotionHost
import MotionMath
import MotionSensing
import MotionServices
import MotionTools

/// `motionctl swing`: the strokes of a racket, club or bat, with their impacts and times to contact.
struct SwingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swing", abstract: "Find strokes: impact, start of the swing, time to contact; draw one.",
    discussion: """
      The source must have an accelerometer of 400 Hz or more; 800 Hz is what the threshold is made for. Time to contact \
      needs a gyroscope in the same source: an accelerometer alone gives the impacts. A recording is read at full speed. \
      Strokes go to standard output, the summary to standard error. Times count from the first sample.

      Examples:
        motionctl swing forehand.csv --threshold 6
        motionctl swing 'simulate:swing?speed=max' --for 20 -o stroke.png
        motionctl swing 'simulate:swing?seed=7' --for 60 --json
      """)

  @OptionGroup var input: SourceArgument

  @Option(help: ArgumentHelp("How hard a shock must be: the part of the acceleration above 100 Hz.", valueName: "g"))
  var threshold = 5.0

  @OptionGroup var json: JSONOption
  @OptionGroup var range: LimitOption
  @OptionGroup var drawing: PictureOption

  @Option(help: ArgumentHelp("The stroke to draw, counted from 1.", valueName: "number"))
  var stroke = 1

  func validate() throws {
    guard (0.5...100).contains(threshold) else { throw ValidationError("--threshold takes g from 0.5 to 100.") }
    guard stroke >= 1 else { throw ValidationError("--stroke takes a number from 1 on.") }
  }

  func run() throws {
    let selection = try SourceSelection.open(input.source)
    var parameters = SwingDetector.Parameters()
    parameters.threshold = threshold * standardGravity
    let run = try SwingRun(selection, parameters: parameters, limit: range.limit, needsEnd: drawing.output != nil)
    StandardError.shared.say(selection.headline)
    let out = OutputFile.standardOutput
    try PictureFile.drawing(drawing.output, readingFrom: selection.recordingPath) { picture in
      if !json.isOn { try out.write(Array(SwingTable.header.utf8)) }
      let drawn = Lock(SwingPicture(number: stroke))
      let strokes = Lock(SwingTable(isJSON: json.isOn))
      let (outcome, statistics) = try run { event in
        if picture != nil { drawn.withLock { $0.append(event) } }
        let row = strokes.withLock { $0.append(event) }
        if let row { try out.write(Array(row.utf8)) }
      }
      try picture?.finish(outcome) {
        if let chart = drawn.withLock({ $0.chart(title: selection.info.name) }) { return chart }
        let count = strokes.withLock { $0.count }
        throw CommandFailure("There is no stroke \(stroke) to draw: \(Text.count(count, "impact")) found.")
      }
      try selection.finish(outcome, statistics, summary: strokes.withLock { $0.summary(threshold: threshold) })
    }
  }
}
