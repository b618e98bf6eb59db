// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What one run of the source under test is asked for.
struct ConformanceRequest: Sendable {
  var kinds: SensorKinds
  /// The source's time after its first sample at which the run is stopped, from inside `deliver`.
  var span: SensorDuration
  var resumeAfter: SensorInstant?
  /// True: time stands still, and the run is stopped from outside while the source waits.
  var isHeld = false
  /// The run is stopped at the first sample of this kind.
  var endsAfter: SensorKinds = []
}

/// What came of one run.
struct ConformanceOutcome: Sendable {
  enum Ending: Sendable {
    case returned
    case threw(any Error)
    /// It went on after the stop for longer than the patience.
    case hung
  }

  var ending: Ending
  var samples: [SensorSample]
  var wasStopped: Bool
  var deliveriesAfterStop: Int

  var isHung: Bool { if case .hung = ending { true } else { false } }
  var kinds: SensorKinds { samples.reduce(into: []) { $0.formUnion($1.kinds) } }

  /// What is wrong with the way the run went; `name` says which run it was.
  func violations(named name: String, patience: SensorDuration) -> [String] {
    var found: [String] = []
    // One is allowed: the call that was under way when the stop came from another thread.
    if deliveriesAfterStop > 1 {
      found.append("Promise 3: \(name) delivered \(deliveriesAfterStop) samples after it had been stopped.")
    }
    switch ending {
    case .returned: break
    case .hung:
      found.append("Promise 4: \(name) did not end within \(patience.seconds) s after it had been stopped.")
    case .threw where wasStopped: break
    case .threw(let error as SensorError):
      found.append("Promise 4: \(name) failed: \(error)")
    case .threw(is SourceStopped):
      found.append("Promise 4: \(name) threw SourceStopped although nobody had stopped it.")
    case .threw(let error):
      found.append("Promise 4: \(name) failed with \(type(of: error)) (\(error)), which is no SensorError.")
    }
    return found
  }
}

extension SourceConformance {
  /// What the sink of a run has seen.
  private struct Record: Sendable {
    var samples: [SensorSample] = []
    var deliveriesAfterStop = 0
    var wasStopped = false
    var ending: ConformanceOutcome.Ending?
  }

  /// Runs the source once, on a thread of its own.
  func run(_ request: ConformanceRequest) async -> ConformanceOutcome {
    let record = Lock(Record())
    let firstSample = Milestone()
    let end = Milestone()
    let (span, sampleLimit) = (span, sampleLimit)
    let session = SensorSession(
      clock: clock(isHeld: request.isHeld), resumeAfter: request.resumeAfter,
      request: SensorRequest(kinds: request.kinds, interval: .zero)
    ) { sample, session throws(SourceStopped) in
      let isOver = record.withLock { record in
        guard !session.isStopped else {
          record.deliveriesAfterStop += 1
          return true
        }
        record.samples.append(sample)
        let first = record.samples.first?.time ?? sample.time
        let isOver =
          !sample.kinds.isDisjoint(with: request.endsAfter) || sample.time - first >= span
          || record.samples.count >= sampleLimit
        if isOver { record.wasStopped = true }
        return isOver
      }
      firstSample.reach()
      // Stopped from the source's own thread, as a handler may do.
      if isOver {
        session.stop()
        throw SourceStopped()
      }
    }

    let source = source
    let started = ConformanceThread.start {
      var ending = ConformanceOutcome.Ending.returned
      do { try await source.run(session) } catch { ending = .threw(error) }
      record.withLock { $0.ending = ending }
      firstSample.reach()
      end.reach()
    }
    precondition(started, "The system gives no more threads: raise the limit (ulimit -u).")

    if request.isHeld {
      // A source whose first sample is still ahead never comes to it: it waits already.
      _ = await firstSample.wait(limit: min(patience, .milliseconds(200)))
    } else {
      _ = await end.wait(limit: patience + span)
    }
    record.withLock { if $0.ending == nil { $0.wasStopped = true } }
    session.stop()
    _ = await end.wait(limit: patience)
    return record.withLock { record in
      ConformanceOutcome(
        ending: record.ending ?? .hung, samples: record.samples, wasStopped: record.wasStopped,
        deliveriesAfterStop: record.deliveriesAfterStop)
    }
  }

  /// A clock on the source's time line that never makes it wait, or that stands still.
  private func clock(isHeld: Bool) -> any SensorClock {
    let base: any SensorClock = isHeld ? VirtualClock() : FreeRunningClock()
    guard case .recorded(let start) = source.info.timeLine else { return base }
    return RecordingClock(base: base, anchor: SensorInstant(nanoseconds: 0), origin: start)
  }
}
