// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionRecording
import MotionSensing

/// Several recordings, each worn on a body of the model, on their way into one OpenSense table.
package struct ConvertSegments {
  private let job: ConvertJob
  private let output: String
  private let segments: [(path: String, body: String)]

  /// `text` is "left.csv=femur_l,hip.csv=pelvis".
  package init(_ job: ConvertJob, _ text: String, output: String) throws {
    self.job = job
    self.output = output
    segments = try text.split(separator: ",").map { part in
      // The last sign: a path may hold one.
      guard let sign = part.lastIndex(of: "="), sign > part.startIndex, part.index(after: sign) < part.endIndex else {
        throw CommandFailure("--segments takes recording=body, such as left.csv=femur_l, not “\(part)”.")
      }
      return (String(part[..<sign]), String(part[part.index(after: sign)...]))
    }
  }

  package func run() throws {
    let completion = Completion.endedBySignals()
    let started = ContinuousClock.now
    var inputs: [ConvertInput] = []
    for segment in segments {
      let (selection, recording) = try job.open(segment.path)
      StandardError.shared.say("\(segment.body): \(selection.headline)")
      inputs.append(
        try ConvertInput(
          selection, recording, computesMotion: !recording.info.kinds.contains(.motion), job: job))
    }
    let files = ConvertOutput(readingFrom: segments.map(\.path), force: job.force)
    let norths = inputs.map(NorthTally.init)
    let progress = ProgressLine(reading: segments.last?.path)
    defer { StandardError.shared.endStatus() }
    do {
      let writer = try OpenSenseWriter(
        files.sink(output),
        segments: zip(segments, norths).map { segment, north in
          OpenSenseWriter.Segment(name: segment.body) { () throws(SensorError) in
            progress.update(norths.reduce(0) { $0 + $1.rows }, "pose")
            return completion.isFinished ? nil : try north.next()
          }
        }, rate: job.rate ?? 100)
      let report = try writer.run()
      if let number = completion.interruption {
        if output != "-" { StandardError.shared.say("Interrupted: \(output) was not written.") }
        throw ProgramEnd.signal(number)
      }
      guard report.rows > 0 else {
        throw CommandFailure(
          "The recordings have no time in common, so the table would be empty: their clocks must be one.")
      }
      try files.commit()
      say(report, inputs, norths, ContinuousClock.now - started)
    } catch {
      files.discard()
      throw files.firstFailure ?? error
    }
  }

  private func say(
    _ report: OpenSenseWriter.Report, _ inputs: [ConvertInput], _ norths: [NorthTally], _ elapsed: Duration
  ) {
    var lines = [
      "\(job.format.title): \(Text.count(report.rows, "row")) of \(Text.count(segments.count, "device")) in \(Text.duration(elapsed.seconds))"
    ]
    for (segment, input) in zip(segments, inputs) {
      let summary = ConvertSummary.lines(input, needsMotion: true)
      if !summary.isEmpty { lines.append("  \(segment.body):") }
      lines += summary.map { "  " + $0 }
    }
    if report.nonFinite > 0 {
      lines.append("  not written: \(Text.count(report.nonFinite, "attitude")) that are no rotation")
    }
    if report.paused > 0 {
      lines.append("  not written: \(Text.count(report.paused, "row")) in which a device pauses for more than a second")
    }
    lines.append("  z is up in the file: in OpenSim set \(OpenSenseWriter.rotationSetting)")
    lines.append("  " + headings(norths))
    StandardError.shared.say(lines)
  }

  /// Whether the headings of the devices can be compared.
  private func headings(_ norths: [NorthTally]) -> String {
    let tallies = zip(segments, norths)
    let arbitrary = tallies.filter { !$1.references.allSatisfy(\.pointsNorth) }.map(\.0.body)
    guard arbitrary.isEmpty else {
      let whose = arbitrary.count == segments.count ? "each device its own" : "of \(Text.list(arbitrary))"
      return "headings are arbitrary, \(whose): reset them together, or use --frame magnetic"
    }
    if Set(norths.flatMap(\.references)).count > 1 {
      return "headings count from different norths, magnetic and true: use one --frame for all"
    }
    let unfounded = tallies.filter { $1.rowsWithoutNorth > 0 }.map { segment, north in
      "\(segment.body) \(Text.decimal(100 * Double(north.rowsWithoutNorth) / Double(max(1, north.rows)), places: 1)) %"
    }
    guard unfounded.isEmpty else {
      return
        "headings count from north only where the magnetometer was calibrated; it was not yet for \(Text.list(unfounded)) of the time: "
        + "reset the headings together, or begin the next recording with a figure of eight of each device"
    }
    return "headings count from north and can be compared between devices"
  }
}

/// One device's motion, and how much of it knew where north is.
private final class NorthTally {
  private let input: ConvertInput
  private(set) var rows = 0
  /// Computed in a frame of north before the magnetometer was calibrated: the azimuth is arbitrary still. Not known of
  /// recorded motion.
  private(set) var rowsWithoutNorth = 0
  private(set) var references: Set<MotionRow.Reference> = []

  init(_ input: ConvertInput) { self.input = input }

  func next() throws(SensorError) -> MotionRow? {
    guard let motion = try input.nextMotion() else { return nil }
    rows += 1
    references.insert(motion.reference)
    if input.computesMotion, motion.headingAccuracy == nil { rowsWithoutNorth += 1 }
    return motion
  }
}
