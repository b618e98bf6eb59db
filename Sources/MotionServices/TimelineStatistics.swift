// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// What happened to the samples of a source, counted per kind. Nothing is dropped without showing up here.
public struct TimelineStatistics: Sendable, Hashable {
  public struct Counts: Sendable, Hashable {
    /// Samples that went on to the services.
    public var delivered = 0
    /// Pauses of more than two and a half periods between samples that were delivered.
    public var gaps = 0
    /// The length of those pauses together, ns.
    public var gapNanoseconds: Int64 = 0
    /// Dropped: older than the latest sample of its kind.
    public var late = 0
    /// Dropped: the same time stamp as the latest of its kind.
    public var duplicates = 0
    /// Dropped: a component was NaN or infinite.
    public var nonFinite = 0
    /// First and last delivered time.
    public var first: SensorInstant?
    public var last: SensorInstant?

    public init() {}

    /// Dropped for any reason.
    public var dropped: Int { late + duplicates + nonFinite }

    /// Mean rate in Hz between the first and the last delivered sample; nil below two samples.
    public var rate: Double? {
      guard let first, let last, delivered > 1, last > first else { return nil }
      return Double(delivered - 1) / (last - first).seconds
    }
  }

  public var accelerometer = Counts()
  public var gyroscope = Counts()
  public var magnetometer = Counts()
  public var pressure = Counts()
  public var temperature = Counts()
  public var fusedMotion = Counts()

  public init() {}

  /// All kinds with a name for people, in a fixed order.
  public var named: [(name: String, counts: Counts)] {
    [
      ("accelerometer", accelerometer), ("gyroscope", gyroscope), ("magnetometer", magnetometer),
      ("pressure", pressure), ("temperature", temperature), ("fused motion", fusedMotion),
    ]
  }

  public var dropped: Int { named.reduce(0) { $0 + $1.counts.dropped } }
  public var gaps: Int { named.reduce(0) { $0 + $1.counts.gaps } }
}
