// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath

/// Finds the magnetism of the device itself, its hard iron, while the device is in use.
///
/// Whatever is magnetic in the device turns with it; the earth's field does not. So when the device turns, the readings
/// move on a sphere around the hard iron, and its radius is the strength of the earth's field. Two methods find the centre:
///
/// 1. *Pairs*: the gyroscope says by which rotation T two readings differ, and m₁ − T m₂ = (1 − T) · hard iron. A few
///    turns about different axes suffice (``RotationPairFit``).
/// 2. *Sphere*: once the centre is roughly known, readings from many directions refine it (``DirectionBuffer``).
///
/// A fit is believed only when it is sharp, when the remaining field is as strong as the earth's, and when that strength is
/// the same in all directions. Until then the hard iron stays as it was, and the accuracy says ``MagnetometerAccuracy/uncalibrated``.
///
/// ```swift
/// var calibrator = MagnetometerCalibrator()
/// calibrator.update(magneticField: reading, angularVelocity: filter.angularVelocity, atNanoseconds: time)
/// let field = reading - calibrator.calibration.hardIron
/// ```
public struct MagnetometerCalibrator: Sendable {
  /// What the user chooses.
  public let parameters: Parameters
  /// Everything learned.
  public internal(set) var state: State

  /// A calibrator that knows nothing, or one for a source whose field is already free of hard iron.
  ///
  /// - Parameter isCalibrated: true for such a source: the hard iron is zero, the accuracy high from the start, and the
  ///   field is only watched.
  public init(parameters: Parameters = Parameters(), isCalibrated: Bool = false) {
    self.parameters = parameters
    state = State(isCalibrated: isCalibrated)
    if isCalibrated {
      state.calibration = MagnetometerCalibration(
        hardIron: .zero, fieldStrength: 0, hardIronDeviation: parameters.smallestDeviation, accuracy: .high)
    }
  }

  /// A calibrator that starts from a stored calibration, at most at the level low until the field agrees.
  ///
  /// A calibration with a number that is not finite, or of a field that is not the earth's, counts as none.
  public init(parameters: Parameters = Parameters(), calibration: MagnetometerCalibration) {
    self.init(parameters: parameters)
    guard calibration.accuracy > .uncalibrated, calibration.hardIron.isFinite,
      calibration.hardIronDeviation.isFinite, calibration.hardIronDeviation >= 0,
      parameters.fieldRange.contains(calibration.fieldStrength)
    else { return }
    state.calibration = calibration
    state.calibration.accuracy = .low
    state.attainableAccuracy = calibration.accuracy
    state.deviationToBeat = calibration.hardIronDeviation
    state.buffer.centre = calibration.hardIron
  }

  /// What is known now.
  public var calibration: MagnetometerCalibration { state.calibration }
}

extension MagnetometerCalibrator {
  /// What the calibrator demands of a fit.
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
    /// Largest standard deviation of the hard iron, T, of a fit that is believed. Default 3 µT.
    public var largestDeviation = 3e-6
    /// No fit is claimed to be better than this, T. Default 0.5 µT.
    public var smallestDeviation = 0.5e-6
    /// The rotation between the two readings of a pair, rad. Default 20°.
    public var pairAngle = Angle(degrees: 20).radians
    /// The longest time between them, s: the gyroscope and the room must not change meanwhile. Default 2.
    public var longestPairTime = 2.0
  }

  /// Everything learned, a value without references.
  public struct State: Sendable {
    /// True when the source removes the hard iron itself.
    public let isCalibrated: Bool
    /// The result.
    public internal(set) var calibration: MagnetometerCalibration = .none
    /// The level that the data supports; the accuracy climbs towards it.
    var attainableAccuracy: MagnetometerAccuracy
    var pairs = RotationPairFit()
    var buffer = DirectionBuffer()
    /// The first reading of the current pair, and the rotation from now to then.
    var anchor: Vector3<Device>?
    var turn: Rotation<Device, Device> = .identity
    var pairTime = 0.0
    var latestTime: Int64?
    var latestRate: Vector3<Device> = .zero
    var agreeingTime = 0.0, disagreeingTime = 0.0
    /// Seconds of sample time since a fit confirmed the calibration.
    var fitAge = 0.0
    /// The deviation that a new fit has to beat; it grows with every try.
    var deviationToBeat = Double.infinity

    init(isCalibrated: Bool) {
      self.isCalibrated = isCalibrated
      attainableAccuracy = isCalibrated ? .high : .uncalibrated
    }
  }
}
