// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
public import MotionSensing

/// A simulated device whose motion is known exactly.
///
/// ```swift
/// let source = SimulatedSource(trajectory: Handheld(), name: "handheld")
/// // … run it through a hub, then compare an estimate with
/// source.truth(at: sample.time)?.attitude
/// ```
///
/// ## Readings
/// Each sensor has its own grid of sample times. A reading is the trajectory's true value, changed by the error model
/// of the configuration. The same seed gives the same samples bit for bit, with any selection of sensors, any number of
/// stops and starts, any clock and any speed.
///
/// ## Time
/// The first run begins at trajectory time 0. Later runs continue like a real device: its time has passed while there
/// was no subscriber. The next sample is the first of the grid that is not before the clock's current time and after
/// `session.resumeAfter`. A source belongs to one clock; on a free-running one it continues after `resumeAfter`.
///
/// ## Ignored settings
/// `session.request.interval`: the rates are those of the configuration, and the subscriber reduces them if needed.
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

  /// A simulated device that moves along `trajectory`; `name` is one or two words for the user, such as "handheld".
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
  /// Faults of the clock do not shift the truth: the truth at a wrong time stamp is that of the stamp.
  public func truth(at time: SensorInstant) -> TrajectoryState? { seconds(at: time).map(trajectory.state) }

  /// The steps taken by a sample's time, exactly; nil as with ``truth(at:)``.
  public func stepCount(at time: SensorInstant) -> Int? { seconds(at: time).map(trajectory.stepCount) }

  /// The true state of the water around the device at a sample's time; nil as with ``truth(at:)``.
  public func waterTruth(at time: SensorInstant) -> WaterTruth? {
    seconds(at: time).map { configuration.world.waterTruth(height: trajectory.state(at: $0).position.z, at: $0) }
  }

  /// On the trajectory's time line; nil before it.
  private func seconds(at time: SensorInstant) -> Double? {
    memory.withLock { $0.epoch }.flatMap { time >= $0 ? (time - $0).seconds : nil }
  }

  /// Delivers samples in time order until the session stops, the configured duration is over, or a fault ends the run.
  public func run(_ session: SensorSession) throws {
    var run = SimulatedRun(source: self, session: session)
    try run.deliverAll()
  }
}

extension SimulatedSource {
  /// The sample times of a sensor: phase + n / rate seconds on the trajectory's time line, n = 0, 1, 2 …, rounded to
  /// the nanosecond.
  public struct Timing: Hashable, Sendable {
    /// Hz, positive.
    public let rate: Double
    /// Seconds from the start of the trajectory to the first sample, 0 or more.
    public let phase: Double

    /// `rate` must be in 0.001…100 000 Hz, `phase` in 0…1000 s; default phase 0.
    public init(rate: Double, phase: Double = 0) {
      precondition(Self.rates.contains(rate), "The rate of a simulated sensor is in 0.001…100000 Hz.")
      precondition((0...1000).contains(phase), "The phase of a simulated sensor is in 0…1000 s.")
      self.rate = rate
      self.phase = phase
    }

    /// The rates that make sense, in Hz.
    static let rates = 0.001...100_000.0

    /// Time of sample `index`, counted from the beginning of the trajectory.
    package func offset(of index: Int64) -> SensorDuration {
      SensorDuration(nanoseconds: Int64(clamping: ((phase + Double(index) / rate) * 1e9).rounded()))
    }

    /// The first sample that comes after `offset`; 0 when all do.
    package func firstIndex(after offset: SensorDuration) -> Int64 {
      var index = max(0, Int64(clamping: ((offset.seconds - phase) * rate).rounded(.down)))
      while index > 0, self.offset(of: index - 1) > offset { index -= 1 }
      while self.offset(of: index) <= offset { index += 1 }
      return index
    }
  }

  /// The accelerometer and the gyroscope.
  public enum Inertial: Hashable, Sendable {
    /// Both on one chip, sampled together: samples are `.inertial`.
    case together(Timing)
    /// Each with its own times, or missing (nil).
    case apart(accelerometer: Timing?, gyroscope: Timing?)
  }

  /// The sensors of a simulated device, their errors, and its faults.
  ///
  /// The default is a phone without errors: accelerometer and gyroscope at 100 Hz, magnetometer at 50 Hz, air pressure
  /// at 25 Hz, temperature at 1 Hz, without end.
  public struct Configuration: Hashable, Sendable {
    /// Accelerometer and gyroscope.
    public var inertial: Inertial = .together(Timing(rate: 100))
    /// nil = the device has none.
    public var magnetometer: Timing? = Timing(rate: 50)
    /// Air pressure; nil = the device has none.
    public var pressure: Timing? = Timing(rate: 25)
    /// Water pressure, with a thermometer in the sensor; nil, the default = the device has none.
    public var waterPressure: Timing?
    /// nil = the device has none.
    public var temperature: Timing? = Timing(rate: 1)
    /// Errors of the sensors.
    public var errors = DeviceErrorModel.ideal
    /// Faults, in any order.
    public var faults: [Fault] = []
    /// The surroundings.
    public var world = SimulatedWorld()
    /// The seed of the noise: the same seed gives the same numbers.
    public var seed: UInt64 = 1
    /// Seconds after which the source ends; nil = never.
    public var duration: Double?
    /// The class of the simulated device.
    public var deviceClass = SensorInfo.DeviceClass.phone
    /// `.onDemand`: the simulation waits for slow consumers; `.live`: it is treated like hardware.
    public var pacing = SensorInfo.Pacing.onDemand

    /// The default configuration, changed by `change`.
    public init(_ change: (inout Self) -> Void = { _ in }) { change(&self) }

    /// What the source will declare in its `info`.
    var channels: [SensorInfo.Channel] {
      var channels: [SensorInfo.Channel] = []
      func add(_ kind: SensorKinds, _ timing: Timing?, range: Double = .infinity, isCalibrated: Bool = false) {
        guard let timing else { return }
        channels.append(
          .init(
            kind: kind, rates: [timing.rate], range: range.isFinite ? range : nil, isCalibrated: isCalibrated))
      }
      let (accelerometer, gyroscope) = inertialTimings
      add(.accelerometer, accelerometer, range: errors.accelerometer.range)
      add(.gyroscope, gyroscope, range: errors.gyroscope.range)
      add(
        .magnetometer, magnetometer, range: errors.magnetometer.sensor.range,
        isCalibrated: errors.magnetometer.hasNoFieldOfItsOwn)
      add(.airPressure, pressure)
      add(.waterPressure, waterPressure)
      add(.temperature, temperature)
      return channels
    }

    var inertialTimings: (accelerometer: Timing?, gyroscope: Timing?) {
      switch inertial {
      case .together(let timing): (timing, timing)
      case .apart(let accelerometer, let gyroscope): (accelerometer, gyroscope)
      }
    }
  }
}
