// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What happened in the runs of an ``EvdevSource`` so far: its cost, and everything that was not as it should be.
public struct EvdevStatistics: Sendable, Hashable {
  /// Times that the reader thread was woken, by events, by a time limit or by a request.
  public var wakes = 0
  /// System calls that read from the device node.
  public var reads = 0
  /// Frames: all axes at one instant.
  public var frames = 0
  /// Times that the kernel's queue of 64 events was full and frames were lost; at 250 Hz it holds about 50 ms.
  public var drops = 0
  /// Times that the controller's clock was tied anew to ours.
  public var anchorings = 0
  /// Frames left out because the controller said that no time had passed.
  public var repeats = 0
  /// Runs in which the kernel could not stamp events by the monotonic clock, so that the times are those of reading.
  public var runsWithoutStamps = 0
}
