// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import MotionSensing

/// Message types of other programs that hold sensor samples, by the names of their schemas. To read a further type: add it here.
struct ForeignMessage: Sendable {
  /// What may come out.
  var kinds: SensorKinds
  /// The samples of a message; their times are Unix times.
  var decode: @Sendable (ArraySlice<UInt8>) throws(SensorError) -> [SensorSample]

  /// The type with this schema and encoding; nil = not read.
  ///
  /// `withMotion`: also the motion that the sender has fused itself, where the type carries it.
  static func type(schemaName: String, messageEncoding: String, withMotion: Bool) -> ForeignMessage? {
    guard messageEncoding == "cdr", let type = ROS2MessageType(schemaName: schemaName) else { return nil }
    let hasMotion = withMotion && type == .imu
    return ForeignMessage(kinds: hasMotion ? [kinds(type), .fusedMotion] : kinds(type)) { (bytes) throws(SensorError) in
      let message = try ROS2Message(type, decoding: bytes)
      // A sensor a sample, as each has a time line of its own.
      var samples = message.samples.flatMap { sample -> [SensorSample] in
        guard case .inertial(let pair) = sample else { return [sample] }
        return [.accelerometer(pair.accelerometer), .gyroscope(pair.gyroscope)]
      }
      if hasMotion, case .imu(let imu) = message, let motion = imu.fusedMotion() {
        samples.append(.fusedMotion(motion))
      }
      return samples
    }
  }

  private static func kinds(_ type: ROS2MessageType) -> SensorKinds {
    switch type {
    case .imu: .inertial
    case .magneticField: .magnetometer
    case .fluidPressure: .airPressure
    case .temperature: .temperature
    }
  }
}
