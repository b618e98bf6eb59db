// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import MotionSensing

/// The calibration of one device, as a file of JSON that a person can read and mend.
///
/// ```json
/// {
///   "format" : "opencoremotion-calibration",
///   "version" : 1,
///   "device" : "iio bmi160 at …",
///   "gyroscope" : {
///     "date" : "2026-09-21T10:00:00Z",
///     "offset" : [0.0041, -0.0029, 0.0021],
///     "quality" : {"samples" : 1000, "duration" : 10, "standardError" : 2e-05, "errorBefore" : 0.0055, "errorAfter" : 2e-05}
///   }
/// }
/// ```
///
/// `gyroscope`, `accelerometer` and `magnetometer` may each be missing. `offset` is the gyroscope's bias in rad/s, the
/// accelerometer's in m/s², the magnetometer's hard iron in T. `matrix` and `axes` have nine numbers, row by row, and are the
/// identity when they are missing; `axes` is for people whose device is built in another way than its driver thinks. What they do:
/// ``SensorCorrection``. Numbers of the quality are in the sensor's SI unit. A file that is not understood is refused with a
/// sentence, never ignored.
public struct CalibrationFile: Sendable, Equatable {
  /// How good a calibration is; SI unit of the sensor.
  public struct Quality: Sendable, Hashable, Codable {
    /// Readings that went into it.
    public var samples: Int
    /// Seconds that it took.
    public var duration: Double
    /// One standard error of the offset, of the axis where it is largest.
    public var standardError: Double
    /// What was wrong before: the bias itself, or the root mean square of the misfit of the length.
    public var errorBefore: Double
    /// The same with the calibration applied.
    public var errorAfter: Double

    /// Figures of a calibration.
    public init(samples: Int, duration: Double, standardError: Double, errorBefore: Double, errorAfter: Double) {
      self.samples = samples
      self.duration = duration
      self.standardError = standardError
      self.errorBefore = errorBefore
      self.errorAfter = errorAfter
    }
  }

  /// What is known of one sensor.
  public struct Section: Sendable, Hashable {
    /// When it was measured, to the second.
    public var date: Date
    /// What to do with readings.
    public var correction: SensorCorrection
    /// Nil when a person wrote the numbers.
    public var quality: Quality?

    /// The calibration of one sensor.
    public init(date: Date, correction: SensorCorrection, quality: Quality? = nil) {
      self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
      self.correction = correction
      self.quality = quality
    }
  }

  /// What tells the device from others (``SensorInfo/identity``), or the name of a simulation or recording.
  public var device: String
  /// Of the gyroscope; nil = nothing is known.
  public var gyroscope: Section?
  /// Of the accelerometer; nil = nothing is known.
  public var accelerometer: Section?
  /// Of the magnetometer; nil = nothing is known.
  public var magnetometer: Section?

  /// A file about a device of which nothing is known yet.
  public init(device: String) { self.device = device }

  /// What is applied to samples.
  public var calibration: SensorCalibration {
    SensorCalibration(
      gyroscope: gyroscope?.correction, accelerometer: accelerometer?.correction,
      magnetometer: magnetometer?.correction)
  }

  /// The date of the newest part; nil when there is none.
  public var date: Date? { [gyroscope, accelerometer, magnetometer].compactMap { $0?.date }.max() }
}
