// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// How a ``HeadTrackerSource`` reads.
package struct HeadTrackerOptions: Sendable, Hashable {
  /// Which way round the rotation vector of a report is meant.
  ///
  /// The protocol's text says "from the reference to the head", which can be read as either. Which one it is shows by itself
  /// as soon as the head moves (``HeadTrackerStatistics/contradictsDirection``); no real device has been tried.
  package enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The rotation is the head's pose in the reference: it turns directions along the head's axes into those of the reference.
    case headToReference = "head-to-reference"
    /// The inverse of that.
    case referenceToHead = "reference-to-head"
  }

  /// Where the devices are. Default: the system's own folders.
  package var root = SystemRoot()
  /// Hz that is requested, 1…200, within what the device offers; nil, the default: what the subscribers want, at most 100 Hz.
  package var rate: Double?
  /// Which way round the rotation vector is meant. Default: the head's pose. Not proven on hardware.
  package var direction = Direction.headToReference

  /// The defaults.
  package init() {}

  /// From the options of a URI such as `headtracker:?rate=50`: `rate`, `direction` (`head-to-reference`, `reference-to-head`), and `root`,
  /// a folder that stands for `/`.
  ///
  /// Anything else fails with `.invalidRequest`.
  package init(_ options: [String: String]) throws(SensorError) {
    try Self.table.apply(options, to: &self)
  }

  private static let table = SourceOptions<HeadTrackerOptions>(
    "a head tracker",
    [
      .number("rate", "Hz", in: 1...200, default: "what the subscribers want") { $0.rate = $1 },
      .choice("direction", Direction.self, default: "head-to-reference") { $0.direction = $1 },
      .root { $0.root = $1 },
    ])
}

/// What happened in the runs of a ``HeadTrackerSource`` so far.
package struct HeadTrackerStatistics: Sendable, Hashable {
  /// Reports of motion.
  package var reports = 0
  /// Reports that were too short, or not finite, or of another kind, and were dropped.
  package var strays = 0
  /// Times that the device said that its reference has jumped.
  package var discontinuities = 0
  /// Times that the device came back after it had gone.
  package var reconnections = 0
  /// Times that the clock was anchored again.
  package var anchorings = 0
  /// The interval that the device was set to, s; nil = it could not be set, or nothing has run yet.
  package var interval: Double?
  /// True when the motion so far says that the rotation vector is meant the other way round: say `direction=` with the other value.
  package var contradictsDirection = false
}
