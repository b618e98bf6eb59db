// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// Everything the filter knows: the mean of the estimate, its covariance, and what the current block has gathered.
  ///
  /// Keep it to restart warm: the sensor's bias, scale and misalignment do not change overnight.
  public struct State: Sendable {
    /// Device → world at the latest gyroscope sample; nil before the first usable specific force.
    public internal(set) var attitude: Rotation<Device, EastNorthUp>? {
      get { pose.isKnown ? pose.quaternion.rotation() : nil }
      set {
        pose.isKnown = newValue != nil
        pose.quaternion = newValue.map { Quaternion($0) } ?? Quaternion(w: 1, x: 0, y: 0, z: 0)
        axes = pose.quaternion.axes
      }
    }
    /// What the gyroscope reads at rest, rad/s.
    public internal(set) var gyroscopeBias: Vector3<Device> = .zero
    /// Scale errors (diagonal) and misalignment (beside it): true rate = (1 + matrix) · reading − bias.
    public internal(set) var gyroscopeMatrix: Matrix3 = .zero
    /// How much later than the gyroscope's the magnetometer's readings are, s.
    public internal(set) var magnetometerDelay = 0.0

    @usableFromInline var pose = Pose()
    /// The attitude as a matrix.
    var axes = Quaternion(w: 1, x: 0, y: 0, z: 0).axes

    /// Integral of the horizontal acceleration, m/s, pulled to zero: a velocity without memory of long ago.
    var velocityEast = 0.0, velocityNorth = 0.0
    /// Remaining hard iron, in units of the field (times `fieldScale` → 1).
    var hardIron: Vector3<Device> = .zero
    /// Horizontal (towards north) and downward part of the field, same unit.
    var fieldNorth = 0.0, fieldDown = 0.0
    /// One over the strength of the first field, 1/T, so that the numbers above are near one.
    var fieldScale = 0.0
    /// The 1σ of the hard iron that came with the latest field, T.
    var hardIronDeviation = 0.0
    var covariance: ErrorCovariance

    /// The latest rate as read, rad/s; a whole vector for the reason that ``Quaternion`` gives.
    var rawRate: SIMD4<Double> = .zero
    /// The variances of inclination (both axes together) and heading, rad², at the latest correction.
    @usableFromInline var inclinationVariance = 0.0, headingVariance = 0.0
    var gyroscopeTime, specificForceTime, magneticFieldTime: Int64?
    /// The usual time between two accelerometer samples, s.
    var specificForceInterval = 0.01
    /// Seconds since the field last corrected the heading.
    var fieldAge = 0.0

    @usableFromInline var hasHeading = false
    /// True when the next specific force has to level the attitude.
    var needsLevelling = true
    /// True once a rest has measured the bias.
    var knowsBias = false
    @usableFromInline var rest = RestDetector()
    /// How far from the known bias the mean rate of a rest may lie, rad/s, per axis.
    var biasTolerance: Vector3<Device>

    /// Recent squared acceleration, (m/s²)².
    var recentAcceleration = 0.0
    /// The acceleration, a mean over some seconds, m/s².
    var meanAcceleration: Vector3<EastNorthUp> = .zero
    /// Recent unexplained squared misfit of the field's strength and dip, relative.
    var fieldMisfit = 0.0
    /// Seconds for which a field in another direction was consistent, or there at all.
    var consistentTime = 0.0, disturbedTime = 0.0
    /// A field in another direction than the known one, relative to it; seconds for which it has stayed the same while the
    /// device turned, and seconds for which the known one did.
    var candidateField: Vector3<EastNorthUp> = .zero
    var candidateTime = 0.0, trustedTime = 0.0
    var sums = BlockSums(start: Quaternion(w: 1, x: 0, y: 0, z: 0).axes)

    init(parameters p: Parameters, usesMagnetometer: Bool) {
      covariance = ErrorCovariance(order: usesMagnetometer ? ErrorIndex.count : ErrorIndex.countWithoutField)
      let largest = p.largestGyroscopeBias
      biasTolerance = Vector3(x: largest, y: largest, z: largest)
      for i in 0..<3 {
        covariance.isolate(ErrorIndex.bias + i, variance: p.gyroscopeBiasDeviation * p.gyroscopeBiasDeviation)
      }
      for i in 0..<9 {
        let deviation = i % 4 == 0 ? p.gyroscopeScaleDeviation : p.gyroscopeMisalignmentDeviation
        covariance.isolate(ErrorIndex.matrix + i, variance: deviation * deviation)
      }
      resetMagnetometerDelay(p)
    }

    /// A reading of the gyroscope, the known bias, scale and misalignment removed.
    @inline(__always)
    mutating func corrected(_ raw: Vector3<Device>) -> Vector3<Device> {
      raw + gyroscopeMatrix * raw - gyroscopeBias
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
      inclinationVariance = covariance[0, 0] + covariance[1, 1]
      headingVariance = covariance[ErrorIndex.heading, ErrorIndex.heading]
    }

    mutating func resetMagnetometerDelay(_ p: Parameters) {
      guard covariance.order == ErrorIndex.count else { return }
      magnetometerDelay = 0
      covariance.isolate(
        ErrorIndex.delay, variance: p.magnetometerDelayDeviation * p.magnetometerDelayDeviation)
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
