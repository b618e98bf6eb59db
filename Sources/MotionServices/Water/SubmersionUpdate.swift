// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionSensing

/// What a sample of the water's pressure has brought: any of a change of state, a measurement, a temperature and a
/// problem. They are reported in that order, a problem first.
package struct SubmersionUpdate: Sendable, Hashable {
  /// Whether the device is in the water.
  package enum Submersion: UInt8, Sendable, Hashable {
    /// Not known yet, or not any more.
    case unknown
    /// In the air, or at the surface.
    case notSubmerged
    /// Under water.
    case submerged
  }

  /// The depth in words; see ``SubmersionEstimator/Parameters`` for the bounds.
  package enum DepthState: UInt8, Sendable, Hashable {
    case unknown, notSubmerged, submergedShallow, submergedDeep, approachingMaximum, pastMaximum, sensorError
  }

  /// A change of submersion.
  package struct Event: Sendable, Hashable {
    /// When it was recognised.
    package var time: SensorInstant
    /// What holds from then on.
    package var state: Submersion

    /// A state that was recognised at `time`.
    package init(time: SensorInstant, state: Submersion) {
      self.time = time
      self.state = state
    }
  }

  /// Pressure and depth.
  package struct Measurement: Sendable, Hashable {
    /// The mean time of the samples that were averaged.
    package var time: SensorInstant
    /// Metres, down positive; nil above water and in ``DepthState/sensorError``.
    package var depth: Double?
    /// Pascal, absolute; nil where the depth is.
    package var pressure: Double?
    /// Pascal: the air's, held while submerged.
    package var surfacePressure: Double
    /// False: the device was under water from the start and the air's pressure is unknown, so that 101 325 Pa are
    /// assumed and the depth may be off by half a metre, at altitude by metres.
    package var isSurfacePressureKnown: Bool
    /// The depth in words.
    package var state: DepthState
  }

  /// A temperature of the water.
  package struct Temperature: Sendable, Hashable {
    /// The mean time of the samples that were averaged.
    package var time: SensorInstant
    /// °C, as the sensor reads it.
    package var temperature: Double
    /// K: how far the water may be from it, because the sensor is slow. See ``WaterTemperatureEstimator``.
    package var uncertainty: Double
  }

  /// The sensor has begun to deliver what no pressure can be; reported once until it recovers.
  package var problem: SensorError?
  /// Nil while submersion stays as it is.
  package var event: Event?
  /// Nil between two measurements.
  package var measurement: Measurement?
  /// Nil above water, and when the sensor has no thermometer.
  package var temperature: Temperature?

  /// Nothing yet.
  package init() {}

  /// True when there is nothing to report.
  package var isEmpty: Bool { self == SubmersionUpdate() }
}

extension SensorError.Code {
  /// The sensor delivers numbers that the thing it measures cannot have.
  package static let implausible = SensorError.Code(rawValue: "implausible")
}
