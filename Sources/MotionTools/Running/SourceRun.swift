// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
package import MotionSensing
package import MotionServices

/// A source listened to until its end, a limit, a signal or an error: the loop of every command that reads one.
package struct SourceRun: Sendable {
  private let completion: Completion
  private let hub: MotionHub

  /// - Parameters:
  ///   - hub: opened by the first stream that is listened to, or when all are (`gate: .manual`).
  ///   - completion: what ends the run; nil = one of its own, and a signal ends the run, not the program.
  package init(_ hub: MotionHub, completion: Completion? = nil) {
    self.hub = hub
    self.completion = completion ?? Completion.endedBySignals()
  }

  /// The same of a source without a host; `runsFreely`: as fast as it goes, else on the clock that the address asks
  /// for.
  package init(_ selection: SourceSelection, runsFreely: Bool, completion: Completion? = nil) {
    // Opened when all streams are listened to: none misses the beginning.
    self.init(
      MotionHub(
        source: selection.entry.source, clock: runsFreely ? FreeRunningClock() : selection.entry.clock,
        rate: runsFreely ? 1 : selection.entry.rate, gate: .manual), completion: completion)
  }

  /// Runs. `take`, and of device motion `motion`, receive what comes on the source's thread; they return false when
  /// that is enough, and an error that they throw ends the run.
  ///
  /// - Parameters:
  ///   - deadline: real seconds after which the run ends in any case.
  ///   - absence: receives the failures of a source that may come back; nil = the first one ends the run.
  ///   - status: called now and then on this thread, for the line that a person sees.
  package func callAsFunction(
    _ streams: [HubStream], interval: SensorDuration = .zero, deadline: Double? = nil,
    absence: (@Sendable (SensorError) -> Void)? = nil, status: (TimelineStatistics) -> Void,
    motion: @escaping @Sendable (DeviceMotion) throws -> Bool = { _ in true },
    take: @escaping @Sendable (SensorSample, HubStream) throws -> Bool
  ) -> (outcome: Completion.Outcome, statistics: TimelineStatistics) {
    let subscriptions = streams.map { stream in
      hub.subscribe(stream, interval: interval) { [completion] sample in
        completion.unlessFinished { try take(sample, stream) }
      } motion: { [completion] state in
        completion.unlessFinished { try motion(state) }
      } news: { [completion, hub] news in
        if let absence, case .failed(let error) = news, !hub.hasEnded { return absence(error) }
        completion.take(news)
      }
    }
    hub.play()
    let outcome = completion.run(subscriptions, deadline: deadline) { status(hub.statistics) }
    return (outcome, hub.statistics)
  }

  /// Throws what has ended the run so far.
  func check() throws { try completion.check() }
}

extension Completion {
  /// Waits for the end of a run, calls `status` now and then meanwhile, ends the run after `deadline` real seconds, and
  /// cancels what is listened to.
  package func run(
    _ subscriptions: [Subscription] = [], every interval: Duration = .milliseconds(200), deadline: Double? = nil,
    status: () -> Void
  ) -> Outcome {
    let started = ContinuousClock.now
    let outcome = wait(every: interval) {
      status()
      if let deadline, (ContinuousClock.now - started).seconds > deadline { finish(.silent) }
    }
    for subscription in subscriptions { subscription.cancel() }
    StandardError.shared.endStatus()
    return outcome
  }

  /// Does a piece of the work; false = that was the last, and an error ends the work, too.
  func unlessFinished(_ body: () throws -> Bool) {
    guard !isFinished else { return }
    do {
      if try !body() { finish(.done) }
    } catch {
      finish(.stopped(error))
    }
  }

  /// The end of a source is that of the work.
  package func take(_ news: HubNews) {
    switch news {
    case .ended: finish(.done)
    case .failed(let error): finish(.failed(error))
    case .connection, .time: break
    }
  }

  /// Throws what has ended the run so far.
  package func check(interruption: String? = nil) throws {
    if isFinished { try wait(tick: {}).check(interruption: interruption) }
  }
}
