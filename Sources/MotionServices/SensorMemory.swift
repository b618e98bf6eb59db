// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import OrientationFusion

/// What is worth knowing about a device the next time it is used.
public struct LearnedDevice: Sendable, Equatable {
  /// The errors of gyroscope and magnetometer that the orientation filter found.
  public var sensor: LearnedSensor
  /// The device's own magnetism; nil while it is not known, or when the source removes it itself.
  public var magnetometer: MagnetometerCalibration?

  /// What was learned.
  public init(sensor: LearnedSensor, magnetometer: MagnetometerCalibration? = nil) {
    self.sensor = sensor
    self.magnetometer = magnetometer
  }

  /// The same with the doubts of a later day; `elapsed` in seconds, infinite when nobody knows.
  public func widened(elapsed: Double) -> LearnedDevice {
    LearnedDevice(sensor: sensor.widened(elapsed: elapsed), magnetometer: magnetometer?.widened(elapsed: elapsed))
  }
}

/// Remembers one device from run to run.
///
/// A ``MotionHub`` without a memory, the default, starts every run with nothing: so a recording gives the same bits whenever
/// it is played. With a memory it asks before the first sample of a run and tells at the end of it, and every two minutes
/// in between. Both are called on the source's thread, one at a time.
public protocol SensorMemory: Sendable {
  /// What is known today, doubts widened by the time since (``LearnedDevice/widened(elapsed:)``); nil when nothing is.
  func recall() -> LearnedDevice?
  /// Takes over what is known now; it replaces what was known before.
  func keep(_ learned: LearnedDevice)
}
