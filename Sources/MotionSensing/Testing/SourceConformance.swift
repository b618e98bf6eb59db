// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

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
/// The promises of `SensorSource`; broken ones are named by their numbers there. Of the values also that the median of
/// the specific force is 5…15 m/s², so that g or raw counts in place of m/s² are detected. Besides: the name of a
/// simulation or a recording says so, the rates are positive and ascending, nothing is delivered after a stop, and a
/// sensor that is requested alone delivers.
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
    let kinds = source.info.kinds
    let first = await run(kinds)
    var found = violationsOfInfo() + violations(of: first, named: "the first run")
    found += violations(of: first.samples) + violationsOfConnection(first)
    if first.samples.isEmpty { found.append("The source delivered no sample, so little could be checked.") }
    guard first.ending != nil else { return found }

    let stopped = await run(kinds, isHeld: true)
    found += violations(of: stopped, named: "a run that is stopped while it waits")
    guard stopped.ending != nil else { return found }

    if let last = first.samples.map(\.time).max() {
      let second = await run(kinds, resumeAfter: last)
      found += violations(of: second, named: "a run that continues after another")
      let early = second.samples.map(\.time).filter { $0 <= last - source.info.reordering }
      if let time = early.first {
        found.append(
          "Promise 5: \(early.count) samples of a later run are not after resumeAfter (\(last.seconds) s), the first at "
            + "\(time.seconds) s.")
      }
      guard second.ending != nil else { return found }
    }

    // Each sensor alone.
    let delivered = kinds.intersection(first.samples.kinds)
    for kind in (0..<UInt16.bitWidth).map({ SensorKinds(rawValue: 1 << $0) }) where delivered.contains(kind) {
      let alone = await run(kind, endsAfter: kind)
      let name = kind.names.joined()
      found += violations(of: alone, named: "a run for the \(name) alone")
      if !alone.samples.kinds.contains(kind) {
        found.append("Promise 5: when only the \(name) is requested, the source delivers no sample of it.")
      }
      found += violationsOfKinds(alone.samples, "when only the \(name) is requested, ")
      if alone.ending == nil { break }
    }
    return found
  }

  /// Runs the source once, on a thread of its own, until `span` of its time after its first sample, or until the first
  /// sample of `endsAfter`. `isHeld`: time stands still, and the run is stopped from outside while the source waits.
  private func run(
    _ kinds: SensorKinds, resumeAfter: SensorInstant? = nil, isHeld: Bool = false, endsAfter: SensorKinds = []
  ) async -> SampleCollector {
    let start = Lock<SensorInstant?>(nil)
    let collector = SampleCollector(
      source, clock: clock(isHeld: isHeld), kinds: kinds, resumeAfter: resumeAfter
    ) { [span, sampleLimit] sample, count in
      let start = start.withLock { start in
        start = start ?? sample.time
        return start ?? sample.time
      }
      return !sample.kinds.isDisjoint(with: endsAfter) || sample.time - start >= span || count >= sampleLimit
    }
    // Real time without a sample after which an on-demand source, which nothing keeps waiting, has no more to say.
    let quiet = SensorDuration.milliseconds(200)
    if isHeld {
      // A source whose first sample is still ahead never comes to it: it waits already.
      _ = await collector.began(within: min(patience, quiet))
    } else if source.info.pacing == .live {
      _ = await collector.ended(within: patience + span)
    } else if await collector.began(within: resumeAfter == nil ? patience : quiet) {
      // A source that goes on may have nothing left to say; any other had to say something.
      var count: Int
      repeat {
        count = collector.samples.count
      } while !(await collector.ended(within: quiet)) && collector.samples.count > count
    }
    collector.stop()
    _ = await collector.ended(within: patience)
    return collector
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
