// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// Several recordings, each worn on a body of the model, on their way into one OpenSense table.
struct ConvertSegments {
  private let command: ConvertCommand
  private let output: String
  private let segments: [(path: String, body: String)]

  /// `text` is "left.csv=femur_l,hip.csv=pelvis".
  init(_ command: ConvertCommand, _ text: String) throws {
    self.command = command
    output = command.paths[0]
    segments = try text.split(separator: ",").map { part in
      // The last sign: a path may hold one.
      guard let sign = part.lastIndex(of: "="), sign > part.startIndex, part.index(after: sign) < part.endIndex else {
        throw CommandFailure("--segments takes recording=body, such as left.csv=femur_l, not “\(part)”.")
      }
      return (String(part[..<sign]), String(part[part.index(after: sign)...]))
    }
  }

  func run() throws {
    let started = ContinuousClock.now
    var inputs: [ConvertInput] = []
    for segment in segments {
      let (selection, recording) = try command.open(segment.path)
      StandardError.shared.say("\(segment.body): \(selection.headline)")
      inputs.append(
        try ConvertInput(
          selection, recording, computesMotion: !recording.info.kinds.contains(.fusedMotion), command: command))
    }
    let files = ConvertOutput(readingFrom: segments.first?.path ?? "", force: command.force)
    do {
      let writer = try OpenSenseWriter(
        files.sink(output),
        segments: zip(segments, inputs).map { segment, input in
          OpenSenseWriter.Segment(name: segment.body) { () throws(SensorError) in try input.nextMotion() }
        }, rate: command.rate ?? 100)
      let report = try writer.run()
      guard report.rows > 0 else {
        throw CommandFailure(
          "The recordings have no time in common, so the table would be empty: their clocks must be one.")
      }
      try files.commit()
      say(report, inputs, ContinuousClock.now - started)
    } catch {
      files.discard()
      throw files.firstFailure ?? error
    }
  }

  private func say(_ report: OpenSenseWriter.Report, _ inputs: [ConvertInput], _ elapsed: Duration) {
    var lines = [
      "\(command.format.title): \(Text.count(report.rows, "row")) of \(Text.count(segments.count, "device")) in \(Text.duration(elapsed.seconds))"
    ]
    for (segment, input) in zip(segments, inputs) {
      let summary = ConvertSummary.lines(input, needsMotion: true)
      if !summary.isEmpty { lines.append("  \(segment.body):") }
      lines += summary.map { "  " + $0 }
    }
    if report.nonFinite > 0 {
      lines.append("  not written: \(Text.count(report.nonFinite, "attitude")) that are no rotation")
    }
    lines.append("  z is up in the file: in OpenSim set \(OpenSenseWriter.rotationSetting)")
    let isNorth =
      report.references.allSatisfy { $0 == .xMagneticNorth || $0 == .xTrueNorth } && report.references.count == 1
    lines.append(
      isNorth
        ? "  headings count from north and can be compared between devices"
        : "  headings are arbitrary, each device its own: reset them together, or use --frame magnetic")
    for line in lines { StandardError.shared.say(line) }
  }
}
