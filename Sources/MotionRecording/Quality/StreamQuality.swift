// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// How regularly one sensor of a recording spoke, and how its readings look.
///
/// ```swift
/// var quality = RecordingQuality(channels: recording.info.channels)
/// while let sample = try reader.next() { quality.update(sample) }
/// for stream in quality.streams { print(stream.kind.names, stream.rate ?? 0, stream.gaps) }
/// ```
public struct StreamQuality: Sendable, Hashable {
  /// A pause, or a step of the clock.
  public struct Pause: Sendable, Hashable {
    /// The time of the last sample before it.
    public var start: SensorInstant
    /// From that sample to the next; negative for a clock that was put back.
    public var duration: SensorDuration
  }

  /// What the sensor measures: one kind.
  public let kind: SensorKinds
  /// All of them, repeated and misplaced ones too.
  public internal(set) var samples = 0
  /// The earliest time; nil without samples.
  public internal(set) var first: SensorInstant?
  /// The latest time; nil without samples.
  public internal(set) var last: SensorInstant?
  /// The median interval between successive samples; nil below two samples.
  public internal(set) var interval: SensorDuration?
  /// 5 % of the intervals are shorter.
  public internal(set) var shortInterval: SensorDuration?
  /// 5 % of the intervals are longer.
  public internal(set) var longInterval: SensorDuration?
  /// Pauses of more than two and a half periods.
  public internal(set) var gaps = 0
  /// Their length together.
  public internal(set) var gapTime = SensorDuration.zero
  /// The longest of them; nil without gaps.
  public internal(set) var longestGap: Pause?
  /// Steps of the clock: back by more than a second, or ahead by more than an hour.
  public internal(set) var clockJumps = 0
  /// The first of them.
  public internal(set) var firstClockJump: Pause?
  /// Samples with the time of the one before.
  public internal(set) var repeats = 0
  /// Samples from before the latest one, by a second at most.
  public internal(set) var outOfOrder = 0
  /// Samples of which an axis stood at the end of its range.
  public internal(set) var saturated = 0
  /// The end of the range, SI unit of the kind: as declared, or, where nothing is declared, the largest reading if the sensor
  /// stood at it for at least three samples in a row. Nil = not known.
  public internal(set) var range: Double?

  init(kind: SensorKinds) { self.kind = kind }

  /// Hz, by the median interval, which gaps do not move; nil below two samples.
  public var rate: Double? { interval.flatMap { $0 > .zero ? 1 / $0.seconds : nil } }
  /// From the first sample to the last.
  public var duration: SensorDuration {
    guard let first, let last else { return .zero }
    return last - first
  }
  /// Of the duration, 0…1, that lies in gaps.
  public var gapShare: Double { duration > .zero ? min(1, gapTime.seconds / duration.seconds) : 0 }
  /// Of the samples, 0…1, that are saturated.
  public var saturatedShare: Double { samples > 0 ? Double(saturated) / Double(samples) : 0 }
}
