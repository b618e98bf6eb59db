// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// Brings the samples of a source's sensors into one order of time and keeps out what cannot be used.
///
/// ```swift
/// timeline.push(sample)
/// while let next = timeline.pop() { … }
/// ```
///
/// A source whose sensors never overtake each other (`info.reordering` zero) passes straight through. Otherwise a
/// sample is held until it cannot be overtaken any more: until every other sensor has shown a later sample or is not
/// due for half a period of its own, at most `reordering` of sample time, and never more than 64 samples. Nothing is
/// resampled or invented. Late, duplicate and non-finite samples are dropped and counted; gaps are counted.
package struct SampleTimeline: Sendable {
  /// Samples held for reordering, at most.
  package static let capacity = 64

  let reordering: SensorDuration
  private var held: [SensorSample] = []
  private var newest: SensorInstant?
  /// The first sample of this run: which sensors there are is known a while later.
  private var runStart: SensorInstant?
  private var ready: SensorSample?
  package private(set) var isDraining = false
  /// The counts so far, over all runs.
  package private(set) var statistics = TimelineStatistics()

  /// A time line that waits at most `reordering` of sample time.
  package init(reordering: SensorDuration) {
    self.reordering = reordering
    if reordering > .zero { held.reserveCapacity(Self.capacity + 1) }
  }

  /// Processes a sample from the source; false when it is dropped.
  @discardableResult
  package mutating func push(_ sample: SensorSample) -> Bool {
    guard admit(sample) else { return false }
    if reordering <= .zero {
      ready = sample
      return true
    }
    newest = max(newest ?? sample.time, sample.time)
    runStart = runStart ?? sample.time
    // Insertion from the back: samples are nearly in order. Equal times keep their order of arrival.
    let index = held.lastIndex { $0.time <= sample.time }.map { $0 + 1 } ?? 0
    held.insert(sample, at: index)
    return true
  }

  /// The next sample in order of time, or nil when the rest has to wait.
  package mutating func pop() -> SensorSample? {
    if let sample = ready {
      ready = nil
      return sample
    }
    guard let first = held.first, let newest else { return nil }
    guard
      isDraining || held.count > Self.capacity || first.time + reordering <= newest || !canBeOvertaken(first, newest)
    else { return nil }
    return held.removeFirst()
  }

  /// Whether a sensor may still show a sample from before this one. The wait costs every listener its time, so it ends
  /// with the first moment at which none is due.
  private func canBeOvertaken(_ first: SensorSample, _ newest: SensorInstant) -> Bool {
    // At the beginning of a run a sensor without a sample yet does not count.
    guard let runStart, newest - runStart > reordering else { return true }
    for index in statistics.kinds.indices
    where statistics.kinds[index].mayShow(before: first.time, notSince: newest - reordering * 8) { return true }
    return false
  }

  /// The source has ended: everything held may come out now. A sensor that fell silent before the others, or began
  /// after them, has a gap too.
  package mutating func finish() {
    isDraining = true
    statistics.close()
  }

  /// A new run of the source begins; the counts go on. What a recording's last run left for reordering comes out in
  /// this one; of a live source it is dropped, because it had no subscriber.
  package mutating func begin(keepingHeld: Bool = true) {
    isDraining = false
    runStart = nil
    if !keepingHeld { held.removeAll(keepingCapacity: true) }
  }

  /// Counts a sample; false for one that cannot be used.
  private mutating func admit(_ sample: SensorSample) -> Bool {
    switch sample {
    case .accelerometer(let sample): statistics.admit(.accelerometer, sample.time, sample.reading.isFinite)
    case .gyroscope(let sample): statistics.admit(.gyroscope, sample.time, sample.angularVelocity.isFinite)
    case .inertial(let sample): admitBoth(sample)
    case .magnetometer(let sample): statistics.admit(.magnetometer, sample.time, sample.reading.isFinite)
    case .pressure(let sample):
      statistics.admit(sample.medium == .air ? .airPressure : .waterPressure, sample.time, sample.pressure.isFinite)
    case .temperature(let sample): statistics.admit(.temperature, sample.time, sample.temperature.isFinite)
    case .motion(let sample):
      statistics.admit(
        .motion, sample.time,
        sample.attitude != nil && sample.angularVelocity.isFinite && sample.gravity.isFinite
          && sample.linearAcceleration.isFinite)
    }
  }

  /// Both halves of an inertial sample share their fate: half a sample would leave the other sensor with a gap.
  private mutating func admitBoth(_ sample: InertialSample) -> Bool {
    let isFinite = sample.accelerometer.reading.isFinite && sample.gyroscope.angularVelocity.isFinite
    let first = statistics.admit(.gyroscope, sample.time, isFinite)
    let second = statistics.admit(.accelerometer, sample.accelerometer.time, isFinite)
    return first && second
  }
}

/// What happened to the samples of a source, counted per kind. Nothing is dropped without showing up here.
package struct TimelineStatistics: Sendable {
  /// The counts of one kind of sensor.
  package struct Counts: Sendable, Hashable {
    /// Samples that went on to the services.
    package var delivered = 0
    /// Pauses between samples that were delivered, as ``SamplePeriod`` defines them.
    package var gaps = 0
    /// The length of those pauses together, ns.
    package var gapNanoseconds: Int64 = 0
    /// Dropped: older than the latest sample of its kind.
    package var late = 0
    /// Dropped: the same time stamp as the latest of its kind.
    package var duplicates = 0
    /// Dropped: a component was NaN or infinite, or a quaternion was not of length one.
    package var nonFinite = 0
    /// First and last delivered time.
    package var first: SensorInstant?
    package var last: SensorInstant?
    /// The usual interval, and with it what a gap is.
    private var period = SamplePeriod()

    /// Counts a sample; false for one that cannot be used.
    fileprivate mutating func admit(_ time: SensorInstant, _ isFinite: Bool) -> Bool {
      guard isFinite else {
        nonFinite += 1
        return false
      }
      if let last {
        let step = (time - last).nanoseconds
        if step < 0 {
          late += 1
          return false
        }
        if step == 0 {
          duplicates += 1
          return false
        }
        if period.update(time - last) { countGap(time - last) }
      }
      first = first ?? time
      last = time
      delivered += 1
      return true
    }

    /// Whether its next sample may lie before `time`. One that has been silent since `notSince` and longer than four
    /// periods has stopped.
    fileprivate func mayShow(before time: SensorInstant, notSince: SensorInstant) -> Bool {
      guard let last, last < time else { return false }
      if last < notSince, (time - last).nanoseconds > period.nanoseconds.clamped(times: 4) { return false }
      return (time - last).nanoseconds > period.nanoseconds / 2
    }

    /// Counts the gaps at both ends of a run, and those among the first samples.
    fileprivate mutating func close(_ start: SensorInstant, _ end: SensorInstant, mayBeSingle: Bool) {
      guard let first, let last else { return }
      for edge in [first - start, end - last] where period.isMissing(edge, of: end - start, mayBeSingle: mayBeSingle) {
        countGap(edge)
      }
      for pause in period.earlyPauses { countGap(pause) }
    }

    private mutating func countGap(_ length: SensorDuration) {
      gaps += 1
      // A file can loop over the ends of time.
      let (sum, overflows) = gapNanoseconds.addingReportingOverflow(length.nanoseconds)
      gapNanoseconds = overflows ? .max : sum
    }

    /// Dropped for any reason.
    package var dropped: Int { late + duplicates + nonFinite }

    /// Mean rate in Hz between the first and the last delivered sample; nil below two samples.
    package var rate: Double? {
      guard let first, let last, delivered > 1, last > first else { return nil }
      return Double(delivered - 1) / (last - first).seconds
    }
  }

  /// The places of the kinds of sensors.
  fileprivate enum Kind: Int {
    case accelerometer, gyroscope, magnetometer, airPressure, waterPressure, temperature, motion
  }

  fileprivate var kinds = InlineArray<7, Counts>(repeating: Counts())

  /// Specific force, apart or as half of an inertial sample.
  package var accelerometer: Counts { kinds[Kind.accelerometer.rawValue] }
  /// Angular velocity, apart or as half of an inertial sample.
  package var gyroscope: Counts { kinds[Kind.gyroscope.rawValue] }
  /// Motion that came fused.
  package var motion: Counts { kinds[Kind.motion.rawValue] }

  /// Nothing counted yet.
  package init() {}

  @discardableResult
  fileprivate mutating func admit(_ kind: Kind, _ time: SensorInstant, _ isFinite: Bool) -> Bool {
    kinds[kind.rawValue].admit(time, isFinite)
  }

  fileprivate mutating func close() {
    let known = named.map(\.counts)
    guard let start = known.compactMap(\.first).min(), let end = known.compactMap(\.last).max() else { return }
    for index in kinds.indices {
      kinds[index].close(start, end, mayBeSingle: index == Kind.temperature.rawValue)
    }
  }

  /// All kinds with a name for people, in a fixed order. Only a dive computer has the pressure of air and of water.
  package var named: [(name: String, counts: Counts)] {
    let hasBoth = [Kind.airPressure, .waterPressure].allSatisfy { kinds[$0.rawValue].first != nil }
    let pressures = hasBoth ? ["air pressure", "water pressure"] : ["pressure", "pressure"]
    let names = ["accelerometer", "gyroscope", "magnetometer"] + pressures + ["temperature", "fused motion"]
    return names.enumerated().map { ($1, kinds[$0]) }
  }

  /// Dropped for any reason, over all kinds.
  package var dropped: Int { named.reduce(0) { $0 + $1.counts.dropped } }
  /// Gaps over all kinds.
  package var gaps: Int { named.reduce(0) { $0 + $1.counts.gaps } }
}
