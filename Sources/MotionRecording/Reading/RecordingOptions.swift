// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// How to read a recording.
public struct RecordingOptions: Sendable, Hashable {
  /// Where orientation and gravity come from.
  public enum Motion: String, Sendable, Hashable, CaseIterable {
    /// From the raw sensors; what the phone computed itself is not used. A recording that holds Core Motion's output only gives
    /// its raw accelerometer back, gravity + user acceleration. Only where there is nothing to compute from (headphones) the
    /// recorded motion is delivered.
    case computed
    /// As the phone computed it, bit for bit; raw samples are still delivered for the raw services.
    case recorded
  }

  /// The phone's system, which decides units and signs of Sensor Logger files.
  public enum Platform: String, Sendable, Hashable, CaseIterable {
    case iOS = "ios"
    case android
  }

  /// Which way the accelerations of a mapped table point.
  public enum Sign: String, Sendable, Hashable, CaseIterable {
    /// Core Motion's: at rest, face up, z is negative.
    case apple
    /// The reaction to gravity, as nearly all other systems have it: at rest, face up, z is positive.
    case reaction
  }

  /// Default: computed.
  public var motion = Motion.computed
  /// True: damaged rows are counted and left out. False, the default: the first one ends the reading with an error.
  public var skipsErrors = false
  /// Overrides the detection; nil, the default: by content.
  public var format: RecordingFormat?
  /// For Sensor Logger files without `Metadata.csv`; nil, the default: what that file says.
  public var platform: Platform?
  /// The same, for the app's switch "standardise units and frames".
  public var isStandardised: Bool?

  /// The number of the dive to read, for logs that may hold several (Sensus); nil, the default: the only one.
  public var dive: Int?

  /// Which device of a recording that holds several: a name, "phone", "watch" or "headphones" of a Sensor Logger export, a topic of
  /// ROS 2 or its first part. A name that is not there is an error. Nil, the default: the only one; in the files of others the first.
  public var device: String?

  /// kg/m³ by which a log that holds depths is turned back into pressures; 950…1300. Default: 10 kPa a metre, as EN 13319.
  public var waterDensity = 10_000 / standardGravity

  /// The columns of a table that no format describes; it overrides the detection. Nil, the default: none.
  public var map: ColumnMap?
  /// For a mapped table with accelerations, which needs it; nil, the default: not said.
  public var sign: Sign?
  /// For a mapped table; nil, the default: its axes are the device's.
  public var axes: ColumnAxes?
  /// Hz, 0.1…100000: the rows of a mapped table without times. Nil, the default: the times count.
  public var rate: Double?

  /// Where the part that is read begins, from the recording's first sample on; zero, the default: with it.
  public var from = SensorDuration.zero
  /// Where the part ends, from the recording's first sample on: what was measured then or later is not in it. Nil, the default: at the
  /// end.
  public var to: SensorDuration?

  /// Computed motion, strict, detected by content.
  public init() {}
}
