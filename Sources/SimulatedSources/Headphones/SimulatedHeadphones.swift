// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// Headphones that do not exist, on a head whose motion is known exactly: they connect and leave, are put on and taken off, and
/// one bud after the other speaks.
///
/// ```swift
/// var configuration = SimulatedHeadphones.Configuration()
/// configuration.events = [.init(.takeOff, at: 2), .init(.putOn, at: 3), .init(.switchSide, at: 5)]
/// let host = MotionHost(headphones: SimulatedHeadphones(trajectory: HeadNod(), configuration: configuration))
/// ```
///
/// ## What is told
/// A ``ConnectionState`` at the beginning of each run and at each change (``SensorSession/report(_:)``); samples come while it
/// says connected. Taken off, headphones are disconnected where they notice it (``Configuration/detectsWearing``) and go on
/// speaking where they do not, as real ones do.
///
/// ## Readings
/// Motion that the buds have fused themselves (the default), exactly the trajectory's: attitude to a frame whose +z is up and
/// whose azimuth 0 is straight ahead at the start of ``HeadNod``; or the raw rates that our filter fuses, with sensor errors.
/// Axes: +x to the right ear, +y to the nose, +z up.
///
/// ## Time
/// As in ``SimulatedSource``: the first run begins at trajectory time 0, and time passes while nobody listens.
public final class SimulatedHeadphones: SensorSource {
  /// The name begins with "simulated", the origin is `.simulation`.
  public let info: SensorInfo
  /// The true motion of the head.
  public let trajectory: any Trajectory
  /// Rate, form of the samples, events.
  public let configuration: Configuration
  /// Trajectory time 0 on the session's clock; nil before the first run.
  let epoch = Lock<SensorInstant?>(nil)

  /// Headphones on a head that moves along `trajectory`.
  public init(trajectory: any Trajectory = HeadNod(), configuration: Configuration = Configuration()) {
    self.trajectory = trajectory
    self.configuration = configuration
    let rates = [configuration.rate]
    let motion: [SensorInfo.Channel] =
      configuration.isFused
      ? [.init(kind: .fusedMotion, rates: rates)]
      : [.init(kind: .accelerometer, rates: rates), .init(kind: .gyroscope, rates: rates)]
    info = SensorInfo(
      name: "simulated headphones", origin: .simulation, pacing: configuration.pacing, deviceClass: .headphones,
      channels: motion + [.init(kind: .connection)], fusedReference: configuration.isFused ? .xArbitrary : nil)
  }

  /// The true motion at a sample's time; nil before the first run has begun and for times before it.
  public func truth(at time: SensorInstant) -> TrajectoryState? {
    guard let epoch = epoch.withLock({ $0 }), time >= epoch else { return nil }
    return trajectory.state(at: (time - epoch).seconds)
  }

  /// Delivers samples and reports until the session stops or the configured duration is over.
  public func run(_ session: SensorSession) throws {
    var run = HeadphoneRun(source: self, session: session)
    try run.deliverAll()
  }
}
