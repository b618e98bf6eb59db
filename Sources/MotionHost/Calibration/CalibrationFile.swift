// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

package import Foundation
import MotionMath
package import MotionSensing

/// The calibration of one device, as a file of JSON that a person can read and edit.
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
/// accelerometer's in m/s², the magnetometer's hard iron in T. `matrix` and `axes` have nine numbers, row by row, and
/// are the identity when they are missing; `axes` is for people whose device is built in another way than its driver
/// thinks. What they do: ``SensorCorrection``. Numbers of the quality are in the sensor's SI unit. A file that is not
/// understood is refused with a sentence, never ignored.
package struct CalibrationFile: Sendable, Equatable {
  /// How good a calibration is; SI unit of the sensor.
  package struct Quality: Sendable, Hashable, Codable {
    /// Readings that went into it.
    package var samples: Int
    /// Seconds that it took.
    package var duration: Double
    /// One standard error of the offset, of the axis where it is largest.
    package var standardError: Double
    /// What was wrong before: the bias itself, or the root mean square of the misfit of the length.
    package var errorBefore: Double
    /// The same with the calibration applied.
    package var errorAfter: Double

    /// Figures of a calibration.
    package init(samples: Int, duration: Double, standardError: Double, errorBefore: Double, errorAfter: Double) {
      self.samples = samples
      self.duration = duration
      self.standardError = standardError
      self.errorBefore = errorBefore
      self.errorAfter = errorAfter
    }
  }

  /// What is known of one sensor.
  package struct Section: Sendable, Hashable {
    /// When it was measured, to the second.
    package var date: Date
    /// What to do with readings.
    package var correction: SensorCorrection
    /// Nil when a person wrote the numbers.
    package var quality: Quality?

    /// The calibration of one sensor.
    package init(date: Date, correction: SensorCorrection, quality: Quality? = nil) {
      self.date = Date(timeIntervalSince1970: date.timeIntervalSince1970.rounded())
      self.correction = correction
      self.quality = quality
    }
  }

  /// What distinguishes the device from others (``SensorInfo/identity``), or the name of a simulation or recording.
  package var device: String
  /// Of the gyroscope; nil = nothing is known.
  package var gyroscope: Section?
  /// Of the accelerometer; nil = nothing is known.
  package var accelerometer: Section?
  /// Of the magnetometer; nil = nothing is known.
  package var magnetometer: Section?

  /// A file about a device of which nothing is known yet.
  package init(device: String) { self.device = device }

  /// What is applied to samples.
  package var calibration: SensorCalibration {
    SensorCalibration(
      gyroscope: gyroscope?.correction, accelerometer: accelerometer?.correction,
      magnetometer: magnetometer?.correction)
  }

  /// The date of the newest part; nil when there is none.
  package var date: Date? { [gyroscope, accelerometer, magnetometer].compactMap { $0?.date }.max() }
}

extension CalibrationFile {
  /// A file has about 1500 bytes.
  private static let file = DeviceFile(
    format: "opencoremotion-calibration", largestSize: 65_536, subject: "The calibration",
    remedy: "Correct the file, or remove it and calibrate again (motionctl calibrate).",
    whenUnreadable: "Make it readable, or remove it.", whenUnwritable: "Name another place with --output.")

  /// Reads a file; nil when there is none.
  ///
  /// Throws `.malformed`, `.unsupported`, `.limitExceeded` or `.notPermitted`, with the path and what to do.
  package init?(path: String) throws(SensorError) {
    guard let content = try Self.file.read(Content.self, at: path) else { return nil }
    device = content.device
    for (name, sensor, keyPath) in [
      ("gyroscope", content.gyroscope, \Self.gyroscope), ("accelerometer", content.accelerometer, \Self.accelerometer),
      ("magnetometer", content.magnetometer, \Self.magnetometer),
    ] as [(String, Sensor?, WritableKeyPath<Self, Section?>)] {
      guard let sensor else { continue }
      guard let section = sensor.section(mayMirror: name == "accelerometer") else {
        throw Self.file.malformed("The numbers of the \(name) cannot be the errors of a sensor.", at: path)
      }
      self[keyPath: keyPath] = section
    }
  }

  /// The file's bytes, the same for the same numbers.
  package func encoded() throws(SensorError) -> Data { try Self.file.encoded(Content(self)) }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  package func write(to path: String) throws(SensorError) { try Self.file.write(Content(self), to: path) }

  /// The members of one sensor.
  private struct Sensor: Codable {
    var date: Date
    var offset: [Double]
    var matrix: [Double]?
    var axes: [Double]?
    var quality: Quality?

    init(_ section: Section) {
      date = section.date
      offset = section.correction.offset.list
      matrix = section.correction.matrix == .identity ? nil : section.correction.matrix.list
      axes = section.correction.axes == .identity ? nil : section.correction.axes.list
      quality = section.quality
    }

    /// Nil when the numbers are too few or too many, or those of no sensor. Only an accelerometer may be mirrored: a
    /// driver may have the sign of gravity the other way round, but a rotation and a field have no such choice.
    func section(mayMirror: Bool) -> Section? {
      guard let offset = Vector3<Device>(list: offset), let matrix = matrix.map(Matrix3.init(list:)) ?? .identity,
        let axes = axes.map(Matrix3.init(list:)) ?? .identity, mayMirror || axes.determinant > 0,
        let correction = SensorCorrection(offset: offset, matrix: matrix, axes: axes)
      else { return nil }
      return Section(date: date, correction: correction, quality: quality)
    }
  }

  /// The members of the JSON.
  private struct Content: Codable {
    var format = CalibrationFile.file.format
    var version = CalibrationFile.file.version
    var device: String
    var gyroscope: Sensor?
    var accelerometer: Sensor?
    var magnetometer: Sensor?

    init(_ file: CalibrationFile) {
      device = file.device
      gyroscope = file.gyroscope.map(Sensor.init)
      accelerometer = file.accelerometer.map(Sensor.init)
      magnetometer = file.magnetometer.map(Sensor.init)
    }
  }
}
