// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Where each quantity stands in the error vector of ``OrientationFilter``.
enum ErrorIndex {
  /// Rotation error in the world frame: x and y are inclination, z is heading. rad.
  static let attitude = 0
  static let heading = 2
  /// Horizontal velocity, east and north. m/s.
  static let velocity = 3
  /// Gyroscope bias, rad/s.
  static let bias = 5
  /// Gyroscope scale and misalignment, row by row.
  static let matrix = 8
  /// Delay of the magnetometer, s. From here on only with a magnetometer.
  static let delay = 17
  /// Hard iron, device axes, relative to the field.
  static let hardIron = 18
  /// The field's horizontal and downward part, relative.
  static let field = 21

  static let countWithoutField = 17
  static let count = 23
}
