// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

import CoreMotion
import Foundation

/// A few seconds of all sensors of the device at 100 Hz: many statements are answered from the same samples.
struct Observation: Sendable {
  /// Of the system's clock, before and after.
  var began, ended: Double
  var motion: [MotionSample] = []
  var accelerometer: [Reading] = []
  var gyroscope: [Reading] = []
  var magnetometer: [Reading] = []
  var errors: [Failure] = []

  /// The samples, or the reason why there are none.
  func samples() throws -> [MotionSample] {
    try need(motion.count >= 20, "Device motion brought \(motion.count) samples.")
    return motion
  }
}

/// Observations are made once for each frame and kept.
actor Observations {
  static let shared = Observations()
  private var made: [UInt: Observation] = [:]

  #if !os(macOS)
  func observation(in frame: CMAttitudeReferenceFrame = .xArbitraryZVertical) async throws -> Observation {
    if let known = made[frame.rawValue] { return known }
    try need(CMMotionManager().isDeviceMotionAvailable, "This device has no device motion.")
    try need(
      CMMotionManager.availableAttitudeReferenceFrames().contains(frame), "This device does not offer the frame.")
    let new = await Self.observe(frame)
    made[frame.rawValue] = new
    return new
  }

  private static func observe(_ frame: CMAttitudeReferenceFrame) async -> Observation {
    print("\nFor six seconds: hold the device in your hand and turn it slowly in all directions.\n")
    let manager = CMMotionManager()
    manager.accelerometerUpdateInterval = 0.01
    manager.gyroUpdateInterval = 0.01
    manager.magnetometerUpdateInterval = 0.01
    manager.deviceMotionUpdateInterval = 0.01
    let motion = Collector<Delivery<MotionSample>>()
    let accelerometer = Collector<Reading>()
    let gyroscope = Collector<Reading>()
    let magnetometer = Collector<Reading>()
    let began = ProcessInfo.processInfo.systemUptime
    let queue = serialQueue()
    manager.startDeviceMotionUpdates(using: frame, to: queue) { sample, error in
      motion.add(sample.map(MotionSample.init), error)
    }
    manager.startAccelerometerUpdates(to: queue) { sample, _ in
      if let sample { accelerometer.add(Reading(time: sample.timestamp, value: Vector(sample.acceleration))) }
    }
    manager.startGyroUpdates(to: queue) { sample, _ in
      if let sample { gyroscope.add(Reading(time: sample.timestamp, value: Vector(sample.rotationRate))) }
    }
    if manager.isMagnetometerAvailable {
      manager.startMagnetometerUpdates(to: queue) { sample, _ in
        if let sample { magnetometer.add(Reading(time: sample.timestamp, value: Vector(sample.magneticField))) }
      }
    }
    _ = await motion.wait(seconds: 6.5) { all in
      let times = all.compactMap { $0.value?.time }
      return (times.last ?? 0) - (times.first ?? 0) >= 6
    }
    manager.stopDeviceMotionUpdates()
    manager.stopAccelerometerUpdates()
    manager.stopGyroUpdates()
    manager.stopMagnetometerUpdates()
    return Observation(
      began: began, ended: ProcessInfo.processInfo.systemUptime, motion: motion.values(),
      accelerometer: accelerometer.all, gyroscope: gyroscope.all, magnetometer: magnetometer.all,
      errors: motion.errors())
  }
  #endif
}

extension Statement {
  /// A statement that the samples of an observation decide; `frame` is the raw value of a reference frame.
  static func samples(
    _ code: String, _ sentence: String, group: Group = .attitude, in frame: UInt = 1,
    _ check: @escaping @Sendable ([MotionSample]) throws -> [Finding]
  ) -> Statement {
    observation(code, sentence, group: group, in: frame) { try check($0.samples()) }
  }

  /// A statement that an observation decides.
  static func observation(
    _ code: String, _ sentence: String, group: Group = .attitude, in frame: UInt = 1,
    _ check: @escaping @Sendable (Observation) throws -> [Finding]
  ) -> Statement {
    Statement(code, group, sentence) {
      #if os(macOS)
      throw Obstacle("A Mac has no CMMotionManager.")
      #else
      return try check(await Observations.shared.observation(in: CMAttitudeReferenceFrame(rawValue: frame)))
      #endif
    }
  }
}
