// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// Turns the readings of a gyroscope, an accelerometer and perhaps a magnetometer into the orientation of the device.
///
/// The gyroscope carries the attitude from sample to sample; alone it drifts, because its zero (the bias), its scale and
/// its axes are never perfect. The accelerometer knows where up is, but only on average: it feels every push. The
/// magnetometer knows where north is, but only where no iron is near. An error-state Kalman filter weighs the three: it
/// does not estimate the attitude itself but the small error of the attitude that the gyroscope predicts, together with
/// the errors of the sensors that cause it.
///
/// ```swift
/// var filter = OrientationFilter(usesMagnetometer: false)
/// for reading in readings {                                    // in time order
///   switch reading {
///   case .rate(let rate, let time): filter.update(angularVelocity: rate, atNanoseconds: time)
///   case .force(let force, let time): filter.update(specificForce: force, atNanoseconds: time)
///   }
/// }
/// let up = filter.attitude.map { $0.inverse * Vector3<EastNorthUp>(x: 0, y: 0, z: 1) }
/// ```
///
/// The error has 23 components: attitude 3 (in the world frame, so that "heading" and "inclination" are components and not
/// mixtures), horizontal velocity 2, gyroscope bias 3, gyroscope scale and misalignment 9, delay of the magnetometer 1,
/// hard iron 3, strength of the field's horizontal and vertical part 2. The attitude moves with every gyroscope sample;
/// covariance and corrections follow once per block of about 0.1 s, which is as accurate and ten times cheaper.
///
/// The sensors may run at their own rates, out of step and with jitter; samples of one sensor must come in time order. A
/// reading that is not finite, far beyond any real sensor, or not later than the one before is ignored. The filter is a
/// value: no clock, no memory outside, no allocation; the same readings give the same bits.
///
/// The equations: Documentation/Filter.md. The error state in the world frame is the right-invariant form of Barrau and
/// Bonnabel, "The invariant extended Kalman filter as a stable observer", IEEE Trans. Automatic Control 62(4), 2017.
public struct OrientationFilter: Sendable {
  /// What the user chooses.
  public let parameters: Parameters
  /// True: nine degrees of freedom, +y of ``EastNorthUp`` is magnetic north. False: six, the azimuth is arbitrary.
  public let usesMagnetometer: Bool

  @usableFromInline let coefficients: Coefficients

  /// Everything the filter has learned, for a hot restart with ``init(parameters:usesMagnetometer:state:)``.
  public internal(set) var state: State

  /// A filter that knows nothing yet.
  public init(parameters: Parameters = Parameters(), usesMagnetometer: Bool) {
    self.init(
      parameters: parameters, usesMagnetometer: usesMagnetometer,
      state: State(parameters: parameters, usesMagnetometer: usesMagnetometer))
  }

  /// A filter that continues where another one stopped.
  ///
  /// When the next gyroscope sample follows within ``Parameters/longestGap``, the output is the same as without the stop;
  /// after a longer pause the filter levels itself again and keeps what it knows of the sensors.
  public init(parameters: Parameters = Parameters(), usesMagnetometer: Bool, state: State) {
    self.parameters = parameters
    self.usesMagnetometer = usesMagnetometer
    coefficients = Coefficients(parameters)
    self.state = state
    self.state.resize(usesMagnetometer: usesMagnetometer, parameters: parameters)
  }

  /// The orientation of the device at the time of the latest gyroscope sample; nil before the first usable specific force.
  ///
  /// A correction enters over the next block, so that the attitude has no steps and its derivative is the angular velocity;
  /// only a new levelling and the first heading show at once.
  @inlinable public var attitude: Rotation<Device, EastNorthUp>? {
    guard state.pose.isKnown else { return nil }
    return Pose.rotation(
      state.pose.quaternion, correction: state.pose.latestCorrection,
      remaining: Pose.remaining(state.pose.blockTime / coefficients.blockDuration), rate: state.pose.rate,
      delay: coefficients.gyroscopeDelay)
  }

  /// The angular velocity of the latest gyroscope sample, rad/s, bias and the learned scale and misalignment removed.
  @inlinable public var angularVelocity: Vector3<Device> {
    Vector3(x: Double(state.pose.rate.x), y: Double(state.pose.rate.y), z: Double(state.pose.rate.z))
  }

  /// What the gyroscope reads when the device does not turn, rad/s.
  @inlinable public var gyroscopeBias: Vector3<Device> { state.gyroscopeBias }

  /// True while the device has lain still for ``Parameters/restDuration`` or longer.
  @inlinable public var isAtRest: Bool { state.rest.isAtRest }

  /// True when a magnetometer has fixed the azimuth.
  @inlinable public var hasHeading: Bool { state.hasHeading }

  /// One standard deviation of the tilt, the angle between true and estimated vertical, in rad; π before the first attitude.
  ///
  /// It contains what the filter estimates of its errors, and what it cannot: the accelerometer's own error
  /// (``Parameters/accelerometerBiasDeviation``) and that of the time stamps while the device turns. 95 % of the tilts lie
  /// within 1.73 times this number (two axes: √(−ln 0.05)).
  @inlinable public var inclinationStandardDeviation: Double {
    guard state.pose.isKnown else { return .pi }
    let tilt = parameters.accelerometerBiasDeviation / standardGravity
    return (Double(state.inclinationVariance) + 2 * tilt * tilt + 2 * timeStampVariance).squareRoot()
  }

  /// One standard deviation of the heading in rad; at least π/√3, that of a uniformly random direction, while unknown.
  ///
  /// It is that of magnetic north in the surroundings, not of the field at the very spot
  /// (``Parameters/fieldDirectionDeviation``).
  @inlinable public var headingStandardDeviation: Double {
    let direction = parameters.fieldDirectionDeviation
    let known = (Double(state.headingVariance) + direction * direction + timeStampVariance).squareRoot()
    return state.hasHeading ? known : max(known, Double.pi / 3.0.squareRoot())
  }

  /// One standard deviation of the azimuth in rad as it has drifted since the first attitude: for a filter without a magnetometer,
  /// whose azimuth counts from there.
  @inlinable public var azimuthStandardDeviation: Double {
    (Double(state.headingVariance) + timeStampVariance).squareRoot()
  }

  /// The variance about each axis, rad², from the error of the time stamps: the rate has no preferred axis.
  @inlinable var timeStampVariance: Double {
    let rate = angularVelocity
    // A reading may stand for any moment of its interval.
    let interval = Double(state.rateInterval)
    return rate.dot(rate) / 3
      * (parameters.timeStampDeviation * parameters.timeStampDeviation + interval * interval / 12)
  }

  /// Resets the azimuth, the hard iron and the field, for example because the calibration of the magnetometer jumped.
  ///
  /// The attitude stays as it is until the next magnetometer reading, which initialises the heading again. Inclination and
  /// the knowledge of the gyroscope stay.
  public mutating func resetHeading() {
    state.hasHeading = false
    state.sums.clearField()
  }
}
