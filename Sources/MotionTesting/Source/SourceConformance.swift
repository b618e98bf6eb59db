// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Checks that a source keeps the promises of `SensorSource`.
///
/// ```swift
/// @Test func theDriverKeepsItsPromises() async {
///   #expect(await SourceConformance(source: driver).violations() == [])
/// }
/// ```
///
/// The source runs several times, each time on its own thread: first for all sensors; then it is stopped while it
/// waits; then it continues after its last sample; then each of its sensors is requested alone. On-demand sources run
/// on a clock that never makes them wait, so the check takes milliseconds; a live source runs on the monotonic clock
/// and takes `span` of real time for the long runs.
///
/// ## What is checked
/// The numbers are those of the promises in the documentation of `SensorSource`.
/// 1. Times of one sensor ascend strictly; samples of different sensors are out of order by `info.reordering` at most.
/// 2. Every value is finite, and the median of the specific force is plausible: 5…15 m/s², so that g or raw counts in
///    place of m/s² are detected.
/// 3. Nothing is delivered after a stop.
/// 4. A run ends soon after a stop, whether the source is in `deliver` or waits, and fails with a `SensorError` only.
/// 5. Only kinds that `info` names are delivered, and nothing that is not after `resumeAfter`.
/// 6. It may be run again.
/// 7. A source that names the kind `.connection` reports before its first sample and delivers nothing while it is not
///    connected; one that does not name it reports nothing.
///
/// Also: the name of a simulation or a recording says so, the rates are positive and ascending, and a sensor that is
/// requested alone delivers.
///
/// A source that does not return is left on its thread and not run again.
public struct SourceConformance: Sendable {
  /// The source under test.
  public let source: any SensorSource
  /// How much of the source's time the long run covers. Default 3 s.
  public var span: SensorDuration
  /// Real time that a source may take to end after a stop, or to deliver its first sample. Default 5 s; a good source
  /// needs less.
  public var patience: SensorDuration
  /// Samples after which a run is stopped in any case. Default 20 000.
  public var sampleLimit: Int
  /// Whether the norm of the specific force is checked; false for sources in free fall or on a centrifuge. Default
  /// true.
  public var checksGravity: Bool

  /// A check of `source`.
  public init(
    source: any SensorSource, span: SensorDuration = .seconds(3), patience: SensorDuration = .seconds(5),
    sampleLimit: Int = 20_000, checksGravity: Bool = true
  ) {
    self.source = source
    self.span = span
    self.patience = patience
    self.sampleLimit = sampleLimit
    self.checksGravity = checksGravity
  }

  /// Every broken promise as a sentence; empty when the source conforms.
  public func violations() async -> [String] {
    var found = violationsOfInfo()
    let first = await run(ConformanceRequest(kinds: source.info.kinds, span: span))
    found += first.violations(named: "the first run", patience: patience)
    found += violations(of: first.samples) + violationsOfConnection(first)
    if first.samples.isEmpty { found.append("The source delivered no sample, so little could be checked.") }
    guard !first.isHung else { return found }

    let stopped = await run(ConformanceRequest(kinds: source.info.kinds, span: span, isHeld: true))
    found += stopped.violations(named: "a run that is stopped while it waits", patience: patience)
    guard !stopped.isHung else { return found }

    if let last = first.samples.map(\.time).max() {
      let second = await run(ConformanceRequest(kinds: source.info.kinds, span: span, resumeAfter: last))
      found += second.violations(named: "a run that continues after another", patience: patience)
      let early = second.samples.filter { $0.time <= last - source.info.reordering }
      if let sample = early.first {
        found.append(
          "Promise 5: \(early.count) samples of a later run are not after resumeAfter (\(last.seconds) s), the first at "
            + "\(sample.time.seconds) s.")
      }
      guard !second.isHung else { return found }
    }
    return found + (await violationsOfSingleRequests(delivered: first.kinds))
  }

  /// Asks for each sensor alone.
  private func violationsOfSingleRequests(delivered: SensorKinds) async -> [String] {
    var found: [String] = []
    for kind in delivered.intersection(source.info.kinds).members {
      let alone = await run(ConformanceRequest(kinds: kind, span: span, endsAfter: kind))
      let name = kind.names.joined()
      found += alone.violations(named: "a run for the \(name) alone", patience: patience)
      if !alone.kinds.contains(kind) {
        found.append("Promise 5: when only the \(name) is requested, the source delivers no sample of it.")
      }
      let foreign = alone.kinds.subtracting(source.info.kinds)
      if !foreign.isEmpty {
        found.append(
          "Promise 5: when only the \(name) is requested, it delivers \(foreign.names.joined(separator: ", ")), which its info "
            + "does not name.")
      }
      if alone.isHung { break }
    }
    return found
  }
}

extension SensorKinds {
  /// The set as a list of sets of one.
  var members: [SensorKinds] {
    (0..<UInt16(UInt16.bitWidth)).map { SensorKinds(rawValue: 1 << $0) }.filter { isSuperset(of: $0) }
  }
}

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
      found.append("Promise 3: \(name) delivered \(deliveriesAfterStop) samples after it was stopped.")
    }
    switch ending {
    case .returned: break
    case nil:
      found.append("Promise 4: \(name) did not end within \(patience.seconds) s after it was stopped.")
    case .threw where wasStopped: break
    case .threw(let error as SensorError):
      found.append("Promise 4: \(name) failed: \(error)")
    case .threw(is SourceStopped):
      found.append("Promise 4: \(name) threw SourceStopped although it was not stopped.")
    case .threw(let error):
      found.append("Promise 4: \(name) failed with \(type(of: error)) (\(error)), which is not a SensorError.")
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

  /// A clock on the source's time line. A live source gets the real one; one that can be held back gets a clock that
  /// never makes it wait, or that stands still.
  private func clock(isHeld: Bool) -> any SensorClock {
    if source.info.pacing == .live { return MonotonicClock() }
    let base: any SensorClock = isHeld ? VirtualClock() : FreeRunningClock()
    guard case .recorded(let start) = source.info.timeLine else { return base }
    return RecordingClock(base: base, anchor: SensorInstant(nanoseconds: 0), origin: start)
  }
}
