// SPDX-FileCopyrightText: 2026 The OpenCoreMotion authors
// SPDX-License-Identifier: Apache-2.0

public import Foundation
import MotionMath
public import MotionSensing

extension CalibrationFile {
  /// Bytes; a file has about 1500.
  private static let largestSize = 65_536
  private static let format = "opencoremotion-calibration"
  private static let version = 1
  private static let remedy = "Mend the file, or take it away and calibrate anew (motionctl calibrate)."
  private static let words = SmallFile.Words(
    subject: "The calibration", whenUnreadable: "Make it readable, or take it away.", whenTooLarge: remedy,
    cannotWrite: "The calibration cannot be written", whenUnwritable: "Name another place with --output.")

  /// Reads a file; nil when there is none.
  ///
  /// Throws `.malformed`, `.unsupported`, `.limitExceeded` or `.notPermitted`, with the path and what to do.
  public init?(path: String) throws(SensorError) {
    let place = SensorError.Place(file: path)
    let remedy = Self.remedy
    guard let data = try SmallFile.read(path, largestSize: Self.largestSize, Self.words) else { return nil }
    guard let header = try? JSONDecoder().decode(Header.self, from: data), header.format == Self.format else {
      throw SensorError(.malformed, "This is no file with the calibration of sensors. \(remedy)", at: place)
    }
    guard header.version == Self.version else {
      throw SensorError(
        .unsupported,
        "The calibration has version \(header.version); this program reads version \(Self.version). \(remedy)",
        at: place)
    }
    let content: Content
    do {
      content = try Self.decoder.decode(Content.self, from: data)
    } catch {
      throw SensorError(.malformed, "A part of the calibration is missing or no number. \(remedy)", at: place)
    }
    device = content.device
    for (name, sensor, keyPath) in [
      ("gyroscope", content.gyroscope, \Self.gyroscope), ("accelerometer", content.accelerometer, \Self.accelerometer),
      ("magnetometer", content.magnetometer, \Self.magnetometer),
    ] as [(String, Sensor?, WritableKeyPath<Self, Section?>)] {
      guard let sensor else { continue }
      guard let section = sensor.section(mayMirror: name == "accelerometer") else {
        throw SensorError(
          .malformed, "The numbers of the \(name) cannot be the errors of a sensor. \(remedy)", at: place)
      }
      self[keyPath: keyPath] = section
    }
  }

  /// The file's bytes, the same for the same numbers.
  public func encoded() throws(SensorError) -> Data {
    do {
      return try SmallFile.json(Content(self))
    } catch {
      throw SensorError(.invalidRequest, "The calibration holds a number that is not finite: it is not written.")
    }
  }

  /// Writes the file whole or not at all, and makes the folders that it lies in.
  public func write(to path: String) throws(SensorError) {
    try SmallFile.write(try encoded(), to: path, Self.words)
  }

  private static var decoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return decoder
  }

  private struct Header: Decodable {
    var format: String
    var version: Int
  }

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

    /// Nil when the numbers are too few or too many, or those of no sensor. Only an accelerometer may be mirrored: a driver may
    /// have the sign of gravity the other way round, but a rotation and a field have no such choice.
    func section(mayMirror: Bool) -> Section? {
      guard let offset = Vector3<Device>(offset), let matrix = matrix.map(Matrix3.init) ?? .identity,
        let axes = axes.map(Matrix3.init) ?? .identity, mayMirror || axes.determinant > 0,
        let correction = SensorCorrection(offset: offset, matrix: matrix, axes: axes)
      else { return nil }
      return Section(date: date, correction: correction, quality: quality)
    }
  }

  /// The members of the JSON.
  private struct Content: Codable {
    var format = CalibrationFile.format
    var version = CalibrationFile.version
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

extension Vector3 {
  fileprivate init?(_ list: [Double]) {
    guard list.count == 3 else { return nil }
    self.init(x: list[0], y: list[1], z: list[2])
  }

  fileprivate var list: [Double] { [x, y, z] }
}

extension Matrix3 {
  fileprivate init?(_ m: [Double]) {
    guard m.count == 9 else { return nil }
    self.init(m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8])
  }

  fileprivate var list: [Double] { [m11, m12, m13, m21, m22, m23, m31, m32, m33] }
}
