// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionMath
import MotionSensing

/// A recording of rest at 1 kHz that is read as fast as its readers take it.
struct CountedSource: SensorSource {
  let count: Int
  let info = SensorInfo(
    name: "counted recording", origin: .recording, pacing: .onDemand,
    channels: [.init(kind: .accelerometer, rates: [1000])])

  func run(_ session: SensorSession) throws {
    for index in 0..<count {
      let time = SensorInstant(nanoseconds: Int64(index) * 1_000_000)
      if let resume = session.resumeAfter, time <= resume { continue }
      try session.wait(until: time)
      try session.deliver(
        .accelerometer(AccelerometerSample(time: time, specificForce: Vector3(x: 0, y: 0, z: standardGravity))))
    }
  }
}
