// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionRecording
import MotionSensing

/// `motionctl plot`: a picture of a recording, to look at.
struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot", abstract: "Draw attitude, gravity and user acceleration over time.",
    discussion: """
      Three panels: roll, pitch and yaw in degrees, gravity and user acceleration in g. The picture names its source; a \
      simulation is named as one. A hole in a line is a pause in the samples.

      Examples:
        motionctl plot recording/ -o motion.png
        motionctl plot walk.csv --frame magnetic --for 60 -o walk.svg
        motionctl plot simulate:handheld --for 20 -o handheld.png --width 1600 --height 1000
      """)

  @Argument(help: "A recording (file or folder) or the address of a source.")
  var source: String

  @Option(name: [.short, .long], help: "The picture to write; its name ends with .png or .svg.")
  var output: String

  @Option(help: ReferenceFrame.help)
  var frame: ReferenceFrame = .arbitrary

  @Option(help: LocationArgument.help)
  var location: LocationArgument?

  @Option(name: .customLong("for"), help: ArgumentHelp("Draw the first part only.", valueName: "seconds"))
  var limit: Seconds?

  @Option(help: "Pixels.")
  var width = 1200

  @Option(help: "Pixels.")
  var height = 900

  private enum Picture { case png, svg }

  func validate() throws {
    guard picture != nil else {
      throw ValidationError("“\(output)” names no kind of picture: end it with .png or .svg.")
    }
    guard (400...8000).contains(width), (300...8000).contains(height) else {
      throw ValidationError("--width must be 400…8000 and --height 300…8000 pixels.")
    }
  }

  func run() throws {
    let selection = try SourceSelection.open(source)
    let run = try MotionRun(selection, frame: frame, location: location, limit: limit)
    let file = try OutputFile.open(output, readingFrom: selection.recordingPath)
    StandardError.shared.say(selection.headline)
    do {
      let columns = Lock(MotionColumns())
      let (outcome, report) = try run { row in columns.withLock { $0.append(DeviceMotionRow(row)) } }
      switch outcome {
      case .done: break
      case .failed(let error): throw error
      case .stopped(let error): throw error
      case .interrupted(let number):
        StandardError.shared.say("Interrupted after \(Text.count(report.rowCount, "row")): \(output) was not written.")
        throw ExitCode(Interruption.exitCode(number))
      }
      guard report.rowCount > 1 else {
        throw CommandFailure("\(selection.info.name) holds too few samples for a picture.")
      }
      for notice in report.notices { StandardError.shared.say(notice) }
      let chart = columns.withLock {
        $0.chart(title: selection.info.name, subtitle: Self.subtitle(selection, report))
      }
      try file.write(try render(chart))
      try file.commit()
      StandardError.shared.say(
        "\(Text.count(report.rowCount, "row")) over \(Text.duration(report.duration)), drawn to \(output)")
      for line in StatisticsReport.lines(report.statistics) { StandardError.shared.say(line) }
      if let omissions = selection.omissions { StandardError.shared.say(omissions) }
    } catch {
      file.discard()
      throw error
    }
  }

  private var picture: Picture? {
    let name = output.lowercased()
    return name.hasSuffix(".png") ? .png : name.hasSuffix(".svg") ? .svg : nil
  }

  private func render(_ chart: Chart) throws -> [UInt8] {
    let drawings = ChartLayout(chart, width: width, height: height).drawings
    switch picture {
    case .svg: return SVGRenderer.render(drawings, width: width, height: height)
    default: return try PNGEncoder.encode(Raster.render(drawings, width: width, height: height))
    }
  }

  /// "simulation: no sensor was read · frame … · 100 Hz · 20 s".
  private static func subtitle(_ selection: SourceSelection, _ report: MotionRun.Report) -> String {
    let info = selection.info
    var parts: [String] =
      switch info.origin {
      case .simulation: ["simulation: no sensor was read"]
      case .recording:
        [
          info.kinds.contains(.fusedMotion)
            ? "recording, its own motion passed on" : "recording, motion computed from its raw sensors"
        ]
      case .hardware: ["measured"]
      }
    if let name = report.frame.map({ ReferenceFrame($0).name }) { parts.append(name) }
    parts.append("\(Text.decimal(Double(report.rowCount - 1) / report.duration, places: 1)) Hz")
    parts.append(Text.duration(report.duration))
    return parts.joined(separator: " · ")
  }
}
