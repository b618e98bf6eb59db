// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
@dynamicMemberLookup
package final class SampleCollector: Sendable {
  /// What the collector has, at any time, as properties of its own.
  package struct Record {
    /// In the order of delivery.
    package fileprivate(set) var samples: [SensorSample] = []
    /// What the source has said of its connection, each with the number of samples before it.
    package fileprivate(set) var reports: [(connection: ConnectionState, sampleCount: Int)] = []
    /// How often the source called `deliver` after the stop; one such call may have been under way.
    package fileprivate(set) var deliveriesAfterStop = 0
    /// True when the run was stopped, by ``stop()`` or by `stopsAt`, and had not ended by itself before.
    package fileprivate(set) var wasStopped = false
    /// How the run ended, a failure with ``SourceStopped`` after a stop; nil while it goes on.
    package fileprivate(set) var ending: Result<Void, any Error>?
    /// The failure of the source, if it threw a ``SensorError``.
    package var failure: SensorError? {
      if case .failure(let error as SensorError) = ending { error } else { nil }
    }
  }

  /// The session of the run: change its request, look at its clock.
  package let session: SensorSession
  private let record = Lock(Record())

  /// Starts `source`. The run is stopped from inside `deliver`, as a handler may do, at the first sample for which
  /// `stopsAt` is true; it gets the sample and the number of samples so far, this one included.
  package init(
    _ source: any SensorSource, clock: any SensorClock, kinds: SensorKinds = [], resumeAfter: SensorInstant? = nil,
    stopsAt: @escaping @Sendable (SensorSample, Int) -> Bool = { _, _ in false }
  ) {
    let record = record
    let session = SensorSession(
      clock: clock, resumeAfter: resumeAfter, request: SensorRequest(kinds: kinds, interval: .zero),
      connectionSink: { connection, _ in record.withLock { $0.reports.append((connection, $0.samples.count)) } }
    ) { sample, session throws(SourceStopped) in
      guard !session.isStopped else {
        record.withLock { $0.deliveriesAfterStop += 1 }
        throw SourceStopped()
      }
      let count = record.withLock { record in
        record.samples.append(sample)
        return record.samples.count
      }
      if stopsAt(sample, count) {
        record.withLock { $0.wasStopped = true }
        session.stop()
        throw SourceStopped()
      }
    }
    self.session = session
    clock.beginWork()
    let finish: @Sendable (Result<Void, any Error>) -> Void = { ending in
      record.withLock { $0.ending = ending }
      clock.endWork()
    }
    do {
      try DedicatedThread.launch("conformance") {
        do {
          finish(.success(try await source.run(session)))
        } catch {
          finish(.failure(error))
        }
      }
    } catch {
      finish(.failure(error))
    }
  }

  package subscript<Value>(dynamicMember part: KeyPath<Record, Value>) -> Value {
    record.withLock { $0[keyPath: part] }
  }

  /// Stops the run; returns at once.
  package func stop() {
    record.withLock { if $0.ending == nil { $0.wasStopped = true } }
    session.stop()
  }

  /// Waits for the end of the run: true when it came within `limit` of real time (default 10 s).
  package func ended(within limit: SensorDuration = .seconds(10)) async -> Bool {
    await comesTrue(within: limit) { $0.ending != nil }
  }

  /// Waits for the first sample or the end of the run: true when one came within `limit` of real time.
  package func began(within limit: SensorDuration) async -> Bool {
    await comesTrue(within: limit) { !$0.samples.isEmpty || $0.ending != nil }
  }

  /// Looks every millisecond, because what is waited for is at any time of a thread that may hang.
  private func comesTrue(within limit: SensorDuration, _ condition: (Record) -> Bool) async -> Bool {
    let end = MonotonicClock().now + limit
    while !record.withLock({ condition($0) }) {
      guard MonotonicClock().now < end else { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return true
  }
}
