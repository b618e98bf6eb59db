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
    @usableFromInline package var pose = Pose()
    /// The attitude as a matrix.
    var axes = Quaternion(w: 1, x: 0, y: 0, z: 0).axes

    /// The deviations from these numbers and from the attitude, and their covariance.
    var bank: MotionBank

    /// The latest rate as read, rad/s; a whole vector for the reason that ``Quaternion`` gives.
    package var rawRate: Real4 = .zero
    /// The variances of inclination (both axes together), heading, and azimuth since the start, rad², at the latest
    /// correction.
    @usableFromInline var inclinationVariance: Real = 0, headingVariance: Real = 0, azimuthVariance: Real = 0
    var clipping: GyroscopeClipping
    package var magneticFieldTime: Int64?
    var heading: HeadingFilter
    /// Seconds since the latest field.
    var fieldAge: Float = 0
    var gyroscopeClock = SampleClock(), specificForceClock = SampleClock()
    /// The time of the latest reading of the gyroscope, ns.
    package var gyroscopeTime: Int64? { gyroscopeClock.time }
    /// The usual time between two gyroscope samples, s.
    @usableFromInline package var rateInterval: Real = 0
    /// The latest specific force that is ahead of the attitude, m/s², and the seconds for which it stands; its time, ns,
    /// the least where there is none.
    var forceAhead: Real4 = .zero, timeAhead = Int64.min
    /// True when the next specific force has to level the attitude.
    package var needsLevelling = true
    /// True once a rest has measured the bias.
    var knowsBias = false
    @usableFromInline var isAtRest = false
    var rest = RestOdds()
    var hand = HandVelocity()
    var up = MeanForce()
    /// Seconds for which the mean force has contradicted the inclination.
    var doubtTime: Float = 0
    /// What the length of the force shows of the accelerometer's offset, per axis, (m/s²)²; and what the models have of it.
    var offsetVariance: Float
    let usualOffsetVariance: Float
    /// Seconds since the first attitude.
    var age: Real = 0
    var sums = BlockSums(start: Quaternion(w: 1, x: 0, y: 0, z: 0).axes)
    /// The attitude at the start of the block.
    var blockStart = Quaternion(w: 1, x: 0, y: 0, z: 0)
    package var keepsBlocks = false
    package var record = BlockRecord()

    init(parameters p: Parameters, learned: LearnedSensor? = nil, calibration: MagnetometerCalibration? = nil) {
      heading = HeadingFilter(
        calibration: calibration, isCalibrated: p.isMagnetometerCalibrated,
        delay: Float(learned?.magnetometerDelay ?? 0),
        delayVariance: Float(
          min(learned?[12, 12] ?? .infinity, p.magnetometerDelayDeviation * p.magnetometerDelayDeviation)))
      bank = MotionBank(p)
      offsetVariance = Float(p.accelerometerBiasDeviation * p.accelerometerBiasDeviation)
      usualOffsetVariance = offsetVariance
      clipping = GyroscopeClipping(range: p.gyroscopeRange)
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

    /// The heading turns the output.
    mutating func updateHeading(usesMagnetometer: Bool) {
      pose.hasHeading = usesMagnetometer && heading.isKnown
      // One that is lost leaves the output where it is.
      guard pose.hasHeading else { return }
      pose.turnToNorth = Real(heading.angle)
      pose.north = Quaternion(turn: RealVector<EastNorthUp>(x: 0, y: 0, z: pose.turnToNorth))
    }

    /// Copies the variances that can be read between corrections.
    mutating func updateReportedVariances() {
      // Where the mean force leans, either the device has accelerated for long or the inclination is wrong: this cannot
      // be decided.
      inclinationVariance = Real(bank.covariance(0, 0) + bank.covariance(1, 1) + bank.doubt.variance)
      inclinationVariance += 0.5 * up.squaredLean
      inclinationVariance += 2 * Real(max(0, offsetVariance - usualOffsetVariance)) / Constant.squaredGravity
      azimuthVariance = Real(bank.covariance(ErrorIndex.azimuth, ErrorIndex.azimuth))
      headingVariance = Real(heading.statedVariance)
      guard clipping.isSaturated else { return }
      let loss = clipping.possibleLoss
      inclinationVariance += loss.x * loss.x + loss.y * loss.y
      headingVariance += loss.z * loss.z
      azimuthVariance += loss.z * loss.z
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
}

/// Attitude and angular velocity: what changes with every sample, and what users read.
///
/// It is separate from the rest of the state because a caller in another module would otherwise copy the whole state
/// with its covariance to read four numbers (Swift 6.3). The properties of ``OrientationFilter`` are inlinable for the
/// same reason.
@usableFromInline
package struct Pose: Sendable, BitwiseCopyable {
  @usableFromInline package var isKnown = false
  /// Whether the heading is known, and how the output is turned to it, rad.
  @usableFromInline var hasHeading = false
  @usableFromInline var turnToNorth: Real = 0
  @usableFromInline var north = Quaternion(w: 1, x: 0, y: 0, z: 0)
  /// Device → east-north-up, as far as that is known.
  @usableFromInline var oriented: Quaternion { turnToNorth == 0 ? quaternion : north * quaternion }
  /// Device → world, all corrections in it.
  @usableFromInline package var quaternion = Quaternion(w: 1, x: 0, y: 0, z: 0)
  /// The latest rate, corrected, rad/s.
  @usableFromInline var rate: Real4 = .zero
  /// The turn of the output, in rad, by which the latest corrections moved it.
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
