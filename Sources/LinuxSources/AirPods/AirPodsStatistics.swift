// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What happened in the runs of an ``AirPodsSource`` so far: nothing is left out in silence.
public struct AirPodsStatistics: Sendable, Hashable {
  /// Times that a channel was asked for.
  public var openings = 0
  /// Times that a channel was lost, or refused.
  public var failures = 0
  /// Packets of any kind.
  public var packets = 0
  /// Packets that were not of the form that their head says.
  public var malformedPackets = 0
  /// Reports of motion.
  public var reports = 0
  /// Reports refused: another record, too short, or no unit quaternion.
  public var refusedReports = 0
  /// Reports that came while nobody wore the headphones, or nobody wanted motion.
  public var unwantedReports = 0
  /// Reports left out because they were not newer than the one before.
  public var repeatedReports = 0
  /// Reports that are missing by the bud's own count of its steps.
  public var lostReports = 0
  /// Reports whose smoothed gravity has not the length of gravity; they are delivered.
  public var implausibleReports = 0
  /// Times that motion was asked for.
  public var starts = 0
  /// Times that motion stopped coming although it was wanted.
  public var stalls = 0
  /// Times that the bud's clock was tied anew to ours.
  public var anchorings = 0
}
