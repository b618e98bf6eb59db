// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionSensing
import MotionTools

/// `motionctl plot`: a picture of a recording, to look at.
struct PlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot", abstract: "Draw what a recording or a source holds over time.",
    discussion: """
      A panel for each channel. Without --channels: attitude (roll, pitch, yaw), gravity, user acceleration, heading where it is known and \
      pressure where there is one; where no motion can be computed, the sensors as they are. The accelerometer has Core Motion's sign. \
      Green: the device lay still, by the rule of motionctl info. Red: a pause in the samples. The picture names its source; a \
      simulation is named as one.

      Examples:
        motionctl plot recording/ -o motion.svg
        motionctl plot watch.csv --channels accelerometer -o watch.svg
        motionctl plot walk.csv --frame magnetic --from 1m --to 2m30s -o walk.svg
        motionctl plot log.csv --map 't=Time[ms] ax=AccX[g] ay=AccY az=AccZ' --sign reaction -o log.svg
        motionctl plot simulate:handheld --for 20 -o handheld.svg
      """)

  @OptionGroup var input: SourceOptions

  @Option(
    name: [.short, .long],
    help: "The picture to write; its name ends with .svg (rsvg-convert in.svg -o out.png makes a PNG of it).")
  var output: String

  @Option(
    help: ArgumentHelp(
      "What to draw, from top to bottom: \(PlotChannel.allCases.map(\.rawValue).joined(separator: ", ")).",
      valueName: "names"))
  var channels: NameList<PlotChannel>?

  @OptionGroup var frame: FrameOptions

  @OptionGroup var begin: BeginOption
  @OptionGroup var end: EndOption

  @OptionGroup(title: "Recordings, and tables of no known format")
  var reading: ReadingOptions

  func validate() throws {
    try PictureOption.check(output)
    if end.to != nil, input.range.limit != nil { throw ValidationError("Give either --to or --for.") }
    guard try !span().isEmpty else { throw ValidationError("--to must be after --from.") }
  }

  /// Seconds since the first sample.
  private func span() throws -> Range<Double> {
    let begin = try begin.seconds() ?? 0
    // The microsecond takes up the rounding of time stamps.
    let end = try end.seconds() ?? input.range.limit.map { begin + $0.value } ?? .infinity
    return begin..<max(begin, end - 1e-6)
  }

  func run() throws {
    let span = try span()
    let selection = try SourceSelection.open(input.source, reading.choices)
    try selection.requireEnd(limit: span.upperBound.isFinite ? Seconds(span.upperBound) : nil)
    let plot = try PlotRun(
      selection, channels: channels?.names, frame: frame.frame ?? .arbitrary, location: frame.location, span: span)
    StandardError.shared.say(selection.headline)
    let lines = try OutputFile.drawing(output, readingFrom: selection.recordingPath) { file in
      let (log, report) = plot(selection)
      try report.check(isEmpty: log.time.isEmpty, interruption: "Interrupted: \(output) was not written.")
      StandardError.shared.say(report.sentences(isLive: selection.info.origin == .hardware))
      let tracks = channels == nil ? log.tracks.filter(\.hasValues) : log.tracks
      for track in tracks where !track.hasValues {
        throw CommandFailure("\(selection.info.name) holds no \(track.channel.rawValue) in this part.")
      }
      let rows = tracks.map(\.count).max() ?? 0
      guard rows > 1 else { throw CommandFailure("\(selection.info.name) holds too few samples for a picture.") }
      let duration = tracks.map { ($0.panel.times?.last ?? 0) - ($0.panel.times?.first ?? 0) }.max() ?? 0
      let chart = Chart(
        title: selection.info.name, subtitle: subtitle(selection, log, tracks, rows: rows, duration: duration),
        panels: tracks.map(\.panel), rests: log.rests.spans, start: span.lowerBound)
      try file?.draw(chart, height: max(500, 300 * tracks.count))
      let names = Text.list(tracks.map(\.channel.rawValue))
      return ["\(Text.count(rows, "row")) over \(Text.duration(duration)), drawn to \(output): \(names)"]
        + report.lines + selection.remarkLines
    }
    StandardError.shared.say(lines)
  }

  /// "simulation: no sensor was read · frame … · 100 Hz · 20 s".
  private func subtitle(
    _ selection: SourceSelection, _ log: PlotRun, _ tracks: [PlotTrack], rows: Int, duration: Double
  ) -> String {
    let info = selection.info
    let hasMotion = tracks.contains { $0.channel.isMotion }
    var parts: [String] =
      switch info.origin {
      case .simulation: ["simulation: no sensor was read"]
      case .recording where !hasMotion: ["recording, its sensors as they are"]
      case .recording:
        [
          info.kinds.contains(.motion)
            ? "recording, its own motion passed on" : "recording, motion computed from its raw sensors"
        ]
      case .hardware: ["measured"]
      }
    if let name = log.reference.map({ ReferenceFrame($0).name }) { parts.append(name) }
    if duration > 0 { parts.append("\(Text.decimal(Double(rows - 1) / duration, places: 1)) Hz") }
    parts.append(Text.duration(duration))
    return parts.joined(separator: " · ")
  }
}
