// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// What a writer made of the items that it was given: nothing is left out in silence.
public struct WriterCounts: Sendable, Hashable {
  /// Rows, lines or messages written.
  public var rows = 0
  /// Items for which the format has no place: a pressure in a trajectory.
  public var unsupported = 0
  /// Samples that a slower sensor's rows left no room for, or that lack their counterpart.
  public var superseded = 0
  /// Samples with a number that is not finite, where the format has no word for that.
  public var nonFinite = 0

  /// Nothing written, nothing left out.
  public init() {}
}

/// A writer that tells what became of its items.
public protocol CountingWriter: RecordingWriter {
  /// So far.
  var counts: WriterCounts { get }
}
