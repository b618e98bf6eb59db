// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// What happened in the runs of an ``IIOSource`` so far: its cost, and everything that was not as it should be.
public struct IIOStatistics: Sendable, Hashable {
  /// Times that the reader thread was woken, by a buffer, by a time limit or by a request.
  public var wakes = 0
  /// System calls that read from a device node.
  public var reads = 0
  /// Passes over the attributes of a polled device.
  public var passes = 0
  /// Distances between two records of more than ten periods: something is missing there.
  public var gaps = 0
  /// Times that the clock of a device was tied anew to ours.
  public var anchorings = 0
  /// Records left out because their time went back.
  public var backwards = 0
  /// Readings left out because they were no finite number.
  public var notFinite = 0
  /// Reads that found a full buffer: the kernel may have dropped what came next.
  public var fullBuffers = 0
  /// Buffers switched off and on because nothing had come for two seconds. A sensor with a threshold is silent at rest.
  public var restarts = 0
  /// Attributes that failed for the moment, on a polled device.
  public var failedPasses = 0
  /// Why devices were polled instead of read through their buffers, the last 16 reasons.
  public var fallbacks: [SensorError] = []

  mutating func note(_ reason: SensorError) {
    if fallbacks.count >= 16 { fallbacks.removeFirst() }
    fallbacks.append(reason)
  }
}
