// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionHost
import MotionSensing
public import SimulatedSources

/// The setup of a ``TestDevice`` apart from its motion: its sensors, their errors, and the permissions.
///
/// ```swift
/// try await withMotion("shake 2 s", MotionSetup { $0.policy.authorization = .denied; $0.hasMagnetometer = false }) { … }
/// ```
public struct MotionSetup: Sendable {
  /// How the device's time passes when the test advances it.
  public enum Pace: Sendable, Hashable {
    /// As fast as the handlers return: ten minutes take seconds. Timers of the code do not fire.
    case virtual
    /// With the wall clock, also while the code sleeps; samples arrive only while the test advances the device, and the
    /// main thread's run loop runs then. For code that polls. Time stamps are seconds since boot, as on a device.
    /// Timers fire in XCTest's async tests, and not in Swift Testing on Linux, which has no run loop on the main thread.
    case realTime
  }

  /// False: a device without a magnetometer; the north frames are then not offered. Default true.
  public var hasMagnetometer = true
  /// False: a device without a gyroscope; device motion is then not available. Default true.
  public var hasGyroscope = true
  /// Hz of the accelerometer and the gyroscope. Default 100.
  public var rate = 100.0
  /// Errors of the sensors. Default: none, so the output differs from the truth only by the filter's own error.
  public var errors = DeviceErrorModel.ideal
  /// The seed of the noise of `errors`: the same seed gives the same numbers. Default 1.
  public var seed: UInt64 = 1
  /// How time passes. Default: virtual.
  public var pace = Pace.virtual
  /// Permission, entitlements, running workout. Default: those of an app that has requested them.
  public var policy = HostPolicy()
  /// The location of the device, for true north. Default nil: unknown.
  public var location: GeographicLocation?
  /// The motion of the head with headphones, as “nod twice, rest 2 s”; nil, the default = no headphones.
  ///
  /// The pose is as `CMHeadphoneMotionManager` reports it: pitch falls when the head nods, yaw grows when it turns left,
  /// roll grows when it tilts to the right shoulder.
  public var headphones: MotionScript?

  /// The defaults, changed by `change`.
  public init(_ change: (inout MotionSetup) -> Void = { _ in }) { change(&self) }

  /// Throws what is wrong with a literal.
  func check(_ script: MotionScript? = nil) throws(SensorError) {
    if let mistake = script?.mistake ?? headphones?.mistake { throw mistake }
  }

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
