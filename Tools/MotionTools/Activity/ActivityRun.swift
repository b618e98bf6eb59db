// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import ActivitySummary
import Foundation
import MotionHost
import MotionRecording
package import MotionSensing
package import MotionServices
import SimulatedSources

/// A source run for steps and activities, once and as fast as it goes: the work behind `steps`.
package struct ActivityRun: SampleSink, Sendable {
  /// Called after each sample with the estimator and the seconds since the first sample; may throw to end the run.
  package typealias Observer = @Sendable (ActivityEstimator, Double) throws -> Void

  package private(set) var tally: ActivityTally
  private var estimator: ActivityEstimator
  private var time: RunTime
  private let each: Observer?

  private init(
    _ selection: SourceSelection, _ parameters: ActivityEstimator.Parameters, limit: Seconds?, _ each: Observer?
  ) {
    tally = ActivityTally(wallOffset: selection.wallOffset?.nanoseconds)
    tally.keepsEpochs = each == nil
    (estimator, time, self.each) = (ActivityEstimator(parameters: parameters), RunTime(limit: limit), each)
  }

  /// Runs to the end; an interruption or a failure of the source is thrown.
  package static func run(
    _ selection: SourceSelection, _ parameters: ActivityEstimator.Parameters, limit: Seconds?, each: Observer? = nil
  ) throws -> (tally: ActivityTally, report: RunReport) {
    let info = selection.info
    guard HubStream.activity.isServed(by: info.kinds) else {
      throw CommandFailure(
        "\(info.name) has no accelerometer, and steps are counted with one: it has \(Text.list(info.kinds.names)).")
    }
    var (sink, report) = SourceRun(selection, [.activity], limit: limit)(
      Self(selection, parameters, limit: limit, each))
    try report.check(isEmpty: sink.time.isEmpty)
    let update = sink.estimator.finish()
    sink.tally.finish(update)
    return (sink.tally, report)
  }

  package mutating func take(_ sample: SensorSample) throws -> Bool {
    guard let elapsed = time.pass(sample.time) else { return false }
    tally.append(atNanoseconds: sample.time.nanoseconds, estimator.update(sample))
    try each?(estimator, elapsed)
    return true
  }
}

extension SourceSelection {
  /// Unix time less the recording's time; nil where the recording has no dates.
  fileprivate var wallOffset: SensorDuration? {
    guard let recording else { return nil }
    // Times of 1980 and later count from 1970: no machine has been running for ten years.
    return recording.recordedDescription?.wallOffset ?? (recording.start.seconds >= 315_532_800 ? .zero : nil)
  }

  /// The steps that a simulation has taken by its end; nil for anything else.
  package func trueSteps(_ tally: ActivityTally) -> Int? {
    guard let source = entry.source as? SimulatedSource, let last = tally.last else { return nil }
    return source.stepCount(at: SensorInstant(nanoseconds: last))
  }
}

/// Time of day, where the recording has dates.
extension ActivityTally {
  /// Seconds since the first sample.
  package func elapsed(at time: SensorInstant) -> Double { elapsed(atNanoseconds: time.nanoseconds) }

  /// The date of a time since the first sample; nil without dates.
  private func date(at elapsed: Double) -> Date? {
    guard let wallOffset, let first else { return nil }
    return Date(timeIntervalSince1970: SensorInstant(nanoseconds: first &+ wallOffset).seconds + elapsed)
  }

  /// "2026-11-21T08:12:31Z"; nil without dates.
  package func stamp(at elapsed: Double) -> String? { date(at: elapsed)?.formatted(.iso8601) }

  /// "08:12:31" or "12.5 s".
  package func time(_ elapsed: Double) -> String {
    guard let date = date(at: elapsed) else { return Text.decimal(elapsed, places: 1) + " s" }
    return date.formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
  }

  /// "2026-11-21"; nil without dates.
  package func day(_ elapsed: Double) -> String? {
    date(at: elapsed)?.formatted(Date.ISO8601FormatStyle(timeZone: .current).year().month().day())
  }
}

extension MotionActivity {
  /// "walking", "stationary, automotive"; "undecided" for motion that fits none (S71).
  package var name: String {
    let names: [(MotionActivity, String)] = [
      (.unknown, "unknown"), (.stationary, "stationary"), (.walking, "walking"), (.running, "running"),
      (.automotive, "automotive"), (.cycling, "cycling"),
    ]
    let found = names.filter { contains($0.0) }.map(\.1)
    return found.isEmpty ? "undecided" : found.joined(separator: ", ")
  }
}
