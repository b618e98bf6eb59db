// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
public import MotionSensing

/// Holds the measured dip angle against the one that a magnetic model gives for the place.
///
/// A calibration can fit its own samples well and still be wrong, for instance indoors, where the field itself is bent. Where the
/// place is known, the angle between field and horizon tells: it may differ from the model's by ``tolerance`` before "high" is no
/// longer believed (spec/heading-and-magnetometer.md, accuracy levels). The measured angle is averaged, so that one passing car does
/// not show.
public struct DipCheck: Sendable {
  /// Rad: five degrees.
  public static let tolerance = 5 * Double.pi / 180
  /// Of the average, s.
  static let timeConstant = 2.0

  private var dip: Double?
  private var last: SensorInstant?

  /// Nothing measured yet.
  public init() {}

  /// Takes a calibrated field (T) and the direction up, both in device axes; true while the averaged dip agrees with `expected` (rad,
  /// positive when the field points down).
  public mutating func agrees(
    _ field: Vector3<Device>, up: Vector3<Device>, with expected: Double, at time: SensorInstant
  ) -> Bool {
    let size = field.length
    guard size > 0 else { return true }
    let measured = Scalar.asin(max(-1, min(1, -field.dot(up) / size)))
    let interval = last.map { max(0, (time - $0).seconds) } ?? 0
    let old = dip ?? measured
    let average = old + (measured - old) * interval / (interval + Self.timeConstant)
    (dip, last) = (average, time)
    return abs(average - expected) <= Self.tolerance
  }
}
