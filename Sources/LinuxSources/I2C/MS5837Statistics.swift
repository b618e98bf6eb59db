// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// What happened in the runs of an ``MS5837Source`` so far, and everything that was not as it should be.
public struct MS5837Statistics: Sendable, Hashable {
  /// Samples measured.
  public var passes = 0
  /// Passes without a sample, because the bus failed for the moment.
  public var failedPasses = 0
  /// Passes without a sample, because the chip cannot have measured what it said.
  public var implausible = 0
  /// Times that the chip was reset and its memory read: once a run.
  public var resets = 0
  /// Resets that found another chip than the one before.
  public var exchanges = 0
  /// Why the last failed pass has failed; nil when none has.
  public var lastFailure: SensorError?

  /// Nothing yet.
  public init() {}
}
