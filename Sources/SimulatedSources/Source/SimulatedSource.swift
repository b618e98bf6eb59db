// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// A device that does not exist, whose motion is known exactly.
///
/// ```swift
/// let source = SimulatedSource(trajectory: Handheld(), name: "handheld")
/// // … run it through a hub, then compare an estimate with
/// source.truth(at: sample.time)?.attitude
/// ```
///
/// ## Readings
/// Each sensor has a grid of sample times of its own. A reading is the trajectory's true value, changed by the error model of
/// the configuration. The same seed gives the same samples bit for bit, whichever sensors are listened to, however often the
/// source is stopped and started, on any clock and at any speed.
///
/// ## Time
/// The first run begins at trajectory time 0. Later runs go on as a real device would: its time has passed while nobody
/// listened. The next sample is the first of the grid that is not before the clock's present and after
/// `session.resumeAfter`. A source belongs to one clock; on a free-running one it goes on after `resumeAfter`.
///
/// ## What it ignores
/// `session.request.interval`: the rates are those of the configuration, and thinning out is the listener's business.
public final class SimulatedSource: SensorSource {
  /// The name begins with "simulated", the origin is `.simulation`.
  public let info: SensorInfo
  /// The true motion.
  public let trajectory: any Trajectory
  /// Rates, errors, faults.
  public let configuration: Configuration

  /// What outlives a run.
  struct Memory {
    /// Trajectory time 0 on the session's clock; nil before the first run.
    var epoch: SensorInstant?
    /// The stalls and disconnections that have happened, as indices in the fault plan.
    var pastInterruptions: Set<Int> = []
  }
  let memory = Lock(Memory())

  /// A simulated device that moves along `trajectory`; `name` is one or two words for a person, such as "handheld".
  public init(trajectory: any Trajectory, configuration: Configuration = Configuration(), name: String) {
    self.trajectory = trajectory
    self.configuration = configuration
    info = SensorInfo(
      name: "simulated device (\(name))", origin: .simulation, pacing: configuration.pacing,
      deviceClass: configuration.deviceClass, channels: configuration.channels,
      water: configuration.waterPressure.map { _ in
        SensorInfo.Water(thermometerTimeConstant: configuration.world.water.thermometerTimeConstant)
      })
  }

  /// The true motion at a sample's time; nil before the first run has begun and for times before it.
  ///
  /// Faults of the clock do not move the truth: a sample stamped wrong is compared with the truth at the wrong time.
  public func truth(at time: SensorInstant) -> TrajectoryState? {
    guard let epoch = memory.withLock({ $0.epoch }), time >= epoch else { return nil }
    return trajectory.state(at: (time - epoch).seconds)
  }

  /// The true state of the water around the device at a sample's time; nil as with ``truth(at:)``.
  public func waterTruth(at time: SensorInstant) -> WaterTruth? {
    guard let epoch = memory.withLock({ $0.epoch }), time >= epoch else { return nil }
    let seconds = (time - epoch).seconds
    return configuration.world.waterTruth(height: trajectory.state(at: seconds).position.z, at: seconds)
  }

  /// Delivers samples in time order until the session stops, the configured duration is over, or a fault ends the run.
  public func run(_ session: SensorSession) throws {
    var run = SimulatedRun(source: self, session: session)
    try run.deliverAll()
  }
}
