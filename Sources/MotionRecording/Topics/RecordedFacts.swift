// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// What the recording of another program tells of its clock and its accelerometer, for its description.
struct RecordedFacts: Sendable {
  var clock = RecordingDescription.Clock.none
  /// Unix time less the recording's time; nil = not known.
  var wallOffset: SensorDuration?
  /// The sign family of its accelerometer: "apple", "reaction"; nil where its numbers are of neither family as they stand.
  var sign: String?
  /// m/s² per g that it divided by, where that is not 9.80665.
  var gravityConstant: Double?

  /// Times that count from 1970 on.
  static func unixTime(sign: String? = nil, gravityConstant: Double? = nil) -> RecordedFacts {
    RecordedFacts(clock: .epoch, wallOffset: .zero, sign: sign, gravityConstant: gravityConstant)
  }

  /// As a description of these sensors.
  func description(_ info: SensorInfo) -> RecordingDescription {
    var description = RecordingDescription(info: info)
    (description.clock, description.wallOffset) = (clock, wallOffset)
    (description.sign, description.gravityConstant) = (sign, gravityConstant)
    return description
  }
}
