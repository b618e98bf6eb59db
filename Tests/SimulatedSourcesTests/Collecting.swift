// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing
import MotionTesting
import SimulatedSources

/// Runs a simulation to its end, or until a sample is `span` seconds or more after time 0, on a clock that never waits.
///
/// The run is synchronous and takes milliseconds, so it may borrow the test's own thread.
func collect(
  _ source: SimulatedSource, span: Double = .infinity, kinds: SensorKinds = [], after: SensorInstant? = nil
) -> [SensorSample] {
  let samples = Lock<[SensorSample]>([])
  let session = SensorSession(
    clock: FreeRunningClock(), resumeAfter: after, request: SensorRequest(kinds: kinds, interval: .zero)
  ) { sample, _ throws(SourceStopped) in
    if sample.time.seconds >= span { throw SourceStopped() }
    samples.withLock { $0.append(sample) }
  }
  // How it ended is no business of this helper: the tests that care use SampleCollector.
  try? source.run(session)
  return samples.withLock { $0 }
}

extension Array where Element == SensorSample {
  /// The readings of one kind, as times and vectors (a scalar stands in x).
  func readings(_ kind: SensorKinds) -> [(time: Double, value: Vector3<Device>)] {
    compactMap { sample in
      let value: Vector3<Device>? =
        switch sample {
        case .accelerometer(let sample) where kind == .accelerometer: sample.specificForce
        case .gyroscope(let sample) where kind == .gyroscope: sample.angularVelocity
        case .inertial(let sample) where kind == .accelerometer: sample.accelerometer.specificForce
        case .inertial(let sample) where kind == .gyroscope: sample.gyroscope.angularVelocity
        case .magnetometer(let sample) where kind == .magnetometer: sample.magneticField
        case .pressure(let sample) where kind == (sample.medium == .air ? .airPressure : .waterPressure):
          Vector3(x: sample.pressure, y: 0, z: 0)
        case .temperature(let sample) where kind == .temperature: Vector3(x: sample.temperature, y: 0, z: 0)
        default: nil
        }
      return value.map { (sample.time.seconds, $0) }
    }
  }
}

/// A source at rest, or moving along `trajectory`, with a changed configuration.
func simulation(
  _ trajectory: any Trajectory = Rest(), _ change: (inout SimulatedSource.Configuration) -> Void = { _ in }
) -> SimulatedSource {
  var configuration = SimulatedSource.Configuration()
  change(&configuration)
  return SimulatedSource(trajectory: trajectory, configuration: configuration, name: "test")
}
