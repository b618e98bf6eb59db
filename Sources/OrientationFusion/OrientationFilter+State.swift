// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

extension OrientationFilter {
  /// Everything the filter knows: the mean of the estimate, its covariance, and what the current block has gathered.
  ///
  /// Keep it to restart warm: the sensor's bias, scale and misalignment do not change overnight.
  public struct State: Sendable {
    /// What the gyroscope reads at rest, rad/s.
    var bias: Vector3<Device> = .zero
    /// Scale errors (diagonal) and misalignment (beside it): true rate = (1 + matrix) · reading − bias.
    var matrix: Matrix3 = .zero
    /// How much later than the gyroscope's the magnetometer's readings are, s.
    var delay: Real = 0

    @usableFromInline var pose = Pose()
    /// The attitude as a matrix.
    var axes = Quaternion(w: 1, x: 0, y: 0, z: 0).axes

    /// Integral of the horizontal acceleration, m/s, pulled to zero: a velocity without memory of long ago.
    var velocityEast: Real = 0, velocityNorth: Real = 0
    /// Remaining hard iron, in units of the field (times `fieldScale` → 1).
    var hardIron: Vector3<Device> = .zero
    /// Horizontal (towards north) and downward part of the field, same unit.
    var fieldNorth: Real = 0, fieldDown: Real = 0
    /// One over the strength of the first field, 1/T, so that the numbers above are near one.
    var fieldScale: Real = 0
    /// The 1σ of the hard iron that came with the latest field, T.
    var hardIronDeviation: Real = 0
    var covariance: ErrorCovariance

    /// The latest rate as read, rad/s; a whole vector for the reason that ``Quaternion`` gives.
    var rawRate: Real3 = .zero
    /// The variances of inclination (both axes together) and heading, rad², at the latest correction.
    @usableFromInline var inclinationVariance: Real = 0, headingVariance: Real = 0
    var gyroscopeTime, specificForceTime, magneticFieldTime: Int64?
    /// The usual time between two accelerometer samples, s.
    var specificForceInterval: Real = 0.01
    /// Seconds since the field last corrected the heading.
    var fieldAge: Real = 0

    @usableFromInline var hasHeading = false
    /// True when the next specific force has to level the attitude.
    var needsLevelling = true
    /// True once a rest has measured the bias.
    var knowsBias: Mask = false
    @usableFromInline var rest = RestDetector()
    /// How far from the known bias the mean rate of a rest may lie, rad/s, per axis.
    var biasTolerance: Vector3<Device>

    /// Recent squared acceleration, (m/s²)².
    var recentAcceleration: Real = 0
    /// The acceleration, a mean over some seconds, m/s².
    var meanAcceleration: Vector3<EastNorthUp> = .zero
    /// Recent unexplained squared misfit of the field's strength and dip, relative.
    var fieldMisfit: Real = 0
    /// Seconds for which a field in another direction was consistent, or there at all.
    var consistentTime: Real = 0, disturbedTime: Real = 0
    /// A field in another direction than the known one, relative to it; seconds for which it has stayed the same while the
    /// device turned, and seconds for which the known one did.
    var candidateField: Vector3<EastNorthUp> = .zero
    var candidateTime: Real = 0, trustedTime: Real = 0
    var sums = BlockSums(start: Quaternion(w: 1, x: 0, y: 0, z: 0).axes)

    init(parameters p: Parameters, usesMagnetometer: Bool) {
      covariance = ErrorCovariance(order: usesMagnetometer ? ErrorIndex.count : ErrorIndex.countWithoutField)
      let largest = Real(p.largestGyroscopeBias)
      biasTolerance = Vector3(x: largest, y: largest, z: largest)
      for i in 0..<3 {
        covariance.isolate(ErrorIndex.bias + i, variance: Real(p.gyroscopeBiasDeviation * p.gyroscopeBiasDeviation))
      }
      for i in 0..<9 {
        let deviation = i % 4 == 0 ? p.gyroscopeScaleDeviation : p.gyroscopeMisalignmentDeviation
        covariance.isolate(ErrorIndex.matrix + i, variance: Real(deviation * deviation))
      }
      resetMagnetometerDelay(p)
    }

    /// A reading of the gyroscope, the known bias, scale and misalignment removed.
    @inline(__always)
    mutating func corrected(_ raw: Vector3<Device>) -> Vector3<Device> {
      raw + matrix * raw - bias
    }

    /// Begins a new block; what the output still owes to the attitude it takes in at once.
    mutating func clearSums() {
      sums = BlockSums(start: axes)
      pose.latestCorrection = .zero
      pose.blockTime = 0
      noteDoubt()
    }

    /// What the user may ask between corrections.
    mutating func noteDoubt() {
      inclinationVariance = covariance.element(0, 0) + covariance.element(1, 1)
      headingVariance = covariance.element(ErrorIndex.heading, ErrorIndex.heading)
    }

    mutating func resetMagnetometerDelay(_ p: Parameters) {
      guard covariance.order == ErrorIndex.count else { return }
      delay = 0
      covariance.isolate(
        ErrorIndex.delay, variance: Real(p.magnetometerDelayDeviation * p.magnetometerDelayDeviation))
    }

    /// Makes a state of a filter with a magnetometer fit for one without, and the other way round.
    mutating func adopt(usesMagnetometer: Bool, parameters: Parameters) {
      let order = usesMagnetometer ? ErrorIndex.count : ErrorIndex.countWithoutField
      guard covariance.order != order else { return }
      covariance.resize(order: order)
      hasHeading = false
      sums.clearField()
      resetMagnetometerDelay(parameters)
    }
  }
}
