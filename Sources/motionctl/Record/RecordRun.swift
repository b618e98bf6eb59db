// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// A source on its way into one or several files, with a line about how it goes.
struct RecordRun {
  private let command: RecordCommand
  private let selection: SourceSelection
  private let files: RecordFiles
  private let recorder: Recorder
  private let recording: SourceRecording
  private let completion = Completion()

  /// Opens the (first) file. From here on a signal ends the recording, not the program.
  init(_ command: RecordCommand, _ selection: SourceSelection) throws {
    (self.command, self.selection) = (command, selection)
    guard !selection.info.kinds.subtracting(.connection).isEmpty else {
      throw CommandFailure("\(selection.info.name) measures nothing: there is nothing to record.")
    }
    Interruption.begin(completion)
    let environment = HostEnvironment(ProcessInfo.processInfo.environment)
    let place = try command.location?.location ?? environment.location()
    let memory = environment.memories?.memory(of: selection.info)
    if Self.wantsMotion(command, selection) { try MotionCompanion.check(command, selection) }
    files = RecordFiles(
      command,
      try RecordingDescription(recording: selection.entry, application: "motionctl \(Motionctl.version)"),
      readingFrom: selection.recordingPath)
    let completion = completion
    recorder = Recorder(writer: try files.open(), waitsForRoom: selection.info.pacing == .onDemand) {
      completion.finish(.stopped($0))
    }
    recording = SourceRecording(
      selection.entry, recorder: recorder, interval: SensorDuration(seconds: command.rate.interval) ?? .zero,
      limit: command.limit?.duration, isHeadphones: command.headphones, location: place, memory: memory
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
  private static func wantsMotion(_ command: RecordCommand, _ selection: SourceSelection) -> Bool {
    if command.with.contains(.motion) { return true }
    let kinds = selection.info.kinds
    return command.with.contains(.foxglove) && !kinds.contains(.fusedMotion) && kinds.isSuperset(of: .inertial)
  }

  /// Records until the source ends, the limit, a signal or a failure.
  func record() throws {
    let companion = Self.wantsMotion(command, selection) ? MotionCompanion(command, recording) : nil
    let started = ContinuousClock.now
    recording.start()
    let patience = selection.patience(over: command.limit?.duration.seconds)
    var fellSilent = false
    let outcome = completion.wait {
      let elapsed = (ContinuousClock.now - started).seconds
      StandardError.shared.show(RecordReport.line(recorder.progress, bytes: files.bytes, elapsed: elapsed))
      if let patience, elapsed > patience {
        fellSilent = true
        completion.finish(.done)
      }
    }
    companion?.stop()
    recording.stop()
    var failure: SensorError?
    do { try recorder.finish() } catch { failure = error }
    StandardError.shared.endStatus()
    for line in RecordReport.summary(recorder.progress, files: files, statistics: recording.hub.statistics) {
      StandardError.shared.say(line)
    }
    if fellSilent { StandardError.shared.say("  the source fell silent before the time was over") }
    if let omissions = selection.omissions { StandardError.shared.say(omissions) }
    if recorder.progress.samples == 0 {
      // Nothing is kept that would stand in the way of the next attempt.
      files.remove()
    } else if failure != nil {
      StandardError.shared.say(
        "The recording can be read up to its last whole chunk: motionctl info shows how far that is.")
    }
    if let failure { throw failure }
    switch outcome {
    case .failed(let error): throw error
    case .stopped(let error): throw error
    case .interrupted(let number): throw ExitCode(Interruption.exitCode(number))
    case .done: break
    }
    if recorder.progress.samples == 0 {
      throw CommandFailure("\(selection.info.name) gave no sample: there is no recording.")
    }
  }
}
