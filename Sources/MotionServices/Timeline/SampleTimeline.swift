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
  private var trackers = InlineArray<7, Tracker>(repeating: Tracker())
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

  /// Counts a sample of a source whose sensors never overtake each other; false when it is dropped, else it is the next
  /// in order at once.
  package mutating func pass(_ sample: SensorSample) -> Bool { admit(sample) }

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
    for index in trackers.indices
    where trackers[index].mayShow(before: first.time, notSince: newest - reordering * 8) { return true }
    return false
  }

  /// The source has ended: everything held may come out now. A sensor that fell silent before the others, or began
  /// after them, has a gap too.
  package mutating func finish() {
    isDraining = true
    let lasts = trackers.indices.compactMap { trackers[$0].last }
    guard let end = lasts.max(), let start = statistics.named.compactMap(\.counts.first).min() else { return }
    Self.close(trackers[Kind.accelerometer], start, end, &statistics.accelerometer)
    Self.close(trackers[Kind.gyroscope], start, end, &statistics.gyroscope)
    Self.close(trackers[Kind.magnetometer], start, end, &statistics.magnetometer)
    Self.close(trackers[Kind.airPressure], start, end, &statistics.pressure, mayBeSingle: true)
    Self.close(trackers[Kind.waterPressure], start, end, &statistics.pressure, mayBeSingle: true)
    Self.close(trackers[Kind.temperature], start, end, &statistics.temperature, mayBeSingle: true)
    Self.close(trackers[Kind.motion], start, end, &statistics.motion)
  }

  private static func close(
    _ tracker: Tracker, _ start: SensorInstant, _ end: SensorInstant, _ counts: inout TimelineStatistics.Counts,
    mayBeSingle: Bool = false
  ) {
    guard let first = tracker.first, let last = tracker.last else { return }
    let isAlone = counts.delivered == 1 && !mayBeSingle
    for edge in [first - start, end - last]
    where tracker.period.isMissing(edge, of: end - start, isAlone: isAlone) {
      counts.countGap(edge)
    }
  }

  /// A new run of the source begins; the counts go on. What a recording's last run left for reordering comes out in
  /// this one; of a live source it is dropped, because it had no subscriber.
  package mutating func begin(keepingHeld: Bool = true) {
    isDraining = false
    runStart = nil
    if !keepingHeld { held.removeAll(keepingCapacity: true) }
  }

  /// The period and the last time of one kind.
  private struct Tracker {
    var first: SensorInstant?
    var last: SensorInstant?
    var period = SamplePeriod()

    /// Whether its next sample may lie before `time`. One that has been silent since `notSince` and longer than four
    /// periods has stopped.
    func mayShow(before time: SensorInstant, notSince: SensorInstant) -> Bool {
      guard let last, last < time else { return false }
      if last < notSince, (time - last).nanoseconds > period.nanoseconds.clamped(times: 4) { return false }
      return (time - last).nanoseconds > period.nanoseconds / 2
    }
  }

  /// The places of the kinds among the trackers. Two sensors of pressure share their counts: a dive computer has both,
  /// sampled together.
  private enum Kind {
    static let (accelerometer, gyroscope, magnetometer, airPressure) = (0, 1, 2, 3)
    static let (waterPressure, temperature, motion) = (4, 5, 6)
  }

  /// Counts a sample; false for one that cannot be used.
  private mutating func admit(_ sample: SensorSample) -> Bool {
    switch sample {
    case .accelerometer(let sample):
      Self.admit(sample.time, sample.reading.isFinite, &trackers[Kind.accelerometer], &statistics.accelerometer)
    case .gyroscope(let sample):
      Self.admit(sample.time, sample.angularVelocity.isFinite, &trackers[Kind.gyroscope], &statistics.gyroscope)
    case .inertial(let sample):
      admitBoth(sample)
    case .magnetometer(let sample):
      Self.admit(sample.time, sample.reading.isFinite, &trackers[Kind.magnetometer], &statistics.magnetometer)
    case .pressure(let sample):
      Self.admit(
        sample.time, sample.pressure.isFinite,
        &trackers[sample.medium == .air ? Kind.airPressure : Kind.waterPressure], &statistics.pressure)
    case .temperature(let sample):
      Self.admit(sample.time, sample.temperature.isFinite, &trackers[Kind.temperature], &statistics.temperature)
    case .motion(let sample):
      Self.admit(
        sample.time,
        sample.attitude != nil && sample.angularVelocity.isFinite && sample.gravity.isFinite
          && sample.linearAcceleration.isFinite,
        &trackers[Kind.motion], &statistics.motion)
    }
  }

  /// Both halves of an inertial sample share their fate: half a sample would leave the other sensor with a gap.
  private mutating func admitBoth(_ sample: InertialSample) -> Bool {
    let isFinite = sample.accelerometer.reading.isFinite && sample.gyroscope.angularVelocity.isFinite
    let first = Self.admit(sample.time, isFinite, &trackers[Kind.gyroscope], &statistics.gyroscope)
    let second = Self.admit(
      sample.accelerometer.time, isFinite, &trackers[Kind.accelerometer], &statistics.accelerometer)
    return first && second
  }

  private static func admit(
    _ time: SensorInstant, _ isFinite: Bool, _ tracker: inout Tracker, _ counts: inout TimelineStatistics.Counts
  ) -> Bool {
    guard isFinite else {
      counts.nonFinite += 1
      return false
    }
    if let last = tracker.last {
      let step = (time - last).nanoseconds
      if step < 0 {
        counts.late += 1
        return false
      }
      if step == 0 {
        counts.duplicates += 1
        return false
      }
      if tracker.period.update(time - last) { counts.countGap(time - last) }
    }
    tracker.first = tracker.first ?? time
    tracker.last = time
    if counts.first == nil { counts.first = time }
    counts.last = time
    counts.delivered += 1
    return true
  }
}

/// What happened to the samples of a source, counted per kind. Nothing is dropped without showing up here.
package struct TimelineStatistics: Sendable, Hashable {
  /// The counts of one kind of sensor.
  package struct Counts: Sendable, Hashable {
    /// Samples that went on to the services.
    package var delivered = 0
    /// Pauses of more than two and a half periods between samples that were delivered.
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

    /// Nothing counted yet.
    package init() {}

    mutating func countGap(_ length: SensorDuration) {
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

  /// Specific force, apart or as half of an inertial sample.
  package var accelerometer = Counts()
  /// Angular velocity, apart or as half of an inertial sample.
  package var gyroscope = Counts()
  /// Magnetic field.
  package var magnetometer = Counts()
  /// Pressure of air and of water together.
  package var pressure = Counts()
  /// Temperature.
  package var temperature = Counts()
  /// Motion that came fused.
  package var motion = Counts()

  /// Nothing counted yet.
  package init() {}

  /// All kinds with a name for people, in a fixed order.
  package var named: [(name: String, counts: Counts)] {
    [
      ("accelerometer", accelerometer), ("gyroscope", gyroscope), ("magnetometer", magnetometer),
      ("pressure", pressure), ("temperature", temperature), ("fused motion", motion),
    ]
  }

  /// Dropped for any reason, over all kinds.
  package var dropped: Int { named.reduce(0) { $0 + $1.counts.dropped } }
  /// Gaps over all kinds.
  package var gaps: Int { named.reduce(0) { $0 + $1.counts.gaps } }
}
