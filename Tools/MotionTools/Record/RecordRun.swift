// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
package import MotionRecording
package import MotionSensing
import MotionServices

/// What was asked of a recording.
package struct RecordJob: Sendable {
  /// The file to write, or the name that its parts are numbered from.
  package var output: String
  package var isHeadphones = false
  package var limit: SensorDuration?
  /// Wanted between samples; zero = as often as the source can.
  package var interval = SensorDuration.zero
  package var mcap = MCAPChoices()
  package var frame = ReferenceFrame.arbitrary
  package var location: LocationArgument?
  /// Sample time after which a new file begins; nil = never.
  package var rotation: SensorDuration?
  /// Writes over files that are there.
  package var force = false

  package init(output: String) { self.output = output }
}

/// A source on its way into one or several files, with a line about how it goes.
package struct RecordRun {
  private let job: RecordJob
  private let selection: SourceSelection
  private let files: RecordFiles
  private let recorder: Recorder
  private let recording: SourceRecording
  private let completion: Completion

  /// Opens the (first) file. From here on a signal ends the recording, not the program.
  package init(_ job: RecordJob, _ selection: SourceSelection) throws {
    (self.job, self.selection) = (job, selection)
    guard !selection.info.kinds.subtracting(.connection).isEmpty else {
      throw CommandFailure("\(selection.info.name) measures nothing: there is nothing to record.")
    }
    completion = .endedBySignals(grace: Interruption.graceForFiles)
    if Self.wantsMotion(job, selection) {
      guard !selection.info.kinds.contains(.motion) else {
        throw CommandFailure(
          "\(selection.info.name) computes its motion itself, and that is recorded: leave --with motion out.")
      }
      try MotionRequirements.check(job.frame, of: selection, at: selection.place(job.location))
    }
    let description = try RecordingDescription(
      recording: selection.entry, application: "motionctl \(Tool.version)")
    files = RecordFiles(job, description, readingFrom: selection.recordingPath)
    let completion = completion
    recorder = Recorder(writer: try files.open(), waitsForRoom: selection.info.pacing == .onDemand) {
      completion.finish(.stopped($0))
    }
    recording = SourceRecording(
      selection.entry, recorder: recorder, interval: job.interval,
      limit: job.limit, isHeadphones: job.isHeadphones, location: try selection.place(job.location),
      memory: selection.memory()
    ) { ending in
      switch ending {
      case .finished: completion.finish(.done)
      case .failed(let error): completion.finish(.failed(error))
      case .interrupted(let error):
        StandardError.shared.say("\(error.description) The recording goes on when it is back.")
      }
    }
  }

  /// Whether motion is computed: because it is asked for, or because Foxglove shows nothing but attitudes.
  private static func wantsMotion(_ job: RecordJob, _ selection: SourceSelection) -> Bool {
    if job.mcap.companions.contains(.motion) { return true }
    let kinds = selection.info.kinds
    return job.mcap.companions.contains(.foxglove) && !kinds.contains(.motion) && kinds.isSuperset(of: .inertial)
  }

  /// Records until the source ends, the limit, a signal or a failure.
  package func record() throws {
    let framing = job.frame.framing(at: recording.host.location)
    let motion =
      !Self.wantsMotion(job, selection)
      ? nil
      : recording.hub.subscribe(in: framing, interval: job.interval) { [recording] row, _ in
        if let row { recording.add(.motion(row)) }
      }
    let started = ContinuousClock.now
    recording.start()
    let outcome = completion.run(deadline: selection.timeout(over: job.limit?.seconds)) {
      let elapsed = (ContinuousClock.now - started).seconds
      StandardError.shared.show(
        RecordReport.line(
          recorder.progress, bytes: files.bytes, elapsed: elapsed, limit: job.limit?.seconds))
    }
    motion?.cancel()
    recording.stop()
    var failure: SensorError?
    do { try recorder.finish() } catch { failure = error }
    StandardError.shared.say(
      RecordReport.summary(recorder.progress, files: files, statistics: recording.hub.statistics))
    if case .silent = outcome { StandardError.shared.say("  the source fell silent before the time was over") }
    let report = RunReport(outcome, of: recording.hub, selection)
    if let omissions = report.omissions { StandardError.shared.say(omissions) }
    let isEmpty = recorder.progress.samples == 0
    if isEmpty {
      // Nothing is kept that would block the next attempt.
      files.remove()
    } else if failure != nil {
      StandardError.shared.say(
        "The recording can be read up to its last whole chunk: motionctl info shows how far that is.")
    }
    if let failure { throw failure }
    try report.check(isEmpty: isEmpty)
  }
}

/// How a recording goes, and how it went, in words.
package enum RecordReport {
  /// "12.0 s, 48 s left: 1.2 MB, 100 kB/s, none lost; accelerometer and gyroscope 1,200 (100 Hz), magnetometer 600 (50
  /// Hz)": what may be cut off on a narrow terminal comes last.
  static func line(_ progress: Recorder.Progress, bytes: Int64, elapsed: Double, limit: Double?) -> String {
    let covered = progress.streams.map { ($0.last - $0.first).seconds }.max() ?? 0
    let streams = progress.streams.map { stream in
      name(stream.kinds) + " \(Text.grouped(stream.samples))" + rate(stream)
    }
    let speed = elapsed > 0 ? ", \(Text.bytes(Int64(clamping: Double(bytes) / elapsed)))/s" : ""
    let what = streams.isEmpty ? "no sample yet" : streams.joined(separator: ", ")
    // A recording that is copied runs faster than its time.
    let pace = covered > 0 ? elapsed / covered : 1
    let left = limit.map { ", \(Text.duration(max(0, (($0 - covered) * min(1, pace)).rounded()))) left" } ?? ""
    return "\(Text.duration(covered))\(left): \(Text.bytes(bytes))\(speed), \(lost(progress)); \(what)"
  }

  /// A line for each stream and one for each thing that was lost.
  static func summary(_ progress: Recorder.Progress, files: RecordFiles, statistics: TimelineStatistics) -> [String] {
    let paths = files.paths
    let place = paths.count == 1 ? paths[0] : "\(paths.count) files, \(paths.first ?? "") to \(paths.last ?? "")"
    let covered = progress.streams.map { ($0.last - $0.first).seconds }.max() ?? 0
    var lines = [
      "\(place): \(Text.count(progress.samples, "sample")) over \(Text.duration(covered)), \(Text.bytes(files.bytes)), \(lost(progress))"
    ]
    for stream in progress.streams {
      lines.append("  \(name(stream.kinds)): \(Text.count(stream.samples, "sample"))\(rate(stream))")
    }
    if progress.events > 0 { lines.append("  \(Text.count(progress.events, "event"))") }
    let gaps = statistics.gaps
    if gaps > 0 { lines.append("  the source paused: \(Text.count(gaps, "gap")) over all sensors") }
    return lines
  }

  private static func name(_ kinds: SensorKinds) -> String { Text.list(kinds.names) }

  private static func rate(_ stream: Recorder.Progress.Stream) -> String {
    stream.rate.map { " (\(Text.decimal($0, places: 1)) Hz)" } ?? ""
  }

  package static func lost(_ progress: Recorder.Progress) -> String {
    progress.lost == 0 ? "none lost" : "\(Text.grouped(progress.lost)) LOST: the disk was too slow"
  }
}
