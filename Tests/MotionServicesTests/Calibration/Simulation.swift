// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import SimulatedSources

/// The samples of a simulated device, taken straight from its source.
func samples(
  _ trajectory: any Trajectory, seconds: Double, errors: DeviceErrorModel = .phone, rate: Double = 100
) throws -> [SensorSample] {
  var configuration = SimulatedSource.Configuration()
  configuration.errors = errors
  configuration.inertial = .together(.init(rate: rate))
  configuration.duration = seconds
  let source = SimulatedSource(trajectory: trajectory, configuration: configuration, name: "test")
  let taken = Lock<[SensorSample]>([])
  let session = SensorSession(
    clock: FreeRunningClock(), request: SensorRequest(kinds: source.info.kinds, interval: .zero)
  ) { (sample, _) throws(SourceStopped) in taken.withLock { $0.append(sample) } }
  try source.run(session)
  return taken.withLock { $0 }
}

extension [SensorSample] {
  var gyroscope: [GyroscopeSample] {
    compactMap { if case .inertial(let sample) = $0 { sample.gyroscope } else { nil } }
  }
  var accelerometer: [AccelerometerSample] {
    compactMap { if case .inertial(let sample) = $0 { sample.accelerometer } else { nil } }
  }
}
