// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// How a ``HeadTrackerSource`` reads.
package struct HeadTrackerOptions: DeviceSettings {
  /// The direction of the rotation vector of a report.
  ///
  /// The protocol's text says "from the reference to the head", which can be read as either. The correct one is
  /// detected as soon as the head moves (``SourceStatistics/contradictsDirection``); no real device has been tried.
  package enum Direction: String, Sendable, Hashable, CaseIterable {
    /// The rotation is the head's pose in the reference: it converts directions in the head's axes to those of the
    /// reference.
    case headToReference = "head-to-reference"
    /// The inverse of that.
    case referenceToHead = "reference-to-head"
  }

  /// Where the devices are. Default: the system's own folders.
  package var root = SystemRoot()
  /// Hz that is requested, 1…200, within what the device offers; nil, the default: what the subscribers want, at most
  /// 100 Hz.
  package var rate: Double?
  /// Which way round the rotation vector is meant. Default: the head's pose. Not proven on hardware.
  package var direction = Direction.headToReference

  /// The defaults.
  package init() {}

  /// Those of a URI such as `headtracker:?rate=50`: `rate`, `direction` (`head-to-reference`, `reference-to-head`), and
  /// `root`, a folder that stands for `/`.
  package static let table = SourceOptions<HeadTrackerOptions>(
    "a head tracker",
    [
      .number("rate", "Hz", in: 1...200, default: "what the program requests") { $0.rate = $1 },
      .choice("direction", Direction.self, default: "head-to-reference") { $0.direction = $1 },
      .root { $0.root = $1 },
    ])
}
