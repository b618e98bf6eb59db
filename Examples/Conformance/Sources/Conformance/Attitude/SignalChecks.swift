// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Raw sensors against device motion. Nothing here knows a device.
enum SignalChecks {
  static func readingsAreInG(_ observation: Observation) throws -> [Finding] {
    try need(observation.accelerometer.count >= 20, "The accelerometer brought too few samples.")
    return [
      .inside("median length of the acceleration, g", median(observation.accelerometer.map(\.value.length)), 0.8...1.2)
    ]
  }

  static func partsMakeTheReading(_ observation: Observation) throws -> [Finding] {
    let pairs = observation.motion.compactMap { sample -> Double? in
      guard let raw = nearest(observation.accelerometer, to: sample.time) else { return nil }
      return (sample.gravity + sample.userAcceleration).distance(to: raw.value)
    }
    try need(pairs.count >= 20, "Too few readings belong to a sample of device motion.")
    return [.inside("median |gravity + userAcceleration − acceleration|, g", median(pairs), 0...0.03)]
  }

  static func rawRateHasTheBias(_ observation: Observation) throws -> [Finding] {
    let offsets = observation.motion.compactMap { sample -> Vector? in
      nearest(observation.gyroscope, to: sample.time).map { $0.value - sample.rate }
    }
    try need(offsets.count >= 20, "Too few rates belong to a sample of device motion.")
    let bias = Vector.mean(offsets)
    let scatter = median(offsets.map { $0.distance(to: bias) })
    return [
      .inside("raw rate − rate, its mean, rad/s", bias.length, 0...0.2),
      .inside("its scatter, rad/s: a bias hardly changes", scatter, 0...0.02),
    ]
  }

  /// The device's own field is fixed to the device: raw minus ambient hardly changes.
  static func rawFieldHasTheDevicesOwn(_ observation: Observation) throws -> [Finding] {
    try need(observation.magnetometer.count >= 20, "The magnetometer brought too few samples.")
    let own = observation.motion.filter { $0.fieldAccuracy >= 0 }.compactMap { sample in
      nearest(observation.magnetometer, to: sample.time).map { $0.value - sample.field }
    }
    try need(own.count >= 20, "The magnetometer is not calibrated.")
    let mean = Vector.mean(own)
    return [
      .inside("median length of the raw field, µT", median(observation.magnetometer.map(\.value.length)), 5...3000),
      .note("the device's own field, µT", "\(mean.x) \(mean.y) \(mean.z)"),
      .inside("its scatter, µT", median(own.map { $0.distance(to: mean) }), 0...5),
    ]
  }

  static func fieldIsAmbient(_ samples: [MotionSample]) throws -> [Finding] {
    let calibrated = samples.filter { $0.fieldAccuracy >= 0 }
    try need(calibrated.count >= 20, "The magnetometer is not calibrated.")
    return [.inside("median length of the field, µT", median(calibrated.map(\.field.length)), 15...100)]
  }

  static func fieldIsZeroUncalibrated(_ samples: [MotionSample]) throws -> [Finding] {
    let uncalibrated = samples.filter { $0.fieldAccuracy < 0 }
    try need(!uncalibrated.isEmpty, "Every sample has a calibrated field.")
    return .largest("|field| without calibration, µT", uncalibrated.map(\.field.length), atMost: 0)
      + .largest("accuracy + 1", uncalibrated.map { Double($0.fieldAccuracy + 1) }, atMost: 0)
  }

  static func frameWithoutMagnetometerHasNoField(_ samples: [MotionSample]) -> [Finding] {
    .largest("|field|, µT", samples.map(\.field.length), atMost: 0)
      + .largest("accuracy + 1", samples.map { Double($0.fieldAccuracy + 1) }, atMost: 0)
  }

  static func clockIsUptime(_ observation: Observation) throws -> [Finding] {
    let samples = try observation.samples()
    return [
      .inside("first time stamp − up time at the start, s", samples[0].time - observation.began, -0.5...5),
      .inside(
        "up time at the end − last time stamp, s", observation.ended - samples[samples.count - 1].time, -0.5...2),
    ]
  }

  static func nearest(_ readings: [Reading], to time: Double) -> Reading? {
    var (low, high) = (0, readings.count)
    while low < high {
      let middle = (low + high) / 2
      if readings[middle].time < time { low = middle + 1 } else { high = middle }
    }
    return readings[max(0, low - 1)..<min(readings.count, low + 1)]
      .min { abs($0.time - time) < abs($1.time - time) }
      .flatMap { abs($0.time - time) < 0.006 ? $0 : nil }
  }
}

/// The median; not a number of none.
func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}
