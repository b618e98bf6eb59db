// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Estimates the magnetism of the device itself, its hard and soft iron, during use.
///
/// Magnetic parts of the device turn with it; the earth's field does not. So when the device turns, the readings
/// move on a sphere around the hard iron, and its radius is the strength of the earth's field. The gyroscope measures
/// how the device turns, and so which part of a reading turns with it: a few turns about different axes are enough
/// (`HardIronFilter`). A second filter that starts later competes with the first, which a magnet or an unknown
/// gyroscope bias may have misled.
///
/// Where iron bends the field the sphere is an ellipsoid. Its shape is the *soft iron*, found from the readings of many
/// directions once they show it significantly (`SoftIronFit`) and pairs of readings with a known rotation between them
/// agree (`RotationPairFit`). The directions also show how much the strength differs, and so which accuracy is stated.
///
/// A fit is accepted only when it is precise, when the remaining field is as strong as the earth's, and when that
/// strength is the same in all directions. Until then the hard iron does not change, and the accuracy is
/// ``MagnetometerAccuracy/uncalibrated``.
///
/// ```swift
/// var calibrator = MagnetometerCalibrator()
/// calibrator.update(magneticField: reading, angularVelocity: filter.angularVelocity, atNanoseconds: time)
/// let field = calibrator.calibration.field(of: reading)
/// ```
public struct MagnetometerCalibrator: Sendable {
  /// The settings of the user.
  public let parameters: Parameters
  /// A turn is a pair's where its squared w is this at most: cheaper than the arc tangent of the angle, at every reading.
  let pairLimit: Double
  /// The learned state.
  public internal(set) var state: State

  /// A calibrator without prior knowledge, or one for a source whose field has no hard iron.
  ///
  /// - Parameters:
  ///   - parameters: What the user chooses.
  ///   - isCalibrated: true for such a source: the hard iron is zero, the accuracy is high from the start, and
  ///     the field is only monitored.
  public init(parameters: Parameters = Parameters(), isCalibrated: Bool = false) {
    self.parameters = parameters
    let cosine = Scalar.cos(min(.pi, max(0, parameters.pairAngle)) / 2)
    pairLimit = cosine * cosine
    state = State(isCalibrated: isCalibrated)
    if isCalibrated {
      state.calibration = MagnetometerCalibration(
        hardIron: .zero, fieldStrength: 0, hardIronDeviation: parameters.smallestDeviation, accuracy: .high)
    }
  }

  /// A calibrator that starts from a stored calibration, with accuracy low at most until the field agrees.
  ///
  /// A calibration with a number that is not finite, or of a field that is not the earth's, is ignored.
  public init(parameters: Parameters = Parameters(), calibration: MagnetometerCalibration) {
    self.init(parameters: parameters)
    guard calibration.accuracy > .uncalibrated, calibration.hardIron.isFinite,
      calibration.hardIronDeviation.isFinite, calibration.hardIronDeviation >= 0,
      parameters.fieldRange.contains(calibration.fieldStrength), calibration.hasPlausibleSoftIron
    else { return }
    state.calibration = calibration
    state.calibration.accuracy = .low
    state.attainableAccuracy = calibration.accuracy
    _ = state.filter.use(
      softIron: calibration.softIron,
      hardIron: HardIronFit(centre: calibration.hardIron, deviation: calibration.hardIronDeviation))
    state.softIronDeviationToBeat = calibration.softIronDeviation ?? .infinity
    state.buffer.centre = calibration.hardIron
  }

  /// The current calibration.
  public var calibration: MagnetometerCalibration { state.calibration }

  /// The calibration to store, with the accuracy that its readings support; ``calibration`` may not have reached it
  /// yet.
  public var calibrationToKeep: MagnetometerCalibration {
    guard state.calibration.accuracy > .uncalibrated else { return .none }
    var calibration = state.calibration
    calibration.accuracy = max(calibration.accuracy, state.attainableAccuracy)
    return calibration
  }
}

extension MagnetometerCalibrator {
  /// The requirements for a fit.
  public struct Parameters: Sendable, Hashable {
    /// The default set.
    public init() {}

    /// The strengths of the earth's field, T. Default 22…67 µT.
    public var fieldRange = 22e-6...67e-6
    /// Largest relative deviation from the fitted strength that still agrees with it. Default 0.2.
    public var agreement = 0.2
    /// Seconds of agreement before the accuracy rises by a level. Default 1.
    public var riseTime = 1.0
    /// Seconds of disagreement before it falls by a level. Default 2.
    public var fallTime = 2.0
    /// Seconds after which a fit without confirmation loses a level. Default 7200.
    public var longestFitAge = 7200.0
    /// Largest standard deviation of the hard iron, T, of a fit that is accepted. Default 5 µT.
    public var largestDeviation = 5e-6
    /// The smallest stated deviation of a fit, T. Default 0.3 µT.
    public var smallestDeviation = 0.3e-6
    /// The rotation between the two readings of a pair, rad. Default 20°.
    public var pairAngle = Angle(degrees: 20).radians
    /// The longest time between them, s: the gyroscope and the room must not change meanwhile. Default 2.
    public var longestPairTime = 2.0

    // MARK: Soft iron

    /// Whether soft iron is estimated. Default true; false uses the identity, as Apple's phones do.
    public var correctsSoftIron = true
    /// Directions, of 100, before an ellipsoid is tried. Default 55: more than half of the sphere.
    public var softIronDirections = 55
    /// The weakest soft iron that is accepted: √(Σ (S − 1)²). Default 0.05, which turns a direction by 1.7° at most.
    /// The field in a room differs by 2–4° from place to place; weaker soft iron cannot be distinguished from that.
    public var smallestSoftIron = 0.05
    /// The share of that below which new fits no longer change an accepted one. Default 0.6.
    public var softIronHysteresis = 0.6
    /// Its required strength in its own standard deviations. Default 4.
    public var softIronSignificance = 4.0
    /// Fisher's F of the ellipsoid against the sphere. Default 10. One test in a thousand gives 5 by chance; here many
    /// tests are made, and neighbouring readings share the field of their place.
    public var softIronEvidence = 10.0
    /// Twice the logarithm of the likelihood by which the gyroscope's pairs must prefer it. Default 25: neighbouring
    /// pairs share the field of their place, so some of them count as one.
    public var softIronPreference = 25.0
    /// Largest root mean square of the strength's misfit on the ellipsoid, relative. Default 0.04.
    public var softIronError = 0.04
    /// Largest standard deviation of the matrix' elements of a fit that is accepted. Default 0.015.
    public var largestSoftIronDeviation = 0.015
    /// The smallest stated deviation of a fit. Default 0.003.
    public var smallestSoftIronDeviation = 0.003
    /// Number of pairs between two fits of the ellipsoid: a fit costs more than everything else, and one new reading
    /// changes little. Default 5.
    public var softIronFitInterval = 5
    /// How many fits in a row must contradict a soft iron before it is dropped. Default 4, 400° of rotation.
    public var softIronPatience = 4
  }

  /// The learned state, a value without references.
  public struct State: Sendable {
    /// True when the source removes the hard iron itself.
    public let isCalibrated: Bool
    /// The result.
    public internal(set) var calibration: MagnetometerCalibration = .none
    /// The level that the data supports; the accuracy climbs towards it.
    var attainableAccuracy: MagnetometerAccuracy
    var filter = HardIronFilter()
    /// One that began later, how far the device has turned since then, and after how much it begins again, rad.
    var rival = HardIronFilter()
    /// What is between two blocks of the two.
    var frames = CarriedFrames()
    var contradictions = 0
    var rivalTurn = 0.0, rivalLimit = MagnetometerCalibrator.firstRivalTurn
    var pairs = RotationPairFit()
    var buffer = DirectionBuffer()
    /// The first reading of the current pair, and the rotation from now to then.
    var anchor: Vector3<Device>?
    var turn = Quaternion(w: 1, x: 0, y: 0, z: 0)
    var pairTime = 0.0
    var latestTime: Int64?
    var latestRate: Vector3<Device> = .zero, latestField: Vector3<Device> = .zero
    var agreeingTime = 0.0, disagreeingTime = 0.0
    /// Seconds of sample time since a fit confirmed the calibration.
    var fitAge = 0.0
    /// The deviation that a new soft iron has to beat; it grows with every fit.
    var softIronDeviationToBeat = Double.infinity
    /// Pairs so far; after every few of them an ellipsoid is fitted.
    var fitCount = 0
    /// Fits in a row that contradicted the soft iron.
    var softIronContradictions = 0

    init(isCalibrated: Bool) {
      self.isCalibrated = isCalibrated
      attainableAccuracy = isCalibrated ? .high : .uncalibrated
    }
  }
}
