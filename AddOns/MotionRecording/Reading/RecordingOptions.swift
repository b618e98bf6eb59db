// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// How to read a recording.
public struct RecordingOptions: Sendable, Hashable {
  /// The origin of orientation and gravity.
  public enum Motion: String, Sendable, Hashable, CaseIterable {
    /// From the raw sensors; the motion that the phone computed is not used. For a recording with only Core Motion's
    /// output, the raw accelerometer is gravity + user acceleration. The recorded motion is delivered only if there is
    /// nothing to compute from (headphones).
    case computed
    /// As the phone computed it, bit for bit; raw samples are still delivered for the raw services.
    case recorded
  }

  /// The phone's system, which determines units and signs of Sensor Logger files.
  public enum Platform: String, Sendable, Hashable, CaseIterable {
    case iOS = "ios"
    case android
  }

  /// The sign of the accelerations of a mapped table.
  public enum Sign: String, Sendable, Hashable, CaseIterable {
    /// Core Motion's: at rest, face up, z is negative.
    case apple
    /// The reaction to gravity, as in nearly all other systems: at rest, face up, z is positive.
    case reaction
  }

  /// Default: computed.
  public var motion = Motion.computed
  /// What becomes of damaged rows. Default: the first one ends the reading with an error.
  public var damage = DamagePolicy.stop
  /// Overrides the detection; nil, the default: by content.
  public var format: RecordingFormat?
  /// For Sensor Logger files without `Metadata.csv`; nil, the default: as in that file.
  public var platform: Platform?
  /// The same for the app's setting "standardise units and frames".
  public var isStandardised: Bool?

  /// Which device of a recording that holds several: a name, "phone", "watch" or "headphones" of a Sensor Logger
  /// export, a topic of ROS 2 or its first part. A missing name is an error. Nil, the default: the only one; in files
  /// of other programs the first.
  public var device: String?

  /// The columns of a table of an unknown format; overrides the detection. Nil, the default: none.
  public var map: ColumnMap?
  /// For a mapped table with accelerations, which needs it; nil, the default: not given.
  public var sign: Sign?
  /// For a mapped table; nil, the default: its axes are the device's.
  public var axes: ColumnAxes?
  /// Hz, 0.1…100000: the row rate of a mapped table without times. Nil, the default: the times are used.
  public var rate: Double?

  /// Start of the part that is read, from the recording's first sample; zero, the default: at the first sample.
  public var from = SensorDuration.zero
  /// End of the part that is read, from the recording's first sample; samples at or after this time are not in it. Nil,
  /// the default: at the end.
  public var to: SensorDuration?

  /// Computed motion, strict, detected by content.
  public init() {}
}
