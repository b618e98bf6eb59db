// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Where positions come from while the sensors run: a receiver, or a file (`MOTION_LOCATION`).
package protocol PositionTrack: Sendable {
  /// True for a receiver, whose positions belong to now and to no recording.
  var isLive: Bool { get }

  /// The fixes in the order in which they come, in a pass of the caller's own: a file from its beginning and as fast as it is read, a
  /// receiver from now on. One that cannot be read, or holds no position, ends with an error. `report` gets a sentence about what is
  /// wrong while it goes on.
  func fixes(report: @escaping @Sendable (String) -> Void) -> AsyncThrowingStream<PositionFix, any Error>

  /// A pass through a file, a fix at a call, nil after the last; nil for a receiver.
  func reader(
    report: @escaping @Sendable (String) -> Void
  ) -> (@Sendable () throws(SensorError) -> PositionFix?)?
}

/// A kind of position track, by the text of its setting.
package struct PositionTrackScheme: Sendable {
  /// The track that a setting names; nil when it names something else.
  package var open: @Sendable (String) throws(SensorError) -> (any PositionTrack)?

  package init(_ open: @escaping @Sendable (String) throws(SensorError) -> (any PositionTrack)?) { self.open = open }
}
