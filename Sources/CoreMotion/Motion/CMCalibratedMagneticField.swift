// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// How far the device's own field is known, and so how much a calibrated field can be trusted.
public enum CMMagneticFieldCalibrationAccuracy: Int32, Sendable, BitwiseCopyable {
  case uncalibrated = -1
  case low = 0
  case medium = 1
  case high = 2
  /// Never a value: keeps a client's `default` behind all cases reachable (see ``CMAuthorizationStatus``).
  @available(*, unavailable) case _unlisted = -999
}

/// The field around the device, its own removed, with the accuracy of that removal.
///
/// While the accuracy is `.uncalibrated`, and in the reference frames that do not use the magnetometer, the field is
/// (0, 0, 0). `init()` is a zero field with accuracy `.low`, whose raw value is zero.
public struct CMCalibratedMagneticField: Sendable, BitwiseCopyable {
  /// µT, device axes.
  public var field: CMMagneticField
  /// How far `field` can be trusted.
  public var accuracy: CMMagneticFieldCalibrationAccuracy

  /// A zero field of accuracy `.low`.
  public init() { (field, accuracy) = (CMMagneticField(), .low) }
  /// A field with its accuracy.
  public init(field: CMMagneticField, accuracy: CMMagneticFieldCalibrationAccuracy) {
    (self.field, self.accuracy) = (field, accuracy)
  }
}
