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
  /// Nil: it went on after the stop for longer than the patience.
  var ending: SampleCollector.Ending?
  var samples: [SensorSample]
  var reports: [SampleCollector.Report]
  var wasStopped: Bool
  var deliveriesAfterStop: Int

  var isHung: Bool { ending == nil }
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
    case nil:
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
  /// Runs the source once, on a thread of its own.
  func run(_ request: ConformanceRequest) async -> ConformanceOutcome {
    let (span, sampleLimit) = (span, sampleLimit)
    let start = Lock<SensorInstant?>(nil)
    let collector = SampleCollector(
      source, clock: clock(isHeld: request.isHeld), kinds: request.kinds, resumeAfter: request.resumeAfter
    ) { sample, count in
      let start = start.withLock { start in
        start = start ?? sample.time
        return start ?? sample.time
      }
      return !sample.kinds.isDisjoint(with: request.endsAfter) || sample.time - start >= span || count >= sampleLimit
    }
    if request.isHeld {
      // A source whose first sample is still ahead never comes to it: it waits already.
      _ = await collector.began(within: min(patience, quiet))
    } else if source.info.pacing == .live {
      _ = await collector.ended(within: patience + span)
    } else {
      // A source that goes on may have nothing left to say; any other must say something.
      await untilQuiet(collector, firstWithin: request.resumeAfter == nil ? patience : quiet)
    }
    collector.stop()
    _ = await collector.ended(within: patience)
    return ConformanceOutcome(
      ending: collector.ending, samples: collector.samples, reports: collector.reports,
      wasStopped: collector.wasStopped, deliveriesAfterStop: collector.deliveriesAfterStop)
  }

  /// Real time without a sample after which an on-demand source, which nothing keeps waiting, has no more to say.
  private var quiet: SensorDuration { .milliseconds(200) }

  /// Waits for the end of a run, or until it falls silent.
  private func untilQuiet(_ collector: SampleCollector, firstWithin limit: SensorDuration) async {
    guard await collector.began(within: limit) else { return }
    var count: Int
    repeat {
      count = collector.samples.count
    } while !(await collector.ended(within: quiet)) && collector.samples.count > count
  }

  /// A clock on the source's time line. A live source gets the real one; one that can be held back gets a clock that never
  /// makes it wait, or that stands still.
  private func clock(isHeld: Bool) -> any SensorClock {
    if source.info.pacing == .live { return MonotonicClock() }
    let base: any SensorClock = isHeld ? VirtualClock() : FreeRunningClock()
    guard case .recorded(let start) = source.info.timeLine else { return base }
    return RecordingClock(base: base, anchor: SensorInstant(nanoseconds: 0), origin: start)
  }
}
