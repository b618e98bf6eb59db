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
import WearAnalysis

/// A source listened to for steps and activities, once and as fast as it goes: the work behind `steps`, `activity` and
/// `day`.
package struct ActivityRun {
  /// What a run has found.
  package struct Result {
    package var tally: ActivityTally
    /// A row for each calendar day; nil without `calibration`.
    package var days: DayRows?
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
    /// What says how long the steps are; nil without MOTION_LOCATION, and for a recording without dates.
    var track: StepLengthTrack?
    /// Nil without `calibration`.
    var days: WearDays?

    /// False when the sample is beyond the limit.
    mutating func take(_ sample: SensorSample, limit: Seconds?, _ each: Observer?) throws -> Bool {
      if let limit, limit.isOver(after: tally.elapsed(at: sample.time)) { return false }
      let update = estimator.update(sample)
      tally.append(sample, update)
      if let force = sample.specificForce { takeDays(force.force, at: sample.time, update?.steps) }
      if let walk = update?.steps { correct(walk) }
      try each?(estimator, tally.elapsed(at: sample.time))
      return true
    }

    /// A track of positions says how long the steps are.
    private mutating func correct(_ walk: StepEpoch) {
      guard let track, let start = tally.date(at: tally.elapsed(at: walk.start)),
        let end = tally.date(at: tally.elapsed(at: walk.end))
      else { return }
      estimator.stepLengthCorrection = track.update(
        from: start, to: end, modelled: walk.distance / estimator.stepLengthCorrection.factor)
    }

    private mutating func takeDays(_ force: Vector3<Device>, at time: SensorInstant, _ steps: StepEpoch?) {
      guard days != nil else { return }
      // Only the first sample says where the day begins.
      if days?.isEmpty ?? false { days?.parameters.localOffset = tally.localOffset }
      days?.update(SIMD3(force.x, force.y, force.z), at: time.nanoseconds)
      if let steps { days?.add(steps) }
    }

    /// The same as sample by sample, for a recording of one accelerometer that stores blocks.
    mutating func take(_ block: SampleBlock) {
      let isFirst = tally.first == nil
      let times = block.times.span.extracting(..<block.count)
      tally.append(atNanoseconds: times)
      if isFirst {
        tally.setHours()
        days?.parameters.localOffset = tally.localOffset
      }
      let (forces, scale) = (block.accelerations, block.unit.scale)
      var updates: [ActivityUpdate] = []
      estimator.update(
        specificForces: forces.span, scale: scale, stream: SensorKinds.accelerometer.rawValue, atNanoseconds: times
      ) { updates.append($0) }
      days?.update(forces.span, scale: scale, at: times)
      for update in updates {
        tally.append(update)
        guard let walk = update.steps else { continue }
        days?.add(walk)
        correct(walk)
      }
    }
  }

  private let selection: SourceSelection
  private let limit: Seconds?
  private let progress: Lock<Progress>
  private let run: SourceRun
  /// One of several runs side by side: none of them has a line of its own on the terminal.
  private let isPartOfBatch: Bool

  /// - Parameters:
  ///   - calibration: of the rows of days; nil, the default: no rows.
  ///   - completion: of the batch that this is a part of; nil, the default: from here on a signal ends the run, not the
  ///     program.
  package init(
    _ selection: SourceSelection, parameters: ActivityEstimator.Parameters, limit: Seconds?, keepsEpochs: Bool = false,
    calibration: CalibrationChoice? = nil, completion: Completion? = nil
  ) throws {
    (self.selection, self.limit) = (selection, limit)
    isPartOfBatch = completion != nil
    let info = selection.info
    guard HubStream.activity.isServed(by: info.kinds) else {
      throw CommandFailure(
        "\(info.name) has no accelerometer, and steps are counted with one: it has \(Text.list(info.kinds.names)).")
    }
    var tally = ActivityTally(wallOffset: selection.wallOffset, isLocalTime: selection.isLocalTime)
    tally.keepsEpochs = keepsEpochs
    let track = try HostEnvironment(ProcessInfo.processInfo.environment).locationTrack()
    run = SourceRun(selection, runsFreely: info.pacing == .onDemand, completion: completion)
    var days: WearDays?
    if let calibration {
      var parameters = WearDays.Parameters()
      parameters.range = info.channel(.accelerometer)?.range
      days = WearDays(
        calibration: calibration == .auto ? try SphereCalibration(selection, run.check) : SphereCalibration(),
        parameters: parameters)
    }
    progress = Lock(
      Progress(
        estimator: ActivityEstimator(parameters: parameters), tally: tally,
        track: track.flatMap { StepLengthTrack($0, beside: info) { StandardError.shared.say($0) } }, days: days))
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
    if limit == nil, each == nil, !kinds.contains(.airPressure), let result = try readBlocks(recording) {
      return result
    }
    let reader = try recording.makeReader()
    var timeline = SampleTimeline(reordering: selection.info.reordering)
    var progress = progress.withLock { $0 }
    let line = isPartOfBatch ? nil : ProgressLine(selection, limit: limit)
    defer { if line != nil { StandardError.shared.endStatus() } }
    var count = 0
    var goesOn = true
    while goesOn, let sample = try reader.next() {
      count += 1
      if count % RecordingInspection.stride == 0 {
        line?.update(count, "sample", covered: progress.tally.duration)
        try run.check()
      }
      guard !kinds.isDisjoint(with: sample.kinds), timeline.push(sample) else { continue }
      while goesOn, let next = timeline.pop() { goesOn = try progress.take(next, limit: limit, each) }
    }
    timeline.finish()
    while goesOn, let next = timeline.pop() { goesOn = try progress.take(next, limit: limit, each) }
    return result(&progress, timeline.statistics, SourceSelection.omissions(reader.statistics))
  }

  /// Nil for a recording that does not store blocks.
  private func readBlocks(_ recording: Recording) throws -> Result? {
    let reader = try recording.makeAccelerationReader()
    guard reader.hasBlocks else { return nil }
    var progress = progress.withLock { $0 }
    let line = isPartOfBatch ? nil : ProgressLine(selection, limit: limit)
    defer { if line != nil { StandardError.shared.endStatus() } }
    var block = SampleBlock()
    var (count, next) = (0, RecordingInspection.stride)
    while try reader.next(&block) {
      progress.take(block)
      count += block.count
      guard count >= next else { continue }
      next += RecordingInspection.stride
      line?.update(count, "sample", covered: progress.tally.duration)
      try run.check()
    }
    let lost =
      [SourceSelection.omissions(reader.statistics)].compactMap(\.self)
      + SourceSelection.pauses(reader.statistics.coverage)
    return result(&progress, TimelineStatistics(), lost.isEmpty ? nil : lost.joined(separator: "\n"))
  }

  private func result(_ progress: inout Progress, _ statistics: TimelineStatistics, _ omissions: String?) -> Result {
    let update = progress.estimator.finish()
    if let steps = update?.steps { progress.days?.add(steps) }
    progress.tally.finish(update)
    let placement = progress.estimator.parameters.placement
    return Result(
      tally: progress.tally, days: progress.days.map { DayRows($0, progress.tally, placement) },
      statistics: statistics, omissions: omissions)
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
  /// The recording's dates are those of its own clock, whose zone is not known.
  var isLocalTime: Bool { recording?.recordedDescription?.isLocalTime ?? false }

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
