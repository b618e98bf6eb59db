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
    let inertialRates: (accelerometer: Double, gyroscope: Double) =
      switch configuration.inertial {
      case .together(let timing): (timing.rate, timing.rate)
      case .apart(let accelerometer, let gyroscope): (accelerometer?.rate ?? 0, gyroscope?.rate ?? 0)
      }
    accelerometer = VectorSensor(errors.accelerometer, rate: inertialRates.accelerometer, seed: seed, stream: 0)
    gyroscope = VectorSensor(errors.gyroscope, rate: inertialRates.gyroscope, seed: seed, stream: 2)
    magnetometer = VectorSensor(
      errors.magnetometer.sensor, rate: configuration.magnetometer?.rate ?? 0, seed: seed, stream: 4)
    pressure = ScalarSensor(errors.pressure, rate: configuration.pressure?.rate ?? 0, seed: seed, stream: 6)
    temperature = ScalarSensor(errors.temperature, rate: configuration.temperature?.rate ?? 0, seed: seed, stream: 8)
    let waterRate = configuration.waterPressure?.rate ?? 0
    waterPressure = ScalarSensor(errors.waterPressure, rate: waterRate, seed: seed, stream: 10)
    waterTemperature = ScalarSensor(errors.waterTemperature, rate: waterRate, seed: seed, stream: 12)
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

  /// m/s² at `seconds`.
  mutating func specificForce(index: Int64, seconds: Double) -> Vector3<Device> {
    let warmth = world.deviceTemperature(at: seconds) - 25
    let truth = trajectory.state(at: seconds).specificForce
    return accelerometer.reading(of: truth, index: index, seconds: seconds, warmth: warmth)
  }

  /// rad/s at `seconds`.
  mutating func angularVelocity(index: Int64, seconds: Double) -> Vector3<Device> {
    let warmth = world.deviceTemperature(at: seconds) - 25
    let truth = trajectory.state(at: seconds).angularVelocity
    return gyroscope.reading(of: truth, index: index, seconds: seconds, warmth: warmth)
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
