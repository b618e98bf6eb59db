// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import MotionHost
import MotionRecording
import MotionSensing
import MotionTools

/// A source whose samples can be recorded while they pass, before any calibration: the key R of the viewer.
///
/// Devices are exclusive, so the recording cannot open the source a second time.
struct ViewTap: SensorSource {
  let base: any SensorSource
  private let recorder = Lock<Recorder?>(nil)

  init(_ base: any SensorSource) { self.base = base }

  var info: SensorInfo { base.info }

  func run(_ session: SensorSession) async throws {
    try await base.run(
      SensorSession(of: session) { sample in
        if let recorder = recorder.withLock({ $0 }) {
          let received = session.clock is FreeRunningClock ? nil : session.clock.now
          recorder.append(.sample(sample, receivedAt: received))
        }
        return sample
      })
  }

  func record(with recorder: Recorder?) { self.recorder.withLock { $0 = recorder } }
}

/// The recording that a page has begun: a file in a folder.
///
/// Files are begun and ended on a queue of its own: neither the server nor the source waits for the disk.
final class ViewRecorder: Sendable {
  /// Between two toggles that are followed: a key that is held down makes no files. Those that come sooner are counted.
  static let shortestPause = SensorDuration.seconds(1)

  private struct State {
    var next = SensorInstant(nanoseconds: 0)
    /// A file is being begun or ended.
    var isBusy = false
    /// Toggles that were not followed.
    var ignored = 0
    var recorder: Recorder?
    var name: String?
    var failure: String?
    /// The path of the latest whole one.
    var finished: String?
  }

  private let feed: ViewFeed
  private let folder: String
  private let state = Lock(State())
  private let queue = DispatchQueue(label: "motion-view-recorder")
  private let clock = MonotonicClock()

  init(_ feed: ViewFeed, folder: String) { (self.feed, self.folder) = (feed, folder) }

  /// Begins a recording, or ends the one that runs: soon, and once a second at most.
  func toggle() {
    let now = clock.now
    let isFollowed = state.withLock { state in
      guard !state.isBusy, now >= state.next else {
        state.ignored += 1
        return false
      }
      (state.isBusy, state.next) = (true, now + Self.shortestPause)
      return true
    }
    guard isFollowed else { return }
    queue.async { [self] in
      if state.withLock({ $0.recorder }) == nil { begin() } else { finish() }
      state.withLock { $0.isBusy = false }
    }
  }

  private func begin() {
    // "motion-2026-11-23T061500.250Z.mcap"
    let style = Date.ISO8601FormatStyle(timeSeparator: .omitted, includingFractionalSeconds: true)
    let name = "motion-\(Date().formatted(style)).mcap"
    do {
      let description = try RecordingDescription(
        recording: feed.selection.entry, application: "motionctl \(Tool.version)")
      let sink = try FileByteSink(path: "\(folder)/\(name)", overwrites: false)
      let recorder = Recorder(writer: try MCAPWriter(sink, description), waitsForRoom: false) { [weak self] error in
        self?.state.withLock { $0.failure = error.description }
      }
      state.withLock { ($0.recorder, $0.name, $0.failure) = (recorder, name, nil) }
      feed.tap.record(with: recorder)
      StandardError.shared.say("Recording to \(folder)/\(name)")
    } catch {
      state.withLock { $0.failure = "\(error)" }
    }
  }

  /// Ends the recording that runs, and begins no other; the file is complete when this returns.
  func end() {
    queue.sync {
      finish()
      state.withLock { $0.isBusy = true }
    }
  }

  private func finish() {
    guard let (recorder, name) = state.withLock({ state in state.recorder.map { ($0, state.name ?? "") } }) else {
      return
    }
    feed.tap.record(with: nil)
    var failure: String?
    do { try recorder.finish() } catch { failure = error.description }
    state.withLock { state in
      (state.recorder, state.name) = (nil, nil)
      state.failure = failure ?? state.failure
      state.finished = "\(folder)/\(name)"
    }
    let progress = recorder.progress
    StandardError.shared.say(
      "\(folder)/\(name): \(Text.count(progress.samples, "sample")), \(RecordReport.lost(progress))")
    if let failure { StandardError.shared.say(failure) }
  }

  /// What the page is told of it.
  struct Report: Encodable {
    var name: String?
    var samples, lost: Int
    var failure: String?
    var ignored: Int
    var finished: String?
  }

  var report: Report {
    let state = state.withLock { $0 }
    let progress = state.recorder?.progress
    return Report(
      name: state.name, samples: progress?.samples ?? 0, lost: progress?.lost ?? 0, failure: state.failure,
      ignored: state.ignored, finished: state.finished)
  }
}
