// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionHost
public import SimulatedSources

/// What a ``TestDevice`` is besides its motion: which sensors it has, how good they are, what the person has allowed.
///
/// ```swift
/// try await withMotion("shake 2 s", MotionSetup { $0.policy.authorization = .denied; $0.hasMagnetometer = false }) { … }
/// ```
public struct MotionSetup: Sendable {
  /// False: a device without a magnetometer; the north frames are then not offered. Default true.
  public var hasMagnetometer = true
  /// False: a device without a gyroscope; device motion is then not available. Default true.
  public var hasGyroscope = true
  /// Hz of the accelerometer and the gyroscope. Default 100.
  public var rate = 100.0
  /// Errors of the sensors. Default: none, so that what arrives differs from the truth by the filter's own error only.
  public var errors = DeviceErrorModel.ideal
  /// Chooses the noise of `errors`: the same seed, the same numbers. Default 1.
  public var seed: UInt64 = 1
  /// Permission, entitlements, running workout. Default: what an app gets that has asked.
  public var policy = HostPolicy()
  /// Where the device is, for true north. Default nil: unknown.
  public var location: GeographicLocation?
  /// How the head moves that wears headphones; nil, the default = there are no headphones.
  public var headphones: MotionScript?

  /// The defaults, changed by `change`.
  public init(_ change: (inout MotionSetup) -> Void = { _ in }) { change(&self) }

  /// The configuration of the simulated device.
  var configuration: SimulatedSource.Configuration {
    var configuration = SimulatedSource.Configuration()
    let timing = SimulatedSource.Timing(rate: rate)
    configuration.inertial = hasGyroscope ? .together(timing) : .apart(accelerometer: timing, gyroscope: nil)
    if !hasMagnetometer { configuration.magnetometer = nil }
    configuration.errors = errors
    configuration.seed = seed
    return configuration
  }
}
