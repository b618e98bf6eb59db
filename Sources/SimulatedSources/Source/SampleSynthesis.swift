// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import MotionMath
import MotionSensing

/// Makes the samples of one run: the trajectory seen through the error models.
///
/// Everything it remembers (how far each bias has drifted) follows from the seed and the time, so a fresh one that
/// begins in the middle makes the same samples.
package struct SampleSynthesis {
  private let trajectory: any Trajectory
  private let world: SimulatedWorld
  private let magnetic: MagnetometerErrorModel
  private var accelerometer: VectorSensor
  private var gyroscope: VectorSensor
  private var magnetometer: VectorSensor
  private var pressure: ScalarSensor
  private var temperature: ScalarSensor
  private var waterPressure: ScalarSensor
  private var waterTemperature: ScalarSensor
  private var thermometer = SlowThermometer()

  package init(trajectory: any Trajectory, configuration: SimulatedSource.Configuration) {
    self.trajectory = trajectory
    world = configuration.world
    let errors = configuration.errors
    let seed = configuration.seed
    magnetic = errors.magnetometer
    func vector(_ model: SensorErrorModel, _ timing: SimulatedSource.Timing?, _ stream: UInt64) -> VectorSensor {
      VectorSensor(model, rate: timing?.rate ?? 0, seed: seed, stream: stream)
    }
    func scalar(_ model: ScalarErrorModel, _ timing: SimulatedSource.Timing?, _ stream: UInt64) -> ScalarSensor {
      ScalarSensor(model, rate: timing?.rate ?? 0, seed: seed, stream: stream)
    }
    accelerometer = vector(errors.accelerometer, configuration.inertialTimings.accelerometer, 0)
    gyroscope = vector(errors.gyroscope, configuration.inertialTimings.gyroscope, 2)
    magnetometer = vector(errors.magnetometer.sensor, configuration.magnetometer, 4)
    pressure = scalar(errors.pressure, configuration.pressure, 6)
    temperature = scalar(errors.temperature, configuration.temperature, 8)
    waterPressure = scalar(errors.waterPressure, configuration.waterPressure, 10)
    waterTemperature = scalar(errors.waterTemperature, configuration.waterPressure, 12)
  }

  /// m/s² and rad/s at `seconds`.
  package mutating func inertial(index: Int64, seconds: Double) -> (force: Vector3<Device>, rate: Vector3<Device>) {
    let state = trajectory.state(at: seconds)
    let warmth = world.deviceTemperature(at: seconds) - 25
    return (
      accelerometer.reading(of: state.specificForce, index: index, seconds: seconds, warmth: warmth),
      gyroscope.reading(of: state.angularVelocity, index: index, seconds: seconds, warmth: warmth)
    )
  }

  /// Tesla at `seconds`: the field as it was `latency` before.
  mutating func magneticField(index: Int64, seconds: Double) -> Vector3<Device> {
    let moment = seconds - magnetic.latency
    var field = world.magneticField
    for disturbance in magnetic.disturbances
    where moment >= disturbance.start && moment < disturbance.start + disturbance.duration {
      field += disturbance.field
    }
    let seen = magnetic.softIron * (trajectory.state(at: moment).attitude.inverse * field) + magnetic.hardIron
    let warmth = world.deviceTemperature(at: seconds) - 25
    return magnetometer.reading(of: seen, index: index, seconds: seconds, warmth: warmth)
  }

  /// Pascal at `seconds`.
  mutating func airPressure(index: Int64, seconds: Double) -> Double {
    let truth = world.pressure(atHeight: trajectory.state(at: seconds).position.z, seconds: seconds)
    return pressure.reading(of: truth, index: index, seconds: seconds)
  }

  /// What the depth sensor reads at `seconds`, its slow thermometer with it.
  mutating func waterPressure(index: Int64, time: SensorInstant, seconds: Double) -> PressureSample {
    let (trajectory, world) = (trajectory, world)
    func truth(at seconds: Double) -> WaterTruth {
      world.waterTruth(height: trajectory.state(at: seconds).position.z, at: seconds)
    }
    let temperature = thermometer.reading(at: seconds, timeConstant: world.water.thermometerTimeConstant) {
      truth(at: $0).temperature
    }
    return PressureSample(
      time: time, pressure: waterPressure.reading(of: truth(at: seconds).pressure, index: index, seconds: seconds),
      temperature: waterTemperature.reading(of: temperature, index: index, seconds: seconds), medium: .water)
  }

  /// °C of the device at `seconds`, without the errors of the thermometer.
  func trueTemperature(at seconds: Double) -> Double { world.deviceTemperature(at: seconds) }

  /// °C at `seconds`, as the thermometer reads it.
  mutating func deviceTemperature(index: Int64, seconds: Double) -> Double {
    temperature.reading(of: world.deviceTemperature(at: seconds), index: index, seconds: seconds)
  }
}
