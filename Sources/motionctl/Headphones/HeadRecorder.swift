// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionServices

/// The file of `motionctl headphones watch --record`: what the headphones say, whole, whatever is sent and shown of it.
struct HeadRecorder {
  private let path: String
  private let recorder: Recorder
  private let recording: SourceRecording

  /// Begins the file; one that is there is not written over. A failure of the disk ends the run.
  init(_ headphones: HeadphoneSelection, path: String, limit: Seconds?, completion: Completion) throws {
    self.path = path
    let entry = headphones.selection.entry
    let description = try RecordingDescription(recording: entry, application: "motionctl \(Motionctl.version)")
    let sink = try FileByteSink(path: path, overwrites: false)
    let writer: MCAPWriter
    do {
      writer = try MCAPWriter(sink, description)
    } catch {
      unlink(path)
      throw error
    }
    recorder = Recorder(writer: writer, waitsForRoom: headphones.selection.info.pacing == .onDemand) {
      completion.finish(.stopped($0))
    }
    // Whoever follows the head hears of an end and of failures as well.
    recording = SourceRecording(
      entry, recorder: recorder, limit: limit.flatMap { SensorDuration(seconds: $0.value) }, isHeadphones: true
    ) { _ in }
  }

  /// The host whose headphones are recorded.
  var host: MotionHost { recording.host }

  /// Starts the headphones; from here on nothing is missed.
  func start() { recording.start() }

  /// Stops the headphones.
  func stop() { recording.stop() }

  /// Closes the file; one without a sample is taken away.
  func finish() throws {
    let result = Result { try recorder.finish() }
    let count = recorder.progress.samples
    if count == 0 { unlink(path) }
    try result.get()
    StandardError.shared.say("  \(Text.count(count, "sample")) recorded\(count == 0 ? ": no file" : " in \(path)")")
  }
}
