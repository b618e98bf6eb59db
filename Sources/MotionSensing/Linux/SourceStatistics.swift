// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Statistics of all runs of a source: its cost, and all faults. Nothing is dropped silently.
///
/// All sources of the kernel's devices count with it; what does not exist for a source stays 0.
package struct SourceStatistics: Sendable, Hashable {
  /// Nothing has happened.
  package init() {}

  // MARK: Cost

  /// Times that the reader thread was woken, by a device, by a time limit or by a request; and system calls that read
  /// from a device.
  package var wakes = 0, reads = 0
  /// Passes over a device that is polled, and those that failed for the moment.
  package var passes = 0, failedPasses = 0
  /// Frames of a controller (all axes at one instant), packets of any kind, and reports of motion.
  package var frames = 0, packets = 0, reports = 0

  // MARK: Losses

  /// Times that the kernel's queue of a controller's 64 events was full and frames were lost (at 250 Hz it holds about
  /// 50 ms), and reads that found a full buffer, behind which the kernel may have dropped records.
  package var drops = 0, fullBuffers = 0
  /// Distances between two records of more than ten periods, and reports that are missing by the device's own count.
  package var gaps = 0, lostReports = 0

  // MARK: Dropped

  /// Samples that were not newer than the one before.
  package var repeats = 0
  /// Readings that were not finite.
  package var notFinite = 0
  /// Packets and reports that were not of the form that they claim, or of another kind.
  package var malformed = 0
  /// Reports of motion that were refused (another record, too short, or no unit quaternion), and those that came while
  /// the headphones were not worn or motion was not wanted.
  package var refusedReports = 0, unwantedReports = 0
  /// Reports whose smoothed gravity has not the length of gravity; they are delivered all the same.
  package var implausibleReports = 0

  // MARK: Clock

  /// Times that the device's clock was anchored again to ours, and runs in which the kernel could not stamp by the
  /// monotonic clock, so that the times are those of reading.
  package var anchorings = 0, runsWithoutStamps = 0

  // MARK: Coming and going

  /// Times that a channel was asked for, and times that one was lost or refused.
  package var openings = 0, failures = 0
  /// Times that motion was asked for, and that it stopped coming although it was wanted.
  package var starts = 0, stalls = 0
  /// How often a device reconnected, and how often it reported a jump of its reference.
  package var reconnections = 0, discontinuities = 0
  /// Buffers switched off and on because nothing had come for two seconds. A sensor with a threshold is silent at rest.
  package var restarts = 0

  // MARK: What a device has shown

  /// The interval that a head tracker was set to, s; nil = it could not be set, or nothing has run yet.
  package var interval: Double?
  /// True when the motion so far shows that a head tracker's rotation is meant the other way round: say `direction=`
  /// with the other value.
  package var contradictsDirection = false
  /// Why devices were polled instead of read through their buffers, the last 16 reasons.
  package var fallbacks: [SensorError] = []

  package mutating func note(_ reason: SensorError) {
    if fallbacks.count >= 16 { fallbacks.removeFirst() }
    fallbacks.append(reason)
  }
}
