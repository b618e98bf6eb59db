// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionHost
import MotionMath
import MotionSensing

@testable import CoreMotion
@testable import MotionServices

/// States of motion as the hub hands them to the façade, written down instead of estimated.
enum MotionStates {
  /// A device that lies flat with its top edge at `azimuth` degrees clockwise from north, at `milliseconds`.
  static func flat(
    azimuth: Double = 0, at milliseconds: Int64, accuracy: Int8? = 2, hasHeading: Bool = true
  ) -> DeviceMotion {
    let time = SensorInstant(nanoseconds: milliseconds * 1_000_000)
    let solution = DeviceMotion.Solution(
      attitude: Rotation(aboutZ: -azimuth * .pi / 180), angularVelocity: .zero, hasHeading: hasHeading,
      inclinationStandardDeviation: 0.01, headingStandardDeviation: 0.02)
    let force = Vector3<Device>(x: 0, y: 0, z: standardGravity)
    return DeviceMotion(
      time: time, accelerometer: AccelerometerSample(time: time, specificForce: force), sixAxis: solution,
      nineAxis: solution,
      field: accuracy.map { DeviceMotion.Field(magneticField: Vector3(x: 0, y: 20e-6, z: -40e-6), accuracy: $0) },
      isAtRest: true)
  }

  static func translator(
    _ frame: CMAttitudeReferenceFrame, host: MotionHost = MotionHost(), showsDisplay: Bool = false
  ) -> DeviceMotionTranslator {
    var settings = DeviceMotionSettings()
    settings.showsDeviceMovementDisplay = showsDisplay
    return DeviceMotionTranslator(frame: frame, host: host, settings: Lock(settings))
  }
}

/// What a client has received.
struct Received {
  var samples: [CMDeviceMotion] = []
  var errors: [UInt32] = []

  /// Plays states into a service that is set up like CMMotionManager's own.
  static func from(_ states: [DeviceMotion], through translator: DeviceMotionTranslator) -> Received {
    var received = Received()
    for state in states {
      let (row, error) = translator.translate(state)
      if let error { received.errors.append(UInt32(error.code)) }
      if let row { received.samples.append(CMDeviceMotion(row)) }
    }
    return received
  }

  var yawDegrees: [Double] { samples.map { $0.attitude.yaw * 180 / .pi } }
}

/// A solution with a given attitude.
enum DeviceMotionSolution {
  static func make(_ attitude: Rotation<Device, EastNorthUp>) -> DeviceMotion.Solution {
    DeviceMotion.Solution(
      attitude: attitude, angularVelocity: .zero, hasHeading: true, inclinationStandardDeviation: 0.01,
      headingStandardDeviation: 0.02)
  }
}
