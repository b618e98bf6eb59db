// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// The tuned numbers that no user sets: all but the parameters of the filter and the calibrator, and the coefficients.
///
/// `Scripts/check-numbers.py` finds any other, and Filter.md says where each comes from. SI units, if nothing else is
/// said.
enum Constant {
  // MARK: Samples
  /// Over an arc of so many seconds, or of the root of so many rad² (0.15), the mean of R at its ends is wrong by 0.2 %.
  static let longestSegment: Real = 0.012, largestSquaredTurn: Real = 0.0225
  /// A longer step of the gyroscope is a gap. Inside one the rate is unknown by so much besides the difference of its
  /// ends, and so much of it swings, per rad; where the attitude is worse than so many rad, up is found again.
  static let ordinaryInterval: Real = 0.06, gapRateDeviation: Real = 0.2, swing: Real = 0.3
  static let largestGapDeviation: Real = 0.1
  /// The share by which a new interval moves the mean one, of the gyroscope and of the accelerometer; the longest that
  /// counts there, and for how long a specific force stands at most; the first.
  static let rateIntervalShare: Real = 0.02, forceIntervalShare: Real = 0.1, longestRateInterval: Real = 0.1
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
  /// In gravities: the least specific force that levels, and what its length says of its direction at most, rad. The
  /// variance of a velocity that is set to zero.
  static let leastForce = 0.2, largestForceError = 0.6, startVelocityVariance: Real = 0.01
  /// A field that gives a heading: its strength, T; its horizontal share; and how many times its own error that is (30°).
  static let leastField = 1e-6, leastHorizontalShare = 0.03, leastFieldErrors = 1.7
  /// For so long the gyroscope carries an azimuth from before the first heading. The squared rate at which a device is
  /// picked up during a pause; π²/3, the variance of any azimuth.
  static let longestEarlyField: Real = 60, pickUpRate: Real = 0.25, unknownAzimuthVariance: Real = 3.29
  /// 1.5 °/s: more than the bias of a phone's gyroscope that its maker calibrates.
  static let largestCalibratedBias: Real = 0.0262
  /// A device that lies for so long does not turn: its bias has moved, by 2.5 °/s at most.
  static let longQuiet: Real = 30, largestBiasStep: Real = 0.0436
  /// A rate that stays within (0.1 °/s)² is steady. One below this share of the squared limit is quiet: no hand is, and no
  /// vehicle that moves. Two equal poles of 0.455 τ have the −3 dB frequency of the Butterworth filter of τ, √2/(2π τ).
  static let squaredSteadiness: Real = 3.046e-6, quietShare: Real = 0.1, poleShare: Real = 0.455
  /// In gravities: the least mean force that can lean. Seconds for which the shortest mean may be far from up, the cosine
  /// of 25°, which is far in the first second, and the age from which on a mean is as good as it gets.
  static let leastLeaningForce: Real = 0.3, longestLean: Real = 0.7, cosineOfFirstLean: Real = 0.906
  /// The matrix opens further where its variance is larger by a factor.
  static let longestMean: Real = 100, matrixStep: Real = 1.2

  // MARK: Field, and what is kept for a later day
  /// The share of a large turn of the heading that is made at once; and the limit of a residual in a mean, relative.
  static let firstTurnShare: Real = 0.2, largestResidual: Real = 0.3
  /// The largest squared residual that counts as a difference of places; how many times that a lasting one exceeds; and by
  /// what factor a deviation of the hard iron has grown that is followed.
  static let largestSpread: Real = 0.0225, lastingDip: Real = 1.7, deviationStep: Real = 1.5
  /// What the stated heading has of the field's spread and of the hard iron's variance; and the least squared north part.
  static let statedSpread: Real = 1.2, statedIron: Real = 0.6, leastSquaredNorth: Real = 1e-3
  /// Per √s and per kelvin, ° / s; and of the scale per kelvin, of the matrix per day, and of the delay per day, s².
  static let biasPerRootSecond = 0.005, biasPerKelvin = 0.015, scalePerKelvin = 1e-4, matrixPerDay = 3e-4
  static let delayVariancePerDay = 1e-6, largestMatrixElement = 0.2, smallestPivot = 1e-9
  /// Of a hard iron, T, and of a soft iron in a day; and the difference from a matrix that is symmetric.
  static let hardIronPerDay = 2e-6, softIronPerDay = 0.005, softIronTolerance = 1e-6

  // MARK: Calibration of the magnetometer
  /// A centre that has moved by less leaves the directions as they are; the unit of their sums, T; the fewest of a sphere.
  static let smallestMove = 2e-6, directionUnit = 50e-6, fewestDirections = 40
  /// With so many directions a soft iron would have been found if there were one. The rotation after which a rival begins
  /// again at last, rad; the memory of the field's strength; and by how much the deviation of a fit grows with the next.
  static let manyDirections = 80, lastRivalTurn = 64.0, strengthMemory = 30.0, ageing = 1.02
  /// How much hard iron each kind of source has per axis, T, and how many of the sources are of it: not calibrated, and
  /// calibrated.
  static let kindsOfSources: [(deviation: Double, share: Double)] = [(30e-6, 0.6), (1.2e-6, 0.4)]
  /// The largest relative spread of the strength for each accuracy, high first.
  static let highError = 0.045, mediumError = 0.075, lowError = 0.12
  /// The directions of 100 that it needs without and with a small relative deviation.
  static let highCoverage = 85, mediumCoverage = 55, leastCoverage = 15, highDeviation = 0.02, mediumDeviation = 0.05
  /// A turn by this much changes every magnetometer's reading, rad. In units of the field: the last step of an ellipsoid.
  static let largestTurnWithoutChange = 0.2, smallestStep = 1e-4
  /// What remains of a pair's weight when the next one comes: about 100 pairs of 20° count. The least noise of one, T.
  static let pairFading = 0.99, smallestPairNoise = 0.7e-6

  /// Of the filter of the hard iron, in µT.
  enum HardIron {
    /// The strongest field of the earth; T; and what the hard iron may be before anything is measured (500 µT were seen).
    static let strength = 67.0, unit = 1e-6, priorDeviation = 500.0, blockDuration = 0.1
    /// The variance of a reading's mean over a second; and for how long an unexplained residual lasts.
    static let noise = 0.3, residualTime = 0.8
    /// Random walks, per √s, of the field, because the gyroscope turns the carried frame by 0.5° in a second, of the hard
    /// iron, and of the bias; that at the start (2.5 °/s: old phones have 6 °/s), and squared after a rest (0.1 °/s).
    static let fieldDrift = 0.4, drift = 0.02, biasDrift = 3e-4, biasDeviation = 0.044, restBiasVariance = 3e-6
    /// The share of an unexplained squared residual by which the field's variance grows in a second, and its smoothing.
    static let fieldExcitation = 0.3, excitationSmoothing = 0.3
    /// A change of the soft iron that leaves the hard iron as it is: 1 µT in the strongest field. The residuals are not
    /// white: the covariance is so much too small.
    static let smallChange = 0.015, excess = 1.5
    /// A field that differs along the way of a hand turns with it, and passes for so much of a hard iron. The mean of that
    /// is over so much turning, rad. A prediction with a larger variance says nothing about it.
    static let shareOfSpread = 0.15, spreadMemory = 20.0, sharpPrediction = 75.0
  }
}
