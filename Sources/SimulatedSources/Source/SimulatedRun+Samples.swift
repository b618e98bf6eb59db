// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

extension SimulatedRun {
  /// Delivers the next sample of a channel, with what the fault plan does to it.
  mutating func deliver(from number: Int) throws(SourceStopped) {
    let seconds = channels[number].offset.seconds
    let time = epoch + channels[number].offset
    guard !faults.isEmpty else {
      let sample = makeSample(number, time: time, seconds: seconds, kinds: wanted)
      channels[number].step()
      try session.deliver(sample)
      return
    }
    let index = channels[number].index
    let previous = index > 0 ? channels[number].timing.offset(of: index - 1).seconds : -Double.infinity
    // The two halves of an inertial sample may suffer differently; any other sample is one piece.
    let kinds = channels[number].kinds
    let isInertial = channels[number].content == .inertial
    let firstKinds = isInertial ? .accelerometer : kinds
    let secondKinds = isInertial ? .gyroscope : kinds
    let first = faults.effect(on: firstKinds, at: seconds, after: previous)
    let second = isInertial ? faults.effect(on: secondKinds, at: seconds, after: previous) : first
    var present = wanted
    if first.isMissing { present.subtract(firstKinds) }
    if second.isMissing { present.subtract(secondKinds) }
    let isMissing = present.isDisjoint(with: kinds)
    let isLate = first.isLate || second.isLate
    let offset = SensorDuration(seconds: first.clockOffset != 0 ? first.clockOffset : second.clockOffset) ?? .zero
    var sample = makeSample(number, time: time + offset, seconds: seconds, kinds: present)
      .withNotANumber(accelerometer: first.isNotANumber, gyroscope: second.isNotANumber)
    if first.isFrozen || second.isFrozen, let latest = channels[number].latest {
      sample = latest.moved(to: sample.time)
    } else {
      channels[number].latest = sample
    }
    if first.isGarbage, case .pressure(var pressure) = sample {
      pressure.pressure = 2e6 * garbage.uniform(at: UInt64(bitPattern: index))
      sample = .pressure(pressure)
    }
    let held = channels[number].held
    channels[number].step()
    channels[number].held = isLate && !isMissing ? sample : nil
    if !isMissing, !isLate { try session.deliver(sample) }
    if !isMissing, first.isDuplicated || second.isDuplicated { try session.deliver(sample) }
    if let held { try session.deliver(held) }
  }

  /// The sample of a channel that is due; of an inertial one only the halves in `kinds`.
  private mutating func makeSample(
    _ number: Int, time: SensorInstant, seconds: Double, kinds: SensorKinds
  ) -> SensorSample {
    let index = channels[number].index
    switch channels[number].content {
    case .inertial where !kinds.contains(.gyroscope), .accelerometer:
      let force = synthesis.specificForce(index: index, seconds: seconds)
      return .accelerometer(AccelerometerSample(time: time, specificForce: force))
    case .inertial where !kinds.contains(.accelerometer), .gyroscope:
      let rate = synthesis.angularVelocity(index: index, seconds: seconds)
      return .gyroscope(GyroscopeSample(time: time, angularVelocity: rate))
    case .inertial:
      let (force, rate) = synthesis.inertial(index: index, seconds: seconds)
      return .inertial(InertialSample(time: time, angularVelocity: rate, specificForce: force))
    case .magnetometer:
      let field = synthesis.magneticField(index: index, seconds: seconds)
      return .magnetometer(MagnetometerSample(time: time, magneticField: field))
    case .airPressure:
      let pressure = synthesis.airPressure(index: index, seconds: seconds)
      return .pressure(
        PressureSample(time: time, pressure: pressure, temperature: synthesis.trueTemperature(at: seconds)))
    case .waterPressure:
      return .pressure(synthesis.waterPressure(index: index, time: time, seconds: seconds))
    case .temperature:
      let temperature = synthesis.deviceTemperature(index: index, seconds: seconds)
      return .temperature(TemperatureSample(time: time, temperature: temperature))
    }
  }
}

extension SensorSample {
  /// The same sample with NaN in the first component of the halves named; a sample without halves follows `accelerometer`.
  fileprivate func withNotANumber(accelerometer: Bool, gyroscope: Bool) -> SensorSample {
    guard accelerometer || gyroscope else { return self }
    switch self {
    case .accelerometer(var sample):
      if accelerometer { sample.reading.x = .nan }
      return .accelerometer(sample)
    case .gyroscope(var sample):
      if gyroscope { sample.angularVelocity.x = .nan }
      return .gyroscope(sample)
    case .inertial(var sample):
      if accelerometer { sample.specificForce.x = .nan }
      if gyroscope { sample.angularVelocity.x = .nan }
      return .inertial(sample)
    case .magnetometer(var sample):
      sample.reading.x = .nan
      return .magnetometer(sample)
    case .pressure(var sample):
      sample.pressure = .nan
      return .pressure(sample)
    case .temperature(var sample):
      sample.temperature = .nan
      return .temperature(sample)
    case .fusedMotion: return self
    }
  }
}
