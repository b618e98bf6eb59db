// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath
public import MotionSensing

/// The state of motion at one gyroscope sample, in SI and east-north-up.
///
/// It holds up to two solutions, because its readers may want different reference frames at the same time: one without the
/// magnetometer and one with it.
public struct DeviceMotion: Sendable {
  /// What one orientation filter says.
  public struct Solution: Sendable, BitwiseCopyable {
    /// Device → east-north-up. The azimuth is arbitrary while `hasHeading` is false.
    public var attitude: Rotation<Device, EastNorthUp>
    /// rad/s, device axes, bias removed.
    public var angularVelocity: Vector3<Device>
    /// True when the azimuth counts from magnetic north.
    public var hasHeading: Bool
    /// One standard deviation of the direction of gravity, rad.
    public var inclinationStandardDeviation: Double
    /// One standard deviation of the azimuth, rad.
    public var headingStandardDeviation: Double

    /// Where up is, a unit vector in device axes.
    public var up: Vector3<Device> { attitude.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1) }
  }

  /// The ambient magnetic field, the device's own removed.
  public struct Field: Sendable {
    /// Tesla, device axes.
    public var magneticField: Vector3<Device>
    /// How far the device's own field is known: −1 uncalibrated, 0 low, 1 medium, 2 high.
    public var accuracy: Int8

    /// True when the device's own field is known at all.
    public var isCalibrated: Bool { accuracy >= 0 }
  }

  /// When the gyroscope sample was taken that the state belongs to.
  public var time: SensorInstant
  /// The accelerometer sample nearest to `time`: the one that this state of motion was made from.
  public var accelerometer: AccelerometerSample
  /// From accelerometer and gyroscope; nil when nobody asked for it.
  public var sixAxis: Solution?
  /// With the magnetometer; nil when nobody asked for it or there is none.
  public var nineAxis: Solution?
  /// Nil before the first magnetometer sample.
  public var field: Field?
  /// True when the device has been still for a while.
  public var isAtRest: Bool
  /// Counts the runs of the source. With a new one the filters begin anew, and an azimuth without heading is another than before.
  public var run = 0
  /// The sensor that spoke, where a device has several: the side of a pair of headphones.
  public var location = FusedMotionSample.Location.device
}
