// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

/// What a sample of the water's pressure has brought: any of a change of state, a measurement, a temperature and a problem.
/// They are told in that order, a problem first.
public struct SubmersionUpdate: Sendable, Hashable {
  /// Whether the device is in the water.
  public enum Submersion: UInt8, Sendable, Hashable {
    /// Not known yet, or not any more.
    case unknown
    /// In the air, or at the surface.
    case notSubmerged
    /// Under water.
    case submerged
  }

  /// The depth in words; see ``SubmersionEstimator/Parameters`` for the bounds.
  public enum DepthState: UInt8, Sendable, Hashable {
    case unknown, notSubmerged, submergedShallow, submergedDeep, approachingMaximum, pastMaximum, sensorError
  }

  /// A change of submersion.
  public struct Event: Sendable, Hashable {
    /// When it was recognised.
    public var time: SensorInstant
    /// What holds from then on.
    public var state: Submersion

    /// A state that was recognised at `time`.
    public init(time: SensorInstant, state: Submersion) {
      self.time = time
      self.state = state
    }
  }

  /// Pressure and depth.
  public struct Measurement: Sendable, Hashable {
    /// The mean time of the samples that were averaged.
    public var time: SensorInstant
    /// Metres, down positive; nil above water and in ``DepthState/sensorError``.
    public var depth: Double?
    /// Pascal, absolute; nil where the depth is.
    public var pressure: Double?
    /// Pascal: the air's, held while submerged.
    public var surfacePressure: Double
    /// False: the device was under water from the start and nobody knows the air's pressure, so that 101 325 Pa stand in and
    /// the depth may be off by half a metre, at altitude by metres.
    public var isSurfacePressureKnown: Bool
    /// The depth in words.
    public var state: DepthState
  }

  /// A temperature of the water.
  public struct Temperature: Sendable, Hashable {
    /// The mean time of the samples that were averaged.
    public var time: SensorInstant
    /// °C, as the sensor reads it.
    public var temperature: Double
    /// K: how far the water may be from it, because the sensor is slow. See ``WaterTemperatureEstimator``.
    public var uncertainty: Double
  }

  /// The sensor has begun to deliver what no pressure can be; told once until it recovers.
  public var problem: SensorError?
  /// Nil while submersion stays as it is.
  public var event: Event?
  /// Nil between two measurements.
  public var measurement: Measurement?
  /// Nil above water, and when the sensor has no thermometer.
  public var temperature: Temperature?

  /// Nothing yet.
  public init() {}

  /// True when there is nothing to tell.
  public var isEmpty: Bool { self == SubmersionUpdate() }
}

extension SensorError.Code {
  /// The sensor delivers numbers that the thing it measures cannot have.
  public static let implausible = SensorError.Code(rawValue: "implausible")
}
