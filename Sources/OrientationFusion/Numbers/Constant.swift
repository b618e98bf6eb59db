// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The tuned numbers that no user sets: all but the parameters of the filter, and the coefficients.
///
/// `Scripts/check-numbers.py` finds any other. Filter.md 15 names each, with its reason. SI units, if nothing else is
/// said.
enum Constant {
  // MARK: Samples
  /// Over an arc of so many seconds, or of the root of so many rad² (0.15), the mean of R at its ends is wrong by 0.2 %.
  static let longestSegment: Real = 0.012, largestSquaredTurn: Real = 0.0225
  /// A longer step of the gyroscope is a gap. Inside one the rate is unknown by so much besides the difference of its
  /// ends, and so much of it swings, per rad; where the attitude is worse than so many rad, up is found again.
  static let ordinaryInterval: Real = 0.06, gapRateDeviation: Real = 0.2, swing: Real = 0.3
  static let largestGapDeviation: Real = 0.1
  /// The share by which a new interval moves the mean one of the gyroscope, and the longest that counts there; a longer
  /// one of the accelerometer is a pause, unless its readings come that seldom; and for how long its first one stands.
  static let rateIntervalShare: Real = 0.02, longestRateInterval: Real = 0.1
  static let longestForceInterval = 0.25, firstForceInterval: Real = 0.01
  /// A reading is moved to the attitude's time from so near; and below the root of so many rad² by two terms.
  static let largestAge = 0.1, smallSquaredTurn: Real = 0.01
  /// So many intervals make the clock's mean; its median moves by this factor with each. Where the mean is more than so
  /// many medians, readings have waited: no sensor loses two thirds of its readings.
  /// None waits for longer; and the memory of the largest lateness.
  static let clockMemory = 200.0, medianStep = 1.02, waitingRatio = 3.0, longestWait = 0.25, latenessMemory = 5.0

  // MARK: Clipping, start, rest and up
  /// A reading from this share of a known range on is at its end. The smallest range in use is 100 °/s, less the 3 % of a
  /// calibration; one that was found is a usual one within 3.5 %. How flat a top is: a bias drifts, and a calibration
  /// mixes in the other axes.
  static let shareOfRange: Real = 0.98, smallestRange: Real = 1.69, rangeTolerance: Real = 0.035, flatness: Real = 5e-4
  /// What a flat top misses below the cubic, on average, relative to it: a smooth maximum misses nothing, noise a little.
  static let leastHeight: Real = 0.01
  /// One standard deviation of the restored angle, relative: the cubic's error on movements with known rates; a turn about
  /// which nothing is known, π/√3; and by how much the true rate may be larger (250 °/s).
  static let restoredDeviation: Real = 0.4, largestDeviation: Real = 1.8, largestExcess: Real = 4.363
  /// In gravities: the least specific force that levels, and what its length says of its direction at most, rad.
  static let leastForce = 0.2, largestForceError = 0.6
  /// The squared rate at which a device is picked up during a pause; π²/3, the variance of any azimuth.
  static let pickUpRate: Real = 0.25, unknownAzimuthVariance: Float = 3.29
  /// For so long, s, the mean force may contradict the levelling; the cosine of 15°, from which on it does, and of 60°,
  /// from which on it does later; the variance of the inclination then, rad² (15°). And the time of that mean, s.
  static let levellingTime: Real = 2.05, cosineOfFirstLean: Real = 0.966, cosineOfLean: Real = 0.5,
    levellingVariance: Float = 0.0685
  static let leanTime: Real = 3, squaredGravity: Real = 96.17
  /// The largest squared offset that counts, (m/s²)²; and how soon its scale rises and falls, s.
  static let largestOffsetVariance: Float = 1, offsetRise: Float = 10, offsetFall: Float = 100
  /// Intervals of a block add up to its length but for so much, s.
  static let rounding: Real = 1e-6
  /// A block with less of the accelerometer says nothing about the force.
  static let leastForceShare: Real = 0.3
  /// The square of the bias of a calibrated gyroscope, all axes together, (rad/s)² (0.5 °/s each); how many times that is
  /// still usual, and most; and the matrix' variance for each (0.27 %).
  static let usualSquaredBias: Float = 2.28e-4, largestUsualFactor: Float = 3, largestMatrixFactor: Float = 200
  static let matrixVariance: Float = 7.29e-6
  /// Of a bias that a rest has measured, all axes together: 3 · (0.3 °/s)².
  static let knownBiasVariance: Float = 8.22e-5

  /// Of a doubt about the inclination: the squared lean that shows nothing, rad² (1.3°); what an accelerometer reads wrong,
  /// m/s²; the squared rate of a device that is turned about, (rad/s)²; and for how long, s.
  enum Doubt {
    static let squaredLean: Float = 5e-4, forceError: Real = 0.06, squaredRate: Float = 0.49, time: Float = 5
  }

  /// Of the hand: how long its velocity lasts, s; how its strength is remembered, s; and how many times the square of its
  /// recent velocity counts.
  enum Hand {
    static let time: Float = 0.25, memory: Float = 2, velocityFactor: Float = 3
    /// The lever arm of a steady rotation, m: some decimetres; and the memory of the rate, s.
    static let lever: Float = 0.15, rateMemory: Float = 60, tiltMemory: Float = 10
  }

  /// Of the models.
  enum Bank {
    /// m/s² and s.
    static let handAcceleration: Float = 0.05, handTime: Float = 2
    static let vehicleAcceleration: Float = 1.5, vehicleTime: Float = 40
    /// Times the variance of the bias' walk.
    static let movingBiasWalk: Float = 100
    /// Probabilities per second, and after how many the models mix.
    static let handToVehicle: Float = 2e-3, vehicleToHand: Float = 2e-2
    static let handToMovingBias: Float = 2e-4, movingBiasToHand: Float = 1e-2
    static let transitionTime: Float = 0.45
    /// The share of the bias' gain that a force has; about the vertical, until its variance is (0.2 °/s)².
    static let believedBias: Float = 0.8, verticalBiasVariance: Float = 1.218e-5
    /// The memory of the gyroscope's errors without forces, and of a doubt, s; the least variance of the first, rad².
    static let doubtTime: Float = 150, leastDoubt: Float = 1e-6
    static let shareOfLikelihood: Float = 0.2, leastWeight: Float = 1e-6
    /// A force with a larger variance is not used.
    static let largestVariance: Float = 1e30
    /// Probabilities at the start: a bias moves after power-on. And that of an acceleration which lasts for minutes.
    static let startWeights: InlineArray<3, Float> = [0.5, 0.05, 0.45], lastingWeight: Float = 0.05
    /// (m/s)².
    static let startVelocityVariance: Float = 0.3
  }

  /// Of the odds of rest.
  enum Rest {
    /// The distances that are usual at rest: of a block's means from those before, (0.35 °/s)² and (0.08 m/s²)²;
    /// and of its rates from their mean, (1.2 °/s)².
    static let squaredRateStep: Real = 3.73e-5, squaredForceStep: Real = 6.4e-3
    static let squaredRateSpread: Real = 4.386e-4
    /// Of the logarithm of the odds: by how much it rises per second at most; per unit of distance; its limit; and where
    /// the device moves. And how much of the rise no distance at all is.
    static let rise: Float = 3.5, slope: Float = 0.15, largestLogOdds: Float = 5
    static let logOddsOfMotion: Float = -4.5, riseAtNoDistance: Float = 1.4
    /// Blocks of the mean; the rate within which it is steady, rad/s (0.1 °/s).
    static let longestMean: Real = 100, blocksOfSecond: Real = 10, steadyRate: Real = 1.745e-3
    static let leastProbability: Float = 0.9
    /// Bias against turn: the prior, what each second of a steady rate adds, and at most; and before a bias is known.
    static let priorLogOdds: Float = 4, patience: Float = 0.12, largestPatience: Float = 10, firstLogOdds: Float = 3.1
    /// Another bias than the known one, (5 °/s)²; a usual one, (0.5 °/s)², and a poor chip's, (10 °/s)².
    static let logOfAnother: Float = -13, squaredUnknownBias: Float = 7.615e-3
    static let logOfUnknown: Float = -2.303, squaredUsualBias: Float = 7.6e-5, squaredPoorBias: Float = 0.0305
    /// A turn about the vertical, (20 °/s)²; about other axes 0.3 °/s in the first second; what each of
    /// those can say per second.
    static let squaredTurn: Float = 0.1218, askewRate: Float = 5.236e-3
    static let largestVote: Float = 2
  }

  /// Of the magnetic field and the device's own iron; relative to the unit, if nothing else is said.
  enum Field {
    /// T; of the field before anything is read; and below this square it has no horizontal direction.
    static let unit: Float = 50e-6, priorVariance: Float = 0.36, leastSquare: Float = 1e-6
    /// One standard deviation of each component of the iron, and the probability of the first kind: of a source of which
    /// nothing is known, and of one that was calibrated.
    static let smallIron: Float = 0.03, mediumIron: Float = 0.3, strongIron: Float = 3
    static let smallWeight: Float = 0.34, knownWeight: Float = 0.998
    /// Of a block of a second: large, because blocks err alike. And for how long what is not explained lasts, s.
    static let noiseVariance: Float = 4e-3, disturbanceTime: Float = 0.5
    /// Random walks, per √s: of the field (places differ), of its vertical part, of the iron, of iron that jumps; and how
    /// often iron jumps, and how soon it stays, 1/s.
    static let walk: Float = 0.003, walkUp: Float = 0.0003, ironWalk: Float = 0.001, jumpedWalk: Float = 0.03
    static let jumpRate: Float = 2e-4, stayRate: Float = 0.1
    /// How often the field is disturbed, and how soon it is calm, 1/s; then its noise, and its share of what is not explained.
    static let disturbedRate: Float = 1e-3, calmRate: Float = 0.1, disturbedNoise: Float = 2,
      disturbedShare: Float = 0.1
    /// The least probability.
    static let leastWeight: Float = 1e-4
    /// What is stated of what is not explained; its memory, s; the largest square that counts; the variance of models that
    /// point opposite ways, rad².
    static let statedSpread: Float = 1.2, spreadTime: Float = 8, largestSpread: Float = 0.0225
    static let oppositeVariance: Float = 2.5
    /// The heading becomes known below (18°)² and is lost above (30°)²; a field elsewhere by 15° is disturbed.
    static let knownVariance: Float = 0.0987, lostVariance: Float = 0.274, disturbanceAngle: Float = 0.262
    /// The strengths of the earth's field, 20…75 µT.
    static let weakest: Float = 0.4, strongest: Float = 1.5
    /// What a square, the horizontal square of a statement and a strength count at least, so that no division ends in infinity.
    static let tiny: Float = 1e-12, leastStatedSquare: Float = 1e-3, leastStrength: Float = 0.01
    /// Largest relative deviation of the iron for each accuracy, high first.
    static let highError: Float = 0.045, mediumError: Float = 0.075, lowError: Float = 0.12
  }

  // MARK: What is kept for a later day
  /// Per √s and per kelvin, ° / s; and of the scale per kelvin, of the matrix per day, and of the delay per day, s².
  static let biasPerRootSecond = 0.005, biasPerKelvin = 0.015, scalePerKelvin = 1e-4, matrixPerDay = 3e-4
  static let delayVariancePerDay = 1e-6, largestMatrixElement = 0.2, smallestPivot = 1e-9
  /// Of a hard iron, T, in a day.
  static let hardIronPerDay = 2e-6
}
