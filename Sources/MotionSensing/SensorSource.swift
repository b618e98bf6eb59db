// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

/// Anything that produces sensor samples: a driver, a recording, a simulation.
///
/// ```swift
/// struct Level: SensorSource {
///   let info = SensorInfo(name: "level", origin: .simulation, pacing: .onDemand, channels: [.init(kind: .inertial)])
///   func run(_ session: SensorSession) throws {
///     var time = session.clock.now
///     while true {
///       try session.wait(until: time)
///       try session.deliver(.inertial(InertialSample(
///         time: time, angularVelocity: .zero, specificForce: Vector3(x: 0, y: 0, z: 9.80665))))
///       time = time + .milliseconds(10)
///     }
///   }
/// }
/// ```
///
/// Promises of a source, checked by ``SourceConformance``:
/// 1. Times of one sensor never go back, and no two samples of one sensor have the same time; samples of different
///    sensors are out of order by at most `info.reordering`.
/// 2. Axes are `Device`, units SI (or declared in the sample); no value is NaN or infinite.
/// 3. A source has no queue: it delivers what it reads. Its runner decides what happens when a consumer is slow.
/// 4. `run` returns when the source has ended, throws `SourceStopped` (or any error, after stop) soon after
///    ``SensorSession`` was stopped, and throws a ``SensorError`` when it fails.
/// 5. It delivers only kinds that `info` names, and honours `session.resumeAfter`.
/// 6. It may be run again after a run has ended, but never twice at once.
/// 7. If `info` names the kind `.connection`, it reports its ``ConnectionState`` at the start of each run and at each
///    change, and delivers nothing while it is not connected. Being disconnected is then no failure: the run goes on.
public protocol SensorSource: Sendable {
  /// What the source measures, at which rates, and where it comes from.
  var info: SensorInfo { get }

  /// Delivers samples until the session stops or the source ends.
  ///
  /// Called on a thread of its own: it may block, in `poll` and in `deliver`. A driver polls its descriptor together
  /// with `session.wake.descriptor`, with a time limit, and then always reads.
  func run(_ session: SensorSession) async throws
}

/// A source whose data can be damaged: a recording.
package protocol DataChecking: SensorSource {
  /// What was wrong with what the last run read, to continue a sentence about the source; nil when it was whole.
  var dataProblem: String? { get }
}

/// Thrown through a source when its session was stopped. Not a failure.
public struct SourceStopped: Error, Sendable {
  /// The only value.
  public init() {}
}

/// The current request of the subscribers.
public struct SensorRequest: Hashable, Sendable {
  /// The sensors with a subscriber; others may stay off.
  public var kinds: SensorKinds
  /// The shortest requested interval; zero = as fast as the source can.
  public var interval: SensorDuration
  /// How long samples may stay in the sensor's or the kernel's buffer before they are read together; zero, the default
  /// = each at once. Their times stay those of the measurements. Sources without such a buffer ignore it.
  public var latency: SensorDuration

  /// A request; zero interval = as fast as the source can, zero latency = each sample at once.
  public init(kinds: SensorKinds, interval: SensorDuration, latency: SensorDuration = .zero) {
    self.kinds = kinds
    self.interval = interval
    self.latency = latency
  }
}
