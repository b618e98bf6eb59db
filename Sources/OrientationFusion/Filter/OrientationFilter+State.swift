// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionMath

extension OrientationFilter {
  /// All estimates of the filter: the state, its covariance, and the sums of the current block.
  ///
  /// Store it for a warm start: the sensor's bias, scale and misalignment change slowly.
  public struct State: Sendable {
    /// The gyroscope's reading at rest, rad/s.
    var bias: RealVector<Device> = .zero
    /// Scale errors (diagonal) and misalignment (off the diagonal): true rate = (1 + matrix) · reading − bias.
    var matrix: RealMatrix = .zero
    /// The delay of the magnetometer's readings relative to the gyroscope's, s.
    var delay: Real = 0

    @usableFromInline package var pose = Pose()
    /// The attitude as a matrix.
    var axes = Quaternion(w: 1, x: 0, y: 0, z: 0).axes

    /// Integral of the horizontal acceleration, m/s, pulled to zero: a velocity without memory of long ago.
    var velocityEast: Real = 0, velocityNorth: Real = 0
    /// Remaining hard iron, in units of the field (times `fieldScale` → 1).
    var hardIron: RealVector<Device> = .zero
    /// Horizontal (towards north) and downward part of the field, same unit.
    var fieldNorth: Real = 0, fieldDown: Real = 0
    /// One over the strength of the first field, 1/T, so that the numbers above are near one.
    var fieldScale: Real = 0
    /// The 1σ of the hard iron that came with the latest field, T.
    var hardIronDeviation: Real = 0
    package var covariance: ErrorCovariance

    /// The latest rate as read, rad/s; a whole vector for the reason that ``Quaternion`` gives.
    package var rawRate: Real4 = .zero
    /// The variances of inclination (both axes together) and heading, rad², at the latest correction.
    @usableFromInline var inclinationVariance: Real = 0, headingVariance: Real = 0
    var clipping: GyroscopeClipping
    package var magneticFieldTime: Int64?
    var gyroscopeClock = SampleClock(), specificForceClock = SampleClock()
    /// The time of the latest reading of the gyroscope, ns.
    package var gyroscopeTime: Int64? { gyroscopeClock.time }
    /// The usual time between two gyroscope samples, s.
    @usableFromInline package var rateInterval: Real = 0
    /// The usual time between two accelerometer samples, s.
    var specificForceInterval = Constant.firstForceInterval
    /// Seconds since the field last corrected the heading.
    var fieldAge: Real = 0

    @usableFromInline var hasHeading = false
    /// True when the next specific force has to level the attitude.
    package var needsLevelling = true
    /// True once a rest has measured the bias.
    var knowsBias = false
    @usableFromInline var rest = RestDetector()

    var upright = UprightCheck()
    /// The error of the accelerometer, per axis, (m/s²)²; and one standard deviation, m/s².
    var accelerometerVariance: Real {
      didSet { accelerometerDeviation = Double(accelerometerVariance).squareRoot() }
    }
    @usableFromInline private(set) var accelerometerDeviation: Double
    /// The spectral density of the velocity, (m/s)²·s, and means of what the corrections leave of it, m/s: over less than
    /// a second in the world, and over many in the device.
    var velocityDensity: Real
    var velocityResidual: RealVector<EastNorthUp> = .zero
    var lastingResidual: RealVector<Device> = .zero
    /// The mean rate, rad/s, over so many seconds, up to a minute; and the mean square over many seconds.
    var meanRate: RealVector<Device> = .zero
    var meanRateTime: Real = 0, squaredRate: Real = 0
    /// How many times its usual variance the gyroscope's matrix has had before anything was learned.
    var matrixFactor: Real = 1
    /// The mean of "up" over some seconds: as long as one where the device is not tilted.
    var meanUp: RealVector<Device> = .zero
    /// The mean square of the rate about horizontal axes over some seconds, (rad/s)².
    var squaredTiltingRate: Real = 0
    /// Seconds for which the mean specific force has contradicted all that is known.
    var contradictionTime: Real = 0
    /// Recent squared acceleration, (m/s²)².
    var recentAcceleration: Real = 0
    /// Recent unexplained squared misfit of the field's strength and dip, relative.
    var fieldMisfit: Real = 0
    /// Seconds for which a field in another direction was consistent, or there at all.
    var consistentTime: Real = 0, disturbedTime: Real = 0
    /// Seconds for which the field has agreed with the heading.
    var trustedTime: Real = 0
    /// The turn by which the field has moved the heading, rad, and what the covariance explains of its square; both fade.
    var headingTurn: Real = 0, explainedTurn: Real = 0
    /// Seconds for which there has been a field.
    var headingAge: Real = 0
    /// Mean square of the residual of the field's north and up parts, relative, over tens of seconds.
    var fieldSpread: Real = 0
    /// Mean residual, relative, over the same time.
    var fieldMean: RealVector<EastNorthUp> = .zero
    var early = EarlyField()
    var sums = BlockSums(start: Quaternion(w: 1, x: 0, y: 0, z: 0).axes)
    /// The attitude at the start of the block.
    var blockStart = Quaternion(w: 1, x: 0, y: 0, z: 0)
    /// The variance of the latest block's velocity, (m/s)².
    var velocityNoise: Real = 1
    /// The 1σ of the hard iron that came with the latest reading of the field, T, infinite while unknown; and how much
    /// more hard iron the calibrations since the start have left in the readings, T.
    package var readingDeviation: Real = .infinity, calibrationChange: RealVector<Device> = .zero
    package var keepsBlocks = false
    package var record = BlockRecord()

    init(parameters p: Parameters, usesMagnetometer: Bool) {
      covariance = ErrorCovariance(order: usesMagnetometer ? ErrorIndex.count : ErrorIndex.countWithoutField)
      velocityDensity = Real(p.velocityNoise * p.velocityNoise)
      accelerometerVariance = Real(p.accelerometerBiasDeviation * p.accelerometerBiasDeviation)
      accelerometerDeviation = Double(accelerometerVariance).squareRoot()
      clipping = GyroscopeClipping(range: p.gyroscopeRange)
      for i in 0..<3 {
        covariance.reset(ErrorIndex.bias + i, variance: Real(p.gyroscopeBiasDeviation * p.gyroscopeBiasDeviation))
      }
      for i in 0..<9 {
        let deviation = i % 4 == 0 ? p.gyroscopeScaleDeviation : p.gyroscopeMisalignmentDeviation
        covariance.reset(ErrorIndex.matrix + i, variance: Real(deviation * deviation))
      }
      resetMagnetometerDelay(p)
    }

    /// A reading of the gyroscope, the known bias, scale and misalignment removed.
    @inline(__always)
    mutating func corrected(_ raw: RealVector<Device>) -> RealVector<Device> {
      (raw - bias) + matrix * raw
    }

    /// Begins a new block. The rest of the latest correction, which the output has not shown yet, shows at once.
    mutating func beginBlock() {
      sums = BlockSums(start: axes)
      blockStart = pose.quaternion
      pose.latestCorrection = .zero
      pose.blockTime = 0
      updateReportedVariances()
    }

    /// Copies the variances that can be read between corrections.
    mutating func updateReportedVariances() {
      inclinationVariance = covariance.element(0, 0) + covariance.element(1, 1)
      headingVariance = covariance.element(ErrorIndex.heading, ErrorIndex.heading)
      // Where the mean force leans, either the device has accelerated for long or the inclination is wrong: this cannot
      // be decided.
      inclinationVariance += 0.5 * upright.squaredLean
      if hasHeading {
        // What the covariance takes for white noise: the field's spread from place to place, and the calibration's own
        // error.
        let iron = hardIronDeviation * fieldScale
        headingVariance +=
          doubtfulTurn + (Constant.statedSpread * fieldSpread + Constant.statedIron * iron * iron)
          / max(fieldNorth * fieldNorth, Constant.leastSquaredNorth)
      }
      guard clipping.isSaturated else { return }
      let loss = clipping.possibleLoss
      inclinationVariance += loss.x * loss.x + loss.y * loss.y
      headingVariance += loss.z * loss.z
    }

    /// The square of the turn by which the field has moved the heading, rad², where the covariance explains less than half
    /// of it: the heading from before may be the right one.
    var doubtfulTurn: Real {
      let square = headingTurn * headingTurn
      return square > 2 * explainedTurn ? square : 0
    }

    mutating func resetMagnetometerDelay(_ p: Parameters) {
      guard covariance.order == ErrorIndex.count else { return }
      delay = 0
      covariance.reset(ErrorIndex.delay, variance: Real(p.magnetometerDelayDeviation * p.magnetometerDelayDeviation))
    }

    /// Adds or removes the states of the magnetometer.
    mutating func resize(usesMagnetometer: Bool, parameters: Parameters) {
      let order = usesMagnetometer ? ErrorIndex.count : ErrorIndex.countWithoutField
      guard covariance.order != order else { return }
      covariance.resize(order: order)
      hasHeading = false
      sums.clearField()
      resetMagnetometerDelay(parameters)
    }
  }
}

extension OrientationFilter.State {
  /// Device → world at the latest gyroscope sample; nil before the first usable specific force.
  public internal(set) var attitude: Rotation<Device, EastNorthUp>? {
    get { pose.isKnown ? pose.quaternion.rotation() : nil }
    set {
      pose.isKnown = newValue != nil
      pose.quaternion = newValue.map { Quaternion($0) } ?? Quaternion(w: 1, x: 0, y: 0, z: 0)
      axes = pose.quaternion.axes
    }
  }

  /// The gyroscope's reading at rest, rad/s.
  public internal(set) var gyroscopeBias: Vector3<Device> {
    get { Vector3(bias) }
    set { bias = RealVector(newValue) }
  }

  /// Scale errors (diagonal) and misalignment (off the diagonal): true rate = (1 + matrix) · reading − bias.
  public internal(set) var gyroscopeMatrix: Matrix3 {
    get { Matrix3(matrix) }
    set { matrix = RealMatrix(newValue) }
  }

  /// The delay of the magnetometer's readings relative to the gyroscope's, s.
  public internal(set) var magnetometerDelay: Double {
    get { Double(delay) }
    set { delay = Real(newValue) }
  }
}

/// Attitude and angular velocity: what changes with every sample, and what users read.
///
/// It is separate from the rest of the state because a caller in another module would otherwise copy the whole state
/// with its covariance to read four numbers (Swift 6.3). The properties of ``OrientationFilter`` are inlinable for the
/// same reason.
@usableFromInline
package struct Pose: Sendable, BitwiseCopyable {
  @usableFromInline package var isKnown = false
  /// Device → world, all corrections in it.
  @usableFromInline package var quaternion = Quaternion(w: 1, x: 0, y: 0, z: 0)
  /// The latest rate, corrected, rad/s.
  @usableFromInline var rate: Real4 = .zero
  /// The turn, in rad, by which the latest corrections moved the attitude.
  @usableFromInline var latestCorrection: Real4 = .zero
  /// Seconds since then.
  @usableFromInline var blockTime: Real = 0

  init() {}

  /// The attitude without the share `remaining` of the latest correction, `delay` seconds later at the rate.
  ///
  /// Its arguments fit in registers.
  @usableFromInline
  static func rotation(
    _ quaternion: Quaternion, correction: Real4, remaining: Real, rate: Real4, delay: Real
  ) -> Rotation<Device, EastNorthUp> {
    let outer = RealVector<EastNorthUp>(correction * -remaining)
    guard delay != 0 else { return quaternion.turned(outer: outer).rotation() }
    return quaternion.turned(outer: outer, inner: RealVector<Device>(rate * delay)).rotation()
  }

  /// The share of the latest correction that the output does not show yet when the share `elapsed` of a block has
  /// passed, 1…0: a smooth step, so that neither the attitude nor its rate jumps when a correction begins or ends.
  @usableFromInline
  static func remaining(_ elapsed: Real) -> Real {
    elapsed < 1 ? 1 - elapsed * elapsed * (3 - 2 * elapsed) : 0
  }
}
