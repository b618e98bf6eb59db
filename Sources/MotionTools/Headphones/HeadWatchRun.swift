// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HeadphoneSources
import LinuxSources
package import LiveOutput
package import MotionHost
package import MotionRecording
package import MotionSensing
package import MotionServices

/// Headphones followed until their end, a limit or a signal: the work behind `motionctl headphones watch`.
///
/// The numbers are those of `CMHeadphoneMotionManager`, but come straight from the hub on the source's thread: a packet
/// leaves on the thread on which its sample came.
package final class HeadWatchRun: Sendable {
  /// What goes to standard output.
  package enum Output: Sendable {
    case none, lines, json
  }

  package struct State {
    package var framing = MotionFraming(.xArbitrary)
    var follower: HeadFollower
    package var buffer = JSONText(capacity: 1 << 12)
    package var connection: ConnectionState?
    var discontinuities = 0
    package var problem: SensorError?
    /// What was said of motion that comes and is not right.
    package var warning: String?
    /// Seconds on the source's clock.
    package var first: Double?
    package var last = 0.0
    package var count = 0
    /// Count and time at the last look at the rate.
    package var seen = (count: 0, time: 0.0)
    package var rate: Double?
    package var arrival = ContinuousClock.now
    var sending = ContinuousClock.now
    package var lines = Decimator(interval: .milliseconds(200))
  }

  package let headphones: HeadphoneSelection
  package let senders: [HeadSender]
  package let state: Lock<State>
  private let limit: Seconds?
  private let text: Output
  private let completion: Completion
  private let host: MotionHost
  package let recorder: HeadRecorder?
  /// Seconds without a packet after which the last pose is sent again.
  private static let timeout = Duration.milliseconds(200)

  package init(
    _ headphones: HeadphoneSelection, parameters: HeadFollower.Parameters, senders: [HeadSender], limit: Seconds?,
    text: Output, completion: Completion, recorder: HeadRecorder? = nil
  ) {
    self.headphones = headphones
    self.senders = senders
    self.limit = limit
    self.text = text
    self.completion = completion
    state = Lock(State(follower: HeadFollower(parameters)))
    self.recorder = recorder
    host = recorder?.host ?? headphones.host()
  }

  /// Straight ahead is where the head points now.
  package func recentre() { state.withLock { $0.follower.recentre() } }

  /// Runs to the end; `draw` is called on this thread, over and over.
  package func follow(every interval: Duration, draw: () -> Void) throws -> Completion.Outcome {
    guard let hub = host.headphones else { throw CommandFailure("There are no headphones.") }
    let subscription = hub.subscribe(in: MotionFraming(.xArbitrary), interval: .zero) { [self] news in
      if !completion.isFinished { handle(news, hasEnded: hub.hasEnded) }
    } take: { [self] row, _ in
      if let row { completion.unlessFinished { try handle(row) } }
    }
    recorder?.start()
    let timeout = headphones.isPaced ? headphones.selection.timeout(over: limit?.value) : nil
    let outcome = completion.run([subscription], every: interval, deadline: timeout) {
      if headphones.isPaced { hold() }
      draw()
    }
    draw()
    recorder?.stop()
    return outcome
  }

  private func handle(_ news: HubNews, hasEnded: Bool) {
    switch news {
    case .ended: completion.finish(.done)
    case .failed(let error):
      if hasEnded { return completion.finish(.failed(error)) }
      let isNews = state.withLock { state in
        defer { state.problem = error }
        return state.problem?.message != error.message
      }
      if isNews, text != .none || !TerminalScreen.isUsable { StandardError.shared.say(error.message) }
    case .connection(let connection): note(connection)
    case .time: break
    }
  }

  private func note(_ connection: ConnectionState) {
    state.withLock { state in
      let old = state.connection
      if old?.isConnected != connection.isConnected { state.follower.note(isConnected: connection.isConnected) }
      if let old, old.location != connection.location {
        state.discontinuities += 1
        state.follower.noteDiscontinuity()
      }
      state.connection = connection
      if connection.isConnected { state.problem = nil }
    }
  }

  /// False when the sample is beyond the limit.
  private func handle(_ row: MotionRow) throws -> Bool {
    let time = row.time.seconds
    let status = headphones.status
    let sample = HeadSample(row)
    return try state.withLock { state in
      let first = state.first ?? time
      state.first = first
      if let limit, limit.isOver(after: time - first) { return false }
      state.count += 1
      state.last = time
      state.arrival = .now
      if state.seen.time == 0 { state.seen = (state.count, time) }
      let span = time - state.seen.time
      if span >= 1 {
        state.rate = Double(state.count - state.seen.count) / span
        state.seen = (state.count, time)
      }
      if let status {
        if status.phase == .streaming, let problem = status.problem, state.warning != problem.message {
          state.warning = problem.message
          if text != .none || !TerminalScreen.isUsable { StandardError.shared.say(problem.message) }
        }
        state.follower.note(isWorn: status.isWorn)
        if status.discontinuities != state.discontinuities {
          state.discontinuities = status.discontinuities
          state.follower.noteDiscontinuity()
        }
      }
      let step = state.follower.update(sample)
      if let step, step.isDue {
        state.sending = .now
        for sender in senders { sender.send(step.pose) }
      }
      try write(row, sample.instant, step, &state)
      return true
    }
  }

  private func write(
    _ row: MotionRow, _ time: SensorInstant, _ step: HeadFollower.Step?, _ state: inout State
  ) throws {
    switch text {
    case .none: return
    case .json:
      guard step?.isDue ?? true else { return }
      state.buffer.append(row.withoutUncalibratedField, topic: "/motion/headphone")
      state.buffer.append("\n")
    case .lines:
      guard let step, state.lines.isDue(time) else { return }
      let side = state.connection?.location.words
      state.buffer.append(HeadView.plainLine(time: row.time.seconds - (state.first ?? 0), pose: step.pose, side: side))
    }
    try OutputFile.standardOutput.write(state.buffer.bytes)
    state.buffer.removeAll()
  }

  /// Sends the last pose again while no samples come: a consumer that receives nothing assumes that the tracker has
  /// gone.
  private func hold() {
    state.withLock { state in
      guard let pose = state.follower.pose, ContinuousClock.now - state.sending > Self.timeout else { return }
      state.sending = .now
      for sender in senders { sender.send(pose) }
    }
  }

  package var statistics: TimelineStatistics { host.headphones?.statistics ?? TimelineStatistics() }
}

extension HeadSender {
  /// "opentrack → 127.0.0.1:4242: 250 sent, 3 refused".
  fileprivate var words: String {
    let (sent, lost) = counts
    return "\(output.name.prefix { $0 != "@" }) → \(place): \(Text.grouped(sent)) sent"
      + (lost > 0 ? ", \(Text.grouped(lost)) refused" : "")
  }
}

/// What is reported while a head is followed, and at the end.
extension HeadWatchRun {
  /// For the drawing.
  package var content: HeadView.Content {
    let status = headphones.status
    let outputs = senders.map(\.words)
    return state.withLock { state in
      var content = HeadView.Content()
      content.pose = state.follower.pose
      let name = [status?.name ?? headphones.selection.info.name, status?.protocolName].compactMap(\.self)
      content.name =
        name.joined(separator: " · ") + (headphones.selection.info.origin == .simulation ? " (no sensor is read)" : "")
      content.isConnected = state.connection?.isConnected ?? false
      content.side = (status?.activeSide ?? state.connection?.location)?.words
      content.rate = status?.rate ?? state.rate
      if state.count > 0, headphones.isPaced { content.age = (ContinuousClock.now - state.arrival).seconds }
      content.battery = status?.batteryWords
      content.isWorn = status?.isWorn
      content.calibration = status?.calibration.rawValue
      content.discontinuities = state.discontinuities
      content.recentrings = state.follower.recentrings
      content.outputs = outputs
      if let problem = status?.problem ?? state.problem {
        content.problem = problem.message
      } else if let status, status.phase != .streaming {
        content.problem = status.sentence
      }
      return content
    }
  }

  /// The summary, and what remains to be thrown.
  package func finish(_ outcome: Completion.Outcome) throws {
    // What can be read of the recording is kept whatever ended the run.
    var failure: (any Error)?
    do { try recorder?.finish() } catch { failure = error }
    if case .stopped(let error) = outcome { throw error }
    let (count, span, recentrings, refused, frozen, discontinuities) = state.withLock { state in
      (
        state.count, state.last - (state.first ?? state.last), state.follower.recentrings, state.follower.refused,
        state.follower.frozen, state.discontinuities
      )
    }
    var line = Text.count(count, "sample")
    if count > 1, span > 0 { line += ", mean rate \(Text.decimal(Double(count - 1) / span, places: 2)) Hz" }
    line += " over \(Text.duration(span)); recentred \(Text.count(recentrings, "time"))"
    if discontinuities > 0 { line += ", \(Text.count(discontinuities, "change")) of the frame" }
    var lines = [line]
    if let warning = state.withLock({ $0.warning }) { lines.append("  \(warning)") }
    if refused > 0 { lines.append("  \(Text.count(refused, "sample")) without a usable attitude") }
    if frozen > 0 { lines.append("  \(Text.count(frozen, "sample")) while they were not worn") }
    headphones.selection.say(lines + senders.map { "  \($0.words)" }, statistics)
    if let failure { throw failure }
    try outcome.check()
    guard count == 0 else { return }
    throw CommandFailure(
      state.withLock { $0.problem }?.message ?? headphones.status?.sentence
        ?? "No motion came: the headphones are not connected, or not worn.")
  }
}

/// The file of `motionctl headphones watch --record`: what the headphones say, whole, whatever is sent and shown of it.
package struct HeadRecorder {
  private let files: RecordFiles
  private let recorder: Recorder
  private let recording: SourceRecording

  /// Begins the file; one that is there is not written over. A failure of the disk ends the run.
  package init(_ headphones: HeadphoneSelection, path: String, limit: Seconds?, completion: Completion) throws {
    let entry = headphones.selection.entry
    let description = try RecordingDescription(recording: entry, application: "motionctl \(Tool.version)")
    files = RecordFiles(RecordJob(output: path), description, readingFrom: nil)
    recorder = Recorder(writer: try files.open(), waitsForRoom: headphones.selection.info.pacing == .onDemand) {
      completion.finish(.stopped($0))
    }
    // Ends and failures reach the run by its own subscription.
    recording = SourceRecording(
      entry, recorder: recorder, limit: limit?.duration, isHeadphones: true
    ) { _ in }
  }

  /// The host whose headphones are recorded.
  package var host: MotionHost { recording.host }

  /// Starts the headphones; from here on nothing is missed.
  package func start() { recording.start() }

  /// Stops the headphones.
  package func stop() { recording.stop() }

  /// Closes the file; one without a sample is removed.
  package func finish() throws {
    let result = Result { try recorder.finish() }
    let count = recorder.progress.samples
    if count == 0 { files.remove() }
    try result.get()
    StandardError.shared.say(
      "  \(Text.count(count, "sample")) recorded\(count == 0 ? ": no file" : " in \(files.paths[0])")")
  }
}
