// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

/// Computes the orientation of the device from a gyroscope, an accelerometer and optionally a magnetometer.
///
/// The gyroscope advances the attitude from sample to sample; alone it drifts, because its bias, its scale and its axes
/// are not perfect. The accelerometer gives the vertical, but only on average, because it also measures every motion.
/// The magnetometer gives north, but only away from iron. An error-state Kalman filter combines the first two: it does
/// not estimate the attitude itself but the small error of the attitude that the gyroscope predicts, together with the
/// errors of the sensors that cause it. A second one, linear, finds the field and the device's own iron in the world of
/// that attitude, and what they say of its azimuth.
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
/// Three models of how the device moves share one attitude. Each has ten errors of its own: attitude 3 (in the world
/// frame, so that "azimuth" and "inclination" are components and not mixtures), gyroscope bias 3, velocity of a hand 2,
/// acceleration of a vehicle 2. Twelve are shared: gyroscope scale and misalignment 9, and the offset of the
/// accelerometer 3, which is uncertain but never corrected. The attitude is updated with every gyroscope sample; models
/// and corrections once per block of about 0.1 s, which is as accurate and ten times cheaper.
///
/// The sensors may run at their own rates, unsynchronised and with jitter; samples of one sensor must come in time
/// order; readings that arrived together may share a stamp. A reading that is not finite, far beyond any real sensor,
/// earlier than the one before, or a repeat of it is ignored. The filter is a value: no clock, no external state, no
/// allocation; the same readings give bit-identical results.
///
/// The equations: Documentation/Filter.md. The error state in the world frame is the right-invariant form of Barrau and
/// Bonnabel, "The invariant extended Kalman filter as a stable observer", IEEE Trans. Automatic Control 62(4), 2017.
public struct OrientationFilter: Sendable {
  /// The settings of the user.
  public let parameters: Parameters
  /// True: nine degrees of freedom, +y of `EastNorthUp` is magnetic north. False: six, the azimuth is arbitrary.
  public let usesMagnetometer: Bool

  @usableFromInline package let coefficients: Coefficients

  /// The state of the filter, for a hot restart with ``init(parameters:usesMagnetometer:state:)``.
  public package(set) var state: State

  /// A filter that knows what is given of the sensors.
  ///
  /// - Parameters:
  ///   - parameters: The settings.
  ///   - usesMagnetometer: True: nine degrees of freedom; false: six.
  ///   - learned: The errors of the sensors that an earlier run has found, its variances those of today
  ///     (``LearnedSensor/widened(elapsed:temperatureChange:)``); one that cannot be a sensor's
  ///     (``LearnedSensor/isPlausible``) counts as nil.
  ///   - calibration: The device's own field that an earlier run has found; nil, the default: nothing is known.
  public init(
    parameters: Parameters = Parameters(), usesMagnetometer: Bool, learned: LearnedSensor? = nil,
    calibration: MagnetometerCalibration? = nil
  ) {
    let learned = learned.flatMap { $0.isPlausible ? $0 : nil }
    self.init(
      parameters: parameters, usesMagnetometer: usesMagnetometer,
      state: State(parameters: parameters, learned: learned, calibration: calibration))
    if let learned { start(with: learned) }
  }

  /// A filter that continues where another one stopped.
  ///
  /// When the next gyroscope sample follows within ``Parameters/longestGap``, the output is the same as without the
  /// stop; after a longer pause the filter levels the attitude again and keeps its knowledge of the sensors.
  public init(parameters: Parameters = Parameters(), usesMagnetometer: Bool, state: State) {
    self.parameters = parameters
    self.usesMagnetometer = usesMagnetometer
    coefficients = Coefficients(parameters)
    self.state = state
    self.state.updateHeading(usesMagnetometer: usesMagnetometer)
  }

  /// The orientation of the device at the time of the latest gyroscope sample; nil before the first usable specific
  /// force.
  ///
  /// A correction is applied over the next block, so the attitude has no steps and its derivative is the angular
  /// velocity; only a new levelling, a restored angle and the first heading take effect at once.
  @inlinable public var attitude: Rotation<Device, EastNorthUp>? {
    guard state.pose.isKnown else { return nil }
    return Pose.rotation(
      state.pose.oriented, correction: state.pose.latestCorrection,
      remaining: Pose.remaining(state.pose.blockTime / coefficients.blockDuration), rate: state.pose.rate,
      delay: coefficients.gyroscopeDelay + coefficients.delayedIntervals * state.rateInterval)
  }

  /// The angular velocity of the latest gyroscope sample, rad/s, bias and the learned scale and misalignment removed.
  @inlinable public var angularVelocity: Vector3<Device> {
    Vector3(x: Double(state.pose.rate.x), y: Double(state.pose.rate.y), z: Double(state.pose.rate.z))
  }

  /// The gyroscope's reading when the device does not turn, rad/s.
  @inlinable public var gyroscopeBias: Vector3<Device> { state.gyroscopeBias }

  /// True while the device is still and the gyroscope reads its bias, with a probability above 90 %.
  @inlinable public var isAtRest: Bool { state.isAtRest }

  /// One standard deviation of the tilt, the angle between true and estimated vertical, in rad; π before the first
  /// attitude.
  ///
  /// It includes the errors that the filter estimates, and those that it cannot: the accelerometer's offset
  /// (``Parameters/accelerometerBiasDeviation``), a mean force that leans, an acceleration of minutes, and the time
  /// stamps while the device turns. 95 % of the tilts are within 1.73 times this number (two axes: √(−ln 0.05)).
  @inlinable @inline(__always) public var inclinationStandardDeviation: Double {
    guard state.pose.isKnown else { return .pi }
    return (Double(state.inclinationVariance) + 2 * timeStampVariance).squareRoot()
  }

  /// True when a magnetometer has determined the azimuth.
  @inlinable public var hasHeading: Bool { state.pose.hasHeading }

  /// One standard deviation of the heading in rad; at least π/√3, that of a uniformly random direction, while unknown.
  ///
  /// It refers to magnetic north in the surroundings, not to the field at the exact location
  /// (``Parameters/fieldDirectionDeviation``).
  @inlinable @inline(__always) public var headingStandardDeviation: Double {
    let direction = parameters.fieldDirectionDeviation
    let known = (Double(state.headingVariance) + direction * direction + timeStampVariance).squareRoot()
    return state.pose.hasHeading ? known : max(known, Double.pi / 3.0.squareRoot())
  }

  /// One standard deviation of the azimuth in rad as it has drifted since the first attitude: for a filter without a
  /// magnetometer, whose azimuth counts from there. At rest it includes a slow turn that may be taken for the bias.
  @inlinable @inline(__always) public var azimuthStandardDeviation: Double {
    (Double(state.azimuthVariance) + timeStampVariance).squareRoot()
  }

  /// The variance about each axis, rad², from the error of the time stamps: the rate has no preferred axis.
  @inlinable @inline(__always) var timeStampVariance: Double {
    let rate = angularVelocity
    // A reading may stand for any moment of its interval.
    let interval = Double(state.rateInterval)
    return rate.dot(rate) / 3
      * (parameters.timeStampDeviation * parameters.timeStampDeviation + interval * interval / 12)
  }

  /// Forgets the field: for example because the device has another magnetometer now.
  ///
  /// The heading is known again once the device has turned. Inclination and the knowledge of the gyroscope are kept.
  public mutating func resetHeading() {
    state.heading.reset()
    state.updateHeading(usesMagnetometer: usesMagnetometer)
    state.updateReportedVariances()
  }
}
