// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionMath
import MotionRecording
import MotionSensing
package import MotionServices

/// A source listened to for falls, once and as fast as it goes: the work behind `motionctl falls`.
package struct FallsRun {
  /// A contact that was judged: seconds from the first sample, and what it was judged by.
  package typealias Contact = (elapsed: Double, features: FallFeatures, probability: Double)

  private struct Progress {
    var detector: FallDetector
    var quality: RecordingQuality
    var start: SensorInstant?
    var end = SensorInstant(nanoseconds: 0)
    var falls: [Fall] = []

    mutating func take(_ fall: Fall) {
      // The second word on a fall takes the place of the first.
      if falls.last?.time == fall.time { falls.removeLast() }
      falls.append(fall)
    }
  }

  private let selection: SourceSelection
  private let limit: Seconds?
  private let progress: Lock<Progress>
  private let run: SourceRun

  /// From here on a signal ends the run, not the program. Throws for a sensor that cannot serve.
  package init(_ selection: SourceSelection, placement: FallDetector.Placement?, limit: Seconds?) throws {
    (self.selection, self.limit) = (selection, limit)
    let info = selection.info
    if let reason = FallDetector.refusal(of: info) { throw CommandFailure("\(selection.name): \(reason)") }
    let parameters = FallDetector.Parameters(placement: placement ?? FallDetector.Placement(info.deviceClass))
    progress = Lock(
      Progress(detector: FallDetector(parameters: parameters), quality: RecordingQuality(channels: info.channels)))
    run = SourceRun(selection, runsFreely: info.pacing == .onDemand)
  }

  /// Runs to the end; an interruption or a failure of the source is thrown, and so is an acceleration that was cut off
  /// at a range which nothing stated.
  package func callAsFunction(each: (@Sendable (Contact) throws -> Void)? = nil) throws -> FallsReport {
    let line = ProgressLine(selection, limit: limit)
    let (outcome, statistics) = run([.activity], status: line.update) { sample, _ in
      try progress.withLock { progress in
        let start = progress.start ?? sample.time
        progress.start = start
        let elapsed = (sample.time - start).seconds
        if let limit, limit.isOver(after: elapsed) { return false }
        progress.end = sample.time
        progress.quality.update(sample)
        if let fall = progress.detector.update(sample) { progress.take(fall) }
        if let each, let contact = progress.detector.lastContact {
          // All contacts are wanted, those within half a minute after a fall as well.
          progress.detector.stopWaiting()
          try each(((contact.time - start).seconds, contact.features, contact.probability))
        }
        return true
      }
    }
    try outcome.check()
    return try progress.withLock { progress in
      if let fall = progress.detector.finish() { progress.take(fall) }
      let start = progress.start ?? progress.end
      if let each, let contact = progress.detector.lastContact {
        try each(((contact.time - start).seconds, contact.features, contact.probability))
      }
      if each == nil { try refuseClipping(progress.quality, start) }
      let lost = statistics.named.filter { $0.counts.gaps > 0 || $0.counts.dropped > 0 }
      StandardError.shared.say(
        lost.map { "  \($0.name): \(StatisticsReport.sentence($0.counts))" }
          + [selection.omissions].compactMap(\.self) + selection.remarkLines)
      return FallsReport(
        file: selection.name, placement: progress.detector.parameters.placement.rawValue,
        seconds: JSONLine.rounded((progress.end - start).seconds),
        falls: progress.falls.map { fall in
          FallsReport.Entry(
            time: JSONLine.rounded((fall.time - start).seconds),
            date: selection.stamp(at: fall.time),
            probability: JSONLine.rounded(fall.probability),
            outcome: fall.outcome?.rawValue ?? "")
        })
    }
  }

  private func refuseClipping(_ quality: RecordingQuality, _ start: SensorInstant) throws {
    let stops = quality.streams.filter { $0.kind == .accelerometer }.flatMap(\.clippings)
    guard let stop = stops.first(where: { $0.limit < FallDetector.leastRange }) else { return }
    throw CommandFailure(
      "\(selection.name): the accelerometer ends at \(Text.decimal(stop.limit / standardGravity, places: 1)) g (\(stop.axis), "
        + "first at \(Text.decimal((stop.first - start).seconds, places: 1)) s): falls cannot be told, because an impact needs a range of 4 g or more."
    )
  }
}

/// The falls in one recording, as lines or as JSON.
package struct FallsReport: Encodable {
  package struct Entry: Encodable {
    /// Seconds from the first sample to the hardest contact.
    package var time: Double
    /// The same on the wall clock, where the recording has dates.
    package var date: String?
    /// 0.5…1.
    package var probability: Double
    /// "rejected" (the person walked on) or "unresponsive".
    package var outcome: String
  }

  package var file: String
  /// "trunk" or "wrist".
  package var placement: String
  /// From the first sample to the last.
  package var seconds: Double
  package var falls: [Entry]

  package var lines: [String] {
    let head =
      "\(file): \(falls.isEmpty ? "no fall" : Text.count(falls.count, "fall")) in \(Text.duration(seconds)) (\(placement))"
    return [head]
      + falls.map { fall in
        let date = fall.date.map { ", \($0)" } ?? ""
        return
          "  \(Text.decimal(fall.time, places: 1)) s\(date): \(fall.outcome), probability \(Text.decimal(fall.probability, places: 2))"
      }
  }
}
