// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing
import MotionServices

/// Runs a source once, on a thread of its own, and keeps what it delivers.
///
/// ```swift
/// let clock = VirtualClock()
/// let collector = SampleCollector(source, clock: clock)
/// await clock.advance(by: .seconds(1))
/// #expect(collector.samples.count == 100)
/// collector.stop()
/// #expect(await collector.ended())
/// ```
///
/// On a ``VirtualClock`` the run counts as work, so that `advance` waits for it. A source that never returns stays on
/// its thread: nothing can end a thread from outside.
package final class SampleCollector: Sendable {
  /// How a run ended.
  package enum Ending: Sendable {
    /// `run` returned.
    case returned
    /// `run` threw, including ``SourceStopped`` after a stop.
    case threw(any Error)
  }

  /// A report of the connection, and how many samples had come before it.
  package struct Report: Sendable, Hashable {
    /// What was reported.
    package var connection: ConnectionState
    /// Samples that had been delivered by then.
    package var sampleCount: Int
  }

  private struct Record: Sendable {
    var samples: [SensorSample] = []
    var reports: [Report] = []
    var deliveriesAfterStop = 0
    var wasStoppedBeforeTheEnd = false
    var ending: Ending?
  }

  /// The session of the run: change its request, look at its clock.
  package let session: SensorSession
  private let record = Lock(Record())
  private let beginning = Milestone()
  private let end = Milestone()

  /// Starts `source`. The run is stopped from inside `deliver`, as a handler may do, at the first sample for which
  /// `stopsAt` is true; it gets the sample and the number of samples so far, this one included.
  package init(
    _ source: any SensorSource, clock: any SensorClock, kinds: SensorKinds = [], resumeAfter: SensorInstant? = nil,
    stopsAt: @escaping @Sendable (SensorSample, Int) -> Bool = { _, _ in false }
  ) {
    let (record, beginning, end) = (record, beginning, end)
    let session = SensorSession(
      clock: clock, resumeAfter: resumeAfter, request: SensorRequest(kinds: kinds, interval: .zero),
      connectionSink: { connection, _ in
        record.withLock { $0.reports.append(Report(connection: connection, sampleCount: $0.samples.count)) }
      }
    ) { sample, session throws(SourceStopped) in
      guard !session.isStopped else {
        record.withLock { $0.deliveriesAfterStop += 1 }
        throw SourceStopped()
      }
      let count = record.withLock { record in
        record.samples.append(sample)
        return record.samples.count
      }
      beginning.reach()
      if stopsAt(sample, count) {
        record.withLock { $0.wasStoppedBeforeTheEnd = true }
        session.stop()
        throw SourceStopped()
      }
    }
    self.session = session
    clock.beginWork()
    let finish: @Sendable (Ending) -> Void = { ending in
      record.withLock { $0.ending = ending }
      beginning.reach()
      end.reach()
      clock.endWork()
    }
    do {
      try DedicatedThread.launch("conformance") {
        do {
          try await source.run(session)
          finish(.returned)
        } catch {
          finish(.threw(error))
        }
      }
    } catch {
      finish(.threw(error))
    }
  }

  /// What has been delivered so far, in the order of delivery.
  package var samples: [SensorSample] { record.withLock { $0.samples } }

  /// What the source has said of its connection so far, in order.
  package var reports: [Report] { record.withLock { $0.reports } }

  /// How often the source called `deliver` after the stop; one such call may have been under way.
  package var deliveriesAfterStop: Int { record.withLock { $0.deliveriesAfterStop } }

  /// How the run ended; nil while it goes on.
  package var ending: Ending? { record.withLock { $0.ending } }

  /// The failure of the source, if it threw a ``SensorError``.
  package var failure: SensorError? {
    guard case .threw(let error) = ending else { return nil }
    return error as? SensorError
  }

  /// True when the run was stopped, by ``stop()`` or by `stopsAt`, and had not ended by itself before.
  package var wasStopped: Bool { record.withLock { $0.wasStoppedBeforeTheEnd } }

  /// Stops the run; returns at once.
  package func stop() {
    record.withLock { if $0.ending == nil { $0.wasStoppedBeforeTheEnd = true } }
    session.stop()
  }

  /// Waits for the end of the run: true when it came within `limit` of real time (default 10 s).
  package func ended(within limit: SensorDuration = .seconds(10)) async -> Bool { await end.wait(limit: limit) }

  /// Waits for the first sample or the end of the run: true when one came within `limit` of real time.
  func began(within limit: SensorDuration) async -> Bool { await beginning.wait(limit: limit) }
}
