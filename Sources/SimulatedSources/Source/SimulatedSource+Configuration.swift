// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import MotionSensing

extension SimulatedSource {
  /// When a sensor takes its samples: at phase + n / rate seconds on the trajectory's time line, n = 0, 1, 2 …, rounded to the
  /// nanosecond.
  public struct Timing: Hashable, Sendable {
    /// Hz, positive.
    public let rate: Double
    /// Seconds from the beginning of the trajectory to the first sample, 0 or more.
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
    func offset(of index: Int64) -> SensorDuration {
      SensorDuration(nanoseconds: Int64(((phase + Double(index) / rate) * 1e9).rounded()))
    }

    /// The first sample that comes after `offset`; 0 when all do.
    func firstIndex(after offset: SensorDuration) -> Int64 {
      var index = max(0, Int64(((offset.seconds - phase) * rate).rounded(.down)))
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

  /// Which sensors a simulated device has, how good they are, and what goes wrong.
  ///
  /// The default is a phone without errors: accelerometer and gyroscope at 100 Hz, magnetometer at 50 Hz, air pressure at 25 Hz,
  /// temperature at 1 Hz, for ever.
  public struct Configuration: Hashable, Sendable {
    /// Accelerometer and gyroscope.
    public var inertial: Inertial = .together(Timing(rate: 100))
    /// nil = the device has none.
    public var magnetometer: Timing? = Timing(rate: 50)
    /// Air pressure; nil = the device has none.
    public var pressure: Timing? = Timing(rate: 25)
    /// Pressure of the water, with a thermometer in the sensor; nil, the default = the device has none.
    public var waterPressure: Timing?
    /// nil = the device has none.
    public var temperature: Timing? = Timing(rate: 1)
    /// Errors of the sensors.
    public var errors = DeviceErrorModel.ideal
    /// Faults.
    public var faults = FaultPlan.none
    /// The surroundings.
    public var world = SimulatedWorld()
    /// Chooses the noise: the same seed, the same numbers.
    public var seed: UInt64 = 1
    /// Seconds after which the source ends; nil = never.
    public var duration: Double?
    /// What the simulated device is.
    public var deviceClass = SensorInfo.DeviceClass.phone
    /// `.onDemand`: the simulation waits for slow consumers; `.live`: it is treated like hardware.
    public var pacing = SensorInfo.Pacing.onDemand

    /// The default configuration.
    public init() {}

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

    private var inertialTimings: (accelerometer: Timing?, gyroscope: Timing?) {
      switch inertial {
      case .together(let timing): (timing, timing)
      case .apart(let accelerometer, let gyroscope): (accelerometer, gyroscope)
      }
    }
  }
}
