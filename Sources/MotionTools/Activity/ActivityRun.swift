// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
import MotionHost
import MotionMath
import MotionRecording
import MotionSensing
package import MotionServices
import SimulatedSources

/// A source listened to for steps and activities, once and as fast as it goes: the work behind `steps`.
package struct ActivityRun {
  /// What a run has found.
  package struct Result {
    package var tally: ActivityTally
    /// What happened to the samples.
    package var statistics: TimelineStatistics
    /// What was left out of a recording, as a sentence.
    package var omissions: String?
  }
  /// Called after each sample with the estimator and the seconds since the first sample; may throw to end the run.
  package typealias Observer = @Sendable (ActivityEstimator, Double) throws -> Void

  private struct Progress {
    var estimator: ActivityEstimator
    var tally: ActivityTally

    /// False when the sample is beyond the limit.
    mutating func take(_ sample: SensorSample, limit: Seconds?, _ each: Observer?) throws -> Bool {
      if let limit, limit.isOver(after: tally.elapsed(at: sample.time)) { return false }
      tally.append(sample, estimator.update(sample))
      try each?(estimator, tally.elapsed(at: sample.time))
      return true
    }
  }

  private let selection: SourceSelection
  private let limit: Seconds?
  private let progress: Lock<Progress>
  private let run: SourceRun

  /// From here on a signal ends the run, not the program.
  package init(
    _ selection: SourceSelection, parameters: ActivityEstimator.Parameters, limit: Seconds?, keepsEpochs: Bool = false
  ) throws {
    (self.selection, self.limit) = (selection, limit)
    let info = selection.info
    guard HubStream.activity.isServed(by: info.kinds) else {
      throw CommandFailure(
        "\(info.name) has no accelerometer, and steps are counted with one: it has \(Text.list(info.kinds.names)).")
    }
    var tally = ActivityTally(wallOffset: selection.wallOffset)
    tally.keepsEpochs = keepsEpochs
    run = SourceRun(selection, runsFreely: info.pacing == .onDemand)
    progress = Lock(Progress(estimator: ActivityEstimator(parameters: parameters), tally: tally))
  }

  /// Runs to the end; an interruption or a failure of the source is thrown.
  package func callAsFunction(each: Observer? = nil) throws -> Result {
    if let recording = selection.recording, selection.entry.source is ReplaySource {
      return try read(recording, each)
    }
    let line = ProgressLine(selection, limit: limit)
    let (outcome, statistics) = run([.activity], status: line.update) { sample, _ in
      try progress.withLock { try $0.take(sample, limit: limit, each) }
    }
    try outcome.check()
    return progress.withLock { result(&$0, statistics, selection.omissions) }
  }

  /// A recording needs no hub: sample by sample through the same time line, in a fraction of the time.
  private func read(_ recording: Recording, _ each: Observer?) throws -> Result {
    let kinds = HubStream.activity.needs(of: selection.info.kinds)
    let reader = try recording.makeReader()
    var timeline = SampleTimeline(reordering: selection.info.reordering)
    var progress = progress.withLock { $0 }
    let line = ProgressLine(selection, limit: limit)
    defer { StandardError.shared.endStatus() }
    var count = 0
    var goesOn = true
    while goesOn, let sample = try reader.next() {
      count += 1
      if count % RecordingInspection.stride == 0 {
        line.update(count, "sample", covered: progress.tally.duration)
        try run.check()
      }
      guard !kinds.isDisjoint(with: sample.kinds), timeline.push(sample) else { continue }
      while goesOn, let next = timeline.pop() { goesOn = try progress.take(next, limit: limit, each) }
    }
    timeline.finish()
    while goesOn, let next = timeline.pop() { goesOn = try progress.take(next, limit: limit, each) }
    return result(&progress, timeline.statistics, SourceSelection.omissions(reader.statistics))
  }

  private func result(_ progress: inout Progress, _ statistics: TimelineStatistics, _ omissions: String?) -> Result {
    let update = progress.estimator.finish()
    progress.tally.finish(update)
    return Result(tally: progress.tally, statistics: statistics, omissions: omissions)
  }
}

extension SourceSelection {
  /// Unix time less the recording's time; nil where the recording has no dates.
  var wallOffset: SensorDuration? {
    guard let recording else { return nil }
    // Times of 1980 and later count from 1970: no machine has been running for ten years.
    return recording.recordedDescription?.wallOffset ?? (recording.start.seconds >= 315_532_800 ? .zero : nil)
  }
}

extension SourceSelection {
  /// The steps that a simulation has taken by its end; nil for anything else.
  package func trueSteps(_ tally: ActivityTally) -> Int? {
    guard let source = entry.source as? SimulatedSource, let end = tally.end else { return nil }
    return source.stepCount(at: end)
  }
}

extension ActivityRun {
  /// What was left out, dropped or missing, and what is odd: for standard error. Nothing where a recording is sound.
  package static func remarks(_ selection: SourceSelection, _ result: Result) -> [String] {
    let lost = result.statistics.named.filter { $0.counts.gaps > 0 || $0.counts.dropped > 0 }
    return lost.map { "  \($0.name): \(StatisticsReport.sentence($0.counts))" }
      + [result.omissions].compactMap(\.self) + selection.remarkLines
  }
}
