// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionSensing
import MotionServices

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

  /// Runs. `take` receives what comes on the source's thread; it returns false when that is enough, and an error that it throws ends the run.
  func callAsFunction(
    _ streams: [HubStream], interval: SensorDuration = .zero, printsRows: Bool = false,
    take: @escaping @Sendable (HubEvent, HubStream) throws -> Bool
  ) -> (outcome: Completion.Outcome, statistics: TimelineStatistics) {
    let subscriptions = streams.map { stream in
      hub.subscribe(stream, interval: interval) { [completion] event, _ in
        guard !completion.isFinished else { return }
        switch event {
        case .ended: completion.finish(.done)
        case .failed(let error): completion.finish(.failed(error))
        default:
          do {
            if try !take(event, stream) { completion.finish(.done) }
          } catch {
            completion.finish(.stopped(error))
          }
        }
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
