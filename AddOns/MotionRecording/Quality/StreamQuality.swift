// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
package import MotionSensing

/// The regularity of one sensor's samples in a recording, and the quality of its readings.
///
/// ```swift
/// var quality = RecordingQuality(channels: recording.info.channels)
/// while let sample = try reader.next() { quality.update(sample) }
/// for stream in quality.streams { print(stream.kind.names, stream.rate ?? 0, stream.gaps) }
/// ```
package struct StreamQuality: Sendable, Hashable {
  /// A pause, or a step of the clock.
  package struct Pause: Sendable, Hashable {
    /// The time of the last sample before it.
    package var start: SensorInstant
    /// From that sample to the next; negative for a clock that was put back.
    package var duration: SensorDuration
  }

  /// What the sensor measures: one kind.
  package let kind: SensorKinds
  /// All of them, repeated and misplaced ones too.
  package internal(set) var samples = 0
  /// Samples of a pressure that tell the temperature as well.
  package internal(set) var temperatures = 0
  /// The earliest time; nil without samples.
  package internal(set) var first: SensorInstant?
  /// The latest time; nil without samples.
  package internal(set) var last: SensorInstant?
  /// The median interval between successive samples; nil below two samples.
  package internal(set) var interval: SensorDuration?
  /// 5 % of the intervals are shorter.
  package internal(set) var shortInterval: SensorDuration?
  /// 5 % of the intervals are longer.
  package internal(set) var longInterval: SensorDuration?
  /// Pauses as ``SamplePeriod`` defines them, and what is missing at the beginning and the end of the recording.
  package internal(set) var gaps = 0
  /// Their length together.
  package internal(set) var gapTime = SensorDuration.zero
  /// The longest of them; nil without gaps.
  package internal(set) var longestGap: Pause?
  /// Steps of the clock: back by more than a second, or ahead by more than an hour.
  package internal(set) var clockJumps = 0
  /// The first of them.
  package internal(set) var firstClockJump: Pause?
  /// Samples with the time of the one before.
  package internal(set) var repeats = 0
  /// Samples from before the latest one, by a second at most.
  package internal(set) var outOfOrder = 0
  /// Samples of which an axis stood at the end of its range.
  package internal(set) var saturated = 0
  /// The end of the range, SI unit of the kind: as stated, or, where nothing is stated, the largest magnitude at which
  /// the curve of the readings has flat tops. Nil = not known.
  package internal(set) var range: Double?
  /// The axes that stop there, or at an end of their own.
  package internal(set) var clippings: [Clipping] = []
  /// Of a gyroscope: that the device turns too far between two readings.
  package internal(set) var turnWarning: String?
  /// Of the recording, before the first and behind the last sample; it is counted as gaps, too.
  package private(set) var missing = SensorDuration.zero
  private var previous: SensorInstant?
  private var period = SamplePeriod()

  init(kind: SensorKinds) { self.kind = kind }

  /// Hz, by the median interval, which gaps do not move; nil below two samples.
  package var rate: Double? { interval.flatMap { $0 > .zero ? 1 / $0.seconds : nil } }
  /// From the first sample to the last.
  package var duration: SensorDuration {
    guard let first, let last else { return .zero }
    return last - first
  }
  /// Of the recording, 0…1, that lies in gaps.
  package var gapShare: Double {
    let whole = duration + missing
    return whole > .zero ? min(1, gapTime.seconds / whole.seconds) : 0
  }
  /// Of the samples, 0…1, that are saturated.
  package var saturatedShare: Double { samples > 0 ? Double(saturated) / Double(samples) : 0 }
}

extension StreamQuality {
  /// A step back by more than this is a clock that was put back, not a late sample.
  private static let latest = SensorDuration.seconds(1)
  /// A step ahead by more than this is a clock that was put forward, not a pause.
  private static let longestPause = SensorDuration.seconds(3600)

  /// Takes the time of the next sample; returns the interval that it ends, where it ends one.
  mutating func update(_ time: SensorInstant) -> SensorDuration? {
    samples += 1
    first = min(first ?? time, time)
    last = max(last ?? time, time)
    guard let before = previous else {
      previous = time
      return nil
    }
    let step = time - before
    switch step {
    case .zero: repeats += 1
    case ..<(SensorDuration.zero - Self.latest), (Self.longestPause + SensorDuration(nanoseconds: 1))...:
      clockJumps += 1
      firstClockJump = firstClockJump ?? .init(start: before, duration: step)
      previous = time
    case ..<SensorDuration.zero: outOfOrder += 1
    default:
      previous = time
      if period.update(step) { countGap(.init(start: before, duration: step)) }
      return step
    }
    return nil
  }

  /// Counts what the sensor misses of a recording that begins and ends with the samples of another one.
  fileprivate mutating func close(from start: SensorInstant, to end: SensorInstant) {
    guard let first, let last else { return }
    for edge in [Pause(start: start, duration: first - start), Pause(start: last, duration: end - last)]
    where period.isMissing(edge.duration, of: end - start, mayBeSingle: kind == .temperature) {
      missing = missing + edge.duration
      countGap(edge)
    }
    for pause in period.earlyPauses { countGap(.init(start: first, duration: pause)) }
  }

  private mutating func countGap(_ pause: Pause) {
    gaps += 1
    gapTime = gapTime + pause.duration
    if longestGap.map({ pause.duration > $0.duration }) ?? true { longestGap = pause }
  }
}

extension [StreamQuality] {
  /// The same as parts of one recording: a sensor that begins later or ends earlier than the others has a gap there.
  /// Where a clock jumped, beginning and end are not known.
  var closed: [StreamQuality] {
    guard let start = compactMap(\.first).min(), let end = compactMap(\.last).max(),
      !contains(where: { $0.clockJumps > 0 })
    else { return self }
    return map { stream in
      var stream = stream
      stream.close(from: start, to: end)
      return stream
    }
  }
}

/// Watches the samples of one sensor.
struct StreamMeter: Sendable {
  private var result: StreamQuality
  private var intervals = IntervalDistribution()
  private var saturation: SaturationMeter
  private var turns = TurnMeter()

  init(kind: SensorKinds, range: Double?) {
    result = StreamQuality(kind: kind)
    saturation = SaturationMeter(kind: kind, range: range)
  }

  var samples: Int { result.samples }

  mutating func update(_ time: SensorInstant, _ value: Vector3<Device>?) {
    if let step = result.update(time) { intervals.add(step) }
    guard let value else { return }
    saturation.update(time, x: value.x, y: value.y, z: value.z)
    if result.kind == .gyroscope { turns.update(value, at: time) }
  }

  /// What is known so far.
  var quality: StreamQuality {
    var result = result
    let quantiles = intervals.quantiles([0.05, 0.5, 0.95])
    if quantiles.count == 3 {
      (result.shortInterval, result.interval, result.longInterval) = (quantiles[0], quantiles[1], quantiles[2])
    }
    (result.saturated, result.range) = (min(result.samples, saturation.count), saturation.limit)
    result.clippings = saturation.clippings
    result.turnWarning = turns.warning
    return result
  }
}

/// How long the intervals between samples were, in bounded memory: quantiles to one part in a thousand.
///
/// A histogram whose bins are as wide as their value demands: below 1024 ns one nanosecond, above it each power of two
/// is cut into 1024 bins. A bin keeps the sum of what fell into it, so a stream of equal intervals gives exactly that
/// interval. At most 55,000 bins whatever comes; real streams use a few hundred. Source: the log-linear bucketing of
/// HdrHistogram (G. Tene, public domain).
struct IntervalDistribution: Sendable {
  private struct Bin {
    var key: UInt32
    var count = 0
    var sum: Double = 0
  }

  private var bins: [Bin] = []
  private var places: [UInt32: Int] = [:]
  /// The bin of the interval before: most intervals fall where the last one fell.
  private var latest = 0
  /// Intervals counted.
  private(set) var count = 0

  private static let precision = 10

  private static func key(_ value: UInt64) -> UInt32 {
    let shift = max(0, 63 - precision - value.leadingZeroBitCount)
    return UInt32(shift) << 11 | UInt32(truncatingIfNeeded: value >> UInt64(shift))
  }

  /// Counts an interval; negative ones are not intervals and are dropped.
  mutating func add(_ interval: SensorDuration) {
    guard interval >= .zero else { return }
    let key = Self.key(UInt64(interval.nanoseconds))
    if bins.isEmpty || bins[latest].key != key {
      if let place = places[key] {
        latest = place
      } else {
        latest = bins.count
        places[key] = latest
        bins.append(Bin(key: key))
      }
    }
    bins[latest].count += 1
    bins[latest].sum += Double(interval.nanoseconds)
    count += 1
  }

  /// The intervals below which the given shares (0…1, ascending) of all lie; empty when nothing was counted.
  func quantiles(_ shares: [Double]) -> [SensorDuration] {
    guard count > 0 else { return [] }
    let sorted = bins.sorted { $0.key < $1.key }
    var result: [SensorDuration] = []
    var (index, passed) = (0, sorted[0].count)
    for share in shares {
      let rank = Int(clamping: (share * Double(count)).rounded(.down))
      while passed <= rank, index < sorted.count - 1 {
        index += 1
        passed += sorted[index].count
      }
      let mean = sorted[index].sum / Double(sorted[index].count)
      result.append(SensorDuration(nanoseconds: Int64(clamping: mean.rounded())))
    }
    return result
  }
}

/// Which part of a recording each sensor covers: the gaps alone, without the distributions of ``RecordingQuality``.
package struct RecordingCoverage: Sendable, Hashable {
  private var meters: [StreamQuality] = []
  /// Of each meter; nil for samples, which come from one topic each.
  private var topics: [Topic?] = []

  /// Nothing seen yet.
  package init() {}

  /// Takes the next sample.
  package mutating func update(_ sample: SensorSample) {
    switch sample {
    case .inertial(let sample):
      update(.accelerometer, at: sample.accelerometer.time)
      update(.gyroscope, at: sample.gyroscope.time)
    default: update(sample.kinds, at: sample.time)
    }
  }

  /// Takes the time of the next sample of one kind.
  package mutating func update(_ kind: SensorKinds, of topic: Topic? = nil, at time: SensorInstant) {
    _ = meters[place(kind, topic)].update(time)
  }

  /// The place of a kind's meter; a new one where there is none.
  private mutating func place(_ kind: SensorKinds, _ topic: Topic?) -> Int {
    let place = meters.indices.first { meters[$0].kind == kind && topics[$0] == topic } ?? meters.count
    if place == meters.count {
      meters.append(StreamQuality(kind: kind))
      topics.append(topic)
    }
    return place
  }

  /// Takes the time of the next message of a topic; those of the only device that hold samples count.
  package mutating func update(_ topic: Topic, at time: SensorInstant) {
    guard topic.device.isEmpty, let kind = TopicSelection.sensor(of: topic.kind) else { return }
    update(kind, of: topic, at: time)
  }

  /// The first sample of all.
  package var start: SensorInstant? { meters.compactMap(\.first).min() }

  /// What is known of each sensor that misses a part, or of which times are repeated or misplaced.
  package var incomplete: [StreamQuality] {
    meters.closed.filter { $0.gaps + $0.clockJumps + $0.repeats + $0.outOfOrder > 0 }
  }
}
