// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// What happened to the samples of a source, counted per kind. Nothing is dropped without showing up here.
public struct TimelineStatistics: Sendable, Hashable {
  /// The counts of one kind of sensor.
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
    /// Dropped: a component was NaN or infinite, or a quaternion was not of length one.
    public var nonFinite = 0
    /// First and last delivered time.
    public var first: SensorInstant?
    public var last: SensorInstant?

    /// Nothing counted yet.
    public init() {}

    mutating func countGap(_ length: SensorDuration) {
      gaps += 1
      // A file can loop over the ends of time.
      let (sum, overflows) = gapNanoseconds.addingReportingOverflow(length.nanoseconds)
      gapNanoseconds = overflows ? .max : sum
    }

    /// Dropped for any reason.
    public var dropped: Int { late + duplicates + nonFinite }

    /// Mean rate in Hz between the first and the last delivered sample; nil below two samples.
    public var rate: Double? {
      guard let first, let last, delivered > 1, last > first else { return nil }
      return Double(delivered - 1) / (last - first).seconds
    }
  }

  /// Specific force, apart or as half of an inertial sample.
  public var accelerometer = Counts()
  /// Angular velocity, apart or as half of an inertial sample.
  public var gyroscope = Counts()
  /// Magnetic field.
  public var magnetometer = Counts()
  /// Pressure of air and of water together.
  public var pressure = Counts()
  /// Temperature.
  public var temperature = Counts()
  /// Motion that came fused.
  public var fusedMotion = Counts()

  /// Nothing counted yet.
  public init() {}

  /// All kinds with a name for people, in a fixed order.
  public var named: [(name: String, counts: Counts)] {
    [
      ("accelerometer", accelerometer), ("gyroscope", gyroscope), ("magnetometer", magnetometer),
      ("pressure", pressure), ("temperature", temperature), ("fused motion", fusedMotion),
    ]
  }

  /// Dropped for any reason, over all kinds.
  public var dropped: Int { named.reduce(0) { $0 + $1.counts.dropped } }
  /// Gaps over all kinds.
  public var gaps: Int { named.reduce(0) { $0 + $1.counts.gaps } }
}
