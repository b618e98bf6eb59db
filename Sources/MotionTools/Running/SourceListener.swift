// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
package import MotionServices

/// A source listened to until its end, a limit, a signal or an error: the loop of every command that reads one.
struct SourceListener: Sendable {
  private let selection: SourceSelection
  private let limit: Seconds?
  private let completion = Completion()
  private let hub: MotionHub

  /// From here on a signal ends the run, not the program.
  ///
  /// - Parameters:
  ///   - limit: the wanted sample time, for the line that shows how far the run is.
  ///   - runsFreely: as fast as it goes; false = on the clock that the address asks for.
  init(_ selection: SourceSelection, limit: Seconds?, runsFreely: Bool) {
    (self.selection, self.limit) = (selection, limit)
    // Opened when all streams are listened to: none misses the beginning.
    hub = MotionHub(
      source: selection.entry.source, clock: runsFreely ? FreeRunningClock() : selection.entry.clock,
      rate: runsFreely ? 1 : selection.entry.rate, gate: .manual)
    Interruption.begin(completion)
  }

  /// Runs. `take`, and of device motion `motion`, receive what comes on the source's thread; they return false when
  /// that is enough, and an error that they throw ends the run.
  func callAsFunction(
    _ streams: [HubStream], interval: SensorDuration = .zero, printsRows: Bool = false,
    motion: @escaping @Sendable (DeviceMotion) throws -> Bool = { _ in true },
    take: @escaping @Sendable (SensorSample, HubStream) throws -> Bool
  ) -> (outcome: Completion.Outcome, statistics: TimelineStatistics) {
    let subscriptions = streams.map { stream in
      hub.subscribe(stream, interval: interval) { [completion] sample, _ in
        completion.unlessFinished { try take(sample, stream) }
      } motion: { [completion] state, _ in
        completion.unlessFinished { try motion(state) }
      } news: { [completion] news, _ in
        completion.take(news)
      }
    }
    hub.play()
    let progress = ProgressLine(selection, limit: limit, printsRows: printsRows)
    defer { StandardError.shared.endStatus() }
    let outcome = completion.wait { progress.update(hub.statistics) }
    for subscription in subscriptions { subscription.cancel() }
    return (outcome, hub.statistics)
  }

  /// Throws what has ended the run so far.
  func check() throws { if completion.isFinished { try completion.wait(tick: {}).check() } }
}

extension Completion {
  /// Does a piece of the work; false = that was the last, and an error ends the work, too.
  package func unlessFinished(_ body: () throws -> Bool) {
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
}
