// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CoreMotion

/// The services of `CMMotionManager`.
enum MotionService: String, CaseIterable, ExpressibleByArgument {
  case accelerometer
  case gyro
  case magnetometer
  case deviceMotion = "device-motion"

  /// For sentences.
  var name: String {
    switch self {
    case .accelerometer: "accelerometer"
    case .gyro: "gyroscope"
    case .magnetometer: "magnetometer"
    case .deviceMotion: "device motion"
    }
  }

  /// Where its samples are kept (`formats.md` 6.1).
  var topic: String {
    switch self {
    case .accelerometer: "/motion/accelerometer"
    case .gyro: "/motion/gyro"
    case .magnetometer: "/motion/magnetometer"
    case .deviceMotion: "/motion/device"
    }
  }

  /// The property of a one-vector sample.
  var property: String {
    switch self {
    case .accelerometer: "acceleration"
    case .gyro: "rotationRate"
    case .magnetometer: "magneticField"
    case .deviceMotion: ""
    }
  }
}

/// How samples are written.
enum SampleFormat: String, CaseIterable, ExpressibleByArgument {
  /// For people: degrees, few decimals.
  case table
  /// One JSON object per line (`formats.md` 6.4).
  case ndjson
  /// `formats.md` 6.3.
  case csv
}
