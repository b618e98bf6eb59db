// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import CoreMotion
import MotionHost
public import MotionSensing
import MotionServices
public import SimulatedSources

extension TestDevice {
  /// Moves time on and returns when every sample of it has been delivered and every handler has returned.
  ///
  /// It waits for handlers on any queue. A handler that blocks for ever, or a suspended queue, keeps it waiting.
  public func advance(by duration: Duration) async {
    let (seconds, attoseconds) = duration.components
    await clock.advance(by: SensorDuration(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000))
  }

  /// Moves time on in steps until the condition holds, at most `limit` of the device's time.
  ///
  /// ```swift
  /// try await device.advance(until: { detector.count == 3 }, within: .seconds(5))
  /// ```
  ///
  /// Throws `.limitExceeded` when it has not come to hold; the message says what the device has delivered meanwhile.
  public func advance(
    until condition: () -> Bool, within limit: Duration = .seconds(60), step: Duration = .milliseconds(10),
    isolation: isolated (any Actor)? = #isolation
  ) async throws(SensorError) {
    precondition(step > .zero, "The step of advance(until:) must be longer than no time at all.")
    await clock.settle()
    var passed = Duration.zero
    while !condition() {
      guard passed < limit else {
        throw SensorError(
          .limitExceeded,
          "The condition did not come to hold within \(limit) of the device's time. \(listenersSentence)")
      }
      await advance(by: step)
      passed += step
    }
  }

  /// Moves time on to the end of the script, or of the recording; of the longer one where headphones have a script too.
  ///
  /// Throws `.invalidRequest` when nobody listens: the motion then has not begun.
  public func playToEnd() async throws(SensorError) {
    await clock.settle()
    guard source?.firstRun != nil || headphones?.firstRun != nil else {
      throw SensorError(.invalidRequest, "There is nothing to play to the end: \(listenersSentence)")
    }
    if source?.firstRun != nil, case .source = motion { try await playRecording() }
    if let first = source?.firstRun, case .script(let script, _) = motion {
      await advance(to: first, plus: script.duration)
    }
    if let first = headphones?.firstRun, let script = setup.headphones {
      await advance(to: first, plus: script.duration)
    }
  }

  /// Returns when every sample that is due has been handled, without moving time.
  public func waitUntilHandlersHaveSeenEverything() async { await clock.settle() }

  /// Seconds that have passed since the device was made.
  public var elapsed: Double { clock.now.seconds }

  /// The true motion at the time stamp of a sample of a scripted device; nil before the first start of updates, and for
  /// devices without a script.
  public func truth(at sample: CMLogItem) -> TrajectoryState? {
    guard case .script(_, let source) = motion, let time = SensorInstant(seconds: sample.timestamp) else { return nil }
    return source.truth(at: time)
  }

  private func advance(to start: SensorInstant, plus seconds: Double) async {
    guard let duration = SensorDuration(seconds: seconds) else { return }
    let rest = start + duration - clock.now
    if rest > .zero { await clock.advance(by: rest) }
  }

  /// A day is longer than any recording that a test should play.
  private func playRecording() async throws(SensorError) {
    for _ in 0..<86_400 {
      guard let hub = host.device, !hub.hasEnded else { return }
      guard hub.isRunning else {
        throw SensorError(.invalidRequest, "The recording has stopped before its end: \(listenersSentence)")
      }
      await clock.advance(by: .seconds(1))
    }
    throw SensorError(
      .limitExceeded, "The recording or source goes on after a day; use advance(by:) for one that has no end.")
  }

  /// What is wrong when nothing arrives, for messages.
  private var listenersSentence: String {
    if !host.policy.allowsMotion { return "The policy of the device does not allow motion." }
    if let problem = host.device?.failure { return problem.message }
    if host.device?.isRunning ?? false || host.headphones?.isRunning ?? false {
      return "Updates are running; \(source.map { "the source is \($0.info.name)" } ?? "there is no device")."
    }
    if source == nil, headphones == nil { return "The device has no sensors." }
    return
      "nobody listens to the device. Start updates of a manager that is made inside withMotion, or install() the device."
  }
}
