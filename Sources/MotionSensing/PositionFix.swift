// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// A position from a satellite receiver (GNSS). What the receiver does not say is nil.
package struct PositionFix: Sendable, Hashable, BitwiseCopyable {
  /// Since 1970-01-01 00:00 UTC, by the receiver's clock.
  package var time: SensorInstant
  /// rad, north positive, and rad, east positive; WGS 84.
  package var latitude, longitude: Double
  /// Metres above the WGS 84 ellipsoid.
  package var height: Double?
  /// m/s over ground. Receivers derive it from the Doppler shift: it is far more exact than the difference of two
  /// positions.
  package var speed: Double?
  /// Metres, one standard deviation: horizontal, and vertical.
  package var horizontalDeviation, verticalDeviation: Double?

  package init(
    time: SensorInstant, latitude: Double, longitude: Double, height: Double? = nil, speed: Double? = nil,
    horizontalDeviation: Double? = nil, verticalDeviation: Double? = nil
  ) {
    (self.time, self.latitude, self.longitude) = (time, latitude, longitude)
    (self.height, self.speed) = (height, speed)
    (self.horizontalDeviation, self.verticalDeviation) = (horizontalDeviation, verticalDeviation)
  }
}
