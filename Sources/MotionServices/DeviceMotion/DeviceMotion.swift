// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
package import MotionSensing

/// The state of motion at one gyroscope sample, in SI and east-north-up.
///
/// It holds up to two solutions, because its readers may want different reference frames at the same time: one without
/// the magnetometer and one with it.
package struct DeviceMotion: Sendable {
  /// The output of one orientation filter.
  package struct Solution: Sendable, BitwiseCopyable {
    /// Device → east-north-up. The azimuth is arbitrary while `hasHeading` is false.
    package var attitude: Rotation<Device, EastNorthUp>
    /// rad/s, device axes, bias removed.
    package var angularVelocity: Vector3<Device>
    /// True when the azimuth counts from magnetic north.
    package var hasHeading: Bool
    /// One standard deviation of the direction of gravity, rad.
    package var inclinationStandardDeviation: Double
    /// One standard deviation of the azimuth, rad: from magnetic north, without a magnetometer since the start.
    package var headingStandardDeviation: Double

    /// Where up is, a unit vector in device axes.
    package var up: Vector3<Device> { attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1) }
  }

  /// The ambient magnetic field, the device's own removed.
  package struct Field: Sendable {
    /// Tesla, device axes.
    package var magneticField: Vector3<Device>
    /// How far the device's own field is known: −1 uncalibrated, 0 low, 1 medium, 2 high.
    package var accuracy: Int8

    /// True when the device's own field is known at all.
    package var isCalibrated: Bool { accuracy >= 0 }
  }

  /// When the gyroscope sample was taken that the state belongs to.
  package var time: SensorInstant
  /// The accelerometer sample nearest to `time`: the one that this state of motion was made from.
  package var accelerometer: AccelerometerSample
  /// From accelerometer and gyroscope; nil when it was not requested.
  package var sixAxis: Solution?
  /// With the magnetometer; nil when it was not requested or there is none.
  package var nineAxis: Solution?
  /// Nil before the first magnetometer sample.
  package var field: Field?
  /// True when the device has been still for a while.
  package var isAtRest: Bool
  /// Counts the runs of the source. With a new one the filters start again, and an azimuth without heading is another
  /// than before.
  package var run = 0
  /// The sensor that measured, where a device has several: the side of a pair of headphones.
  package var location = MotionRow.Location.device
  /// True when the solution includes what comes after it, too.
  package var isSmoothed = false
}
